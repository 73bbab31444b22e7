import type { ExperimentRow, TableQuery, TableRowsPart } from '../../src/protocol/experiment';
import { BLOCK_COLUMNS, BLOCK_ROWS, type GridWindow } from './gridGeometry';

/** Asks the host for one block: `columns` are columns of the experiment. */
export type LoadBlock = (
  query: TableQuery,
  from: number,
  count: number,
  columns: number[],
) => Promise<TableRowsPart>;

interface Block {
  readonly rows: readonly ExperimentRow[];
  readonly generation: number;
}

/** More blocks are dropped, the oldest first: they are asked for again where they are needed. */
const MOST_BLOCKS = 60;

/**
 * The part of the table that the page holds: blocks of rows and columns around the visible part. After a change the
 * old blocks are drawn until the new ones are there, so that nothing flickers while runs finish or during filtering.
 */
export class RowBlocks {
  readonly #blocks = new Map<string, Block>();
  readonly #asked = new Map<string, Promise<void>>();
  #generation = 0;
  /** The first generation with the present query: older blocks are of other rows. */
  #since = 0;
  #query: TableQuery | undefined;
  /** Of the last block that arrived. */
  total = 0;
  folded = 0;
  isLoaded = false;

  constructor(
    private readonly load: LoadBlock,
    private readonly onChange: (error?: unknown) => void,
  ) {}

  /**
   * Everything may have changed. With another query, the present blocks are of other rows: they are still drawn,
   * unless their columns also differ.
   */
  renew(query: TableQuery, isOtherQuery: boolean): void {
    const areSameColumns = columnsOf(this.#query) === columnsOf(query);
    this.#generation += 1;
    this.#query = query;
    this.#asked.clear();
    if (isOtherQuery) this.#since = this.#generation;
    if (isOtherQuery && !areSameColumns) this.#blocks.clear();
  }

  /** Rows of the query before are drawn. */
  get areOld(): boolean {
    return [...this.#blocks.values()].some(({ generation }) => generation < this.#since);
  }

  /** The row at a place, with its cells by the place of their column; undefined while it is loading. */
  row(row: number, columns: GridWindow['columns']): ShownRow | undefined {
    return this.#rowSince(this.#since, row, columns);
  }

  /** The same for the eye alone: while it is loading, the row that was there before. */
  drawn(row: number, columns: GridWindow['columns']): ShownRow | undefined {
    return this.#rowSince(0, row, columns);
  }

  #rowSince(since: number, row: number, columns: GridWindow['columns']): ShownRow | undefined {
    const cells = new Map<number, ExperimentRow['cells'][number]>();
    let match: ExperimentRow | undefined;
    for (const columnBlock of blocksOf(columns, BLOCK_COLUMNS)) {
      const block = this.#blocks.get(blockKey(Math.floor(row / BLOCK_ROWS), columnBlock));
      if (!block || block.generation < since) continue;
      const part = block.rows[row % BLOCK_ROWS];
      match ??= part;
      part?.cells.forEach((cell, index) => {
        cells.set(columnBlock * BLOCK_COLUMNS + index, cell);
      });
    }
    return match && { ...match, cells };
  }

  /** The same with the cell of one column, once it is there; undefined: there is no such row, or it cannot be had. */
  async loaded(row: number, column: number): Promise<ShownRow | undefined> {
    const window = { rows: { first: row, last: row + 1 }, columns: { first: column, last: column + 1 } };
    const key = blockKey(Math.floor(row / BLOCK_ROWS), Math.floor(column / BLOCK_COLUMNS));
    for (;;) {
      const generation = this.#generation;
      const shown = this.row(row, window.columns);
      if (shown) return shown;
      this.want(window);
      await this.#asked.get(key);
      if (generation === this.#generation) return this.row(row, window.columns);
    }
  }

  /** Requests missing or outdated parts of a window. */
  want(window: Pick<GridWindow, 'rows' | 'columns'>): void {
    const query = this.#query;
    if (!query) return;
    for (const rowBlock of blocksOf(window.rows, BLOCK_ROWS))
      for (const columnBlock of blocksOf(window.columns, BLOCK_COLUMNS)) {
        const key = blockKey(rowBlock, columnBlock);
        if (this.#blocks.get(key)?.generation === this.#generation || this.#asked.has(key)) continue;
        this.#asked.set(key, this.#ask(query, rowBlock, columnBlock));
      }
  }

  async #ask(query: TableQuery, rowBlock: number, columnBlock: number): Promise<void> {
    const generation = this.#generation;
    const key = blockKey(rowBlock, columnBlock);
    const from = columnBlock * BLOCK_COLUMNS;
    try {
      const columns = query.columns.slice(from, from + BLOCK_COLUMNS);
      const part = await this.load(query, rowBlock * BLOCK_ROWS, BLOCK_ROWS, columns);
      if (generation !== this.#generation) return;
      this.#asked.delete(key);
      this.#dropOld();
      this.#blocks.delete(key);
      this.#blocks.set(key, { rows: part.rows, generation });
      for (const oldest of this.#blocks.keys()) {
        if (this.#blocks.size <= MOST_BLOCKS) break;
        this.#blocks.delete(oldest);
      }
      this.total = part.total;
      this.folded = part.folded;
      this.isLoaded = true;
      this.onChange();
    } catch (error) {
      if (generation !== this.#generation) return;
      this.#dropOld();
      this.onChange(error);
    }
  }

  /** One table never mixes rows of two queries. */
  #dropOld(): void {
    for (const [key, { generation }] of this.#blocks) if (generation < this.#since) this.#blocks.delete(key);
  }
}

/** A row with its cells by the place of their column on screen. */
export interface ShownRow extends Omit<ExperimentRow, 'cells'> {
  readonly cells: ReadonlyMap<number, ExperimentRow['cells'][number]>;
}

function columnsOf(query: TableQuery | undefined): string {
  return JSON.stringify([query?.columns, query?.blind]);
}

function blockKey(rowBlock: number, columnBlock: number): string {
  return `${rowBlock} ${columnBlock}`;
}

/** The blocks of a range; at least the first, so that an empty range still learns how much there is. */
function blocksOf(
  { first, last }: { readonly first: number; readonly last: number },
  size: number,
): number[] {
  const from = Math.floor(first / size);
  const to = Math.max(from, Math.floor(Math.max(0, last - 1) / size));
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}
