import type { Json } from '../domain/json';
import { getAt } from '../domain/value';
import type { ExperimentFile } from './format';
import type { ResultLine } from './results';

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
  const { expected, over } = experiment ?? {};
  return {
    at: expected && 'at' in expected ? (expected.at ?? '') : '',
    isText: !(over && 'rows' in over && /\.(?:jsonl|ndjson)$/i.test(over.rows)),
    failedIsWrong: true,
  };
}

/** The value that is compared in the result of a finished run; undefined when the result lacks it. */
export function measuredValue({ result }: ResultLine, at: string): Json | undefined {
  return getAt(result, at);
}
