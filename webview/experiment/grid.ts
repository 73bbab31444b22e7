import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import type { TableHead } from '../../src/protocol/experiment';
import { MOST_ROWS, placesIn } from '../shared/results/windowed';
import { classes } from './cellClasses';
import { cellContent, inputContent } from './cells';
import { columnGroups, groupsRow } from './columnGroups';
import { columnHead, inputHead } from './columnHead';
import { glanceRow, glanceRowsOf } from './glance';
import {
  COMFORTABLE,
  edgesOf,
  type GridPlace,
  type GridScroll,
  gridWindow,
  movedBy,
  rowHeight,
  scrollFor,
} from './gridGeometry';
import { judgeByKey } from './judging';
import type { ExperimentPage } from './page';
import type { ShownRow } from './rowBlocks';
import { columnWidths, INPUTS, noFilter, withSort } from './viewSettings';

/** Around the part in sight, as a share of it: each cell takes its time in each change of the table. */
const DRAWN = 0.5;

/**
 * The table as an ARIA grid. It holds the focus itself and names the active cell (`aria-activedescendant`), so that
 * cells may come and go as it scrolls.
 */
export function gridView(page: ExperimentPage, head: TableHead): TemplateResult {
  const { columns, blocks } = page;
  const { view, window, active } = page.state;
  const rows = Math.min(blocks.total, MOST_ROWS);
  const height = rowHeight(view.zoom);
  const widths = columnWidths(view, columns);
  const width = window.inputWidth + edgesOf(widths).at(-1)!;
  const shown = placesIn({ ...window.columns, last: Math.min(window.columns.last, columns.length) });
  const groups = columnGroups(view, head, columns);
  const figures = glanceRowsOf(page);
  const titles = groups.length > 0 ? 2 : 1;
  const heads = titles + figures.length;
  const tracks = `grid-template-columns:${window.inputWidth}px ${widths.map((one) => `${one}px`).join(' ')};width:${width}px`;
  return html`<div
    class=${['grid', blocks.areOld ? 'old' : '', height < COMFORTABLE && !view.wrap ? 'compact' : '', view.wrap ? 'wrap' : ''].join(' ')}
    role="grid"
    tabindex="0"
    aria-label=${l10n.t('Results of {0}', head.name)}
    aria-rowcount=${rows + heads}
    aria-colcount=${columns.length + 1}
    aria-busy=${blocks.isLoaded && !blocks.areOld ? 'false' : 'true'}
    aria-activedescendant=${isDrawn(page, active) ? cellElementId(active) : nothing}
    @scroll=${() => look(page)}
    @keydown=${(event: KeyboardEvent) => onKey(page, event)}
    @focus=${() => page.update()}
    @click=${(event: Event) => onClick(page, event)}
    @dblclick=${(event: Event) => onDoubleClick(page, event)}
  >
    <div role="rowgroup" class="heads" .style=${`width:${width}px`}>
      ${titles > 1 ? groupsRow(groups, tracks) : nothing}
      <div role="row" aria-rowindex=${titles} class="cells" .style=${tracks}>
        ${inputHead(page, cellElementId({ row: -1, column: -1 }))}
        ${shown.map((place) => columnHead(page, head, place, cellElementId({ row: -1, column: place })))}
      </div>
      ${figures.map((row, at) => glanceRow(page, row, titles + at + 1, shown, tracks))}
    </div>
    <div role="rowgroup" class="sizer" .style=${`height:${rows * height}px;width:${width}px`}>
      ${placesIn({ ...window.rows, last: Math.min(window.rows.last, rows) }).map((row) =>
        rowView(page, row, heads, shown, `${tracks};top:${row * height}px;height:${height}px`),
      )}
    </div>
  </div>`;
}

function rowView(
  page: ExperimentPage,
  row: number,
  heads: number,
  columns: readonly number[],
  style: string,
): TemplateResult {
  const shown = page.blocks.drawn(row, page.state.window.columns);
  return html`<div role="row" aria-rowindex=${row + 1 + heads} class="cells" .style=${style}>
    <div role="rowheader" aria-colindex="1" class=${classes(page, { row, column: -1 }, 'input')}
      id=${cellElementId({ row, column: -1 })} data-row=${row} data-column="-1">${shown ? inputContent(shown) : nothing}</div>
    ${columns.map((column) => cell(page, row, column, shown))}
  </div>`;
}

function cell(
  page: ExperimentPage,
  row: number,
  column: number,
  shown: ShownRow | undefined,
): TemplateResult {
  const content = shown?.cells.get(column);
  const { open } = page.state;
  const isOpen =
    open !== undefined && shown?.row === open.row && page.columnAt(shown, column) === open.column;
  const more = [
    content ? `state-${content.state}` : 'loading',
    isOpen ? 'open' : '',
    content?.differs ? 'differs' : '',
  ];
  return html`<div role="gridcell" aria-colindex=${column + 2} class=${classes(page, { row, column }, ...more)}
    aria-selected=${isOpen ? 'true' : 'false'} .style=${`grid-column:${column + 2}`}
    id=${cellElementId({ row, column })} data-row=${row} data-column=${column}>${content ? cellContent(content, page.state.view.markdown) : nothing}</div>`;
}

function cellElementId({ row, column }: GridPlace): string {
  return `cell-${row}-${column}`;
}

function isDrawn({ state: { window }, columns }: ExperimentPage, { row, column }: GridPlace): boolean {
  const isColumn =
    column < 0 || (column >= window.columns.first && column < Math.min(window.columns.last, columns.length));
  return isColumn && (row < 0 || (row >= window.rows.first && row < window.rows.last));
}

export function gridElement(): HTMLElement | null {
  return document.querySelector<HTMLElement>('.grid');
}

/** Measures the part in sight, which lays out the page, and draws it: after scrolling, and in another size. */
export function look(page: ExperimentPage): void {
  const grid = gridElement();
  if (!grid) return;
  page.state.scroll = scrollOf(grid);
  showWindow(page);
}

/** Reports the visible part to the page, and draws it where it has changed. */
export function showWindow(page: ExperimentPage): void {
  const { view, scroll } = page.state;
  if (!scroll) return;
  const size = {
    rows: page.blocks.total,
    rowHeight: rowHeight(view.zoom),
    edges: edgesOf(columnWidths(view, page.columns)),
    inputWidth: view.widths?.[INPUTS],
  };
  const window = gridWindow(scroll, size, DRAWN);
  const isSame = JSON.stringify(window) === JSON.stringify(page.state.window);
  // The host has sent more by the time it is drawn.
  page.look(window, gridWindow(scroll, size));
  if (!isSame) page.update();
}

function scrollOf(grid: HTMLElement): GridScroll {
  const { scrollTop: top, scrollLeft: left, clientWidth: width, clientHeight: height } = grid;
  return { top, left, width, height };
}

function onKey(page: ExperimentPage, event: KeyboardEvent): void {
  // Buttons and menus of the head have keys of their own.
  if (event.target !== event.currentTarget) return;
  const grid = event.currentTarget as HTMLElement;
  const height = rowHeight(page.state.view.zoom);
  const perPage = Math.max(1, Math.floor((grid.clientHeight - headHeight(grid)) / height) - 1);
  const size = { rows: page.blocks.total, columns: page.columns.length, page: perPage };
  const to = movedBy(event, page.state.active, size);
  if (to) {
    event.preventDefault();
    activate(page, grid, to);
  } else if (event.key === 'Enter') {
    event.preventDefault();
    act(page);
  } else if (
    page.state.active.row < 0 &&
    (event.key === 'ContextMenu' || (event.shiftKey && event.key === 'F10'))
  ) {
    event.preventDefault();
    headMenu(page.state.active)?.click();
  } else if (event.key === 'Escape') {
    if (page.state.open) page.closeCell();
    else page.changeView(noFilter);
  } else if (judgeByKey(page, event)) {
    event.preventDefault();
  } else if (event.key === '/') {
    event.preventDefault();
    document.querySelector<HTMLElement>('#filter')?.focus();
  }
}

/** The menu of a column, or the button that folds the summary, in the head of the inputs. */
function headMenu(place: GridPlace): HTMLElement | null | undefined {
  const head = document.getElementById(cellElementId({ ...place, row: -1 }));
  return head?.querySelector<HTMLElement>('[aria-haspopup], .fold');
}

/** Enter: a cell is opened, a head sorts its column. */
function act(page: ExperimentPage): void {
  const { active, view } = page.state;
  if (active.row >= 0) void page.openAt({ ...active, column: Math.max(0, active.column) });
  else if (active.column < 0) page.changeView(withSort(view, -1, 'outcome'));
  else if (view.blind === undefined) page.changeView(withSort(view, page.columns[active.column]!, 'outcome'));
}

/** Makes a cell the active one, and scrolls to it. */
export function showPlace(page: ExperimentPage, to: GridPlace): void {
  const grid = gridElement();
  if (grid) activate(page, grid, to);
}

/** Brings the active cell into sight, with the focus. */
export function showActive(page: ExperimentPage): void {
  const grid = gridElement();
  grid?.focus();
  if (grid) activate(page, grid, page.state.active);
}

function activate(page: ExperimentPage, grid: HTMLElement, to: GridPlace): void {
  page.state.active = to;
  const { view, window } = page.state;
  const sizes = {
    rowHeight: rowHeight(view.zoom),
    headHeight: headHeight(grid),
    inputWidth: window.inputWidth,
    edges: edgesOf(columnWidths(view, page.columns)),
  };
  const { top, left } = scrollFor(to, scrollOf(grid), sizes);
  if (top !== undefined) grid.scrollTop = top;
  if (left !== undefined) grid.scrollLeft = left;
  // The cell has to be there before it is named.
  look(page);
  page.update();
}

function headHeight(grid: HTMLElement): number {
  return grid.querySelector<HTMLElement>('.heads')?.offsetHeight ?? 0;
}

function eventPlace(event: Event): GridPlace | undefined {
  const element = (event.target as Element).closest<HTMLElement>('[data-row]');
  return element ? { row: Number(element.dataset.row), column: Number(element.dataset.column) } : undefined;
}

function onClick(page: ExperimentPage, event: Event): void {
  // Links of a Markdown text are opened where the whole result is shown: VS Code, on the window, must not see the click.
  if ((event.target as Element).closest('a')) {
    event.preventDefault();
    event.stopPropagation();
  }
  const place = eventPlace(event);
  if (!place) return;
  page.update({ active: place });
  // With a cell open beside the table, a click shows another one.
  if (page.state.open && place.column >= 0) void page.openAt(place);
}

function onDoubleClick(page: ExperimentPage, event: Event): void {
  const place = eventPlace(event);
  if (place && place.column >= 0) void page.openAt(place);
}
