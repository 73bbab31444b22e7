import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import { greatestOf, leastOf } from '../../src/domain/many';
import type { ActivityPart, PartName } from '../../src/protocol/usage';
import { textButton } from '../shared/buttons';
import { choice, typedIn } from '../shared/controls';
import { type MenuItem, menuButton } from '../shared/menu';
import { activityTable, passing } from './activityView';
import { spendingNotes } from './budgetView';
import { MAX_LINES } from './chart';
import { detailsView, modelsView } from './modelsView';
import { overviewView } from './overviewView';
import type { Range, UsagePage } from './page';
import { type NotShown, notShown, type PartActions, section } from './part';
import { bucketText, words } from './texts';
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
      ${pageMenu(page)}
    </header>
    ${notice === undefined ? nothing : html`<p class="banner error-banner" role="alert">${notice}</p>`}
    ${overviewView(page)} ${spendingNotes(hello.spending, page.units)}
    ${unresolved(page)} ${partsView(page)}
    ${page.state.summary.state === 'ready' ? detailsView(page.state.summary.figures, page.units) : nothing}
  </main>`;
}

/** The parts; where the same keeps all of them away, one message says so. */
function partsView(page: UsagePage): TemplateResult {
  const { timeseries, summary, activity } = page.state;
  const [first, ...others] = [timeseries, summary, activity];
  const isSame =
    'message' in first && others.every((part) => 'message' in part && part.message === first.message);
  if (!isSame) return html`${timeseriesView(page)} ${summaryView(page)} ${activityView(page)}`;
  return notShown(first, partActions(page, 'timeseries'));
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

function controls(page: UsagePage): TemplateResult {
  const ranges: readonly [Range, string][] = [
    [7, l10n.t('Last 7 days')],
    [30, l10n.t('Last 30 days')],
    [90, l10n.t('Last 90 days')],
  ];
  const { series } = page;
  const measures = [...new Set(series.flatMap((one) => one.measures.map(({ name }) => name)))];
  return html`<div class="controls line wraps">
    ${choice(
      l10n.t('Range'),
      page.state.range,
      ranges,
      (range) => {
        page.update({ range });
        void page.load();
      },
      false,
    )}
    ${
      measures.length < 2
        ? nothing
        : choice(
            l10n.t('Measure'),
            page.measureOf(series),
            measures.map((name) => [name, words(name)] as const),
            (measure) => page.update({ measure: measure! }),
            false,
          )
    }
  </div>`;
}

function timeseriesView(page: UsagePage): TemplateResult {
  const { timeseries: part } = page.state;
  const title = l10n.t('By day');
  if (part.state !== 'ready') return insteadOf(page, 'timeseries', title, part);
  return section({
    part: 'timeseries',
    title,
    findings: controls(page),
    body: html`${chartView(page)} ${leftOut(part)}`,
  });
}

function chartView(page: UsagePage): TemplateResult {
  const { series, units } = page;
  const measure = page.measureOf(series);
  if (measure === undefined) return html`<p class="quiet">${l10n.t('No data in this range.')}</p>`;
  const times = series.flatMap((one) => one.times);
  const [first, last] = [leastOf(times), greatestOf(times)].map((at) => bucketText(at, units.locale));
  return html`<div class="chart" id="chart" role="img"
      aria-label=${l10n.t('{0} by day, {1} to {2}. “Export as CSV” has the numbers.', words(measure), first!, last!)}></div>
    ${
      series.length > MAX_LINES
        ? html`<p class="quiet">${l10n.t('The chart shows the {0} largest of {1} series.', MAX_LINES, series.length)}</p>`
        : nothing
    }`;
}

function summaryView(page: UsagePage): TemplateResult {
  const { summary: part } = page.state;
  const { units } = page;
  const title = l10n.t('By model');
  if (part.state !== 'ready') return insteadOf(page, 'summary', title, part);
  const { models } = part;
  return section({
    part: 'summary',
    title,
    body: html`${
      models.length === 0
        ? html`<p class="quiet">${l10n.t('The service lists no usage by model.')}</p>`
        : modelsView(models, units)
    } ${leftOut(part)}`,
  });
}

/** Folded: each single charge is looked up, and the table of models is read. */
function activityView(page: UsagePage): TemplateResult {
  const { activity: part, search } = page.state;
  const title = l10n.t('Activity');
  if (part.state !== 'ready') return insteadOf(page, 'activity', title, part);
  const { entries } = part;
  if (entries.length === 0) {
    const text = l10n.t('No activity yet. Entries appear after the first run.');
    return section({ part: 'activity', title, body: html`<p class="quiet">${text}</p>` });
  }
  const rows = passing(entries, search, page.from);
  const count =
    rows.length === entries.length
      ? entries.length === 1
        ? l10n.t('1 entry')
        : l10n.t('{0} entries', entries.length)
      : l10n.t('{0} of {1} entries', rows.length, entries.length);
  return html`<section aria-label=${title}>
    <details>
      <summary>${title} <span class="quiet" role="status">${count}</span></summary>
      ${entriesView(page, part, rows)}
    </details>
    ${leftOut(part)}
  </section>`;
}

/** Why not all entries are shown. */
function leftOut({
  incomplete,
}: {
  readonly incomplete?: string | undefined;
}): TemplateResult | typeof nothing {
  return incomplete ? html`<p class="quiet">${incomplete}</p>` : nothing;
}

function entriesView(
  page: UsagePage,
  { entries, more }: ActivityPart & { state: 'ready' },
  rows: readonly number[],
): TemplateResult {
  const { search, loadingMore, scrollTop } = page.state;
  return html`<input type="search" aria-label=${l10n.t('Search')} placeholder=${l10n.t('Search')} .value=${search}
      @input=${(event: Event) => page.update({ search: typedIn(event) })} />
    ${activityTable(
      entries,
      rows,
      page.units,
      (historyId) => page.host.notify('openRun', { historyId }),
      scrollTop,
      (top) => page.update({ scrollTop: top }),
    )}
    ${
      more
        ? textButton(loadingMore ? l10n.t('Loading…') : l10n.t('Load More'), () => page.loadMore(), {
            disabled: loadingMore,
          })
        : nothing
    }`;
}

function partActions(page: UsagePage, part: PartName): PartActions {
  return {
    openRaw: () => page.host.notify('openRaw', { part }),
    wayOn: () => page.host.notify('wayOn', { part }),
    retry: () => void page.load(),
  };
}

function insteadOf(page: UsagePage, part: PartName, title: string, what: NotShown): TemplateResult {
  return section({
    part,
    title,
    body: notShown(what, partActions(page, part)),
  });
}

type ExportFormat = 'csv' | 'json';

function pageMenu(page: UsagePage): TemplateResult {
  return menuButton(l10n.t('Raw Responses and Exports'), () => items(page));
}

function items(page: UsagePage): MenuItem[] {
  const { host, state, from } = page;
  const raw = (part: PartName, title: string, hasResponse: boolean): MenuItem => ({
    label: l10n.t('{0}: Raw Response', title),
    icon: 'json',
    disabled: !hasResponse,
    act: () => host.notify('openRaw', { part }),
  });
  const exported = (title: string, save: (format: ExportFormat) => Promise<unknown>, has: boolean) =>
    (['csv', 'json'] as const).map(
      (format): MenuItem => ({
        label: format === 'csv' ? l10n.t('{0}: Export as CSV', title) : l10n.t('{0}: Export as JSON', title),
        icon: 'export',
        disabled: !has,
        act: () => page.ask(save(format)),
      }),
    );
  const [overTime, activity] = [l10n.t('By day'), l10n.t('Activity')];
  const entries = state.activity.state === 'ready' ? state.activity.entries : [];
  const rows = passing(entries, state.search, from);
  return [
    raw('wallet', l10n.t('Balance'), state.overview !== 'loading'),
    raw('summary', l10n.t('By model'), hasRaw(state.summary)),
    raw('timeseries', overTime, hasRaw(state.timeseries)),
    raw('activity', activity, hasRaw(state.activity)),
    'line',
    ...exported(overTime, (format) => host.call('exportSeries', { format }), page.series.length > 0),
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
