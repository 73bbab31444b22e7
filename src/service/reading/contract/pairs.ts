import { isObject, type UnknownObject } from '../../../domain/value';
import { members, pick, plainName } from '../records';

/** A list of names and values stands for a record. Made once for each list: places are told apart by their records. */
const records = new WeakMap<readonly unknown[], { readonly record: UnknownObject | undefined }>();

/** More entries than any contract has parts are data. */
const MOST_PAIRS = 100;

/** The record that a list of names and values stands for: [["input_schema", …]], [{key, value}] or [{name, value}]. */
export function recordOfPairs(list: readonly unknown[]): UnknownObject | undefined {
  const known = records.get(list) ?? { record: readPairs(list) };
  records.set(list, known);
  return known.record;
}

function readPairs(list: readonly unknown[]): UnknownObject | undefined {
  if (list.length === 0 || list.length > MOST_PAIRS) return undefined;
  const pairs: (readonly [string, unknown])[] = [];
  for (const entry of list) {
    const pair = pairOf(entry);
    if (pair === undefined) return undefined;
    pairs.push(pair);
  }
  // Several of one name are entries of a list, and none is the record's.
  return new Set(pairs.map(([name]) => plainName(name))).size === pairs.length
    ? Object.fromEntries(pairs)
    : undefined;
}

function pairOf(entry: unknown): readonly [string, unknown] | undefined {
  const [name, value, ...more] = Array.isArray(entry)
    ? (entry as unknown[])
    : isObject(entry) && members(entry).length === 2
      ? [pick(entry, 'key', 'name'), entry.value]
      : [];
  return typeof name === 'string' && value !== undefined && more.length === 0 ? [name, value] : undefined;
}
