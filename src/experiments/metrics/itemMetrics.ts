import { distance } from 'fastest-levenshtein';
import type { Json } from '../../domain/json';
import { isObject, sameJson } from '../../domain/value';
import { intersectionOverUnion, readBox } from './boxes';

/**
 * What a metric says of one outcome: a number, or undefined when the outcome or what is expected cannot be measured
 * by it (a text where a number belongs). `tolerance` is absolute.
 */
export type ItemMetric = (got: Json | undefined, expected: Json, tolerance: number) => number | undefined;

/** Longer texts have no edit distance: its time grows with the product of both lengths. */
const LONGEST_COMPARED = 20_000;

/** 1 when both read as the same text. A label of a model may be a number or a boolean. */
export const exact: ItemMetric = (got, expected) => Number(textOf(got) === textOf(expected));

/** 1 when the outcome holds the expected text. */
export const contains: ItemMetric = (got, expected) => {
  const [text, part] = [textOf(got), textOf(expected)];
  return text === undefined || part === undefined ? 0 : Number(text.includes(part));
};

/** Levenshtein distance in UTF-16 units: inserted, deleted and replaced. */
export const editDistance: ItemMetric = (got, expected) => {
  const [a, b] = [textOf(got), textOf(expected)];
  if (a === undefined || b === undefined || Math.max(a.length, b.length) > LONGEST_COMPARED) return undefined;
  return distance(a, b);
};

export const absoluteError: ItemMetric = (got, expected) => {
  const difference = differenceOf(got, expected);
  return difference === undefined ? undefined : Math.abs(difference);
};

export const squaredError: ItemMetric = (got, expected) => {
  const difference = differenceOf(got, expected);
  return difference === undefined ? undefined : difference ** 2;
};

/** Intersection over union of two boxes; 0 when the outcome has none. */
export const boxOverlap: ItemMetric = (got, expected) => {
  const wanted = readBox(parsed(expected));
  if (!wanted) return undefined;
  const found = readBox(got);
  return found ? intersectionOverUnion(found, wanted) : 0;
};

/** 1 when both are the same JSON, members in any order, and numbers at most `tolerance` apart. */
export const jsonEqual: ItemMetric = (got, expected, tolerance) =>
  Number(got !== undefined && isClose(got, parsed(expected), tolerance));

/** What somebody has said of the outcome. */
export const judged: ItemMetric = (got) => (typeof got === 'number' ? got : undefined);

function isClose(a: Json, b: Json, tolerance: number): boolean {
  if (typeof a === 'number' && typeof b === 'number') return Math.abs(a - b) <= tolerance;
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, index) => isClose(item, b[index]!, tolerance));
  if (!isObject(a) || !isObject(b)) return sameJson(a, b);
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && isClose(a[name]!, b[name]!, tolerance))
  );
}

/** Labels and texts as one compares them: trimmed; a number or boolean as JSON writes it. Undefined for other values. */
export function textOf(value: Json | undefined): string | undefined {
  if (typeof value === 'string') return value.trim();
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return undefined;
}

/** A cell of a table is text, also where it holds JSON. */
function parsed(value: Json): Json {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value) as Json;
  } catch {
    return value;
  }
}

function differenceOf(got: Json | undefined, expected: Json): number | undefined {
  const [a, b] = [numberOf(got), numberOf(expected)];
  return a === undefined || b === undefined ? undefined : a - b;
}

function numberOf(value: Json | undefined): number | undefined {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string' || value.trim() === '') return undefined;
  const number = Number(value);
  return Number.isFinite(number) ? number : undefined;
}
