import type { ItemCounts } from '../store/jobs';

/** The remaining items of a job without its window. */
interface InterruptedCounts {
  readonly total: number;
  readonly remaining: number;
  /** Sent without a response: still in flight when the window ended, or given up by it before. */
  readonly unconfirmed: number;
}

/** Sums up the items of an interrupted job. */
export function interruptedCounts(counts: ItemCounts): InterruptedCounts {
  const { planned = 0, ready = 0, inFlight = 0, unknown = 0 } = counts;
  return {
    total: Object.values(counts).reduce((sum, count) => sum + count, 0),
    remaining: planned + ready,
    unconfirmed: inFlight + unknown,
  };
}
