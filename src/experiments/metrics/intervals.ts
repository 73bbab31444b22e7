import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { countEach, greatestOf } from '../../domain/many';
import { Turns } from '../../service/turns';
import { mean, quantile, tQuantile } from './statistics';
import { tailsOfHalves } from './tests';

/** A 95% confidence interval. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/**
 * Why a figure has no interval: too few rows for one that holds, too few with another value than the others, too few of
 * one label, or all rows have the same value.
 */
export type NoInterval = 'tooFew' | 'fewDiffer' | 'fewOfLabel' | 'alike';

/** The 0.975 quantile of the normal distribution. */
const Z = 1.959963984540054;

/** Resamples of a bootstrap: the second digit of an interval's ends is steady with this number. */
const RESAMPLES = 2000;

/** The same data give the same interval on every machine. */
const SEED = 20_261_122;

/**
 * With fewer rows, intervals held the true value in less than 93 of 100 simulated experiments
 * (`npm run coverage`): of shares, and of means and macro F1.
 */
const FEWEST_FOR_SHARE = 5;
const FEWEST_FOR_MEAN = 15;
/** Rows with another value than the most frequent one: fewer say little of how values vary. */
const FEWEST_DIFFERING = 10;
/** Of more rows the mean is distributed so normally that resamples tell nothing more. */
const MOST_RESAMPLED = 5_000;
/** Fewer independent rows, in which rare labels weigh as much as frequent ones, say too little of macro F1. */
const FEWEST_OF_LABELS = 6;

/**
 * 95% confidence interval of a proportion: Wilson's score interval (E. B. Wilson, "Probable inference", 1927), which
 * stays within 0 and 1 and holds for few items too.
 */
export function wilsonInterval(successes: number, count: number): Interval {
  const share = successes / count;
  const scale = 1 + Z ** 2 / count;
  const centre = (share + Z ** 2 / (2 * count)) / scale;
  const half = (Z * Math.sqrt((share * (1 - share)) / count + Z ** 2 / (4 * count ** 2))) / scale;
  // The ends of all and none are exact, without the rounding of the sums.
  return { low: share === 0 ? 0 : centre - half, high: share === 1 ? 1 : centre + half };
}

/** Wilson's interval, where there are enough rows for it. @param count of independent ones: see `effectiveCount` */
export function shareInterval(successes: number, count: number): Interval | NoInterval {
  return count < FEWEST_FOR_SHARE ? 'tooFew' : wilsonInterval(successes, count);
}

/**
 * 95% confidence interval of a mean: the bootstrap-t (Efron and Tibshirani, "An Introduction to the Bootstrap", 1993,
 * chapter 12), which holds for skewed values too, from a fixed seed: the same in any order of the values. In short turns: ten
 * thousand values take seconds.
 * @param groups the values of rows, those of one observation together: see `observations`
 * @param range the values that the mean can have
 * @param isDifference the values are differences: both ends are as far away (P. Hall, "On symmetric bootstrap confidence
 * intervals", 1988), since a few large ones of either side would move one end alone
 */
export async function meanInterval(
  groups: readonly (readonly number[])[],
  range: Interval = { low: -Infinity, high: Infinity },
  isDifference = false,
): Promise<Interval | NoInterval> {
  const values = groups.map(meanOf).sort((a, b) => a.value - b.value || a.rows - b.rows);
  if (values.length < FEWEST_FOR_MEAN) return 'tooFew';
  if (values.every(({ value }) => value === values[0]!.value)) return 'alike';
  if (differing(values) < FEWEST_DIFFERING) return 'fewDiffer';
  const { centre, error } = estimateOf(values);
  const within = ({ low, high }: Interval): Interval => ({
    low: Math.max(range.low, values[0]!.value, low),
    high: Math.min(range.high, values.at(-1)!.value, high),
  });
  if (values.length > MOST_RESAMPLED) return within({ low: centre - Z * error, high: centre + Z * error });
  const random = xoroshiro128plus(SEED);
  const turns = new Turns();
  const resample = values.slice();
  const ratios: number[] = [];
  while (ratios.length < RESAMPLES) {
    for (let at = 0; at < resample.length; at++)
      resample[at] = values[uniformInt(random, 0, values.length - 1)]!;
    const { centre: own, error: spread } = estimateOf(resample);
    const off = own - centre;
    // Of a resample without any spread, only the side is known.
    const ratio = spread > 0 ? off / spread : Math.sign(off) * Number.MAX_VALUE;
    ratios.push(isDifference ? Math.abs(ratio) : ratio);
    if (turns.isOver) await turns.next();
  }
  ratios.sort((a, b) => a - b);
  const { low, high } = within({
    low: centre - quantile(ratios, isDifference ? 0.95 : 0.975) * error,
    high: centre - (isDifference ? -quantile(ratios, 0.95) : quantile(ratios, 0.025)) * error,
  });
  return Number.isFinite(low) && Number.isFinite(high) ? { low, high } : 'tooFew';
}

/** How many rows two columns share of each pair of outcomes; of rows that share runs, as many as tell as much. */
export interface PairedCounts {
  readonly both: number;
  readonly onlyFirst: number;
  readonly onlySecond: number;
  readonly neither: number;
}

/**
 * 95% confidence interval of the difference of two shares of the same rows: Newcombe's method 10, from Wilson's intervals
 * of both and their correlation with a correction for continuity (R. G. Newcombe, "Improved confidence intervals for the
 * difference between binomial proportions based on paired data", 1998).
 */
export function pairedShareInterval({
  both,
  onlyFirst,
  onlySecond,
  neither,
}: PairedCounts): Interval | NoInterval {
  const count = both + onlyFirst + onlySecond + neither;
  if (count < FEWEST_FOR_SHARE) return 'tooFew';
  const [first, second] = [both + onlyFirst, both + onlySecond];
  const [one, other] = [wilsonInterval(first, count), wilsonInterval(second, count)];
  const product = both * neither - onlyFirst * onlySecond;
  const corrected = product > 0 ? Math.max(0, product - count / 2) : product;
  const scale = Math.sqrt(first * (count - first) * second * (count - second));
  const correlation = scale === 0 ? 0 : corrected / scale;
  const [own, others] = [first / count, second / count];
  const reach = (a: number, b: number) => Math.sqrt(Math.max(0, a ** 2 - 2 * correlation * a * b + b ** 2));
  return {
    low: Math.max(-1, own - others - reach(own - one.low, other.high - others)),
    high: Math.min(1, own - others + reach(one.high - own, others - other.low)),
  };
}

/**
 * 95% confidence interval of a median, by ranks (W. J. Conover, "Practical Nonparametric Statistics", 1999, section 3.2):
 * between the k-th value and the k-th from the end, with the largest k that holds in at least 95%. Undefined of fewer than
 * six values: not even all of them hold as often.
 * @param sorted ascending
 */
export function medianInterval(sorted: readonly number[]): Interval | undefined {
  let below = 0;
  for (const tail of tailsOfHalves(sorted.length)) {
    if (tail > 0.025) break;
    below += 1;
  }
  return below === 0 ? undefined : { low: sorted[below - 1]!, high: sorted[sorted.length - below]! };
}

interface GroupMean {
  readonly value: number;
  readonly rows: number;
}

function meanOf(values: readonly number[]): GroupMean {
  const [first] = values;
  // Exactly theirs where all are alike: the mean of several 0.1 is another number.
  return { value: values.every((value) => value === first) ? first! : mean(values), rows: values.length };
}

/** The mean over all rows with its standard error, that of a ratio of sums (W. Cochran, "Sampling Techniques", 1977, 6.4). */
function estimateOf(groups: readonly GroupMean[]): { readonly centre: number; readonly error: number } {
  let [sum, rows, squares] = [0, 0, 0];
  for (const group of groups) {
    sum += group.value * group.rows;
    rows += group.rows;
  }
  const centre = sum / rows;
  for (const group of groups) squares += (group.rows * (group.value - centre)) ** 2;
  return { centre, error: Math.sqrt((squares * groups.length) / (groups.length - 1)) / rows };
}

function differing(groups: readonly GroupMean[]): number {
  return groups.length - greatestOf(countEach(groups.map(({ value }) => value)).values());
}

/**
 * 95% confidence interval of a figure between 0 and 1 that is computed of all rows at once: the jackknife's standard
 * error (B. Efron and C. Stein, 1981) on the logit scale with Student's t, around the estimate without the jackknife's bias
 * (M. Quenouille, 1956): F1 of labels with few rows is too low. It holds its own estimate, and stays within 0 and 1.
 * @param withoutRow the figure without each of the rows
 * @param padded the same of these rows and half a wrong one of each label (F. Anscombe, "On estimating binomial response
 * relations", 1956): a label with three rows that are all right is not certain
 * @param labels how many rows expect each label; undefined: labels do not weigh the same
 */
export function jackknifeInterval(
  estimate: number,
  withoutRow: readonly number[],
  padded: readonly number[],
  labels: ReadonlyMap<string, number> | undefined,
): Interval | NoInterval {
  const known = jackknifed(withoutRow, padded, labels);
  if (known !== 'tooFew' && (estimate <= 0 || estimate >= 1)) return 'alike';
  if (typeof known === 'string') return known;
  const { count, centre, reach } = known;
  const unbiased = estimate + (count - 1) * (estimate - centre);
  // Not beyond the middle between the estimate and an end, where the scale has no place for it.
  const middle = Math.min((1 + estimate) / 2, Math.max(estimate / 2, unbiased));
  const half = reach / (middle * (1 - middle));
  const logit = Math.log(middle / (1 - middle));
  const share = (value: number) => 1 / (1 + Math.exp(-value));
  return { low: Math.min(estimate, share(logit - half)), high: Math.max(estimate, share(logit + half)) };
}

/**
 * 95% confidence interval of the difference of two figures between 0 and 1 that are computed of all rows at once: the
 * jackknife over the rows that both have, with Student's t.
 * @param withoutRow the difference without each of the rows
 * @param padded the same of these rows and half a row of each label that only one of both has right
 * @param labels how many rows expect each label; undefined: labels do not weigh the same
 */
export function jackknifeDifference(
  difference: number,
  withoutRow: readonly number[],
  padded: readonly number[],
  labels: ReadonlyMap<string, number> | undefined,
): Interval | NoInterval {
  const known = jackknifed(withoutRow, padded, labels);
  if (typeof known === 'string') return known;
  return { low: Math.max(-1, difference - known.reach), high: Math.min(1, difference + known.reach) };
}

/** Half of the interval, from the larger error of both. */
function jackknifed(
  withoutRow: readonly number[],
  padded: readonly number[],
  labels: ReadonlyMap<string, number> | undefined,
) {
  const count = withoutRow.length;
  if (count < FEWEST_FOR_MEAN) return 'tooFew';
  const error = errorOf(withoutRow);
  if (error < 1e-12) return 'alike';
  const freedom = Math.floor(Math.min(count - 1, labels ? freedomOf(labels) : count - 1));
  if (freedom < FEWEST_OF_LABELS) return 'fewOfLabel';
  const reach = tQuantile(freedom) * Math.max(error, errorOf(padded));
  return { count, centre: mean(withoutRow), reach };
}

function errorOf(withoutRow: readonly number[]): number {
  const centre = mean(withoutRow);
  const squares = withoutRow.reduce((sum, value) => sum + (value - centre) ** 2, 0);
  return Math.sqrt((squares * (withoutRow.length - 1)) / withoutRow.length);
}

/**
 * How many rows would tell as much of a figure in which each label weighs the same, if all labels were equally frequent: one
 * with 2 rows adds as much error as one with 200 adds little (F. Satterthwaite, "An approximate distribution of estimates of
 * variance components", 1946).
 */
function freedomOf(labels: ReadonlyMap<string, number>): number {
  const counts = [...labels.values()];
  const variance = counts.reduce((sum, count) => sum + 1 / count, 0);
  return variance ** 2 / counts.reduce((sum, count) => sum + 1 / count ** 3, 0);
}
