import { comparableText } from '../metrics/equality';
import { isHeld, measuredValue, UNREADABLE } from '../results/measuredValue';
import type { ResultLine } from '../results/resultLine';
import { jsonLine } from './jsonLine';
import { type LineOutcome, labelScore, lineOutcome } from './outcome';

/**
 * The table's values from a line of results. Each is read on first use, and kept as long as the line: rows are
 * folded, sorted and searched again with every key, and a table is made for every added line.
 */
interface Reading {
  /** JSON pointer to the compared part of the result. */
  readonly at: string;
  /** The compared value had been read from the result's file. */
  readonly isHeld: boolean;
  outcome?: LineOutcome;
  isScoreKnown?: boolean;
  score?: number | undefined;
  compared?: string;
}

const readings = new WeakMap<ResultLine, Reading>();
/** In lower case and NFC. */
const searched = new WeakMap<ResultLine, string>();
/** A longer text is read each time, instead of being held twice. */
const LONGEST_KEPT = 4_000;

function readingOf(line: ResultLine, at: string): Reading {
  const known = readings.get(line);
  const isRead = isHeld(line, at);
  if (known?.at === at && known.isHeld === isRead) return known;
  const reading: Reading = { at, isHeld: isRead };
  readings.set(line, reading);
  return reading;
}

export function outcomeIn(line: ResultLine, at: string): LineOutcome {
  const reading = readingOf(line, at);
  reading.outcome ??= lineOutcome(line, at);
  return reading.outcome;
}

/** The score of its label, where the result lists labels with scores. */
export function scoreIn(line: ResultLine, at: string): number | undefined {
  const reading = readingOf(line, at);
  if (!reading.isScoreKnown) {
    reading.score = labelScore(line, outcomeIn(line, at));
    reading.isScoreKnown = true;
  }
  return reading.score;
}

/** The text by which finished runs are compared: the same text, the same outcome. */
export function comparedText(line: ResultLine, at: string): string {
  const reading = readingOf(line, at);
  reading.compared ??= readCompared(line, at);
  return reading.compared;
}

function readCompared(line: ResultLine, at: string): string {
  const value = measuredValue(line, at);
  // Without the place that is compared, whole results are compared: pictures by the marks of their contents.
  const compared = value === undefined ? line.result : value;
  if (compared === UNREADABLE || compared === undefined) return line.result_sha256 ?? line.result_file ?? '';
  return comparableText(compared) ?? jsonLine(compared);
}

/** The searched text of a line, in lower case and NFC. */
export function searchedText(line: ResultLine): string {
  const known = searched.get(line);
  if (known !== undefined) return known;
  const { result, result_file: file, reason } = line;
  const parts = [result, file, reason].filter((part) => part !== undefined);
  const text = parts
    .map((part) => (typeof part === 'string' ? part : jsonLine(part)))
    .join('\n')
    .toLowerCase()
    .normalize('NFC');
  if (text.length <= LONGEST_KEPT) searched.set(line, text);
  return text;
}
