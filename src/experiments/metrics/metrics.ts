import type { Json } from '../../domain/json';
import type { JudgementKind } from '../judgements';
import { isBlank, type OtherKinds } from './equality';
import {
  absoluteError,
  boxOverlap,
  contains,
  editDistance,
  exact,
  exactLabel,
  type ItemMetric,
  jsonEqual,
  judged,
  kindOf,
  type ResultKind,
  squaredError,
} from './itemMetrics';

/** The metrics of experiments by the names that files have. */
export const METRICS = {
  accuracy: { item: exact, better: 'higher', failure: 0 },
  macro_f1: { item: exactLabel, better: 'higher', failure: 0, of: 'labels' },
  exact: { item: exact, better: 'higher', failure: 0 },
  contains: { item: contains, better: 'higher', failure: 0 },
  edit_distance: { item: editDistance, better: 'lower' },
  absolute_error: { item: absoluteError, better: 'lower' },
  squared_error: { item: squaredError, better: 'lower' },
  iou: { item: boxOverlap, better: 'higher', failure: 0 },
  json_equal: { item: jsonEqual, better: 'higher', failure: 0 },
} as const satisfies Record<string, MetricKind>;
export type MetricName = keyof typeof METRICS;

/** People's judgements of outcomes; these have no expected value. */
const JUDGED = {
  thumbs_up: { item: judged, better: 'higher' },
  score: { item: judged, better: 'higher', of: 'grades' },
  preferred: { item: judged, better: 'higher' },
} as const satisfies Record<JudgementKind, MetricKind>;

const KINDS: Readonly<Record<Metric['name'], MetricKind>> = { ...METRICS, ...JUDGED };

interface MetricKind {
  readonly item: ItemMetric;
  readonly better: 'higher' | 'lower';
  /** The value of a failed run, where it counts as wrong; without it, failed runs have no value. */
  readonly failure?: 0;
  /**
   * `labels`: computed from all labels at once; the item's own value only tells whether it is right. `grades`: values
   * are no shares, even if all of them are 1.
   */
  readonly of?: 'labels' | 'grades';
}

/** A metric that an experiment asks for, or that people have judged by. */
export interface Metric {
  readonly name: MetricName | JudgementKind;
  /** Absolute, for numbers in JSON. */
  readonly tolerance: number;
}

/** The outcomes of one item in one column. */
export interface MeasuredItem {
  readonly item: string;
  readonly expected: Json | undefined;
  /** One for each repeat that finished; undefined where the result lacks the compared part. */
  readonly got: readonly (Json | undefined)[];
  /** Finished repeats with a result in an unreadable file: not measured. */
  readonly unreadable?: number;
  /** Failed repeats that count as wrong. */
  readonly failed?: number;
  /** Expected values are text of a table: see `Reading`. */
  readonly isText?: boolean;
  /**
   * The kinds of the results of all columns, which decide how labels are read; missing: those of the compared items.
   */
  readonly kinds?: OtherKinds;
}

/**
 * One outcome by a metric; undefined without an expected value, or when it cannot be measured. A result without the
 * compared part, or of another kind, is wrong where right and wrong are measured.
 */
export function measureItem(
  { name, tolerance }: Metric,
  got: Json | undefined,
  expected: Json | undefined,
  isText = true,
): number | undefined {
  const { item } = KINDS[name];
  if (isJudgedName(name)) return item.measure(got, null, { tolerance, isText });
  return isBlank(expected) ? undefined : item.measure(got, expected, { tolerance, isText });
}

/** The value of a failed run, where failed runs count as wrong. */
export function failureValue({ name }: Metric): number | undefined {
  return KINDS[name].failure;
}

/** Whether people give its values, instead of a comparison with the expected value. */
export function isJudged(metric: Metric): metric is Metric & { readonly name: JudgementKind } {
  return isJudgedName(metric.name);
}

function isJudgedName(name: Metric['name']): name is JudgementKind {
  return Object.hasOwn(JUDGED, name);
}

export function betterOf({ name }: Metric): 'higher' | 'lower' {
  return KINDS[name].better;
}

/** Whether values are shares of rows where all of them are 0 or 1. */
export function isShare({ name }: Metric): boolean {
  const { better, of } = KINDS[name];
  return better === 'higher' && of !== 'grades';
}

/** The values that the metric of one item can have. */
export function rangeOf(metric: Metric): { readonly low: number; readonly high: number } {
  if (KINDS[metric.name].of === 'grades') return LOWEST_TO_HIGHEST_GRADE;
  return { low: 0, high: isShare(metric) ? 1 : Infinity };
}

const LOWEST_TO_HIGHEST_GRADE = { low: 1, high: 5 } as const;

export function isOfLabels({ name }: Metric): boolean {
  return KINDS[name].of === 'labels';
}

/** Why a column has no figure: its results have no value of a comparable kind. */
export interface SetupFault {
  /** The kind of all results instead; `several`: they differ in that. */
  readonly kind: ResultKind | 'missing' | 'several';
  readonly results: number;
}

/** A fault of the set-up, as a wrong `at`; undefined where at least one result can be compared. */
export function setupFault(metric: Metric, items: readonly MeasuredItem[]): SetupFault | undefined {
  if (isJudged(metric)) return undefined;
  const { item: kind } = KINDS[metric.name];
  const kinds = new Set<SetupFault['kind']>();
  let results = 0;
  for (const { expected, got, isText = true } of items) {
    if (isBlank(expected)) continue;
    for (const one of got) {
      if (one !== undefined && kind.takes(one, expected, { tolerance: metric.tolerance, isText }))
        return undefined;
      results += 1;
      kinds.add(one === undefined ? 'missing' : kindOf(one));
    }
  }
  const [first, ...others] = kinds;
  return first && { kind: others.length > 0 ? 'several' : first, results };
}
