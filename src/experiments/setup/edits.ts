import type { Json } from '../../domain/json';
import { type ModelContract, modeOf } from '../../domain/model';
import { ownOf, sameJson } from '../../domain/value';
import { valueText } from '../../domain/words';
import type { Table } from '../../intake/table';
import type { GridChange } from '../../protocol/experimentSetUp';
import { withMembers } from '../../runFiles/write';
import { comparesExpected, membersWithoutExpected, metricName } from '../file/askedMetrics';
import { EXPERIMENT_VERSION, type ExperimentFile, type MetricEntry } from '../file/format';
import { valueKey } from '../file/labels';
import { type RunObject, runOver, runWithout } from '../file/newExperiment';
import { readExperiment } from '../file/read';
import { METRICS, type MetricName, mayIgnore } from '../metrics/metrics';
import { type Variation, variedValues } from '../plan/grid';
import { guessColumns, rowsMode } from './columns';

/* Each choice of the set-up is an edit of the file's text: some members of it get other values. */

/** Undefined removes a member. */
export type Members = Readonly<Record<string, Json | undefined>>;
type FileMembers = Partial<ExperimentFile>;

/** The text of an experiment with other members; comments, order and layout stay. An empty one becomes an experiment. */
export function edited(text: string, members: Members | FileMembers): string {
  const begun = text.trim() === '' ? `{\n  "version": ${EXPERIMENT_VERSION}\n}\n` : text;
  return withMembers(begun, members as Members);
}

/**
 * The text with another grid.
 * @throws Error with the first problem when the experiment would not be valid
 */
export function withGrid(text: string, change: GridChange): string {
  const { experiment } = readExperiment(text);
  if (!experiment) return text;
  const after = edited(text, gridMembers(experiment, change));
  const wrong = readExperiment(after).problems.find(({ severity }) => severity === 'error');
  if (wrong) throw new Error(wrong.message);
  return after;
}

/** The names that `metrics` may have. */
export const METRIC_NAMES: readonly string[] = Object.keys(METRICS);

function gridMembers(experiment: ExperimentFile, change: GridChange): Members {
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

/** One more metric; it gets a name of its own where another has its name. */
export function metricAdded(
  { metrics = [] }: Pick<ExperimentFile, 'metrics'>,
  entry: Extract<MetricEntry, object>,
): FileMembers {
  const names = new Set(metrics.map(metricName));
  const name = metricName(entry);
  let number = 2;
  while (names.has(`${name} ${number}`)) number += 1;
  return { metrics: [...metrics, names.has(name) ? { ...entry, name: `${name} ${number}` } : entry] };
}

/** A value with another name; an empty name removes the old one. */
export function labelled(
  { labels: all = {} }: Pick<ExperimentFile, 'labels'>,
  pointer: string,
  value: Json,
  name: string,
): Members {
  const { [pointer]: names = {}, ...others } = all;
  const { [valueKey(value)]: _, ...left } = names;
  const label = name.trim();
  const own = label === '' || sameJson(label, value) ? left : { ...names, [valueKey(value)]: label };
  const labels = { ...others, ...(Object.keys(own).length > 0 && { [pointer]: own }) };
  return { labels: Object.keys(labels).length > 0 ? labels : undefined };
}

/**
 * The values of the varied place without those of one column. Undefined: no single value belongs to that column alone, or it
 * is the last one.
 */
export function withoutColumn(
  vary: ExperimentFile['vary'],
  variation: Variation,
): { readonly pointer: string; readonly values: Json } | undefined {
  const [only, ...others] = Object.entries(vary ?? {});
  if (!only || others.length > 0) return undefined;
  const [pointer, varied] = only;
  const values = variedValues(varied);
  const left = values.filter((value) => !sameJson(value, variation[pointer]));
  return left.length === 0 || left.length === values.length ? undefined : { pointer, values: [...left] };
}

/**
 * An experiment of a model over the rows of a table, its columns guessed.
 * @param rows path relative to the experiment
 * @param own its run so far: its mode and other values stay. Missing: the model's initial values
 */
export function overRows(contract: ModelContract, rows: string, table: Table, own?: RunObject): FileMembers {
  const mode = own ? modeOf(contract, own.mode ?? 'execute') : rowsMode(contract, table)?.mode;
  if (!mode) return own ? {} : { run: runOver(contract, 'execute', []) };
  const { map, expected } = guessColumns(mode, table);
  const places = Object.keys(map);
  return {
    run: own ? runWithout(own, places) : runOver(contract, mode.name, places),
    over: { rows, map: { ...map } },
    ...(expected !== undefined && expectedIn(table, expected)),
  };
}

/** The column with the expected values, and metrics that suit them. */
function expectedIn({ rows }: Table, column: string): FileMembers {
  const labels = rows.flatMap(({ values }) => ownOf(values, column) ?? []);
  return { expected: { column }, metrics: metricsFor(labels) };
}

/**
 * A column of the table with another use. A place has one column: the one that it had is not used any more.
 * @param use a place in the run, `expected`, or '' for none
 */
export function columnUsed(
  { over, expected, metrics, thresholds }: ExperimentFile,
  table: Table,
  column: string,
  use: string,
): Members {
  if (!over || !('rows' in over)) return {};
  const others = Object.entries(over.map).filter(([place, name]) => name !== column && place !== use);
  const isPlace = use !== 'expected' && use !== '';
  const map = Object.fromEntries([...others, ...(isPlace ? [[use, column]] : [])]);
  const isExpected = expected !== undefined && 'column' in expected && expected.column === column;
  return {
    over: { ...over, map },
    ...(use === 'expected' && !isExpected && withMetrics(expectedIn(table, column), metrics)),
    // Measuring needs expected values.
    ...(use !== 'expected' && isExpected && membersWithoutExpected({ metrics, thresholds })),
  } as Members;
}

/** The metrics that the file has, and those that suit where none of them compares. */
function withMetrics(members: FileMembers, known: ExperimentFile['metrics'] = []): FileMembers {
  if (known.some(comparesExpected)) return { ...members, metrics: known };
  return { ...members, metrics: [...(members.metrics ?? []), ...known] };
}

/** Values as JSON or text. A longer one is no label. */
const LONGEST_LABEL = 60;
/** Numbers with more values than this are measured, not classified. */
const MOST_NUMBER_LABELS = 10;

/** The initial metrics, by the kind of the expected values. */
export function metricsFor(expected: readonly Json[]): MetricName[] {
  const texts = new Set(expected.map((value) => valueText(value)));
  if ([...texts].some((text) => text.length > LONGEST_LABEL || text.includes('\n'))) return ['edit_distance'];
  const areNumbers = [...texts].every((text) => text.trim() !== '' && Number.isFinite(Number(text)));
  return areNumbers && texts.size > MOST_NUMBER_LABELS ? ['absolute_error'] : ['accuracy', 'macro_f1'];
}
