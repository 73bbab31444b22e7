import type { Json } from '../../domain/json';
import { BOX_FORMS } from '../../results/boxes';
import type { ExpectedCheck } from '../../runFiles/format';
import type { JudgementKind } from '../results/judgements';
import { isBlank, type OtherKinds } from './equality';
import type { HitRule, MeasuredHits } from './hits';
import { type Ignored, ignoring } from './ignoring';
import {
  absoluteError,
  type BoxForms,
  boxDoubt,
  boxOverlap,
  boxPrecision,
  boxRecall,
  contains,
  editDistance,
  exact,
  exactLabel,
  given,
  type ItemMetric,
  jaccard,
  jsonEqual,
  kindOf,
  matches,
  type ResultKind,
  rouge,
  similarity,
  squaredError,
} from './itemMetrics';

/** The metrics of experiments by the names that files have. */
export const METRICS = {
  accuracy: { item: exact, better: 'higher', failure: 0 },
  macro_f1: { item: exactLabel, better: 'higher', failure: 0, of: 'labels' },
  micro_f1: { item: exactLabel, better: 'higher', failure: 0, of: 'labels' },
  jaccard: { item: jaccard, better: 'higher', failure: 0, of: 'degrees' },
  exact: { item: exact, better: 'higher', failure: 0 },
  contains: { item: contains, better: 'higher', failure: 0 },
  edit_distance: { item: editDistance, better: 'lower' },
  absolute_error: { item: absoluteError, better: 'lower' },
  squared_error: { item: squaredError, better: 'lower' },
  iou: { item: boxOverlap, better: 'higher', failure: 0, of: 'degrees' },
  box_precision: { item: boxPrecision, better: 'higher', failure: 0, of: 'degrees' },
  box_recall: { item: boxRecall, better: 'higher', failure: 0, of: 'degrees' },
  json_equal: { item: jsonEqual, better: 'higher', failure: 0 },
  matches: { item: matches, better: 'higher', failure: 0 },
  similarity: { item: similarity, better: 'higher', failure: 0, of: 'degrees' },
  rouge_l: { item: rouge, better: 'higher', failure: 0, of: 'degrees' },
} as const satisfies Record<string, MetricKind>;
export type MetricName = keyof typeof METRICS;

/** People's judgements of outcomes; these have no expected value. */
const JUDGED = {
  thumbs_up: { item: given, better: 'higher' },
  score: { item: given, better: 'higher', of: 'grades' },
  preferred: { item: given, better: 'higher' },
} as const satisfies Record<JudgementKind, MetricKind>;

/** Whether a run passes a check. */
const CHECK: MetricKind = { item: given, better: 'higher', failure: 0 };

const KINDS: Readonly<Record<MetricName | JudgementKind, MetricKind>> = { ...METRICS, ...JUDGED };

interface MetricKind {
  readonly item: ItemMetric;
  readonly better: 'higher' | 'lower';
  /** The value of a failed run, where it counts as wrong; without it, failed runs have no value. */
  readonly failure?: 0;
  /**
   * `labels`: computed from all labels at once; the item's own value only tells whether it is right. `degrees`: from 0 to 1,
   * and no shares of rows. `grades`: values are no shares, even if all of them are 1.
   */
  readonly of?: 'labels' | 'degrees' | 'grades';
}

/** A metric that an experiment asks for, or that people have judged by. */
export type Metric = NamedMetric | CheckMetric | JudgeMetric | HitMetric;

interface NamedMetric {
  readonly name: MetricName | JudgementKind;
  /** Absolute, for numbers in JSON. */
  readonly tolerance: number;
  /** Differences of spelling that do not count. */
  readonly ignore?: readonly Ignored[];
  /** The forms of boxes in lists. */
  readonly boxes?: BoxForms;
}

/** The share of runs that pass a check of run files. */
interface CheckMetric {
  /** Shown, and used by thresholds. */
  readonly name: string;
  readonly check: ExpectedCheck;
}

/** How a judge's answers become values: a score of a scale, that of a label, or which of two results is better. */
export type JudgeRule =
  | { readonly kind: 'rubric'; readonly from: number; readonly to: number }
  | { readonly kind: 'choices'; readonly scores: Readonly<Record<string, number>> }
  | {
      readonly kind: 'pairwise';
      readonly first: string;
      readonly second: string;
      readonly tie: string;
      /** Values of the column that the others are compared with; empty: the first one. */
      readonly baseline: Readonly<Record<string, Json>>;
    };

export interface JudgeMetric {
  readonly name: string;
  readonly judge: JudgeRule;
}

/** Of the hits of a search: see `HitRule`. */
export interface HitMetric {
  /** "hit@5". */
  readonly name: string;
  readonly hits: HitRule;
}

function ruleOf(metric: Metric): MetricKind {
  if ('hits' in metric) return metric.hits.measure === 'hit' ? CHECK : { ...CHECK, of: 'degrees' };
  if ('check' in metric) return CHECK;
  if (!('judge' in metric)) return KINDS[metric.name];
  const { judge } = metric;
  if (judge.kind === 'rubric') return { item: given, better: 'higher', of: 'grades' };
  const isShared =
    judge.kind === 'choices' && Object.values(judge.scores).every((score) => score === 0 || score === 1);
  return { item: given, better: 'higher', ...(!isShared && { of: 'degrees' }) };
}

/** The outcomes of one item in one column. */
export interface MeasuredItem {
  readonly item: string;
  readonly expected: Json | undefined;
  /** One for each repeat that finished; undefined where the result lacks the compared part. */
  readonly got: readonly (Json | undefined)[];
  /** Finished repeats with a result in an unreadable file: not measured. */
  readonly unreadable?: number;
  /** Of pairs: repeats of which the judge named the same place in both orders. */
  readonly contradicted?: number;
  /** Of hits: one for each measured repeat. */
  readonly hits?: readonly MeasuredHits[];
  /** Of hits: the row has no known right hit. */
  readonly isBlank?: boolean;
  /** Of a check or of hits: the kinds of those of its results that it cannot look at. */
  readonly misfits?: readonly SetupFault['kind'][];
  /** The IDs of its runs that other rows ask for too. */
  readonly runs?: readonly string[];
  /** The IDs of failed repeats that count as wrong. */
  readonly failed?: readonly string[];
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
  metric: Metric,
  got: Json | undefined,
  expected: Json | undefined,
  isText = true,
): number | undefined {
  const { item } = ruleOf(metric);
  if (isGiven(metric)) return item.measure(got, null, { tolerance: 0, isText });
  if (isBlank(expected)) return undefined;
  const reading = readingOf(metric, isText);
  return item.measure(asCompared(metric, got), asCompared(metric, expected), reading);
}

function readingOf({ tolerance, boxes }: NamedMetric, isText: boolean) {
  return { tolerance, isText, ...(boxes && { boxes }) };
}

const OF_BOXES: ReadonlySet<string> = new Set<MetricName>(['iou', 'box_precision', 'box_recall']);

/** Whether a metric compares boxes: an experiment may name their form in lists. */
export function comparesBoxes(name: string): boolean {
  return OF_BOXES.has(name);
}

/** Rows whose boxes are read by a guess, and those that are not measured since their forms do not fit together. */
export interface BoxDoubts {
  readonly guessed: number;
  readonly unclear: number;
  /** Forms by which the guessed lists would overlap more. */
  readonly fitting?: BoxForms;
}

export function boxDoubts(metric: Metric, items: readonly MeasuredItem[]): BoxDoubts | undefined {
  if (isGiven(metric) || !comparesBoxes(metric.name)) return undefined;
  const rows = items.map(({ got, expected, isText = true }) => {
    if (isBlank(expected)) return [];
    return got.map((one) => boxDoubt(one, expected, readingOf(metric, isText)));
  });
  const count = (doubt: 'guessed' | 'unclear') => rows.filter((row) => row.includes(doubt)).length;
  const fitting = count('guessed') > 0 ? fittingForms(metric, items) : undefined;
  const doubts = { guessed: count('guessed'), unclear: count('unclear'), ...(fitting && { fitting }) };
  return doubts.guessed + doubts.unclear > 0 ? doubts : undefined;
}

/** Rows that show which forms fit. */
const MOST_TRIED = 100;

function fittingForms(metric: NamedMetric, items: readonly MeasuredItem[]): BoxForms | undefined {
  const rows = items.filter(({ expected }) => !isBlank(expected)).slice(0, MOST_TRIED);
  const overlap = (boxes: BoxForms) =>
    rows
      .flatMap(({ got, expected, isText }) =>
        got.map((one) => measureItem({ ...metric, boxes }, one, expected, isText) ?? 0),
      )
      .reduce((sum, value) => sum + value, 0);
  let [best, most] = [undefined as BoxForms | undefined, overlap(metric.boxes ?? {})];
  for (const expected of BOX_FORMS)
    for (const result of BOX_FORMS) {
      const forms = { result: metric.boxes?.result ?? result, expected: metric.boxes?.expected ?? expected };
      const own = overlap(forms);
      if (own > most) [best, most] = [forms, own];
    }
  return best;
}

/** A value without the differences of spelling that do not count in a metric. */
export function asCompared<T extends Json | undefined>(metric: Metric, value: T): T {
  return 'ignore' in metric && metric.ignore ? ignoring(value, metric.ignore) : value;
}

/** Metrics that compare texts and numbers whole: only in these a spelling may not count. */
const SPELLED: ReadonlySet<string> = new Set<MetricName>([
  ...(['accuracy', 'exact', 'macro_f1', 'micro_f1', 'jaccard', 'contains'] as const),
  ...(['edit_distance', 'similarity', 'absolute_error', 'squared_error'] as const),
]);

export function mayIgnore(name: string): boolean {
  return SPELLED.has(name);
}

/** The value of a failed run, where failed runs count as wrong. */
export function failureValue(metric: Metric): number | undefined {
  return ruleOf(metric).failure;
}

/** Metrics that do not compare a value with the expected one: each run has a value by itself. */
export type GivenMetric =
  | CheckMetric
  | JudgeMetric
  | HitMetric
  | (NamedMetric & { readonly name: JudgementKind });

export function isGiven(metric: Metric): metric is GivenMetric {
  return !('tolerance' in metric) || isJudged(metric);
}

/** Whether people give its values. */
export function isJudged(metric: Metric): metric is NamedMetric & { readonly name: JudgementKind } {
  return 'tolerance' in metric && Object.hasOwn(JUDGED, metric.name);
}

export function betterOf(metric: Metric): 'higher' | 'lower' {
  return ruleOf(metric).better;
}

/** Whether a judge compares results in pairs: 1 is won, 0 lost, and 0.5 neither. */
export function isOfPairs(metric: Metric): boolean {
  return 'judge' in metric && metric.judge.kind === 'pairwise';
}

/** Whether values are shares of rows where all of them are 0 or 1. */
export function isShare(metric: Metric): boolean {
  const { better, of } = ruleOf(metric);
  return better === 'higher' && of !== 'grades' && of !== 'degrees';
}

/** Whether a run is right or wrong by it, so that its value is 1 or 0. */
export function isOfRightAndWrong(metric: Metric): boolean {
  return !isJudged(metric) && failureValue(metric) !== undefined && isShare(metric);
}

/** The values that the metric of one item can have. */
export function metricRange(metric: Metric): { readonly low: number; readonly high: number } {
  if ('judge' in metric) {
    const { judge } = metric;
    if (judge.kind === 'rubric') return { low: judge.from, high: judge.to };
    const scores = judge.kind === 'choices' ? Object.values(judge.scores) : [0, 1];
    return { low: Math.min(...scores), high: Math.max(...scores) };
  }
  const { better, of } = ruleOf(metric);
  if (of === 'grades') return { low: 1, high: 5 };
  return { low: 0, high: better === 'higher' ? 1 : Infinity };
}

export function isOfLabels(metric: Metric): boolean {
  return ruleOf(metric).of === 'labels';
}

/** Why a column has no figure: its results have no value of a comparable kind. */
export interface SetupFault {
  /**
   * The kind of all results instead; `several`: they differ in that. `expected`: it reads none of the expected values.
   * `noHits`: they have no list of hits.
   */
  readonly kind: ResultKind | 'missing' | 'several' | 'expected' | 'noHits';
  readonly results: number;
}

/** Of a check: undefined where it can look at one result. */
function misfit(items: readonly MeasuredItem[]): SetupFault | undefined {
  const results = items.reduce((sum, { got }) => sum + got.length, 0);
  const misfits = items.flatMap((item) => item.misfits ?? []);
  const [first] = misfits;
  if (first === undefined || misfits.length < results) return undefined;
  return { kind: misfits.every((kind) => kind === first) ? first : 'several', results };
}

/** A fault of the set-up, as a wrong `at` or column; undefined where at least one result can be compared. */
export function setupFault(metric: Metric, items: readonly MeasuredItem[]): SetupFault | undefined {
  if (isGiven(metric)) return misfit(items);
  const { item: kind } = ruleOf(metric);
  const kinds = new Set<SetupFault['kind']>();
  let results = 0;
  for (const { expected, got, isText = true } of items) {
    if (isBlank(expected)) continue;
    const reading = readingOf(metric, isText);
    const wanted = asCompared(metric, expected);
    const isRead = kind.reads?.(wanted, reading) ?? true;
    for (const one of got) {
      if (isRead && one !== undefined && kind.takes(asCompared(metric, one), wanted, reading))
        return undefined;
      results += 1;
      if (isRead) kinds.add(one === undefined ? 'missing' : kindOf(one));
    }
  }
  if (results === 0) return undefined;
  const [first = 'expected', ...others] = kinds;
  return { kind: others.length > 0 ? 'several' : first, results };
}
