import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { Turns } from '../../service/turns';

/** A 95% confidence interval. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** The 0.975 quantile of the normal distribution. */
const Z = 1.959963984540054;

/** Resamples of a bootstrap: the second digit of an interval's ends is steady with so many. */
const RESAMPLES = 2000;

/** The same data give the same interval on every machine. */
const SEED = 20_261_122;

export function mean(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0) / values.length;
}

/** Sample standard deviation (n − 1); 0 for a single value. */
export function standardDeviation(values: readonly number[]): number {
  if (values.length < 2) return 0;
  const centre = mean(values);
  const squares = values.reduce((total, value) => total + (value - centre) ** 2, 0);
  return Math.sqrt(squares / (values.length - 1));
}

/**
 * The quantile of sorted values, interpolated linearly as NumPy's default does (Hyndman and Fan, 1996, method 7).
 * @param sorted ascending, at least one
 * @param share 0 to 1
 */
export function quantile(sorted: readonly number[], share: number): number {
  const place = (sorted.length - 1) * share;
  const below = Math.floor(place);
  const [low, high] = [sorted[below]!, sorted[Math.min(below + 1, sorted.length - 1)]!];
  return low + (high - low) * (place - below);
}

/**
 * 95% confidence interval of a proportion: Wilson's score interval (E. B. Wilson, "Probable inference", 1927), which
 * stays within 0 and 1 and holds for few items too.
 */
export function wilsonInterval(successes: number, count: number): Interval {
  const share = successes / count;
  const scale = 1 + Z ** 2 / count;
  const centre = (share + Z ** 2 / (2 * count)) / scale;
  const half = (Z * Math.sqrt((share * (1 - share)) / count + Z ** 2 / (4 * count ** 2))) / scale;
  return { low: Math.max(0, centre - half), high: Math.min(1, centre + half) };
}

/**
 * 95% confidence interval of any statistic of a sample: the percentile bootstrap (Efron and Tibshirani, "An
 * Introduction to the Bootstrap", 1993, chapter 13), from a fixed seed.
 * @param sample at least one item
 */
export async function bootstrapInterval<T>(
  sample: readonly T[],
  statistic: (resample: readonly T[]) => number,
): Promise<Interval> {
  const values = await resampled(sample, statistic);
  return { low: quantile(values, 0.025), high: quantile(values, 0.975) };
}

/** The statistic of each resample, ascending. In short turns: of ten thousand outcomes it takes seconds. */
async function resampled<T>(
  sample: readonly T[],
  statistic: (resample: readonly T[]) => number,
): Promise<number[]> {
  const random = xoroshiro128plus(SEED);
  const turns = new Turns();
  const resample = Array.from(sample);
  const values: number[] = [];
  while (values.length < RESAMPLES) {
    for (let at = 0; at < resample.length; at++)
      resample[at] = sample[uniformInt(random, 0, sample.length - 1)]!;
    values.push(statistic(resample));
    if (turns.isOver) await turns.next();
  }
  return values.sort((a, b) => a - b);
}

/**
 * McNemar's exact test: the probability that two columns that are equally often right differ at least this much.
 * Two-sided binomial test of the items on which just one is right (Q. McNemar, 1947).
 * @returns p, 0 to 1; 1 when the columns never differ
 */
export function mcnemar(onlyFirst: number, onlySecond: number): number {
  const count = onlyFirst + onlySecond;
  const fewer = Math.min(onlyFirst, onlySecond);
  // Terms of the binomial distribution by their logarithms: 0.5 ** 1100 is 0.
  let logTerm = -count * Math.LN2;
  let tail = 0;
  for (let k = 0; k <= fewer; k++) {
    tail += Math.exp(logTerm);
    logTerm += Math.log((count - k) / (k + 1));
  }
  return Math.min(1, 2 * tail);
}

/** Paired bootstrap test of the mean of differences (first − second) of each item that both columns have. */
export function pairedBootstrap(differences: readonly number[]): Promise<number> {
  return pairedStatisticBootstrap(differences, mean);
}

/**
 * Paired bootstrap test of a difference: twice the smaller share of resamples of the pairs whose difference lies on one
 * side of zero (Efron and Tibshirani, 1993, chapter 16; add-one as by Davison and Hinkley, 1997, section 4.2.3).
 * @param pairs what both columns have of each item
 * @returns p, 0 to 1; 1 when no resample differs
 */
export async function pairedStatisticBootstrap<T>(
  pairs: readonly T[],
  difference: (resample: readonly T[]) => number,
): Promise<number> {
  const differences = await resampled(pairs, difference);
  const below = differences.filter((value) => value <= 0).length;
  const above = differences.filter((value) => value >= 0).length;
  return Math.min(1, (2 * (Math.min(below, above) + 1)) / (RESAMPLES + 1));
}
