import type { PlotPlace } from '../../../src/protocol/experimentPlot';
import type { Layout } from './axes';
import type { PlotPoint } from './geometry';

export const MOST_CELLS_OF_PAGE = 10_000;

/** The least and the greatest number of a page. */
export interface PlotRange {
  readonly low: number;
  readonly high: number;
}

/** How many cells there are in each direction: at least one. */
export function pageSize(layout: Layout | undefined): PlotPoint {
  return { x: layout?.x?.length ?? 1, y: layout?.y?.length ?? 1 };
}

export function isTooLarge(layout: Layout): boolean {
  const { x, y } = pageSize(layout);
  return x * y > MOST_CELLS_OF_PAGE;
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
