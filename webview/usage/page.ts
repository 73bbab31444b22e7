import * as l10n from '@vscode/l10n';
import { html, nothing, render, type TemplateResult } from 'lit';
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
import { budgetView } from './budgetView';
import { figuresView, seriesTables, tablesView } from './findingsView';
import { OverTime } from './overTime';
import { type NotShown, notShown } from './part';
import { choose, exportButtons, section } from './section';

type Range = 'all' | '1' | '7' | '30' | '90';
type Waiting = { readonly state: 'loading' } | { readonly state: 'broken'; readonly message: string };

/** The usage page: what was asked, what came, and what the user picked. */
export class UsagePage {
  #hello: Hello = { locale: document.documentElement.lang || 'en' };
  #summary: UsagePart | Waiting = { state: 'loading' };
  #timeseries: UsagePart | Waiting = { state: 'loading' };
  #activity: ActivityPart | Waiting = { state: 'loading' };
  #range: Range = 'all';
  #filter: ActivityFilter = noFilter;
  #loading = true;
  #loadingMore = false;
  #asking = new AbortController();
  readonly #channel = new Channel(
    hostEndpoint,
    usagePageMethods,
    usageHostMethods,
    { reload: () => void this.#load({ anew: true }), spent: () => void this.#greet() },
    { describe: String, onBadMessage: (why) => console.warn(why) },
  );

  readonly #overTime = new OverTime({
    regroup: () => void this.#load(),
    show: () => this.#render(),
    save: (format) => this.#channel.call('exportSeries', { format }),
  });

  constructor(private readonly root: HTMLElement) {}

  start(): void {
    this.#render();
    void this.#load({ anew: true });
  }

  async #greet(): Promise<void> {
    this.#hello = await this.#channel.call('hello', null);
    document.documentElement.lang = this.#hello.locale;
    this.#render();
  }

  /**
   * Asks for everything. A range or a grouping goes to the service only once the user has picked one. What is there
   * stays until the response comes, so that nothing jumps and no focus is lost, but for another environment or key.
   */
  async #load({ anew = false } = {}): Promise<void> {
    this.#asking.abort();
    const asking = new AbortController();
    this.#asking = asking;
    if (anew) this.#summary = this.#timeseries = this.#activity = { state: 'loading' };
    this.#loading = true;
    this.#render();
    const from = this.#from();
    const { granularity } = this.#overTime;
    const query = {
      ...(from !== undefined && { from: new Date(from).toISOString() }),
      ...(granularity !== '' && { granularity }),
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
    if (asking.signal.aborted) return;
    this.#loading = false;
    this.#render();
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
    openRaw: (part: PartName) => this.#channel.notify('openRaw', { part }),
    wayOn: (part: PartName) => this.#channel.notify('wayOn', { part }),
    retry: () => void this.#load(),
    openRun: (historyId: string) => this.#channel.notify('openRun', { historyId }),
    filter: (change: Partial<ActivityFilter>) => {
      this.#filter = { ...this.#filter, ...change };
      this.#render();
    },
  };

  #render(): void {
    const { environment, locale } = this.#hello;
    const series =
      this.#timeseries.state === 'ready' ? this.#overTime.shown(this.#timeseries.findings, this.#from()) : [];
    render(
      html`<main aria-busy=${this.#loading ? 'true' : 'false'}>
        <header>
          <h1>${l10n.t('Usage and billing')}</h1>
          ${environment ? html`<span class="environment">${environment}</span>` : nothing}
          <span class="spring"></span>
          <span class="quiet" role="status">${this.#loading ? l10n.t('Loading…') : ''}</span>
          ${this.#rangeView()}
          <button class="secondary" @click=${() => void this.#load()}>${l10n.t('Refresh')}</button>
        </header>
        ${budgetView(this.#hello, () => this.#channel.notify('changeBudget', null))}
        ${this.#summaryView()} ${this.#timeseriesView(series)} ${this.#activityView()}
      </main>`,
      this.root,
    );
    this.#overTime.draw(this.root, series, locale);
  }

  #rangeView(): TemplateResult {
    const ranges: readonly [Range, string][] = [
      ['all', l10n.t('As the service tells it')],
      ['1', l10n.t('Last 24 hours')],
      ['7', l10n.t('Last 7 days')],
      ['30', l10n.t('Last 30 days')],
      ['90', l10n.t('Last 90 days')],
    ];
    return choose(l10n.t('Range'), this.#range, ranges, (range) => {
      this.#range = range;
      void this.#load();
    });
  }

  #summaryView(): TemplateResult {
    const part = this.#summary;
    const title = l10n.t('Summary');
    if (part.state !== 'ready') return this.#instead('summary', title, part);
    const { findings } = part;
    const { locale } = this.#hello;
    const empty = findings.figures.length + findings.tables.length + findings.series.length === 0;
    return section({
      part: 'summary',
      title,
      found: html`<span class="quiet"
        >${l10n.t('Found: {0}, {1}', counted.figures(findings.figures.length), counted.tables(findings.tables.length))}</span
      >`,
      body: empty
        ? html`<p class="quiet">${l10n.t('Nothing was used in this time.')}</p>`
        : html`${figuresView(findings, locale)} ${tablesView(findings, locale)}
            ${seriesTables(findings.series, locale)}`,
      openRaw: () => this.#actions.openRaw('summary'),
    });
  }

  #timeseriesView(series: readonly ShownSeries[]): TemplateResult {
    const part = this.#timeseries;
    const title = l10n.t('Over time');
    if (part.state !== 'ready') return this.#instead('timeseries', title, part);
    const points = series.reduce((sum, one) => sum + one.times.length, 0);
    return section({
      part: 'timeseries',
      title,
      found: html`<span class="quiet">${l10n.t('Found: {0} series, {1}', series.length, counted.points(points))}</span>`,
      body: this.#overTime.view(title, part.findings, series, this.#hello.locale),
      openRaw: () => this.#actions.openRaw('timeseries'),
    });
  }

  #activityView(): TemplateResult {
    const part = this.#activity;
    const title = l10n.t('Activity');
    if (part.state !== 'ready') return this.#instead('activity', title, part);
    const { entries } = part;
    const rows = passing(entries, this.#filter, this.#from());
    const count =
      rows.length === entries.length
        ? l10n.t('{0} entries', entries.length)
        : l10n.t('{0} of {1} entries', rows.length, entries.length);
    return section({
      part: 'activity',
      title,
      found: html`<span class="quiet" role="status">${count}</span>`,
      body:
        entries.length === 0
          ? html`<p class="quiet">${l10n.t('There is no activity yet. It begins with the first run.')}</p>`
          : this.#entriesView(title, part, rows),
      openRaw: () => this.#actions.openRaw('activity'),
    });
  }

  #entriesView(
    title: string,
    { entries, more, incomplete }: ActivityPart & { state: 'ready' },
    rows: readonly number[],
  ): TemplateResult {
    return html`${filterView(entries, this.#filter, this.#actions)}
      ${
        rows.length === 0
          ? html`<p class="quiet">${l10n.t('No entry passes the filter.')}
              <button class="secondary" @click=${() => this.#actions.filter(noFilter)}>${l10n.t('Clear Filter')}</button></p>`
          : activityTable(entries, rows, this.#hello.locale, this.#actions)
      }
      ${incomplete ? html`<p class="quiet">${incomplete}</p>` : nothing}
      <div class="controls">
        ${
          more
            ? html`<button class="secondary" ?disabled=${this.#loadingMore} @click=${() => void this.#loadMore()}>
                ${this.#loadingMore ? l10n.t('Loading…') : l10n.t('Load More')}
              </button>`
            : nothing
        }
        <span class="spring"></span>
        ${exportButtons(title, (format) => this.#channel.call('exportActivity', { format, rows: [...rows] }))}
      </div>`;
  }

  #instead(part: PartName, title: string, what: NotShown): TemplateResult {
    const answered = 'answered' in what && what.answered === true;
    return section({
      part,
      title,
      body: notShown(part, what, this.#actions),
      ...(answered && { openRaw: () => this.#actions.openRaw(part) }),
    });
  }
}

const counted = {
  figures: (count: number) => (count === 1 ? l10n.t('1 figure') : l10n.t('{0} figures', count)),
  tables: (count: number) => (count === 1 ? l10n.t('1 table') : l10n.t('{0} tables', count)),
  points: (count: number) => (count === 1 ? l10n.t('1 point') : l10n.t('{0} points', count)),
};
