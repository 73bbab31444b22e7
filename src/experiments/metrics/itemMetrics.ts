import { distance } from 'fastest-levenshtein';
import { type Json, tryParseJson } from '../../domain/json';
import { isObject } from '../../domain/value';
import {
  type BoxForm,
  differInUnit,
  foundBoxes,
  intersectionOverUnion,
  type ReadBoxes,
  readBoxes,
} from '../../results/boxes';
import { readPattern } from '../../runFiles/pattern';
import { comparableText, isClose, isLabel, isSame, labelsIn, numberIn, overlapOfSets } from './equality';

interface Reading {
  /** Absolute, for numbers in JSON. */
  readonly tolerance: number;
  /** Expected values are text, as of CSV, which may hold JSON; else they are the values of JSON themselves. */
  readonly isText: boolean;
  /** The forms of boxes in lists. */
  readonly boxes?: BoxForms;
}

/** The form of boxes in lists on each side, where the experiment names it. */
export interface BoxForms {
  readonly result?: BoxForm | undefined;
  readonly expected?: BoxForm | undefined;
}

/**
 * One way to compare a result with its expected value, which is not blank. `measure` is undefined where this cannot
 * be measured; `takes` tells whether the result is of a comparable kind.
 */
export interface ItemMetric {
  readonly measure: (got: Json | undefined, expected: Json, reading: Reading) => number | undefined;
  readonly takes: (got: Json, expected: Json, reading: Reading) => boolean;
  /** Whether it can compare with an expected value; missing: with any. */
  readonly reads?: (expected: Json, reading: Reading) => boolean;
}

/** Longer texts have no edit distance: its time grows with the product of both lengths, here some milliseconds. */
const LONGEST_COMPARED = 5_000;

/** 1 when both are the same answer: see `isSame`. */
export const exact: ItemMetric = {
  measure: (got, expected, reading) => Number(isSame(got, beside(got, expected, reading))),
  takes: (got, expected, reading) => kindOf(got) === kindOf(beside(got, expected, reading)),
};

/** As `exact`, of labels and sets of labels only: other lists and objects are no classes. */
export const exactLabel: ItemMetric = {
  measure: (got, expected, { isText }) =>
    wantedLabels(expected, isText) && Number(isSame(got, wantedSet(expected, isText))),
  takes: (got, expected, { isText }) =>
    Array.isArray(wantedSet(expected, isText)) ? labelsIn(got) !== undefined : isLabel(got),
  reads: (expected, { isText }) => wantedLabels(expected, isText) !== undefined,
};

/** |both| / |either| of two sets of labels (P. Jaccard, 1912); 1 where both are empty. */
export const jaccard: ItemMetric = {
  measure: (got, expected, { isText }) => {
    const wanted = wantedLabels(expected, isText);
    return wanted && overlapOfSets(labelsIn(got) ?? [], wanted);
  },
  takes: (got) => labelsIn(got) !== undefined,
  reads: (expected, { isText }) => wantedLabels(expected, isText) !== undefined,
};

/** The expected label, or the set of labels: that in text of a table is JSON. */
export function wantedSet(expected: Json, isText: boolean): Json {
  const read =
    isText && typeof expected === 'string' && expected.trimStart().startsWith('[')
      ? parsed(expected)
      : expected;
  return Array.isArray(read) ? read : expected;
}

function wantedLabels(expected: Json, isText: boolean) {
  return labelsIn(wantedSet(expected, isText));
}

/** 1 when a text holds the expected text, a list each expected value, or an object each expected member. */
export const contains: ItemMetric = {
  measure: (got, expected, reading) => Number(holds(got, beside(got, expected, reading))),
  takes: (got, expected, reading) =>
    isLabel(got) ||
    (Array.isArray(got) ? mayHold(got, expected, reading) : exact.takes(got, expected, reading)),
};

/** Whether an item of a list is of the kind of an expected one: no record in it is ever a label. */
function mayHold(got: readonly Json[], expected: Json, reading: Reading): boolean {
  const wanted = beside(got as Json, expected, reading);
  const kinds = new Set((Array.isArray(wanted) ? wanted : [wanted]).map(kindOf));
  return got.length === 0 || kinds.size === 0 || got.some((item) => kinds.has(kindOf(item)));
}

function holds(got: Json | undefined, expected: Json): boolean {
  if (typeof got === 'string') {
    const part = comparableText(expected);
    return part !== undefined && comparableText(got)!.includes(part);
  }
  if (Array.isArray(got)) {
    const wanted = Array.isArray(expected) ? expected : [expected];
    return wanted.every((one) => got.some((item) => isSame(item, one)));
  }
  if (isObject(got) && isObject(expected))
    return Object.entries(expected).every(
      ([name, one]) => Object.hasOwn(got, name) && isSame(got[name], one),
    );
  return isSame(got, expected);
}

/** Levenshtein distance in characters as people see them (grapheme clusters): inserted, deleted and replaced. */
export const editDistance = textMetric((got, expected) => distance(...asUnits(got, expected)));

/** 1 − edit distance / characters of the longer text: 1 for equal texts, 0 for texts without a common character. */
export const similarity = textMetric((got, expected) => {
  const units = asUnits(got, expected);
  return 1 - distance(...units) / Math.max(1, ...units.map(({ length }) => length));
}, 0);

/**
 * ROUGE-L: F1 of the longest common subsequence of words (Lin, ROUGE: A Package for Automatic Evaluation of Summaries,
 * 2004). Words of any language, without case; a text is one sentence.
 */
export const rouge = textMetric((got, expected) => {
  const [candidate, reference] = [wordsOf(got.toLowerCase()), wordsOf(expected.toLowerCase())];
  return (2 * commonInOrder(candidate, reference)) / Math.max(1, candidate.length + reference.length);
}, 0);

/** Of texts that are not too long to be compared. @param other the value of a result that is no text */
function textMetric(compare: (got: string, expected: string) => number, other?: number): ItemMetric {
  return {
    measure: (got, expected) => {
      const [a, b] = [comparableText(got), comparableText(expected)];
      if (a === undefined || b === undefined) return isLabel(got) ? undefined : other;
      return Math.max(a.length, b.length) > LONGEST_COMPARED ? undefined : compare(a, b);
    },
    takes: isLabel,
    reads: isLabel,
  };
}

/** 1 when the result matches the expected value, a regular expression as in run files. */
export const matches: ItemMetric = {
  measure: (got, expected) => {
    const isMatch = patternIn(expected);
    return isMatch && Number(isLabel(got) && isMatch(String(got)));
  },
  takes: (got) => isLabel(got),
  reads: (expected) => patternIn(expected) !== undefined,
};

function patternIn(expected: Json): ((text: string) => boolean) | undefined {
  return typeof expected === 'string' ? readPattern(expected) : undefined;
}

/** One language for all machines: Swedish has words with colons. */
const words = new Intl.Segmenter('en', { granularity: 'word' });

/** The length of the longest common subsequence. */
function commonInOrder(one: readonly string[], other: readonly string[]): number {
  const lengths = new Uint32Array(other.length + 1);
  for (const word of one) {
    let before = 0;
    for (let at = 1; at <= other.length; at++) {
      const above = lengths[at]!;
      lengths[at] = word === other[at - 1] ? before + 1 : Math.max(above, lengths[at - 1]!);
      before = above;
    }
  }
  return lengths[other.length]!;
}

function wordsOf(text: string): string[] {
  return Array.from(words.segment(text)).flatMap(({ segment, isWordLike }) => (isWordLike ? segment : []));
}

const characters = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Both texts with one UTF-16 unit for each character: the same for the same. */
function asUnits(...texts: readonly [string, string]): [string, string] {
  if (texts.every((text) => /^[\0-\x7f]*$/.test(text) && !text.includes('\r'))) return [...texts];
  const units = new Map<string, string>();
  const unitOf = (character: string) => {
    if (!units.has(character)) units.set(character, String.fromCharCode(units.size));
    return units.get(character)!;
  };
  const encoded = texts.map((text) => Array.from(characters.segment(text), ({ segment }) => unitOf(segment)));
  return [encoded[0]!.join(''), encoded[1]!.join('')];
}

export const absoluteError = errorMetric(Math.abs);
export const squaredError = errorMetric((difference) => difference ** 2);

function errorMetric(size: (difference: number) => number): ItemMetric {
  return {
    measure: (got, expected) => {
      const [a, b] = [numberOf(got), numberOf(expected)];
      return a === undefined || b === undefined ? undefined : size(a - b);
    },
    takes: isNumber,
    reads: isNumber,
  };
}

/** Intersection over union of one box with the expected one; 0 when the outcome has none. */
export const boxOverlap = boxMetric(
  (got, expected) => intersectionOverUnion(got[0]!.box, expected[0]!.box),
  ({ regions }, value) => regions.length === 1 && !isListOfBoxes(value),
);

/** The share of the boxes that find an expected one: see `foundBoxes`. A result without boxes has none. */
export const boxPrecision = boxMetric((got, expected) =>
  got.length > 0 ? foundBoxes(got, expected) / got.length : undefined,
);

/** The share of the expected boxes that are found; none where none is expected. */
export const boxRecall = boxMetric((got, expected) =>
  expected.length > 0 ? foundBoxes(got, expected) / expected.length : undefined,
);

type Regions = ReadBoxes['regions'];

/** Its time grows with the product of both. */
const MOST_BOXES = 1_000;

function boxMetric(
  compare: (got: Regions, expected: Regions) => number | undefined,
  isKind: (read: ReadBoxes, value: Json | undefined) => boolean = () => true,
): ItemMetric {
  const takes = (value: Json | undefined, form: BoxForm | undefined) => {
    const read = readBoxes(value, form);
    return read && (read.isImpossible || isKind(read, value)) ? read : undefined;
  };
  return {
    measure: (result, expectation, reading) => {
      const wanted = takes(expectedBoxes(expectation, reading), reading.boxes?.expected);
      if (!wanted) return undefined;
      const got = takes(result, reading.boxes?.result);
      if (!got) return 0;
      if (boxDoubt(result, expectation, reading) === 'unclear') return undefined;
      const isLong = Math.max(got.regions.length, wanted.regions.length) > MOST_BOXES;
      return isLong ? undefined : compare(got.regions, wanted.regions);
    },
    takes: (value, _, { boxes }) => takes(value, boxes?.result) !== undefined,
    reads: (value, reading) => takes(expectedBoxes(value, reading), reading.boxes?.expected) !== undefined,
  };
}

/** `guessed`: a list was read as two corners; `unclear`: not measured, since the forms or units do not fit together. */
export function boxDoubt(
  result: Json | undefined,
  expectation: Json,
  reading: Reading,
): 'guessed' | 'unclear' | undefined {
  const sides = [
    readBoxes(result, reading.boxes?.result),
    readBoxes(expectedBoxes(expectation, reading), reading.boxes?.expected),
  ] as const;
  const [got, wanted] = sides;
  if (sides.some((side) => side?.isImpossible)) return 'unclear';
  if (got && wanted && differInUnit(got.regions, wanted.regions)) return 'unclear';
  return sides.some((side) => side?.isGuessed) ? 'guessed' : undefined;
}

function expectedBoxes(expected: Json, { isText }: Reading): Json {
  return isText ? parsed(expected) : expected;
}

function isListOfBoxes(value: Json | undefined): boolean {
  return Array.isArray(value) && typeof value[0] === 'object';
}

/**
 * 1 when both are the same JSON, members in any order, and numbers at most `tolerance` apart. Expected text of a table is
 * equal by its text or by the JSON in it.
 */
export const jsonEqual: ItemMetric = {
  measure: (got, expected, { tolerance, isText }) => {
    if (got === undefined) return 0;
    const readings = isText ? [expected, parsed(expected)] : [expected];
    return Number(readings.some((one) => isClose(got, one, tolerance)));
  },
  takes: (got, expected, { isText }) =>
    kindOf(got) === kindOf(expected) || (isText && kindOf(got) === kindOf(parsed(expected))),
};

/** Not compared: people, a judge or a check of the whole run give the value. */
export const given: ItemMetric = {
  measure: (got) => (typeof got === 'number' ? got : undefined),
  takes: () => true,
};

/** The expected value, read as the kind of the result: text of a table may hold a list or an object. */
function beside(got: Json | undefined, expected: Json, { isText }: Reading): Json {
  if (!isText || got === null || typeof got !== 'object') return expected;
  const read = parsed(expected);
  // The word "null" in a cell is a label.
  return typeof read === 'object' && read !== null ? read : expected;
}

export type ResultKind = 'label' | 'list' | 'object' | 'null';

export function kindOf(value: Json): ResultKind {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'list';
  return isObject(value) ? 'object' : 'label';
}

/** A cell of a table is text, even if it holds JSON. */
function parsed(value: Json): Json {
  const read = typeof value === 'string' ? tryParseJson(value) : value;
  return read === undefined ? value : read;
}

function isNumber(value: Json): boolean {
  return numberOf(value) !== undefined;
}

function numberOf(value: Json | undefined): number | undefined {
  return typeof value === 'string' ? numberIn(value.trim()) : typeof value === 'number' ? value : undefined;
}
