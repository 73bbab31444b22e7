import type { ShownCell } from '../../../src/protocol/experiment';
import { MOST_CELLS_AT_ONCE, type PlotPlace, type RowHead } from '../../../src/protocol/experimentPlot';
import type { ExperimentPage } from '../page';
import { INPUTS, type Layout, type PlotView } from './axes';
import { plotPlaces } from './pageCells';

/** Cells of pages that were shown before, beside those of the page. */
const MOST_HELD = 12_000;

/**
 * The cells of the shown page, by their place in the table, and the heads of its rows. After a change of the experiment
 * the old ones are drawn until the new ones are there.
 */
export class PlotCells {
  readonly #cells = new Map<string, ShownCell>();
  readonly #heads = new Map<number, RowHead>();
  #wanted: { readonly layout: Layout; readonly view: PlotView } | undefined;
  #loading: Promise<void> | undefined;
  hasPictures = false;

  constructor(
    private readonly page: ExperimentPage,
    private readonly onChange: () => void,
  ) {}

  get(place: PlotPlace): ShownCell | undefined {
    return this.#cells.get(placeKey(place));
  }

  head(row: number): RowHead | undefined {
    return this.#heads.get(row);
  }

  /** Resolves when the page is there, or cannot be had. */
  load(layout: Layout, view: PlotView): Promise<void> {
    this.#wanted = { layout, view };
    this.#loading ??= this.#loadWanted().finally(() => {
      this.#loading = undefined;
    });
    return this.#loading;
  }

  async #loadWanted(): Promise<void> {
    const { host } = this.page;
    for (let wanted = this.#wanted; wanted; wanted = this.#wanted) {
      this.#wanted = undefined;
      const { layout, view } = wanted;
      // While runs go on, the page is wanted again before all of it is there.
      const isTurned = () => this.#wanted !== undefined && this.#wanted.view !== view;
      for (const rows of parts(rowsOf(layout))) {
        const heads = isTurned() ? undefined : await this.page.ask(host.call('plotRows', { rows }));
        for (const head of heads ?? []) this.#heads.set(head.row, head);
      }
      if (this.#cells.size > MOST_HELD) this.#cells.clear();
      for (const places of parts(plotPlaces(layout))) {
        const cells = isTurned() ? undefined : await this.page.ask(host.call('plotCells', { cells: places }));
        for (const [at, cell] of (cells ?? []).entries()) {
          this.#cells.set(placeKey(places[at]!), cell);
          this.hasPictures ||= cell.kind === 'picture';
        }
        this.onChange();
      }
    }
  }
}

/** The rows of the table whose heads the page shows. */
function rowsOf({ x, y, pages }: Layout): number[] {
  const page = pages.find(({ axis }) => axis.key === INPUTS);
  const axis = [x, y].find((one) => one?.key === INPUTS);
  return page ? [page.at] : Array.from({ length: axis?.length ?? 0 }, (_, row) => row);
}

function placeKey({ row, column, repeat }: PlotPlace): string {
  return `${row} ${column} ${repeat ?? ''}`;
}

function parts<T>(all: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(all.length / MOST_CELLS_AT_ONCE) }, (_, at) =>
    all.slice(at * MOST_CELLS_AT_ONCE, (at + 1) * MOST_CELLS_AT_ONCE),
  );
}
