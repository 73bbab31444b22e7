import { MOST_CELLS_OF_PAGE, type PlotPlace, type PlotRange } from '../../../src/protocol/experimentPlot';
import type { Layout } from './axes';
import type { PlotPoint } from './geometry';

/** How many cells there are in each direction: at least one. */
export function pageSize(layout: Layout | undefined): PlotPoint {
  return { x: layout?.x?.length ?? 1, y: layout?.y?.length ?? 1 };
}

export function isTooLarge(layout: Layout): boolean {
  const { x, y } = pageSize(layout);
  return x * y > MOST_CELLS_OF_PAGE;
}

/** The rows, columns and repeats of the table that the page shows. */
export function pageOf(layout: Layout): { rows: number[]; columns: number[]; repeats: number[] } {
  const positions = { rows: new Set<number>(), columns: new Set<number>(), repeats: new Set<number>() };
  for (const place of plotPlaces(layout)) {
    positions.rows.add(place.row);
    positions.columns.add(place.column);
    if (place.repeat !== undefined) positions.repeats.add(place.repeat);
  }
  return { rows: [...positions.rows], columns: [...positions.columns], repeats: [...positions.repeats] };
}

/** The cells of the page, row by row. */
export function plotPlaces(layout: Layout): PlotPlace[] {
  const { x, y } = pageSize(layout);
  return Array.from({ length: x * y }, (_, at) => layout.cellAt(at % x, Math.floor(at / x)) ?? []).flat();
}

/** Where a number lies between the least and the greatest of its page. */
export function shareOf(value: number, { low, high }: PlotRange): number {
  return high > low ? (value - low) / (high - low) : 0.5;
}
