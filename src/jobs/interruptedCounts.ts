import type { ItemCounts } from '../store/jobs';

/** Sums up the items of an interrupted job; unconfirmed ones were sent, and nothing came back. */
export function interruptedCounts(counts: ItemCounts) {
  const { planned = 0, ready = 0, inFlight = 0, unknown = 0 } = counts;
  return {
    total: Object.values(counts).reduce((sum, count) => sum + count, 0),
    remaining: planned + ready,
    unconfirmed: inFlight + unknown,
  };
}
