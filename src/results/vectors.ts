import { limits } from './limits';
import type { PartOf } from './resultView';
import { isNumber, sampleOf } from './sampling';

/** Shorter ones are lists of numbers. */
const SHORTEST_VECTOR = 8;
/** Longer ones are too; no embedding has as many dimensions, and all are looked at. */
const LONGEST_VECTOR = 200_000;

/** One vector, or the first of several of one dimension. */
export function vectorOf(items: readonly unknown[]): PartOf<'vector'> | undefined {
  const first = items[0];
  if (Array.isArray(first)) {
    const same = sampleOf(items).every(
      (item) => Array.isArray(item) && item.length === first.length && sampleOf(item).every(isNumber),
    );
    const vector = same ? vectorOf(first) : undefined;
    return vector && { ...vector, vectors: items.length };
  }
  if (items.length < SHORTEST_VECTOR || items.length > LONGEST_VECTOR) return undefined;
  if (!items.every(isNumber)) return undefined;
  let [sum, min, max] = [0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of items) {
    sum += value * value;
    if (value < min) min = value;
    if (value > max) max = value;
  }
  const plotted = Math.min(items.length, limits.plotted);
  const values = Array.from(
    { length: plotted },
    (_, index) => items[Math.floor((index * items.length) / plotted)] as number,
  );
  return { kind: 'vector', values, dimension: items.length, norm: Math.sqrt(sum), min, max, vectors: 1 };
}
