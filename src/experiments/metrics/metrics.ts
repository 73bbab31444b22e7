import type { Json } from '../../domain/json';
import type { JudgementKind } from '../judgements';
import {
  absoluteError,
  boxOverlap,
  contains,
  editDistance,
  exact,
  type ItemMetric,
  jsonEqual,
  judged,
  squaredError,
  textOf,
} from './itemMetrics';
import { type EncodedPairs, f1Scorer, type LabelPair } from './labels';
import {
  bootstrapInterval,
  type Interval,
  mcnemar,
  mean,
  pairedBootstrap,
  pairedStatisticBootstrap,
  wilsonInterval,
} from './statistics';

/** The metrics of experiments by the names that files have. */
export const METRICS = {
  accuracy: { item: exact, better: 'higher' },
  macro_f1: { item: exact, better: 'higher', of: 'labels' },
  exact: { item: exact, better: 'higher' },
  contains: { item: contains, better: 'higher' },
  edit_distance: { item: editDistance, better: 'lower' },
  absolute_error: { item: absoluteError, better: 'lower' },
  squared_error: { item: squaredError, better: 'lower' },
  iou: { item: boxOverlap, better: 'higher' },
  json_equal: { item: jsonEqual, better: 'higher' },
} as const satisfies Record<string, MetricKind>;
export type MetricName = keyof typeof METRICS;

/** What people say of outcomes; of these nothing is expected. */
const JUDGED = {
  thumbs_up: { item: judged, better: 'higher' },
  score: { item: judged, better: 'higher', of: 'grades' },
  preferred: { item: judged, better: 'higher' },
} as const satisfies Record<JudgementKind, MetricKind>;

const KINDS: Readonly<Record<Metric['name'], MetricKind>> = { ...METRICS, ...JUDGED };

interface MetricKind {
  readonly item: ItemMetric;
  readonly better: 'higher' | 'lower';
  /**
   * `labels`: computed from all labels at once; the item's own value only says whether it is right.
   * `grades`: values are no shares, also where all of them are 1.
   */
  readonly of?: 'labels' | 'grades';
}

/** A metric that an experiment asks for, or that people have judged by. */
export interface Metric {
  readonly name: MetricName | JudgementKind;
  /** Absolute, for numbers in JSON. */
  readonly tolerance: number;
}

/** The outcomes of one item in one column: one for each repeat that finished. */
export interface MeasuredItem {
  readonly item: string;
  readonly expected: Json;
  readonly got: readonly (Json | undefined)[];
}

/** A metric over a column. */
export interface Measured {
  readonly value: number;
  /** 95%. */
  readonly interval: Interval;
  /** Items measured. */
  readonly count: number;
}

/** One outcome by a metric; undefined when it cannot be measured. */
export function measureItem(
  { name, tolerance }: Metric,
  got: Json | undefined,
  expected: Json,
): number | undefined {
  return KINDS[name].item(got, expected, tolerance);
}

/** Whether people give its values, instead of a comparison with what is expected. */
export function isJudged(metric: Metric): metric is Metric & { readonly name: JudgementKind } {
  return Object.hasOwn(JUDGED, metric.name);
}

export function betterOf({ name }: Metric): 'higher' | 'lower' {
  return KINDS[name].better;
}

/** A column by a metric; undefined when nothing of it can be measured. */
export async function measureColumn(
  metric: Metric,
  items: readonly MeasuredItem[],
): Promise<Measured | undefined> {
  if (isOfLabels(metric)) return measureLabels(items);
  const values = items.flatMap((item) => itemValue(metric, item) ?? []);
  if (values.length === 0) return undefined;
  const { better, of } = KINDS[metric.name];
  const isProportion =
    values.every((value) => value === 0 || value === 1) && better === 'higher' && of !== 'grades';
  const interval = isProportion
    ? wilsonInterval(values.filter((value) => value === 1).length, values.length)
    : await bootstrapInterval(values, mean);
  return { value: mean(values), interval, count: values.length };
}

/** How likely a difference at least this large is by chance, over the items that both columns have. */
export interface Comparison {
  /** first − second. */
  readonly difference: number;
  /** Two-sided p. */
  readonly p: number;
  readonly test: 'mcnemar' | 'paired bootstrap';
  readonly count: number;
}

/** Compares two columns by a metric; undefined when they have no measured item in common. */
export async function compareColumns(
  metric: Metric,
  first: readonly MeasuredItem[],
  second: readonly MeasuredItem[],
): Promise<Comparison | undefined> {
  const others = new Map(second.map((item) => [item.item, item]));
  const pairs = first.flatMap((item) => {
    const other = others.get(item.item);
    return other ? [[item, other] as const] : [];
  });
  if (isOfLabels(metric)) return compareLabels(pairs);
  const values = pairs.flatMap(([one, other]) => {
    const [a, b] = [itemValue(metric, one), itemValue(metric, other)];
    return a === undefined || b === undefined ? [] : [[a, b] as const];
  });
  if (values.length === 0) return undefined;
  const differences = values.map(([a, b]) => a - b);
  const binary = values.flat().every((value) => value === 0 || value === 1);
  const only = (sign: number) => differences.filter((value) => value === sign).length;
  return {
    difference: mean(differences),
    ...(binary
      ? { p: mcnemar(only(1), only(-1)), test: 'mcnemar' as const }
      : { p: await pairedBootstrap(differences), test: 'paired bootstrap' as const }),
    count: values.length,
  };
}

/** Repeats are not independent of one another: an item counts once, with the mean of its repeats. */
function itemValue(metric: Metric, { got, expected }: MeasuredItem): number | undefined {
  const values = got.flatMap((one) => measureItem(metric, one, expected) ?? []);
  return values.length === 0 ? undefined : mean(values);
}

function isOfLabels({ name }: Metric): boolean {
  return KINDS[name].of === 'labels';
}

async function measureLabels(items: readonly MeasuredItem[]): Promise<Measured | undefined> {
  const measured = items.map(labelPairs).filter((pairs) => pairs.length > 0);
  if (measured.length === 0) return undefined;
  const { encode, score } = f1Scorer(measured.flat());
  const encoded = measured.map(encode);
  return { value: score(encoded), interval: await bootstrapInterval(encoded, score), count: encoded.length };
}

async function compareLabels(
  pairs: readonly (readonly [MeasuredItem, MeasuredItem])[],
): Promise<Comparison | undefined> {
  const measured = pairs
    .map(([one, other]) => [labelPairs(one), labelPairs(other)] as const)
    .filter(([one, other]) => one.length > 0 && other.length > 0);
  if (measured.length === 0) return undefined;
  const { encode, score } = f1Scorer(measured.flat(2));
  const encoded = measured.map(([one, other]) => [encode(one), encode(other)] as const);
  const difference = (sample: readonly (readonly [EncodedPairs, EncodedPairs])[]) =>
    score(sample.map(([one]) => one)) - score(sample.map(([, other]) => other));
  const p = await pairedStatisticBootstrap(encoded, difference);
  return { difference: difference(encoded), p, test: 'paired bootstrap', count: encoded.length };
}

/** The label pairs of an item's repeats; an outcome that is no label counts as the label "". */
function labelPairs({ expected, got }: MeasuredItem): LabelPair[] {
  const wanted = textOf(expected);
  return wanted === undefined ? [] : got.map((one) => ({ expected: wanted, got: textOf(one) ?? '' }));
}
