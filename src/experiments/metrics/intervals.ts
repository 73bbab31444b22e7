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

/** Why a figure has no interval: too few rows for one that holds, or all rows have the same value. */
export type NoInterval = 'tooFew' | 'alike';

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
const FEWEST_DIFFERING = 5;

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
 */
export async function meanInterval(
  groups: readonly (readonly number[])[],
  range: Interval = { low: -Infinity, high: Infinity },
): Promise<Interval | NoInterval> {
  const values = groups.map(meanOf).sort((a, b) => a.value - b.value || a.rows - b.rows);
  if (values.length < FEWEST_FOR_MEAN) return 'tooFew';
  if (values.every(({ value }) => value === values[0]!.value)) return 'alike';
  if (differing(values) < FEWEST_DIFFERING) return 'tooFew';
  const { centre, error } = estimateOf(values);
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
    ratios.push(spread > 0 ? off / spread : Math.sign(off) * Number.MAX_VALUE);
    if (turns.isOver) await turns.next();
  }
  ratios.sort((a, b) => a - b);
  const low = Math.max(range.low, centre - quantile(ratios, 0.975) * error);
  const high = Math.min(range.high, centre - quantile(ratios, 0.025) * error);
  return Number.isFinite(low) && Number.isFinite(high) ? { low, high } : 'tooFew';
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

/** The mean of an observation's rows. */
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
 */
export function jackknifeInterval(estimate: number, withoutRow: readonly number[]): Interval | NoInterval {
  const count = withoutRow.length;
  const centre = mean(withoutRow);
  const squares = withoutRow.reduce((sum, value) => sum + (value - centre) ** 2, 0);
  const error = Math.sqrt((squares * (count - 1)) / count);
  if (count < FEWEST_FOR_MEAN) return 'tooFew';
  if (estimate <= 0 || estimate >= 1 || error < 1e-12) return 'alike';
  const unbiased = estimate + (count - 1) * (estimate - centre);
  // Not beyond the middle between the estimate and an end, where the scale has no place for it.
  const middle = Math.min((1 + estimate) / 2, Math.max(estimate / 2, unbiased));
  const half = (tQuantile(count - 1) * error) / (middle * (1 - middle));
  const logit = Math.log(middle / (1 - middle));
  const share = (value: number) => 1 / (1 + Math.exp(-value));
  return { low: Math.min(estimate, share(logit - half)), high: Math.max(estimate, share(logit + half)) };
}
