import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

/**
 * The columns or hits of one row in an order of chance (R. Durstenfeld, "Algorithm 235: Random permutation", 1964). Each row
 * has its own: a blind judge learns nothing about a column from the rows before, and each is equally often first.
 * @param seed the same gives the same order, so that a row stays unchanged when it comes into sight again
 */
export function blindOrder<T>(some: readonly T[], seed: number, row: number): T[] {
  const random = xoroshiro128plus(mixed(seed, row));
  const order = [...some];
  for (let last = order.length - 1; last > 0; last--) {
    const other = uniformInt(random, 0, last);
    [order[last], order[other]] = [order[other]!, order[last]!];
  }
  return order;
}

/** Neighbouring rows have seeds far apart (the finalizer of MurmurHash3, A. Appleby, 2011). */
function mixed(seed: number, row: number): number {
  let hash = Math.imul(seed, 0x9e3779b1) ^ row;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}
