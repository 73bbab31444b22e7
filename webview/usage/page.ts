import * as l10n from '@vscode/l10n';
import { html, nothing, render, type TemplateResult } from 'lit';
import { formatMoney } from '../../src/contract/money';
import { Channel } from '../../src/protocol/channel';
import {
  type ActivityPart,
  type Hello,
  type PartName,
  type ShownSeries,
  type UsagePart,
  usageHostMethods,
  usagePageMethods,
} from '../../src/protocol/usage';
import { hostEndpoint } from '../shared/host';
import { type ActivityFilter, activityTable, filterView, noFilter, passing } from './activityView';
import { UsageChart } from './chart';
import { figuresView, seriesTable, tablesView } from './findingsView';
import { type Granularity, groupedBy, within } from './grouping';
import { type NotShown, notShown } from './part';
import { words } from './texts';

type Range = 'all' | '1' | '7' | '30' | '90';
type Waiting = { readonly state: 'loading' } | { readonly state: 'broken'; readonly message: string };

/** The usage page: what was asked, what came, and what the user picked. */
export class UsagePage {
  #hello: Hello = { locale: document.documentElement.lang || 'en' };
  #summary: UsagePart | Waiting = { state: 'loading' };
  #timeseries: UsagePart | Waiting = { state: 'loading' };
  #activity: ActivityPart | Waiting = { state: 'loading' };
  #range: Range = 'all';
  #granularity: Granularity | '' = '';
  #measure: string | undefined;
  #filter: ActivityFilter = noFilter;
  #loadingMore = false;
  #asking = new AbortController();
  #chart: UsageChart | undefined;
  #chartHost: HTMLElement | undefined;
  readonly #channel = new Channel(
    hostEndpoint,
    usagePageMethods,
    usageHostMethods,
    { reload: () => void this.#load(), spent: () => void this.#greet() },
    { describe: String, onBadMessage: (why) => console.warn(why) },
  );

  constructor(private readonly root: HTMLElement) {}

  start(): void {
    this.#render();
    void this.#load();
  }

  async #greet(): Promise<void> {
    this.#hello = await this.#channel.call('hello', null);
    document.documentElement.lang = this.#hello.locale;
    this.#render();
  }

  /** Asks for everything anew. A range or a grouping goes to the service only once the user has picked one. */
  async #load(): Promise<void> {
    this.#asking.abort();
    const asking = new AbortController();
    this.#asking = asking;
    this.#summary = this.#timeseries = this.#activity = { state: 'loading' };
    this.#render();
    const from = this.#from();
    const query = {
      ...(from !== undefined && { from: new Date(from).toISOString() }),
      ...(this.#granularity !== '' && { granularity: this.#granularity }),
    };
    const range = from === undefined ? {} : { from: query.from };
    const ask = async <T>(call: Promise<T>, take: (value: T | Waiting) => void) => {
      let value: T | Waiting;
      try {
        value = await call;
      } catch (error) {
        value = { state: 'broken', message: error instanceof Error ? error.message : String(error) };
      }
      if (asking.signal.aborted) return;
      take(value);
      this.#render();
    };
    await Promise.all([
      this.#greet().catch((error: unknown) => console.warn(error)),
      ask(this.#channel.call('summary', range, asking.signal), (part) => {
        this.#summary = part;
      }),
      ask(this.#channel.call('timeseries', query, asking.signal), (part) => {
        this.#timeseries = part;
      }),
      ask(this.#channel.call('activity', range, asking.signal), (part) => {
        this.#activity = part;
      }),
    ]);
  }

  async #loadMore(): Promise<void> {
    this.#loadingMore = true;
    this.#render();
    const { signal } = this.#asking;
    try {
      const part = await this.#channel.call('moreActivity', null, signal);
      // A page that failed leaves what is there: its words come as a message under the table.
      if (signal.aborted) return;
      if (part.state === 'ready' || this.#activity.state !== 'ready') this.#activity = part;
      else if ('message' in part) this.#activity = { ...this.#activity, incomplete: part.message };
    } finally {
      this.#loadingMore = false;
      this.#render();
    }
  }

  #from(): number | undefined {
    return this.#range === 'all' ? undefined : Date.now() - Number(this.#range) * 86_400_000;
  }

  readonly #actions = {
    openRaw: (part: PartName) => this.#channel.tell('openRaw', { part }),
    wayOn: (part: PartName) => this.#channel.tell('wayOn', { part }),
    retry: () => void this.#load(),
    openRun: (historyId: string) => this.#channel.tell('openRun', { historyId }),
    filter: (change: Partial<ActivityFilter>) => {
      this.#filter = { ...this.#filter, ...change };
      this.#render();
    },
  };

  #render(): void {
    const { environment } = this.#hello;
    render(
      html`<main>
        <header>
          <h1>${l10n.t('Usage and billing')}</h1>
          ${environment ? html`<span class="environment">${environment}</span>` : nothing}
          <span class="spring"></span>
          ${this.#rangeView()}
          <button class="secondary" @click=${() => void this.#load()}>${l10n.t('Refresh')}</button>
        </header>
        ${this.#budgetView()} ${this.#summaryView()} ${this.#timeseriesView()} ${this.#activityView()}
      </main>`,
      this.root,
    );
    this.#drawChart();
  }

  #rangeView(): TemplateResult {
    const ranges: readonly [Range, string][] = [
      ['all', l10n.t('As the service tells it')],
      ['1', l10n.t('Last 24 hours')],
      ['7', l10n.t('Last 7 days')],
      ['30', l10n.t('Last 30 days')],
      ['90', l10n.t('Last 90 days')],
    ];
    return html`<label>${l10n.t('Range')}
      <select @change=${(event: Event) => {
        this.#range = (event.target as HTMLSelectElement).value as Range;
        void this.#load();
      }}>
        ${ranges.map(([value, text]) => html`<option value=${value} ?selected=${value === this.#range}>${text}</option>`)}
      </select>
    </label>`;
  }

  #budgetView(): TemplateResult | typeof nothing {
    const { spending, locale } = this.#hello;
    if (!spending) return nothing;
    const money = (amount: string) => formatMoney({ amount, currency: spending.currency }, locale);
    const line = (name: string, { spent, budget }: typeof spending.session) =>
      budget === undefined
        ? l10n.t('{0}: {1} spent from here, no budget set', name, money(spent))
        : l10n.t('{0}: {1} of {2} spent', name, money(spent), money(budget));
    return html`<section aria-label=${l10n.t('Budgets')} class="budgets">
      <span>${line(l10n.t('This session'), spending.session)}</span>
      <span>${line(l10n.t('This workspace'), spending.workspace)}</span>
      ${
        spending.unknownRuns > 0
          ? html`<span>${l10n.t('Runs of unknown cost, not in these sums: {0}', spending.unknownRuns)}</span>`
          : nothing
      }
      ${spending.cannotPay ? html`<strong role="alert">${l10n.t('The wallet could not pay for a run.')}</strong>` : nothing}
      <button class="secondary" @click=${() => this.#channel.tell('changeBudget', null)}>${l10n.t('Change Budget…')}</button>
    </section>`;
  }

  #section(part: PartName, title: string, extra: unknown, body: unknown, raw: boolean): TemplateResult {
    return html`<section aria-labelledby=${`${part}-title`}>
      <div class="title">
        <h2 id=${`${part}-title`}>${title}</h2>
        <span class="spring"></span>
        ${extra}
        ${
          raw
            ? html`<button class="secondary" aria-label=${l10n.t('{0}: raw answer', title)}
                @click=${() => this.#actions.openRaw(part)}>${l10n.t('Raw Answer')}</button>`
            : nothing
        }
      </div>
      ${body}
    </section>`;
  }

  #summaryView(): TemplateResult {
    const part = this.#summary;
    const title = l10n.t('Summary');
    if (part.state !== 'ready')
      return this.#section('summary', title, nothing, this.#instead('summary', part), false);
    const { findings } = part;
    const { locale } = this.#hello;
    const found = l10n.t('Found: {0} figures, {1} tables', findings.figures.length, findings.tables.length);
    const empty = findings.figures.length + findings.tables.length + findings.series.length === 0;
    return this.#section(
      'summary',
      title,
      html`<span class="quiet">${found}</span>`,
      empty
        ? html`<p class="quiet">${l10n.t('Nothing was used in this time.')}</p>`
        : html`${figuresView(findings, locale)} ${tablesView(findings, locale)}
            ${findings.series.map((series) => seriesTable(series, locale))}`,
      true,
    );
  }

  #shownSeries(): readonly ShownSeries[] {
    if (this.#timeseries.state !== 'ready') return [];
    const from = this.#from();
    return this.#timeseries.findings.series
      .map((series) => within(series, from))
      .map((series) => (this.#granularity === '' ? series : groupedBy(series, this.#granularity)))
      .filter((series) => series.times.length > 0);
  }

  /** Money first, then the first measure there is. */
  #measureOf(series: readonly ShownSeries[]): string | undefined {
    const measures = series.flatMap((one) => one.measures);
    return (
      measures.find(({ name }) => name === this.#measure)?.name ??
      measures.find(({ isMoney }) => isMoney)?.name ??
      measures[0]?.name
    );
  }

  #timeseriesView(): TemplateResult {
    const part = this.#timeseries;
    const title = l10n.t('Over time');
    if (part.state !== 'ready') {
      return this.#section('timeseries', title, nothing, this.#instead('timeseries', part), false);
    }
    const { locale } = this.#hello;
    const series = this.#shownSeries();
    const measure = this.#measureOf(series);
    const measures = [...new Set(series.flatMap((one) => one.measures.map(({ name }) => name)))];
    const points = series.reduce((sum, one) => sum + one.times.length, 0);
    const found = l10n.t('Found: {0} series, {1} points', series.length, points);
    const controls = html`<div class="controls">
      <label>${l10n.t('Group by')}
        <select @change=${(event: Event) => {
          this.#granularity = (event.target as HTMLSelectElement).value as Granularity | '';
          void this.#load();
        }}>
          ${(
            [
              ['', l10n.t('As it came')],
              ['hour', l10n.t('Hour')],
              ['day', l10n.t('Day')],
              ['week', l10n.t('Week')],
              ['month', l10n.t('Month')],
            ] as const
          ).map(
            ([value, text]) =>
              html`<option value=${value} ?selected=${value === this.#granularity}>${text}</option>`,
          )}
        </select>
      </label>
      <label>${l10n.t('Measure')}
        <select @change=${(event: Event) => {
          this.#measure = (event.target as HTMLSelectElement).value;
          this.#render();
        }}>
          ${measures.map((name) => html`<option value=${name} ?selected=${name === measure}>${words(name)}</option>`)}
        </select>
      </label>
      <span class="spring"></span>
      ${this.#exportButtons(title, (format) => this.#channel.call('exportSeries', { format }))}
    </div>`;
    const body =
      series.length === 0 || measure === undefined
        ? html`<p class="quiet">${l10n.t('There are no points in this time.')}</p>
            ${tablesView(part.findings, locale)}`
        : html`${controls}
            <div class="chart" id="chart" role="img" aria-label=${l10n.t('Chart of {0} over time; the numbers stand in the table after it', words(measure))}></div>
            <details>
              <summary>${l10n.t('Numbers as a table')}</summary>
              ${series.map((one) => seriesTable(one, locale))}
            </details>
            ${tablesView(part.findings, locale)}`;
    return this.#section('timeseries', title, html`<span class="quiet">${found}</span>`, body, true);
  }

  #exportButtons(what: string, save: (format: 'csv' | 'json') => Promise<unknown>): TemplateResult {
    const button = (format: 'csv' | 'json', text: string) =>
      html`<button class="secondary" aria-label=${`${what}: ${text}`}
        @click=${() => void save(format).catch((error: unknown) => console.warn(error))}>${text}</button>`;
    return html`${button('csv', l10n.t('Export CSV'))} ${button('json', l10n.t('Export JSON'))}`;
  }

  #activityView(): TemplateResult {
    const part = this.#activity;
    const title = l10n.t('Activity');
    if (part.state !== 'ready')
      return this.#section('activity', title, nothing, this.#instead('activity', part), false);
    const { entries } = part;
    const rows = passing(entries, this.#filter, this.#from());
    const more = part.more
      ? html`<button class="secondary" ?disabled=${this.#loadingMore} @click=${() => void this.#loadMore()}>
          ${this.#loadingMore ? l10n.t('Loading…') : l10n.t('Load More')}
        </button>`
      : nothing;
    const count =
      rows.length === entries.length
        ? l10n.t('{0} entries', entries.length)
        : l10n.t('{0} of {1} entries', rows.length, entries.length);
    const body =
      entries.length === 0
        ? html`<p class="quiet">${l10n.t('There is no activity yet. It begins with the first run.')}</p>`
        : html`${filterView(entries, this.#filter, this.#actions)}
            ${
              rows.length === 0
                ? html`<p class="quiet">${l10n.t('No entry passes the filter.')}
                    <button class="secondary" @click=${() => this.#actions.filter(noFilter)}>${l10n.t('Clear Filter')}</button></p>`
                : activityTable(entries, rows, this.#hello.locale, this.#actions)
            }
            ${part.incomplete ? html`<p class="quiet">${part.incomplete}</p>` : nothing}
            <div class="controls">${more}<span class="spring"></span>
              ${this.#exportButtons(title, (format) => this.#channel.call('exportActivity', { format, rows: [...rows] }))}
            </div>`;
    return this.#section(
      'activity',
      title,
      html`<span class="quiet" role="status">${count}</span>`,
      body,
      true,
    );
  }

  #instead(part: PartName, what: NotShown): TemplateResult {
    return notShown(part, what, this.#actions);
  }

  #drawChart(): void {
    const host = this.root.querySelector<HTMLElement>('#chart') ?? undefined;
    if (host !== this.#chartHost) {
      this.#chart?.dispose();
      this.#chart = host && new UsageChart(host);
      this.#chartHost = host;
    }
    const series = this.#shownSeries();
    const measure = this.#measureOf(series);
    if (measure !== undefined) {
      this.#chart?.draw(
        series.filter((one) => one.measures.some(({ name }) => name === measure)),
        measure,
        this.#hello.locale,
      );
    }
  }
}
