import type { Json } from '../../domain/json';
import { getAt, ownOf } from '../../domain/value';
import { type ExpectedCheck, VALUE_CHECKS } from '../../runFiles/format';
import { comparesExpected, metricName } from '../file/askedMetrics';
import type { ComparedPlace, ExperimentFile } from '../file/format';
import { HIT_METRIC } from '../metrics/hits';
import type { Ignored } from '../metrics/ignoring';
import type { Variation } from '../plan/grid';
import type { ResultLine } from './resultLine';
import { isContentMark } from './resultMedia';
import { isWhole } from './resultSkeleton';

/** How the results of an experiment are compared with the expected values. */
export interface Comparing {
  /** The compared part of a result. */
  readonly at: ComparedPlace;
  /** Expected values are text, as those of CSV, folders and files; of JSONL they are JSON. */
  readonly isText: boolean;
  /** Other parts that checks look at. */
  readonly checked?: readonly ComparedPlace[];
  /** All metrics with expected values are of hits. */
  readonly ofHits?: true;
  /** Failed runs count as wrong, for metrics that say right or wrong. */
  readonly failedIsWrong: boolean;
  /** Differences of spelling that do not count in pairs of labels: those that any metric leaves out. */
  readonly ignore?: readonly Ignored[];
}

export function comparingOf(experiment: ExperimentFile | undefined): Comparing {
  const { over, failed, metrics = [] } = experiment ?? {};
  const at = experiment ? atOf(experiment) : '';
  const checked = metrics
    .map((metric) =>
      typeof metric === 'object' && 'check' in metric ? checkedPlace(metric.check, at) : undefined,
    )
    .filter((place) => place !== undefined);
  const ignore = metrics.flatMap((metric) =>
    typeof metric === 'object' && 'ignore' in metric ? (metric.ignore ?? []) : [],
  );
  const comparing = metrics.filter(comparesExpected);
  const ofHits = comparing.length > 0 && comparing.every((entry) => HIT_METRIC.test(metricName(entry)));
  return {
    at,
    ...(ofHits && { ofHits }),
    ...(ignore.length > 0 && { ignore: [...new Set(ignore)] }),
    ...(checked.length > 0 && { checked }),
    isText: !(over && 'rows' in over && /\.(?:jsonl|ndjson)$/i.test(over.rows)),
    failedIsWrong: failed !== 'unmeasured',
  };
}

function atOf({ run, vary, expected }: ExperimentFile): ComparedPlace {
  const at = expected && 'at' in expected ? (expected.at ?? '') : '';
  if (typeof at === 'string' || Object.hasOwn(vary ?? {}, '/model')) return at;
  // One model: a result does not name it.
  const model = typeof run === 'string' ? undefined : run.model;
  return (model === undefined ? Object.values(at)[0] : ownOf(at, model)) ?? '';
}

/** The place of the checked value; undefined: the check needs no part of the result. */
export function checkedPlace(check: ExpectedCheck, at: ComparedPlace): ComparedPlace | undefined {
  if (check.at !== undefined) return check.at;
  if (VALUE_CHECKS.some((name) => check[name] !== undefined)) return at;
  return check.hitsContain === undefined ? undefined : '';
}

/** JSON pointer to the compared part in the results of a variation. */
export function placeIn(at: ComparedPlace, variation: Variation): string {
  if (typeof at === 'string') return at;
  return ownOf(at, String(variation['/model'])) ?? '';
}

/** The value is in a file that is missing, too large, or not read. */
export const UNREADABLE: unique symbol = Symbol('unreadable');
export type Unreadable = typeof UNREADABLE;

/** Values that were read from the files of long results, by their place. */
const held = new WeakMap<ResultLine, Map<string, Json | undefined | Unreadable>>();

/**
 * The compared value in the result of a finished run, for a result of any length; undefined when the result lacks it.
 * `readCompared` has read values that the line lacks before.
 */
export function measuredValue(line: ResultLine, at: ComparedPlace): Json | undefined | Unreadable {
  const place = placeIn(at, line.variation);
  if (isInLine(line, place)) return getAt(line.result, place);
  const read = held.get(line);
  return read?.has(place) ? read.get(place) : UNREADABLE;
}

/** The same for a comparison with an expected value, without the mark of a medium, which has nothing to compare. */
export function comparedValue(line: ResultLine, at: ComparedPlace): Json | undefined | Unreadable {
  const value = measuredValue(line, at);
  return typeof value === 'string' && isContentMark(value) ? undefined : value;
}

/** Whether all of the value at a place is in the line: else it is in the file of the result. */
export function isInLine(line: ResultLine, at: ComparedPlace): boolean {
  const { result, result_file: file, result_without: without } = line;
  if (file === undefined) return true;
  return result !== undefined && isWhole(without ?? [], placeIn(at, line.variation));
}

/** Whether the value was read from the result's file. */
export function isHeld(line: ResultLine, at: ComparedPlace): boolean {
  const read = held.get(line);
  const place = placeIn(at, line.variation);
  return read?.has(place) === true && read.get(place) !== UNREADABLE;
}

export function holdValue(line: ResultLine, at: ComparedPlace, value: Json | undefined | Unreadable): void {
  const read = held.get(line) ?? new Map<string, Json | undefined | Unreadable>();
  held.set(line, read.set(placeIn(at, line.variation), value));
}

/** The measured value where it can be read; undefined for one that cannot. */
export function readableValue(line: ResultLine, at: ComparedPlace): Json | undefined {
  const value = measuredValue(line, at);
  return value === UNREADABLE ? undefined : value;
}
