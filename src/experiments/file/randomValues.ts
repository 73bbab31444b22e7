import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

/** Numbers drawn at random from a range, both ends included. */
export interface RandomRange {
  readonly from: number;
  readonly to: number;
  /** How many different ones. */
  readonly random: number;
  /** The same seed draws the same numbers, on every machine. */
  readonly seed: number;
  /** The distance of each number from `from` is a multiple of it; missing: a thousandth of the range at most. */
  readonly step?: number | undefined;
  /** `log`: as many numbers from 1 to 10 as from 10 to 100. */
  readonly scale?: 'linear' | 'log' | undefined;
}

/** Draws for one number, before the first unused ones are taken instead. */
const DRAWS_EACH = 40;
/** Of numbers on a log scale, without a step. */
const SIGNIFICANT = 4;
/** Parts that a range is drawn from at most: numbers of 32 bits are drawn exactly. */
const MOST_PARTS = 2 ** 30;

/** How many numbers of a range can be drawn at most, without drawing them. */
export function randomCount({ from, to, random, step, scale }: RandomRange): number {
  if (to < from) return 0;
  const isFine = step === undefined && scale === 'log';
  return from === to
    ? 1
    : isFine
      ? random
      : Math.min(random, lastStep(from, to, step ?? fineStep(from, to)) + 1);
}

/**
 * The numbers, ascending. A longer list has those of a shorter one. Only operations that IEEE 754 defines to the last
 * bit are used (no logarithm, no power), so that the same file has the same grid everywhere.
 */
export function randomValues(range: RandomRange): number[] {
  const { from, to, seed, step, scale } = range;
  const count = randomCount(range);
  if (count <= 1 && from >= to) return count === 0 ? [] : [from];
  const random = xoroshiro128plus(seed);
  const steps = step ?? (scale === 'log' ? undefined : fineStep(from, to));
  const last = steps === undefined ? 0 : lastStep(from, to, steps);
  const decimals = steps === undefined ? 0 : Math.max(decimalsOf(from), decimalsOf(steps));
  const onStep = (at: number) => Number((from + at * steps!).toFixed(decimals)) + 0;
  const draw = (): number => {
    if (scale === 'log') {
      const value = between(from, to, uniformInt(random, 0, MOST_PARTS - 1));
      if (steps === undefined) return Math.min(to, Math.max(from, Number(value.toPrecision(SIGNIFICANT))));
      return onStep(Math.min(last, Math.round((value - from) / steps)));
    }
    // More steps than can be drawn exactly: several at once.
    const each = Math.ceil((last + 1) / MOST_PARTS);
    return onStep(uniformInt(random, 0, Math.floor(last / each)) * each);
  };
  const drawn = new Set<number>();
  for (let left = DRAWS_EACH * count + 100; left > 0 && drawn.size < count; left--) drawn.add(draw());
  if (steps !== undefined) for (let at = 0; drawn.size < count && at <= last; at++) drawn.add(onStep(at));
  return [...drawn].sort((a, b) => a - b);
}

/** `from · (to / from)^(part / MOST_PARTS)` by square roots, one for each bit. */
function between(from: number, to: number, part: number): number {
  let [value, root] = [from, to / from];
  for (let bit = MOST_PARTS / 2; bit >= 1; bit /= 2) {
    root = Math.sqrt(root);
    if (Math.floor(part / bit) % 2 === 1) value *= root;
  }
  return value;
}

/** A power of ten that is at most a thousandth of the range. */
function fineStep(from: number, to: number): number {
  const exponent = Number((to - from).toExponential().split('e')[1]);
  return Number(`1e${exponent - 3}`);
}

/** A last step that ends a rounding error before `to` still counts. */
export function lastStep(from: number, to: number, step: number): number {
  return Math.floor((to - from) / step + 1e-9);
}

export function decimalsOf(value: number): number {
  const [, fraction = '', exponent = '0'] = /^-?\d+(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(value)) ?? [];
  return Math.min(100, Math.max(0, fraction.length - Number(exponent)));
}
