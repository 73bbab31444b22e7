import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import type { TableHead, TableQuery } from '../../src/protocol/experiment';
import { iconButton } from '../shared/buttons';
import { icon } from '../shared/icon';
import { type MenuItem, menuButton } from '../shared/menu';
import { classes } from './cellClasses';
import { isFolded } from './glance';
import type { ExperimentPage } from './page';
import { blindLabel, columnWidths, INPUTS, withHidden, withMoved, withSort, withWidth } from './viewSettings';

type SortBy = NonNullable<TableQuery['sort']>['by'];

/** The head of the inputs, which sorts by them. */
export function inputHead(page: ExperimentPage, id: string): TemplateResult {
  const place = { row: -1, column: -1 };
  return html`<div role="columnheader" id=${id} aria-colindex="1" class=${classes(page, place, 'input')}
    aria-sort=${sorted(page, -1) ?? 'none'}>
    <button type="button" tabindex="-1" class="title" @click=${() => sort(page, -1, 'outcome')}>
      ${l10n.t('Input')} ${arrow(page, -1)}
    </button>
    <span class="line">${foldButton(page)}${addColumn(page)}</span>
    ${edge(page, INPUTS, page.state.window.inputWidth)}
  </div>`;
}

function addColumn(page: ExperimentPage): TemplateResult | typeof nothing {
  if (page.state.view.blind !== undefined) return nothing;
  const add = () => page.ask(page.host.call('vary', {}));
  return iconButton('add', l10n.t('Add Column…'), add, { tab: -1 });
}

function foldButton(page: ExperimentPage): TemplateResult | typeof nothing {
  const { view, summary } = page.state;
  if (view.blind !== undefined || !summary || summary.rows.length === 0) return nothing;
  const folded = isFolded(page);
  return html`<button type="button" tabindex="-1" class="fold line quiet" aria-expanded=${folded ? 'false' : 'true'}
    @click=${() => page.changeView({ isFolded: !folded })}>${icon(folded ? 'chevron-right' : 'chevron-down')} ${l10n.t('Summary')}</button>`;
}

/** The head of a column: its values, the outcomes of its runs, and its actions. */
export function columnHead(page: ExperimentPage, head: TableHead, place: number, id: string): TemplateResult {
  const column = page.columns[place]!;
  if (page.state.view.blind !== undefined) return blindHead(page, place, id);
  const { name, places, other } = head.columns[column]!;
  // While runs go on, the line above the table says how far they have come.
  const runs = page.isHostAtWork ? '' : (page.state.summary?.runs[column] ?? '…');
  const isBaseline = page.state.view.baseline === column;
  return html`<div role="columnheader" id=${id} aria-colindex=${place + 2} .style=${`grid-column:${place + 2}`}
    class=${classes(page, { row: -1, column: place }, isBaseline ? 'baseline' : '')} aria-sort=${sorted(page, column) ?? 'none'}>
    <button type="button" tabindex="-1" class="title" title=${l10n.t('Sort by {0}', name)}
      @click=${() => sort(page, column, 'outcome')}>
      ${other ? html`<span title=${name}>${icon('history')} ${other.label}</span>` : nothing}
      ${
        places.length === 0
          ? other
            ? nothing
            : name
          : places.map(({ name, value }) => html`<span><span class="quiet">${name}</span> ${value}</span>`)
      }
      ${isBaseline ? html`<span class="quiet">${icon('pinned')} ${l10n.t('baseline')}</span>` : nothing}
      ${arrow(page, column)}
    </button>
    <span class="line"><span class="quiet clip" title=${runs}>${runs}</span>${actions(page, head, column, name)}</span>
    ${edge(page, column, columnWidths(page.state.view, [column])[0]!)}
  </div>`;
}

/** Judged blind: without signs of the column. */
function blindHead(page: ExperimentPage, place: number, id: string): TemplateResult {
  return html`<div role="columnheader" id=${id} aria-colindex=${place + 2} .style=${`grid-column:${place + 2}`}
    class=${classes(page, { row: -1, column: place })}><strong>${blindLabel(place)}</strong></div>`;
}

function actions(page: ExperimentPage, head: TableHead, column: number, name: string): TemplateResult {
  const { view } = page.state;
  const sortBy = (by: SortBy, label: string): MenuItem => ({ label, act: () => sort(page, column, by) });
  const items = (): MenuItem[] => [
    sortBy('outcome', l10n.t('Sort by Outcome')),
    head.metrics.length > 0 && sortBy('metric', l10n.t('Sort by {0}', head.metrics[0]!)),
    sortBy('cost', l10n.t('Sort by Cost')),
    sortBy('time', l10n.t('Sort by Time')),
    'line',
    view.baseline === column
      ? {
          label: l10n.t('Remove Baseline'),
          icon: 'pinned',
          act: () => page.changeView({ baseline: undefined }),
        }
      : {
          label: l10n.t('Set as Baseline'),
          icon: 'pin',
          act: () => page.changeView({ baseline: column }),
        },
    {
      label: l10n.t('Hide Column'),
      icon: 'eye-closed',
      act: () => page.changeView(withHidden(view, head, column)),
    },
    {
      label: l10n.t('Move Left'),
      icon: 'arrow-left',
      act: () => page.changeView(withMoved(view, head, column, -1)),
    },
    {
      label: l10n.t('Move Right'),
      icon: 'arrow-right',
      act: () => page.changeView(withMoved(view, head, column, 1)),
    },
    ...[1.25, 0.8].map((factor) => ({
      label: factor > 1 ? l10n.t('Wider') : l10n.t('Narrower'),
      act: () => page.changeView(withWidth(view, column, factor * columnWidths(view, [column])[0]!)),
    })),
    'line',
    ...(head.columns[column]!.other
      ? [
          {
            label: l10n.t('Stop Comparing'),
            icon: 'close',
            act: () => page.ask(page.host.call('stopComparing', { column })),
          },
        ]
      : ownActions(page, head, column)),
  ];
  return menuButton(l10n.t('Actions for {0}', name), items, { tab: -1 });
}

function ownActions(page: ExperimentPage, head: TableHead, column: number): MenuItem[] {
  const own = head.columns.filter(({ other }) => !other).length;
  return [
    head.columns[column]!.places.length > 0 && {
      label: l10n.t('Rename…'),
      icon: 'edit',
      act: () => page.ask(page.host.call('renameColumn', { column })),
    },
    {
      label: l10n.t('Duplicate…'),
      icon: 'copy',
      act: () => page.ask(page.host.call('duplicateColumn', { column })),
    },
    head.varied.length === 1 &&
      own > 1 && {
        label: l10n.t('Remove from the File'),
        icon: 'trash',
        act: () => page.ask(page.host.call('removeColumn', { column })),
      },
    {
      label: l10n.t('Use This Variation…'),
      icon: 'play',
      act: () => page.ask(page.host.call('useVariation', { column })),
    },
  ];
}

/** The right edge of a head: dragged, it changes the width of its column; double-clicked, it has the first width again. */
function edge(page: ExperimentPage, column: number, width: number): TemplateResult {
  const drag = (event: PointerEvent) => {
    const handle = event.currentTarget as HTMLElement;
    event.preventDefault();
    handle.setPointerCapture(event.pointerId);
    const move = ({ clientX }: PointerEvent) =>
      page.changeView(withWidth(page.state.view, column, width + clientX - event.clientX));
    handle.addEventListener('pointermove', move);
    handle.addEventListener('lostpointercapture', () => handle.removeEventListener('pointermove', move), {
      once: true,
    });
  };
  const reset = () => {
    const { [column]: _, ...widths } = page.state.view.widths ?? {};
    page.changeView({ widths });
  };
  return html`<span class="edge" title=${l10n.t('Drag to change the width')} @pointerdown=${drag} @dblclick=${reset}></span>`;
}

function sort(page: ExperimentPage, column: number, by: SortBy): void {
  page.changeView(withSort(page.state.view, column, by));
}

/** How the rows are sorted by a column; undefined: they are not. */
function sorted(page: ExperimentPage, column: number): 'ascending' | 'descending' | undefined {
  const { sort } = page.state.view;
  if (sort?.column !== column || sort.by === 'changes') return undefined;
  return sort.descending ? 'descending' : 'ascending';
}

function arrow(page: ExperimentPage, column: number): TemplateResult | typeof nothing {
  const order = sorted(page, column);
  return order ? icon(order === 'descending' ? 'arrow-small-down' : 'arrow-small-up') : nothing;
}
