import type { UnknownObject } from '../domain/value';
import { words } from '../domain/words';

/** Questions about JSON of unknown shape, answered from a bounded sample. */

const SAMPLE = 50;

export function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

export function isScalar(value: unknown): value is string | number | boolean | null {
  return value === null || typeof value !== 'object';
}

/** Up to 50 items, evenly taken, first and last among them. */
export function sampled<T>(items: readonly T[]): T[] {
  if (items.length <= SAMPLE) return [...items];
  const step = (items.length - 1) / (SAMPLE - 1);
  return Array.from({ length: SAMPLE }, (_, index) => items[Math.round(index * step)] as T);
}

/** The names of an object that are among `keys` in any case and with any separators, in the order of `keys`. */
export function spelled(object: UnknownObject, keys: readonly string[]): string[] {
  const names = new Map(
    Object.keys(object)
      .slice(0, MOST_NAMES)
      .map((name) => [plain(name), name]),
  );
  return keys.flatMap((key) => (Object.hasOwn(object, key) ? key : (names.get(plain(key)) ?? [])));
}

const MOST_NAMES = 200;

function plain(name: string): string {
  return name.toLowerCase().replace(/[_\s-]/g, '');
}

/** The first of `keys` under which the object has a value that passes. */
export function firstKey(
  object: UnknownObject,
  keys: readonly string[],
  passes: (value: unknown) => boolean,
): string | undefined {
  return spelled(object, keys).find((key) => passes(object[key]));
}

/** The first of `keys` that every object of the sample has with a value that passes. */
export function commonKey(
  sample: readonly UnknownObject[],
  keys: readonly string[],
  passes: (value: unknown) => boolean,
): string | undefined {
  const names = spelled(sample[0] ?? {}, keys);
  return names.find((key) => sample.every((object) => Object.hasOwn(object, key) && passes(object[key])));
}

export const scoreKeys = words('score confidence probability prob similarity weight');
