import { scrollToShow, type Window, windowOf } from '../shared/results/windowed';

/** Pixels. Rows of one height and columns of known widths: the scroll position alone gives the visible cells. */
export const INPUT_WIDTH = 260;
export const COLUMN_WIDTH = 220;
/** Room for a mark and a short label. */
export const LEAST_WIDTH = 72;
export const MOST_WIDTH = 1200;
/** Of a narrow table, so that the inputs, which stay in sight, leave room for results. */
const LEAST_INPUT_WIDTH = 120;
const INPUT_SHARE = 0.4;
const MOST_INPUT_SHARE = 0.6;
/** Row heights by zoom level, for larger thumbnails. */
const ROW_HEIGHTS = [44, 60, 96, 160, 260] as const;
/** The height at which rows with pictures begin. */
export const PICTURE_ZOOM = 1;
/** Lower rows have one line of an outcome. */
export const COMFORTABLE = ROW_HEIGHTS[1];
export const MOST_ZOOM = ROW_HEIGHTS.length - 1;

/** Rows and columns are asked for in blocks of this size, so that a scroll of a few pixels asks for nothing. */
export const BLOCK_ROWS = 25;
export const BLOCK_COLUMNS = 8;

/** @param zoom undefined: none was chosen */
export function rowHeight(zoom = 0): number {
  return ROW_HEIGHTS[Math.min(MOST_ZOOM, Math.max(0, zoom))]!;
}

/** @param chosen by the user; undefined: none was */
function inputWidth(width: number, chosen: number | undefined): number {
  const share = chosen === undefined ? INPUT_SHARE : MOST_INPUT_SHARE;
  return Math.round(Math.min(chosen ?? INPUT_WIDTH, Math.max(LEAST_INPUT_WIDTH, width * share)));
}

/** The left edges of columns behind the inputs, and the right edge of the last one. */
export function edgesOf(widths: readonly number[]): number[] {
  const edges = [0];
  for (const width of widths) edges.push(edges.at(-1)! + width);
  return edges;
}

/** The columns in sight and on either side about this share of them. */
function columnsIn(edges: readonly number[], left: number, width: number, more: number): Window {
  const count = edges.length - 1;
  const first = edges.findIndex((edge) => edge > left - width * more);
  const last = edges.findIndex((edge) => edge >= left + width * (1 + more));
  return { first: Math.max(0, first < 0 ? count : first - 1), last: last < 0 ? count : last };
}

/** A cell of the grid by its place on screen: row -1 is the head, column -1 are the inputs. */
export interface GridPlace {
  readonly row: number;
  readonly column: number;
}

export interface TableSize {
  readonly rows: number;
  readonly columns: number;
  /** Rows of a page, for PageUp and PageDown. */
  readonly page: number;
}

/** Where a key leads, after the ARIA grid pattern; undefined: the key does not move. */
export function movedBy(
  event: { readonly key: string; readonly ctrlKey: boolean; readonly metaKey: boolean },
  { row, column }: GridPlace,
  { rows, columns, page }: TableSize,
): GridPlace | undefined {
  const isAll = event.ctrlKey || event.metaKey;
  const last = { row: rows - 1, column: columns - 1 };
  const moves: Record<string, GridPlace> = {
    ArrowDown: { row: isAll ? last.row : row + 1, column },
    ArrowUp: { row: isAll ? -1 : row - 1, column },
    ArrowRight: { row, column: isAll ? last.column : column + 1 },
    ArrowLeft: { row, column: isAll ? -1 : column - 1 },
    PageDown: { row: row + page, column },
    PageUp: { row: row - page, column },
    Home: { row: isAll ? -1 : row, column: -1 },
    End: { row: isAll ? last.row : row, column: last.column },
  };
  const to = Object.hasOwn(moves, event.key) ? moves[event.key] : undefined;
  return to && within(to, { rows, columns });
}

export function within(place: GridPlace, { rows, columns }: Pick<TableSize, 'rows' | 'columns'>): GridPlace {
  return {
    row: Math.max(-1, Math.min(rows - 1, place.row)),
    column: Math.max(-1, Math.min(columns - 1, place.column)),
  };
}

export interface GridWindow {
  readonly rows: { readonly first: number; readonly last: number };
  readonly columns: { readonly first: number; readonly last: number };
  /** Of the column of inputs. */
  readonly inputWidth: number;
}

/** The part of the grid in sight, in pixels. */
export interface GridScroll {
  readonly top: number;
  readonly left: number;
  readonly width: number;
  readonly height: number;
}

/** @param more how much around the part in sight, as a share of it */
export function gridWindow(
  { top, left, width, height }: GridScroll,
  size: {
    readonly rows: number;
    readonly rowHeight: number;
    /** Of the columns: see `edgesOf`. */
    readonly edges: readonly number[];
    readonly inputWidth?: number | undefined;
  },
  more = 1,
): GridWindow {
  const inputs = inputWidth(width, size.inputWidth);
  // With fewer rows, it is scrolled back after the next layout.
  const last = Math.max(0, size.rows * size.rowHeight - height);
  const rowsHeight = Math.max(height, size.rowHeight);
  return {
    rows: windowOf(Math.min(top, last), rowsHeight, size.rowHeight, size.rows, more),
    columns: columnsIn(size.edges, left, Math.max(width - inputs, COLUMN_WIDTH), more),
    inputWidth: inputs,
  };
}

/** Where to scroll to bring a place into sight beside the sticky head and inputs; undefined where it is. */
export function scrollFor(
  { row, column }: GridPlace,
  { top, left, width, height }: GridScroll,
  size: {
    readonly rowHeight: number;
    readonly headHeight: number;
    readonly edges: readonly number[];
    readonly inputWidth: number;
  },
): { readonly top: number | undefined; readonly left: number | undefined } {
  const rowsHeight = Math.max(size.rowHeight, height - size.headHeight);
  const [start = 0, end = 0] = [size.edges[column], size.edges[column + 1]];
  const right = left + Math.max(end - start, width - size.inputWidth);
  return {
    top: row < 0 ? undefined : scrollToShow(row, top, rowsHeight, size.rowHeight),
    left:
      column < 0 || (start >= left && end <= right) ? undefined : start < left ? start : end - (right - left),
  };
}
