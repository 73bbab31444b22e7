import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { Turns } from '../../service/turns';

/** Up to this number of differing rows, all assignments are computed: 2 to the power of 20. */
const MOST_EXACT = 20;
/** Assignments of a sampled test. */
const SAMPLES = 4_999;
/** The same data give the same p on every machine. */
const SEED = 20_261_122;

/**
 * McNemar's exact test: the probability that two columns that are equally often right differ at least this much.
 * Two-sided binomial test of the items on which just one is right (Q. McNemar, 1947).
 * @returns p, 0 to 1; 1 when the columns never differ
 */
export function mcnemar(onlyFirst: number, onlySecond: number): number {
  const fewer = Math.min(onlyFirst, onlySecond);
  let below = 0;
  for (const tail of tailsOfHalves(onlyFirst + onlySecond))
    if (below++ === fewer) return Math.min(1, 2 * tail);
  return 1;
}

/** The probability that at most 0, 1, 2, … of `count` even chances come true. */
export function* tailsOfHalves(count: number): Generator<number> {
  // Terms of the binomial distribution by their logarithms: 0.5 ** 1100 is 0.
  let logTerm = -count * Math.LN2;
  let tail = 0;
  for (let k = 0; k <= count; k++) {
    tail += Math.exp(logTerm);
    yield tail;
    logTerm += Math.log((count - k) / (k + 1));
  }
}

/**
 * Fisher's exact test, one-sided (R. A. Fisher, 1922): how likely the first group has at least its number of marks, where
 * the marks are spread over both groups by chance. Hypergeometric terms by their logarithms.
 * @param first marked, and all of the first group; likewise of the second
 */
export function fisherGreater(first: readonly [number, number], second: readonly [number, number]): number {
  const marked = first[0] + second[0];
  const logChoose = (n: number, k: number) => {
    let sum = 0;
    for (let at = 1; at <= k; at++) sum += Math.log((n - k + at) / at);
    return sum;
  };
  const all = logChoose(first[1] + second[1], marked);
  let p = 0;
  for (let count = first[0]; count <= Math.min(first[1], marked); count++)
    if (marked - count <= second[1])
      p += Math.exp(logChoose(first[1], count) + logChoose(second[1], marked - count) - all);
  return Math.min(1, p);
}

/** A difference of two columns in which rows can be exchanged. */
export interface RowExchange {
  /** Rows on which the columns differ. */
  readonly count: number;
  /** Exchanges both columns' values of a row; done twice, it changes nothing. */
  readonly flip: (row: number) => void;
  readonly difference: () => number;
  /** The size of a difference that counts as none: rounding. */
  readonly rounding: number;
}

/**
 * Two-sided permutation test of a paired difference (R. A. Fisher, "The Design of Experiments", 1935, section 21): how
 * often the difference is at least as large when it is left to chance which column has which outcome of a row. All
 * assignments where at most 20 rows differ, so that p is exact and never below 2 / 2ⁿ; else a sample of 4,999 from a
 * fixed seed, in which the observed one counts (B. Phipson and G. K. Smyth, 2010).
 * @returns p, 0 to 1; 1 when the columns never differ
 */
export async function permutationTest({ count, flip, difference, rounding }: RowExchange): Promise<number> {
  if (count === 0) return 1;
  const turns = new Turns();
  const observed = Math.abs(difference()) - rounding;
  let atLeast = 1;
  if (count <= MOST_EXACT) {
    // The last row stays: an assignment and its opposite have the same size. Gray code changes one row at a time.
    const assignments = 2 ** (count - 1);
    for (let at = 1; at < assignments; at++) {
      flip(31 - Math.clz32(at & -at));
      if (Math.abs(difference()) >= observed) atLeast += 1;
      if (at % 256 === 0 && turns.isOver) await turns.next();
    }
    return atLeast / assignments;
  }
  const random = xoroshiro128plus(SEED);
  for (let sample = 0; sample < SAMPLES; sample++) {
    let bits = 0;
    for (let row = 0; row < count; row++) {
      if (row % 30 === 0) bits = random.next() >>> 2;
      if (bits & 1) flip(row);
      bits >>>= 1;
    }
    if (Math.abs(difference()) >= observed) atLeast += 1;
    if (turns.isOver) await turns.next();
  }
  return atLeast / (SAMPLES + 1);
}

/** Permutation test of the mean of differences (first − second), in any order: signs are exchanged. */
export function signFlipTest(differences: readonly number[]): Promise<number> {
  const values = differences.filter((value) => value !== 0).sort((a, b) => a - b);
  let sum = values.reduce((total, value) => total + value, 0);
  const size = values.reduce((total, value) => total + Math.abs(value), 0);
  // An infinite difference of one row is as large in every assignment; it is NaN where both values are infinite.
  if (!Number.isFinite(size)) return Promise.resolve(1);
  return permutationTest({
    count: values.length,
    flip: (row) => {
      sum -= 2 * values[row]!;
      values[row] = -values[row]!;
    },
    difference: () => sum,
    rounding: size * 1e-9,
  });
}

/**
 * p-values corrected for being looked at together (S. Holm, "A simple sequentially rejective multiple test procedure",
 * 1979), in the same order.
 */
export function holm(values: readonly number[]): number[] {
  const order = values.map((_, at) => at).sort((a, b) => values[a]! - values[b]!);
  const corrected: number[] = [];
  let largest = 0;
  for (const [rank, at] of order.entries()) {
    largest = Math.max(largest, Math.min(1, (values.length - rank) * values[at]!));
    corrected[at] = largest;
  }
  return corrected;
}
