import type { Json } from '../domain/json';
import { getAt } from '../domain/value';
import type { ExperimentFile } from './format';
import type { ResultLine } from './resultLine';
import { isWhole } from './resultSkeleton';

/** How the results of an experiment are compared with what is expected. */
export interface Comparing {
  /** JSON pointer to what is compared in a result. */
  readonly at: string;
  /** Expected values are text, as those of CSV, folders and files; of JSONL they are JSON. */
  readonly isText: boolean;
  /** Failed runs count as wrong, for metrics that say right or wrong. */
  readonly failedIsWrong: boolean;
}

export function comparingOf(experiment: ExperimentFile | undefined): Comparing {
  const { expected, over, failed } = experiment ?? {};
  return {
    at: expected && 'at' in expected ? (expected.at ?? '') : '',
    isText: !(over && 'rows' in over && /\.(?:jsonl|ndjson)$/i.test(over.rows)),
    failedIsWrong: failed !== 'unmeasured',
  };
}

/** The value is in a file that is missing, too large, or not read. */
export const UNREADABLE: unique symbol = Symbol('unreadable');
export type Unreadable = typeof UNREADABLE;

/** What was read of the files of long results: the value at one place. */
const held = new WeakMap<
  ResultLine,
  { readonly at: string; readonly value: Json | undefined | Unreadable }
>();

/**
 * The value that is compared in the result of a finished run, however long the result is; undefined when the result lacks
 * it. What is not in the line was read by `readCompared` before.
 */
export function measuredValue(line: ResultLine, at: string): Json | undefined | Unreadable {
  if (isInLine(line, at)) return getAt(line.result, at);
  const read = held.get(line);
  return read?.at === at ? read.value : UNREADABLE;
}

/** Whether all of the value at a place is in the line: else it is in the file of the result. */
export function isInLine(
  { result, result_file: file, result_without: without }: ResultLine,
  at: string,
): boolean {
  if (file === undefined) return true;
  return result !== undefined && isWhole(without ?? [], at);
}

/** Whether the value was read from the result's file. */
export function isHeld(line: ResultLine, at: string): boolean {
  const read = held.get(line);
  return read?.at === at && read.value !== UNREADABLE;
}

export function holdValue(line: ResultLine, at: string, value: Json | undefined | Unreadable): void {
  held.set(line, { at, value });
}

/** The measured value where it can be read; undefined for one that cannot. */
export function readableValue(line: ResultLine, at: string): Json | undefined {
  const value = measuredValue(line, at);
  return value === UNREADABLE ? undefined : value;
}
