import type { Json } from '../../domain/json';
import { isNear } from '../../domain/near';
import { isObject } from '../../domain/value';

/** Which kinds of values texts are compared with. */
export interface OtherKinds {
  readonly numbers: boolean;
  readonly booleans: boolean;
}

const NO_OTHERS: OtherKinds = { numbers: false, booleans: false };

export type Label = string | number | boolean;

export function isLabel(value: Json | undefined): value is Label {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

/** Whether there is no expected value: an empty cell of a table, null, or undefined. */
export function isBlank(expected: Json | undefined): expected is undefined | null {
  return (
    expected === undefined || expected === null || (typeof expected === 'string' && plain(expected) === '')
  );
}

/** Text as people compare it: without white space around it, characters composed in one way (NFC). */
function plain(text: string): string {
  return text.normalize('NFC').trim();
}

/** Labels and texts as one compares them; a number or boolean as JSON writes it. Undefined for other values. */
export function comparableText(value: Json | undefined): string | undefined {
  return isLabel(value) ? plain(String(value)) : undefined;
}

export function kindsIn(values: Iterable<Json | undefined>): OtherKinds {
  let [numbers, booleans] = [false, false];
  for (const value of values) {
    numbers ||= typeof value === 'number';
    booleans ||= typeof value === 'boolean';
  }
  return { numbers, booleans };
}

/**
 * The key by which a label is compared. Text is read as the type of the other value: "1.0" is 1 beside numbers,
 * "TRUE" is true beside booleans. The first character gives the type.
 */
export function labelKey(value: Label, others: OtherKinds = NO_OTHERS): string {
  if (typeof value === 'number') return `n${value === 0 ? 0 : value}`;
  if (typeof value === 'boolean') return `b${value}`;
  const text = plain(value);
  const number = others.numbers ? numberIn(text) : undefined;
  if (number !== undefined) return labelKey(number);
  return others.booleans && /^(?:true|false)$/i.test(text) ? `b${text.toLowerCase()}` : `s${text}`;
}

/** A decimal number that is written as text. */
export function numberIn(text: string): number | undefined {
  const number = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i.test(text) ? Number(text) : undefined;
  return number !== undefined && Number.isFinite(number) ? number : undefined;
}

/**
 * Whether two values are the same answer: labels by `labelKey`, two lists of labels as sets, everything else as JSON with
 * members in any order. A value that is no label never equals a label.
 */
export function isSame(got: Json | undefined, expected: Json): boolean {
  if (isLabel(got) && isLabel(expected))
    return labelKey(got, kindsIn([expected])) === labelKey(expected, kindsIn([got]));
  if (Array.isArray(got) && Array.isArray(expected) && got.every(isLabel) && expected.every(isLabel))
    return isSameSet(got, expected);
  return got !== undefined && !isLabel(got) && isClose(got, expected, 0);
}

/** A list of labels, or one as a list; undefined for other values. */
export function labelsIn(value: Json | undefined): readonly Label[] | undefined {
  if (isLabel(value)) return [value];
  return Array.isArray(value) && value.every(isLabel) ? value : undefined;
}

function isSameSet(got: readonly Label[], expected: readonly Label[]): boolean {
  const [ours, theirs] = [keysOf(got, expected), keysOf(expected, got)];
  return ours.size === theirs.size && [...ours].every((key) => theirs.has(key));
}

/** Labels in both lists, as sets, of those in either; 1 where there are none. */
export function overlapOfSets(got: readonly Label[], expected: readonly Label[]): number {
  const [ours, theirs] = [keysOf(got, expected), keysOf(expected, got)];
  const shared = [...ours].filter((key) => theirs.has(key)).length;
  const either = ours.size + theirs.size - shared;
  return either === 0 ? 1 : shared / either;
}

function keysOf(labels: readonly Label[], others: readonly Label[]): Set<string> {
  const kinds = kindsIn(others);
  return new Set(labels.map((label) => labelKey(label, kinds)));
}

/** Whether two values are the same JSON, members in any order, texts in NFC, and numbers at most `tolerance` apart. */
export function isClose(a: Json, b: Json, tolerance: number): boolean {
  if (typeof a === 'number' && typeof b === 'number')
    return tolerance === 0 ? a === b : isNear(a, b, tolerance);
  if (typeof a === 'string' && typeof b === 'string') return a.normalize('NFC') === b.normalize('NFC');
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, index) => isClose(item, b[index]!, tolerance));
  if (!isObject(a) || !isObject(b)) return a === b;
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && isClose(a[name]!, b[name]!, tolerance))
  );
}
