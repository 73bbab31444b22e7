import { leastOf } from '../../domain/many';
import type { ColumnComparison } from './columns';
import { betterOf, type Metric } from './metrics';

/** Below it a difference is said not to be explained by chance. */
export const SIGNIFICANT = 0.05;

/** The verdict of a difference on a column. `unknown`: there are too few rows for one. */
export type Sign = 'better' | 'worse' | 'alike' | 'unknown';

/** How differences are decided: the margin within which columns are alike, and the number of comparisons shown together. */
export interface Deciding {
  /** A difference that does not matter, in the unit of the metric; undefined: each matters. */
  readonly margin?: number | undefined;
  /** How many comparisons are shown together. */
  readonly together: number;
  /** The p-value corrected for these. */
  readonly corrected: number;
}

export interface Decision {
  readonly sign: Sign;
  /** Of `unknown`: about how many more rows would tell; undefined where that cannot be estimated. */
  readonly moreRows?: number;
}

/**
 * The sign of a difference, the one place that decides it. `alike` only where the whole interval lies within the margin:
 * that rows are too few to tell is no sign of equality.
 */
export function decide(metric: Metric, comparison: ColumnComparison, deciding: Deciding): Decision {
  const { difference, interval } = comparison;
  const { margin, corrected } = deciding;
  const known = typeof interval === 'object' ? interval : undefined;
  if (margin !== undefined && known && Math.max(Math.abs(known.low), Math.abs(known.high)) <= margin)
    return { sign: 'alike' };
  const isApart = difference !== 0 && !(known && known.low <= 0 && known.high >= 0);
  if (corrected < SIGNIFICANT && isApart)
    return { sign: difference > 0 === (betterOf(metric) === 'higher') ? 'better' : 'worse' };
  const moreRows = rowsThatTell(comparison, deciding);
  return { sign: 'unknown', ...(moreRows !== undefined && { moreRows }) };
}

/** More rows are no help to anybody. */
const MOST_ROWS = 1_000_000;

/**
 * How many more rows would decide a difference that stays unchanged: errors shrink with the square root of their number. A
 * margin adds the rows after which the interval would lie within it; the smaller number counts.
 */
function rowsThatTell(
  { difference, interval, p, different: rows }: ColumnComparison,
  { margin, together }: Deciding,
): number | undefined {
  const wanted: number[] = [];
  if (difference !== 0 && p < 1)
    wanted.push(rows * (normalQuantile(SIGNIFICANT / 2 / together) / normalQuantile(p / 2)) ** 2);
  const left = (margin ?? 0) - Math.abs(difference);
  if (left > 0 && typeof interval === 'object')
    wanted.push(rows * ((interval.high - interval.low) / 2 / left) ** 2);
  const more = Math.max(1, Math.ceil(leastOf(wanted) - rows));
  if (!(more <= MOST_ROWS)) return undefined;
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(more)) - 1);
  return Math.ceil(more / unit) * unit;
}

/** The upper quantile of the normal distribution, to 0.00045 (Abramowitz and Stegun, 1964, 26.2.23). @param tail up to 0.5 */
function normalQuantile(tail: number): number {
  const t = Math.sqrt(-2 * Math.log(tail));
  return (
    t -
    (2.515517 + 0.802853 * t + 0.010328 * t ** 2) / (1 + 1.432788 * t + 0.189269 * t ** 2 + 0.001308 * t ** 3)
  );
}
