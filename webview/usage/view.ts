import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import type { ActivityPart, PartName } from '../../src/protocol/usage';
import { textButton } from '../shared/buttons';
import { choice, clearFilter } from '../shared/controls';
import { activityTable, filterView, noFilter, passing } from './activityView';
import { spendingNotes } from './budgetView';
import { figuresView, seriesTables, tablesView } from './findingsView';
import { overTimeControls, overTimeView } from './overTime';
import { overviewView } from './overviewView';
import type { Range, UsagePage } from './page';
import { pageMenu } from './pageMenu';
import { type NotShown, notShown, type PartActions, section } from './part';
import { unresolvedView } from './unresolvedView';

/** The whole page. */
export function usageView(page: UsagePage): TemplateResult {
  const { hello, loading, notice } = page.state;
  return html`<main aria-busy=${loading ? 'true' : 'false'}>
    <header>
      <h1>${l10n.t('Usage and billing')}</h1>
      ${hello.environment ? html`<span class="environment">${hello.environment}</span>` : nothing}
      <span class="quiet" role="status">${loading ? l10n.t('Loading…') : ''}</span>
      <span class="spring"></span>
      ${rangeView(page)} ${pageMenu(page)}
    </header>
    ${notice === undefined ? nothing : html`<p class="notice failing" role="alert">${notice}</p>`}
    ${overviewView(page)} ${spendingNotes(hello.spending, page.units)}
    ${unresolved(page)} ${partsView(page)}
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
    setOutcome: (historyId) => page.host.notify('setOutcome', { historyId }),
    openRun: (historyId) => page.host.notify('openRun', { historyId }),
  });
}

function rangeView(page: UsagePage): TemplateResult {
  const ranges: readonly [Range, string][] = [
    ['all', l10n.t('Service default')],
    ['1', l10n.t('Last 24 hours')],
    ['7', l10n.t('Last 7 days')],
    ['30', l10n.t('Last 30 days')],
    ['90', l10n.t('Last 90 days')],
  ];
  return choice(l10n.t('Range'), page.state.range, ranges, (range) => {
    page.update({ range });
    void page.load();
  });
}

function summaryView(page: UsagePage): TemplateResult {
  const { summary: part } = page.state;
  const { units } = page;
  const title = l10n.t('Summary');
  if (part.state !== 'ready') return insteadOf(page, 'summary', title, part);
  const { findings } = part;
  const empty = findings.figures.length + findings.tables.length + findings.series.length === 0;
  return section({
    part: 'summary',
    title,
    body: empty
      ? html`<p class="quiet">${l10n.t('No usage in this range.')}</p>`
      : html`${figuresView(findings, units)} ${tablesView(findings, units)}
          ${seriesTables(findings.series, units)} ${leftOut(part)}`,
  });
}

function timeseriesView(page: UsagePage): TemplateResult {
  const { timeseries: part } = page.state;
  const title = l10n.t('Over time');
  if (part.state !== 'ready') return insteadOf(page, 'timeseries', title, part);
  return section({
    part: 'timeseries',
    title,
    findings: overTimeControls(page),
    body: html`${overTimeView(page, part.findings)} ${leftOut(part)}`,
  });
}

function activityView(page: UsagePage): TemplateResult {
  const { activity: part, filter } = page.state;
  const title = l10n.t('Activity');
  if (part.state !== 'ready') return insteadOf(page, 'activity', title, part);
  const { entries } = part;
  const rows = passing(entries, filter, page.from);
  const count =
    rows.length === entries.length
      ? entries.length === 1
        ? l10n.t('1 entry')
        : l10n.t('{0} entries', entries.length)
      : l10n.t('{0} of {1} entries', rows.length, entries.length);
  return section({
    part: 'activity',
    title,
    findings: html`<span class="quiet" role="status">${count}</span>`,
    body:
      entries.length === 0
        ? html`<p class="quiet">${l10n.t('No activity yet. Entries appear after the first run.')}</p>`
        : entriesView(page, part, rows),
  });
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
  { entries, more, incomplete }: ActivityPart & { state: 'ready' },
  rows: readonly number[],
): TemplateResult {
  const { filter, loadingMore } = page.state;
  return html`${filterView(entries, filter, (change) => page.update({ filter: { ...filter, ...change } }))}
    ${
      rows.length === 0
        ? html`<p class="quiet">${l10n.t('No entries match the filter.')}
            ${clearFilter(() => page.update({ filter: noFilter }))}</p>`
        : activityTable(
            entries,
            rows,
            page.units,
            (historyId) => page.host.notify('openRun', { historyId }),
            page.state.scrollTop,
            (scrollTop) => page.update({ scrollTop }),
          )
    }
    ${leftOut({ incomplete })}
    <div class="controls">
      ${
        more
          ? textButton(loadingMore ? l10n.t('Loading…') : l10n.t('Load More'), () => page.loadMore(), {
              disabled: loadingMore,
            })
          : nothing
      }
    </div>`;
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
