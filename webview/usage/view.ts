import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import { compareAmounts } from '../../src/domain/amounts';
import type { ActivityPart, DayChart, PartName, ShownEntry } from '../../src/protocol/usage';
import { agentText } from '../../src/wording/agentGrant';
import { formatNumber } from '../../src/wording/number';
import { visibleText } from '../../src/wording/plainText';
import { textButton } from '../shared/buttons';
import { choice, typedIn } from '../shared/controls';
import { type MenuItem, menuButton } from '../shared/menu';
import { cards, spendingNotes } from './cards';
import { activityTable, modelsTable } from './lists';
import { type Pending, RANGES, type UsagePage } from './page';
import { dayText, moneyText, type Units, words } from './texts';
import { unresolvedView } from './unresolvedView';

/** The whole page. */
export function usageView(page: UsagePage): TemplateResult {
  const { hello, loading, notice } = page.state;
  return html`<main aria-busy=${loading ? 'true' : 'false'}>
    <header class="line wraps">
      <h1>${l10n.t('Usage and billing')}</h1>
      ${hello.environment ? html`<span class="chip line">${hello.environment}</span>` : nothing}
      <span class="quiet" role="status">${loading ? l10n.t('Loading…') : ''}</span>
      <span class="grow"></span>
      ${menuButton(l10n.t('Raw Responses and Exports'), () => menuItems(page))}
    </header>
    ${notice === undefined ? nothing : html`<p class="banner error-banner" role="alert">${notice}</p>`}
    ${cards(page)} ${spendingNotes(hello.spending, page.units)}
    ${unresolved(page)} ${partsView(page)} ${detailsView(page)}
  </main>`;
}

/** The other values of the summary: its period and identifiers. */
function detailsView({ state: { summary } }: UsagePage): TemplateResult | typeof nothing {
  if (summary.state !== 'ready' || summary.details.length === 0) return nothing;
  return html`<details>
    <summary>${l10n.t('Details')}</summary>
    <dl class="facts">
      ${summary.details.map(({ name, text }) => html`<dt>${words(name)}</dt><dd>${visibleText(text)}</dd>`)}
    </dl>
  </details>`;
}

/** The parts; where the same keeps all of them away, one message says so. */
function partsView(page: UsagePage): TemplateResult {
  const { timeseries, summary, activity } = page.state;
  const [first, ...others] = [timeseries, summary, activity];
  const isSame =
    'message' in first && others.every((part) => 'message' in part && part.message === first.message);
  if (isSame) return instead(page, 'timeseries', first);
  return html`${section(
    'timeseries',
    l10n.t('By day'),
    timeseries.state === 'ready'
      ? html`${chartView(page)} ${leftOut(timeseries)}`
      : instead(page, 'timeseries', timeseries),
    timeseries.state === 'ready' ? chartControls(page) : nothing,
  )}
  ${section(
    'summary',
    l10n.t('By model'),
    summary.state !== 'ready'
      ? instead(page, 'summary', summary)
      : summary.models.length === 0
        ? html`${quiet(l10n.t('The service lists no usage by model.'))} ${leftOut(summary)}`
        : html`${modelsTable(summary.models, page.units)} ${leftOut(summary)}`,
  )}
  ${activityView(page, activity)}`;
}

function section(
  part: PartName,
  title: string,
  body: unknown,
  besideTitle: unknown = nothing,
): TemplateResult {
  return html`<section aria-labelledby=${`${part}-title`}>
    <div class="title line wraps">
      <h2 id=${`${part}-title`}>${title}</h2>
      <span class="grow"></span>
      ${besideTitle}
    </div>
    ${body}
  </section>`;
}

function quiet(text: string): TemplateResult {
  return html`<p class="quiet">${text}</p>`;
}

/** Why not all entries are shown. */
function leftOut({ incomplete }: { readonly incomplete?: string | undefined }) {
  return incomplete ? quiet(incomplete) : nothing;
}

type NotShown = Exclude<ActivityPart, { state: 'ready' }> | Pending;

/** Why a part is not there, and the ways on. */
function instead(page: UsagePage, part: PartName, what: NotShown): TemplateResult {
  const openRaw = (kind: 'primary' | 'secondary') =>
    textButton(l10n.t('Open Raw Response'), () => page.host.notify('openRaw', { part }), { kind });
  switch (what.state) {
    case 'loading':
      return quiet(l10n.t('Loading…'));
    case 'notUnderstood':
      return html`<p class="banner">
        ${l10n.t('No figures or lists were recognized in the response.')} ${openRaw('primary')}
      </p>`;
    default: {
      const { state, message, wayOn, answered } = { wayOn: undefined, answered: false, ...what };
      return html`<div class="banner error-banner" role="alert"><div>
        <strong>${headings()[state]}</strong>
        <p>${message}</p>
        ${wayOn ? textButton(wayOn, () => page.host.notify('wayOn', { part }), { kind: 'primary' }) : nothing}
        ${answered ? openRaw('secondary') : nothing}
        ${textButton(l10n.t('Try Again'), () => void page.load())}
      </div></div>`;
    }
  }
}

function headings() {
  return {
    notConnected: l10n.t('Not connected'),
    forbidden: l10n.t('No permission'),
    failing: l10n.t('Could not load'),
    broken: l10n.t('Could not load'),
  };
}

function unresolved(page: UsagePage): TemplateResult | typeof nothing {
  const { activity: part } = page.state;
  if (part.state !== 'ready') return nothing;
  return unresolvedView(part.unresolved, page.units, {
    match: (historyId, isThisRun) => void page.matchRun(historyId, isThisRun),
    setOutcome: (historyIds) => page.host.notify('setOutcome', { historyIds: [...historyIds] }),
    openRun: (historyId) => page.host.notify('openRun', { historyId }),
  });
}

function chartControls(page: UsagePage): TemplateResult {
  const ranges = [l10n.t('Last 7 days'), l10n.t('Last 30 days'), l10n.t('Last 90 days')];
  const { charts, chart } = page;
  return html`<div class="controls line wraps">
    ${choice(
      l10n.t('Range'),
      page.state.range,
      RANGES.map((range, at) => [range, ranges[at]!] as const),
      (range) => {
        page.update({ range });
        void page.load();
      },
      false,
    )}
    ${
      charts.length < 2
        ? nothing
        : choice(
            l10n.t('Measure'),
            charts.indexOf(chart!),
            charts.map((one, at) => [at, chartName(one, charts)] as const),
            (at) => page.update({ chart: charts[at]! }),
            false,
          )
    }
  </div>`;
}

/** By its measure, whose amounts are in whole units, and its series where several have one of that name. */
function chartName({ series, name, isMoney }: DayChart, charts: readonly DayChart[]): string {
  const isAlone = charts.filter((one) => one.name === name).length < 2;
  const measure = words(isMoney ? name.replace(/[_-]?(?:cent|micro)s?$/i, '') : name);
  return isAlone ? measure : `${words(series)} · ${measure}`;
}

const dayMs = 86_400_000;

/** A bar for each day, as tall as its share of the greatest. Days without data are blank. */
function chartView(page: UsagePage): TemplateResult {
  const { chart, charts, units } = page;
  if (!chart) return quiet(l10n.t('No data in this range.'));
  const { days } = chart;
  const [first, last] = [days[0]!.at, days.at(-1)!.at];
  const amounts = new Map(days.map(({ at, amount }) => [at, amount]));
  const greatest = days.map(({ amount }) => amount).reduce((a, b) => (compareAmounts(a, b) < 0 ? b : a));
  const [start, end] = [dayText(first, units.locale), dayText(last, units.locale)];
  const bars = Array.from({ length: Math.round((last - first) / dayMs) + 1 }, (_, index) => {
    const at = first + index * dayMs;
    const amount = amounts.get(at);
    if (amount === undefined) return html`<i></i>`;
    // Floats only here, for pixels.
    const share = Number(greatest) > 0 ? Math.max(0, Number(amount) / Number(greatest)) : 0;
    const text = `${dayText(at, units.locale)}: ${valueText(chart, amount, units)}`;
    return html`<i title=${text}><b .style=${`height:${share * 100}%`}></b></i>`;
  });
  return html`<div
      class="chart"
      role="img"
      aria-label=${l10n.t('{0} by day, {1} to {2}. “Export as CSV” has the numbers.', chartName(chart, charts), start, end)}
    >
      <div class="quiet">${valueText(chart, greatest, units)}</div>
      <div class="bars">${bars}</div>
      <div class="line quiet"><span>${start}</span><span class="grow"></span><span>${end}</span></div>
    </div>`;
}

function valueText({ isMoney, currency }: DayChart, amount: string, units: Units): string {
  return isMoney ? moneyText({ amount, currency }, units) : formatNumber(amount, units.locale);
}

/** Places of the entries of the range in which every word of the search is. */
function passing(page: UsagePage): readonly number[] {
  const { activity: part, search } = page.state;
  if (part.state !== 'ready') return [];
  const terms = search.toLowerCase().split(/\s+/).filter(Boolean);
  return part.entries.flatMap((entry, index) => {
    if (entry.at !== undefined && entry.at < page.from) return [];
    const text = terms.length === 0 ? '' : searchedText(entry);
    return terms.every((term) => text.includes(term)) ? [index] : [];
  });
}

function searchedText({ kind, model, mode, status, id, description, money, agent }: ShownEntry): string {
  return [kind, model, mode, status, id, description, money?.amount, agent && agentText(agent)]
    .filter(Boolean)
    .join(' ')
    .toLowerCase();
}

/** Folded: a single charge is looked up, and the table of models is read. */
function activityView(page: UsagePage, part: ActivityPart | Pending): TemplateResult {
  const title = l10n.t('Activity');
  if (part.state !== 'ready') return section('activity', title, instead(page, 'activity', part));
  const { entries, more } = part;
  if (entries.length === 0)
    return section('activity', title, quiet(l10n.t('No activity yet. Entries appear after the first run.')));
  const { search, shownEntries, loadingMore } = page.state;
  const rows = passing(page);
  const count =
    rows.length === entries.length
      ? entries.length === 1
        ? l10n.t('1 entry')
        : l10n.t('{0} entries', entries.length)
      : l10n.t('{0} of {1} entries', rows.length, entries.length);
  const loadMore = textButton(
    loadingMore ? l10n.t('Loading…') : l10n.t('Load More'),
    () => page.loadMore(rows.length),
    {
      disabled: loadingMore,
    },
  );
  return html`<section aria-label=${title}>
    <details>
      <summary>${title} <span class="quiet" role="status">${count}</span></summary>
      <input type="search" aria-label=${l10n.t('Search')} placeholder=${l10n.t('Search')} .value=${search}
        @input=${(event: Event) => page.update({ search: typedIn(event) })} />
      ${activityTable(
        rows.slice(0, shownEntries).map((row) => entries[row]!),
        page.units,
        (historyId) => page.host.notify('openRun', { historyId }),
      )}
      ${more || rows.length > shownEntries ? loadMore : nothing}
    </details>
    ${leftOut(part)}
  </section>`;
}

function menuItems(page: UsagePage): MenuItem[] {
  const { host, state } = page;
  const raw = (part: PartName, title: string, hasResponse: boolean): MenuItem => ({
    label: l10n.t('{0}: Raw Response', title),
    icon: 'json',
    disabled: !hasResponse,
    act: () => host.notify('openRaw', { part }),
  });
  const exported = (
    title: string,
    save: (format: 'csv' | 'json') => Promise<void>,
    has: boolean,
  ): MenuItem[] => {
    const item = { icon: 'export', disabled: !has } as const;
    return [
      { ...item, label: l10n.t('{0}: Export as CSV', title), act: () => page.ask(save('csv')) },
      { ...item, label: l10n.t('{0}: Export as JSON', title), act: () => page.ask(save('json')) },
    ];
  };
  const [byDay, activity] = [l10n.t('By day'), l10n.t('Activity')];
  const rows = passing(page);
  return [
    raw('wallet', l10n.t('Balance'), state.overview !== 'loading'),
    raw('summary', l10n.t('By model'), hasRaw(state.summary)),
    raw('timeseries', byDay, hasRaw(state.timeseries)),
    raw('activity', activity, hasRaw(state.activity)),
    'line',
    ...exported(byDay, (format) => host.call('exportDays', { format }), page.charts.length > 0),
    ...exported(
      activity,
      (format) => host.call('exportActivity', { format, rows: [...rows] }),
      rows.length > 0,
    ),
  ];
}

function hasRaw(part: { readonly state: string; readonly answered?: boolean | undefined }): boolean {
  return part.state === 'ready' || part.state === 'notUnderstood' || part.answered === true;
}
