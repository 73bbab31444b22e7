import * as l10n from '@vscode/l10n';
import { html, nothing, type PropertyDeclarations, type PropertyValues, type TemplateResult } from 'lit';
import type { ShownCell, ShownFigures, TableHead } from '../../../src/protocol/experiment';
import type { PlotAxes, PlotPlace } from '../../../src/protocol/experimentPlot';
import { formatNumber } from '../../../src/wording/number';
import { define, PageElement } from '../../shared/element';
import { placesIn, scrollToShow } from '../../shared/results/windowed';
import { showActive } from '../grid';
import { movedBy } from '../gridGeometry';
import type { ExperimentPage } from '../page';
import { axesOf, type Layout, layoutOf, type PlotView, turned } from './axes';
import { plotBar } from './bar';
import { PlotCells } from './cells';
import { figureAxes, figureCell, type PlottedFigure, plottedFigures, valueRange } from './figureCells';
import { type PlotPoint, type PlotSize, type PlotWindow, plotSize, plotWindow } from './geometry';
import { isTooLarge, MOST_CELLS_OF_PAGE, type PlotRange, pageSize, plotPlaces } from './pageCells';
import { axisHead, captionView, cellElementId, cellView, cornerText, wholeView } from './views';

const NO_WINDOW: PlotWindow = { x: { first: 0, last: 0 }, y: { first: 0, last: 0 } };

/** The results of an experiment over two of its varied places; the others are pages. */
export class XyPlot extends PageElement {
  static override properties: PropertyDeclarations = {
    page: { attribute: false },
    head: { attribute: false },
    view: { attribute: false },
    open: { attribute: false },
    axes: { state: true },
    figures: { state: true },
    range: { state: true },
    active: { state: true },
    window: { state: true },
    box: { state: true },
    whole: { state: true },
    isSaving: { state: true },
  };
  declare page: ExperimentPage;
  declare head: TableHead;
  declare view: PlotView;
  /** The cell that is open beside the plot. */
  declare open: { readonly row: number; readonly column: number } | undefined;
  declare axes: PlotAxes | undefined;
  declare figures: ShownFigures | undefined;
  declare range: PlotRange | undefined;
  declare active: PlotPoint;
  declare window: PlotWindow;
  /** Of the visible part. */
  declare box: { readonly width: number; readonly height: number };
  /** The whole text of the active cell, where the cell shows its beginning. */
  declare whole: { readonly of: ShownCell; readonly text: string } | undefined;
  declare isSaving: boolean;
  #cells: PlotCells | undefined;
  #lastLayout: { readonly axes: PlotAxes; readonly view: PlotView; readonly layout: Layout } | undefined;
  #loaded: Layout | undefined;
  readonly #resizes = new ResizeObserver(() => this.#look());

  constructor() {
    super();
    this.active = { x: 0, y: 0 };
    this.window = NO_WINDOW;
    this.box = { width: 0, height: 0 };
    this.isSaving = false;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#resizes.disconnect();
  }

  get cells(): PlotCells {
    this.#cells ??= new PlotCells(this.page, () => this.requestUpdate());
    return this.#cells;
  }

  get layout(): Layout | undefined {
    const { axes, view } = this;
    if (!axes) return undefined;
    if (this.#lastLayout?.axes !== axes || this.#lastLayout.view !== view)
      this.#lastLayout = { axes, view, layout: layoutOf(this.figure ? figureAxes(axes) : axes, view) };
    return this.#lastLayout.layout;
  }

  get size(): PlotSize {
    const layout = this.layout;
    const counts = pageSize(layout);
    return plotSize(
      this.box,
      { ...counts, hasY: layout?.y !== undefined, hasPictures: this.cells.hasPictures },
      this.view.zoom,
    );
  }

  /** The figure that is shown; undefined: the results are. */
  get figure(): PlottedFigure | undefined {
    const { of } = this.view;
    return of === undefined || !this.figures
      ? undefined
      : plottedFigures(this.figures).find((one) => one.of === of);
  }

  cellOf(place: PlotPlace): ShownCell | undefined {
    const { figures, figure } = this;
    return figures && figure
      ? figureCell(figures, figure.of, place, this.head.locale)
      : this.cells.get(place);
  }

  change(view: PlotView): void {
    this.page.changeView({ plot: view });
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    const before = changed.get('head');
    // The running rows of the head change with every result; its columns are made again with its table.
    if (changed.has('head') && before?.columns !== this.head.columns) void this.#load();
    const layout = this.layout;
    if (!layout) return;
    const { x, y } = pageSize(layout);
    if (this.active.x >= x || this.active.y >= y)
      this.active = { x: Math.min(this.active.x, x - 1), y: Math.min(this.active.y, y - 1) };
    if (!isTooLarge(layout)) void this.#loadPage(layout);
  }

  protected override updated(): void {
    const grid = this.#grid;
    if (grid) this.#resizes.observe(grid);
    this.#look();
    void this.#readWhole();
  }

  protected override render(): TemplateResult {
    const { layout, axes } = this;
    if (!layout || !axes) return html`<p class="waiting" role="status">${l10n.t('Loading…')}</p>`;
    return html`${plotBar(this, layout, axesOf(this.figure ? figureAxes(axes) : axes))} ${captionView(this, layout, axes)}
      ${
        isTooLarge(layout)
          ? html`<p class="waiting" role="status">${l10n.t(
              'This page would have {0} cells; {1} are possible. Choose other axes.',
              formatNumber(pageSize(layout).x * pageSize(layout).y),
              formatNumber(MOST_CELLS_OF_PAGE),
            )}</p>`
          : this.#gridView(layout)
      }
      ${wholeView(this, layout)}`;
  }

  #gridView(layout: Layout): TemplateResult {
    const { size, window, active } = this;
    const { x, y } = pageSize(layout);
    const tracks = `grid-template-columns:${size.headWidth}px repeat(${x},${size.width}px);width:${size.headWidth + x * size.width}px`;
    const columns = placesIn(window.x);
    return html`<div class="xy" role="grid" tabindex="0" aria-label=${l10n.t('X/Y of {0}', this.head.name)}
      aria-rowcount=${y + 1} aria-colcount=${x + 1} aria-activedescendant=${isDrawn(window, active) ? cellElementId(active) : nothing} aria-describedby="xy-whole"
      @scroll=${() => this.#look()} @keydown=${(event: KeyboardEvent) => this.#onKey(event, layout)}
      @click=${(event: Event) => this.#onClick(event)} @dblclick=${(event: Event) => this.#onClick(event, true)}>
      <div role="rowgroup" class="heads" .style=${`width:${size.headWidth + x * size.width}px`}>
        <div role="row" aria-rowindex="1" class="cells" .style=${`${tracks};height:${size.headHeight}px`}>
          <div role="columnheader" aria-colindex="1" class="cell input corner quiet clip">${cornerText(layout)}</div>
          ${columns.map(
            (at) =>
              html`<div role="columnheader" aria-colindex=${at + 2} class="cell" .style=${`grid-column:${at + 2}`}>${axisHead(this, layout.x, at)}</div>`,
          )}
        </div>
      </div>
      <div role="rowgroup" class="sizer" .style=${`height:${y * size.height}px`}>
        ${placesIn(window.y).map(
          (
            row,
          ) => html`<div role="row" aria-rowindex=${row + 2} class="cells" .style=${`${tracks};top:${row * size.height}px;height:${size.height}px`}>
            <div role="rowheader" aria-colindex="1" class="cell input">${axisHead(this, layout.y, row)}</div>
            ${columns.map((column) => cellView(this, layout, { x: column, y: row }))}
          </div>`,
        )}
      </div>
    </div>`;
  }

  get #grid(): HTMLElement | null {
    return this.querySelector<HTMLElement>('.xy');
  }

  async #load(): Promise<void> {
    const [axes, figures] = await Promise.all([
      this.page.ask(this.page.host.call('plotAxes', null)),
      this.page.ask(this.page.host.call('figures', null)),
    ]);
    if (figures) this.figures = figures;
    if (axes) this.axes = axes;
  }

  /** The cells of the page, and the range of their numbers. */
  async #loadPage(layout: Layout): Promise<void> {
    if (layout === this.#loaded) return;
    this.#loaded = layout;
    if (!this.figure) await this.cells.load(layout, this.view);
    if (this.#loaded === layout)
      this.range = valueRange(plotPlaces(layout).flatMap((place) => this.cellOf(place) ?? []));
  }

  /** Draws another part where the present one no longer holds all that is in sight. */
  #look(): void {
    const grid = this.#grid;
    const layout = this.layout;
    if (!grid || !layout) return;
    const { scrollTop: top, scrollLeft: left, clientWidth: width, clientHeight, offsetHeight } = grid;
    // Whole pixels of it: `clientHeight` may round up.
    const height = Math.floor(grid.getBoundingClientRect().height) - (offsetHeight - clientHeight);
    if (width !== this.box.width || height !== this.box.height) this.box = { width, height };
    const next = plotWindow({ top, left, width, height }, this.size, pageSize(layout));
    if (JSON.stringify(next) !== JSON.stringify(this.window)) this.window = next;
  }

  #onKey(event: KeyboardEvent, layout: Layout): void {
    const { x, y } = this.active;
    const size = pageSize(layout);
    const to = movedBy(event, { row: y, column: x }, { rows: size.y, columns: size.x, page: 0 });
    if (event.key === 'PageDown' || event.key === 'PageUp') {
      event.preventDefault();
      const next = turned(this.view, layout, event.key === 'PageDown' ? 1 : -1);
      if (next) this.change(next);
    } else if (to) {
      event.preventDefault();
      this.#activate({ x: Math.max(0, to.column), y: Math.max(0, to.row) });
    } else if (event.key === 'Enter') {
      event.preventDefault();
      this.#openActive();
    } else if (event.key === 'Escape') this.page.closeCell();
  }

  #activate(to: PlotPoint): void {
    this.active = to;
    const grid = this.#grid;
    if (!grid) return;
    const { size } = this;
    const { scrollTop, scrollLeft, clientWidth, clientHeight } = grid;
    const top = scrollToShow(to.y, scrollTop, clientHeight - size.headHeight, size.height);
    const left = scrollToShow(to.x, scrollLeft, clientWidth - size.headWidth, size.width);
    if (top !== undefined) grid.scrollTop = top;
    if (left !== undefined) grid.scrollLeft = left;
    this.#look();
  }

  #onClick(event: Event, isDouble = false): void {
    const target = (event.target as Element).closest<HTMLElement>('[data-x]');
    if (!target) return;
    this.active = { x: Number(target.dataset.x), y: Number(target.dataset.y) };
    if (isDouble || this.open) this.#openActive();
  }

  #openActive(): void {
    const place = this.layout?.cellAt(this.active.x, this.active.y);
    if (!place) return;
    const { row, column } = place;
    if (this.figure) {
      // A figure is of a whole column: the table shows its rows.
      this.page.update({ active: { row: -1, column: this.page.columns.indexOf(column) } });
      this.change({ ...this.view, isShown: false });
      this.page.afterRender(() => showActive(this.page));
      return;
    }
    void this.page.openCell({ row, column, place: this.page.columns.indexOf(column) });
  }

  async #readWhole(): Promise<void> {
    const place = this.layout?.cellAt(this.active.x, this.active.y);
    const cell = place && this.cellOf(place);
    if (!cell?.text.endsWith('…') || this.whole?.of === cell) return;
    this.whole = { of: cell, text: cell.text };
    const text = await this.page.ask(this.page.host.call('plotText', place!));
    if (text !== undefined && this.whole.of === cell) this.whole = { of: cell, text };
  }
}

define('mb-xy', XyPlot);

/** The plot in place of the table. */
export function plotView(page: ExperimentPage, head: TableHead, view: PlotView): TemplateResult {
  return html`<mb-xy .page=${page} .head=${head} .view=${view} .open=${page.state.open}></mb-xy>`;
}

function isDrawn({ x, y }: PlotWindow, at: PlotPoint): boolean {
  return at.x >= x.first && at.x < x.last && at.y >= y.first && at.y < y.last;
}
