/**
 * One thing that is measured. Absolute times mean nothing on a shared machine, so ours runs next to a yardstick,
 * in turn, and the ratio of each pair counts.
 */
export interface Measure {
  readonly name: string;
  /** The compared values, in words: "open 100,000 entries / JSON.parse of the same bytes". */
  readonly what: string;
  /** The goals, each on one figure of a pair. */
  readonly goals: readonly Goal[];
  /** Counted pairs; fewer than 15 says why in `whyFewer`. */
  readonly pairs: number;
  readonly whyFewer?: string;
  /** The most that all of it may take; a quarter of an hour where it is missing. */
  readonly minutes?: number;
  /** Sets up, and returns a function that runs one pair. */
  prepare(context: BenchContext): Promise<Prepared>;
}

export interface Prepared {
  /** One pair: figures by name. A ratio is ours over the yardstick, taken within this call. */
  pair(): Promise<Readonly<Record<string, number>>>;
  /** Warm-up pairs that are not counted. */
  readonly warmUp?: number;
  close?(): Promise<void> | void;
}

export interface Goal {
  /** A figure that `pair` returns. */
  readonly figure: string;
  readonly label: string;
  readonly unit: '' | 'ms' | 's' | 'bytes' | 'MB' | 'MB/s' | '/s' | '%';
  /** Neither: told beside the ratio, and no goal of its own. */
  readonly atMost?: number;
  readonly atLeast?: number;
  /** Why it is missed, as docs/performance.md says: the run does not fail for it. */
  readonly missedBecause?: string;
}

interface BenchContext {
  /** A fresh folder, removed afterwards. */
  readonly folder: string;
  log(line: string): void;
}

export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
  readonly count: number;
}

/** Median, minimum and maximum; the mean of the middle two when the count is even. */
export function spread(values: readonly number[]): Spread {
  if (values.length === 0) throw new Error('Nothing was measured.');
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const median = sorted.length % 2 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
  return { median, min: sorted[0]!, max: sorted.at(-1)!, count: sorted.length };
}

/** Milliseconds that something took. */
export async function timed(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** Seconds that one step of a measure may take: far more than any does on a slow machine. */
export const STEP_SECONDS = 90;

/** @throws with the name of the step when the work takes longer; it goes on, but nothing waits for it any more */
export async function within<T>(seconds: number, step: string, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${step} took longer than ${seconds} s.`)), seconds * 1000);
  });
  // One that is given up may still fail.
  work.catch(() => undefined);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
