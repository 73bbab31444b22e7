import type { GridChange } from '../../domain/gridChange';
import type { Json } from '../../domain/json';
import { withMembers } from '../../runFiles/write';
import { METRICS, mayIgnore } from '../metrics/metrics';
import { comparesExpected, metricName } from './askedMetrics';
import type { ExperimentFile, MetricEntry } from './format';
import { readExperiment } from './read';

/** The names that `metrics` may have. */
export const METRIC_NAMES: readonly string[] = Object.keys(METRICS);

/**
 * The text of an experiment with another grid; comments, order and layout stay.
 * @throws Error with the first problem when the experiment would not be valid
 */
export function withGrid(text: string, change: GridChange): string {
  const { experiment } = readExperiment(text);
  if (!experiment) return text;
  const after = withMembers(text, membersOf(experiment, change));
  const wrong = readExperiment(after).problems.find(({ severity }) => severity === 'error');
  if (wrong) throw new Error(wrong.message);
  return after;
}

function membersOf(experiment: ExperimentFile, change: GridChange): Record<string, Json | undefined> {
  const { vary, repeats, sample, seed, metrics, compared, threshold, stop } = change;
  const { failedIsWrong, ignore, margin } = change;
  const known = experiment.metrics ?? [];
  return {
    ...(vary && { vary: withEntry(experiment.vary, vary.pointer, vary.values) }),
    ...(repeats !== undefined && { repeats: repeats === 1 ? undefined : repeats }),
    ...(sample !== undefined && { sample: sample === null ? undefined : { inputs: sample } }),
    ...(seed !== undefined && { seed: seed ?? undefined }),
    ...(compared && experiment.expected && { expected: comparedIn(experiment, compared) as Json }),
    ...(metrics && {
      metrics: metrics.map((name) => known.find((metric) => metricName(metric) === name) ?? name) as Json,
    }),
    ...(threshold && {
      thresholds: withEntry(experiment.thresholds, threshold.metric, boundIn(experiment, threshold)),
    }),
    ...(stop !== undefined && { stop: stop ?? undefined }),
    ...(failedIsWrong !== undefined && { failed: failedIsWrong ? undefined : 'unmeasured' }),
    ...(ignore && { metrics: known.map((entry) => ignoring(entry, ignore)) as Json }),
    ...(margin !== undefined && { margin: margin ?? undefined }),
  };
}

function ignoring(entry: MetricEntry, ignore: readonly string[]): object | string {
  if (!comparesExpected(entry) || !mayIgnore(metricName(entry))) return entry;
  return { ...(typeof entry === 'string' ? { metric: entry } : entry), ignore };
}

/** A threshold keeps its rows, and whether it is of the interval. */
function boundIn(
  { thresholds }: ExperimentFile,
  { metric, bound }: NonNullable<GridChange['threshold']>,
): Json | undefined {
  const before = thresholds?.[metric];
  if (bound === '') return undefined;
  return typeof before === 'object' ? ({ ...before, value: bound } as Json) : bound;
}

/** A record with another value; undefined: without it, and without the record once it is empty. */
function withEntry(record: object = {}, name: string, value: Json | undefined): Json | undefined {
  const others = Object.entries(record).filter(([key]) => key !== name);
  if (value === undefined) return others.length === 0 ? undefined : Object.fromEntries(others);
  return { ...record, [name]: value } as Json;
}

/** The expected values, compared at another place; one place where all models have the same. */
function comparedIn(
  { vary, expected }: ExperimentFile,
  { model, at }: NonNullable<GridChange['compared']>,
): ExperimentFile['expected'] {
  if (!expected || 'judged' in expected) return expected;
  const { at: before = '', ...others } = expected;
  const named = vary?.['/model'];
  const models = Array.isArray(named) ? named.map(String) : [];
  const places = new Map(
    models.map((one) => [one, typeof before === 'string' ? before : (before[one] ?? '')] as const),
  );
  if (model !== undefined) places.set(model, at);
  const all = new Set(places.values());
  const next = model === undefined ? at : all.size === 1 ? [...all][0]! : Object.fromEntries(places);
  return { ...others, ...(next !== '' && { at: next }) } as ExperimentFile['expected'];
}
