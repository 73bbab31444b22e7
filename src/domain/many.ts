// A call takes some 100,000 arguments: a list from a file or a service is not spread into one.

export function addAll<T>(list: T[], values: Iterable<T>): void {
  for (const value of values) list.push(value);
}

/** How often each value occurs, in the order of their first places. */
export function countEach<T>(values: Iterable<T>): Map<T, number> {
  const counts = new Map<T, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

/** The greatest of the values; -Infinity where there are none. */
export function greatestOf(values: Iterable<number>): number {
  let greatest = Number.NEGATIVE_INFINITY;
  for (const value of values) if (value > greatest) greatest = value;
  return greatest;
}

/** The smallest of the values; Infinity where there are none. */
export function leastOf(values: Iterable<number>): number {
  let least = Number.POSITIVE_INFINITY;
  for (const value of values) if (value < least) least = value;
  return least;
}

/** Whether bytes have one of them more often than so. */
export function hasMore(bytes: Uint8Array, sign: number, most: number): boolean {
  let count = 0;
  for (let at = bytes.indexOf(sign); at >= 0 && count <= most; at = bytes.indexOf(sign, at + 1)) count++;
  return count > most;
}
