import { addAll } from '../../../src/domain/many';
import type { ShownCell } from '../../../src/protocol/experiment';
import { MOST_CELLS_AT_ONCE, type PlotPlace, type RowHead } from '../../../src/protocol/experimentPlot';
import type { ExperimentPage } from '../page';

/** More cells are dropped, the oldest first: they are asked for again where they are needed. */
const MOST_HELD = 12_000;

/**
 * The cells that the plot holds, by their place in the table. After a change of the experiment the old ones are drawn
 * until the new ones are there.
 */
export class PlotCells {
  readonly #cells = new Map<string, { readonly cell: ShownCell; readonly generation: number }>();
  readonly #heads = new Map<number, RowHead>();
  readonly #asked = new Set<string>();
  #generation = 0;

  constructor(
    private readonly host: ExperimentPage['host'],
    private readonly onChange: (error?: unknown) => void,
  ) {}

  /** Everything may have changed. */
  renew(): void {
    this.#generation += 1;
    this.#asked.clear();
    this.#heads.clear();
  }

  get(place: PlotPlace): ShownCell | undefined {
    return this.#cells.get(placeKey(place))?.cell;
  }

  head(row: number): RowHead | undefined {
    return this.#heads.get(row);
  }

  /** Requests cells that are missing or old. */
  want(places: readonly PlotPlace[]): void {
    const missing = places.filter((place) => {
      const key = placeKey(place);
      return this.#cells.get(key)?.generation !== this.#generation && !this.#asked.has(key);
    });
    for (const part of parts(missing)) void this.#load(part).catch((error: unknown) => this.onChange(error));
  }

  wantHeads(rows: readonly number[]): void {
    const missing = rows.filter((row) => !this.#heads.has(row) && !this.#asked.has(`head ${row}`));
    for (const part of parts(missing)) {
      for (const row of part) this.#asked.add(`head ${row}`);
      void this.host.call('plotRows', { rows: [...part] }).then(
        (heads) => {
          for (const head of heads) this.#heads.set(head.row, head);
          this.onChange();
        },
        (error: unknown) => this.onChange(error),
      );
    }
  }

  /** All of these cells, for a picture of the whole page. */
  async all(places: readonly PlotPlace[]): Promise<readonly ShownCell[]> {
    const loaded: ShownCell[] = [];
    for (const part of parts(places)) addAll(loaded, await this.host.call('plotCells', { cells: [...part] }));
    return loaded;
  }

  /** The heads of these rows, for the same. */
  async heads(rows: readonly number[]): Promise<readonly RowHead[]> {
    const loaded: RowHead[] = [];
    for (const part of parts(rows)) addAll(loaded, await this.host.call('plotRows', { rows: [...part] }));
    return loaded;
  }

  async #load(places: readonly PlotPlace[]): Promise<void> {
    const generation = this.#generation;
    for (const place of places) this.#asked.add(placeKey(place));
    const cells = await this.host.call('plotCells', { cells: [...places] });
    if (generation !== this.#generation) return;
    for (const [at, place] of places.entries()) {
      const key = placeKey(place);
      const cell = cells[at];
      this.#asked.delete(key);
      this.#cells.delete(key);
      if (cell) this.#cells.set(key, { cell, generation });
    }
    for (const oldest of this.#cells.keys()) {
      if (this.#cells.size <= MOST_HELD) break;
      this.#cells.delete(oldest);
    }
    this.onChange();
  }
}

function placeKey({ row, column, repeat }: PlotPlace): string {
  return `${row} ${column} ${repeat ?? ''}`;
}

function parts<T>(all: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(all.length / MOST_CELLS_AT_ONCE) }, (_, at) =>
    all.slice(at * MOST_CELLS_AT_ONCE, (at + 1) * MOST_CELLS_AT_ONCE),
  );
}
