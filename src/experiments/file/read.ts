import * as l10n from '@vscode/l10n';
import schema from '../../../schemas/experiment.schema.json';
import type { JsonObject } from '../../domain/json';
import { addAll } from '../../domain/many';
import {
  childPointer,
  isShortPointer,
  LONGEST_POINTER,
  MOST_SEGMENTS,
  segmentsOf,
} from '../../domain/pointer';
import type { Problem } from '../../domain/problems';
import { isObject } from '../../domain/value';
import { validateValue } from '../../forms/validate';
import { type ParsedText, parseText, type TextSpan } from '../../runFiles/text';
import { measuredColumns } from '../gate/thresholds';
import { checkGrid, GridTooLarge, MOST_PLACES, tooLargeText, valueCount } from '../plan/grid';
import { JUDGEMENT_KINDS } from '../results/judgements';
import { replacedPlaces } from '../setup/places';
import { comparesExpected, metricName, metricProblems } from './askedMetrics';
import { EXPERIMENT_VERSION, type ExperimentFile } from './format';
import { unusedLabels } from './labels';

/** A problem of an experiment; `pointer` is a place in the file. */
export interface ExperimentProblem extends Problem {
  /** `text`: an editor that knows JSON and the published schema shows it already. */
  readonly source: 'text' | 'meaning';
  /** A warning does not keep the experiment from being run. */
  readonly severity: 'error' | 'warning';
  /** A syntax error has a place in the text only. */
  readonly place?: TextSpan;
}

export interface ReadExperiment extends ParsedText {
  readonly problems: readonly ExperimentProblem[];
  /** Undefined when there are errors. */
  readonly experiment?: ExperimentFile;
}

/**
 * Reads the text of an experiment: JSON with comments. Parts that need other files (`run` by its path, `over`) are
 * not read.
 */
export function readExperiment(text: string): ReadExperiment {
  const parsed = parseText(text);
  const problems = problemsOf(parsed);
  const isUsable = problems.every(({ severity }) => severity === 'warning');
  return { ...parsed, problems, ...(isUsable && { experiment: parsed.value as unknown as ExperimentFile }) };
}

function problemsOf({ errors, value, inexact }: ParsedText): ExperimentProblem[] {
  if (errors.length > 0) return errors.map(({ place, message }) => ({ ...textError('', message), place }));
  if (!isObject(value))
    return [textError('', l10n.t('An experiment is an object: { "run": …, "vary": … }.'))];
  const { version } = value;
  if (typeof version === 'number' && version > EXPERIMENT_VERSION) {
    const message = l10n.t('This file is of version {0}. Update Model Bench to run it.', version);
    return [error('/version', message)];
  }
  const isInexact = new Set(inexact.map(({ pointer }) => pointer));
  const problems = validateValue(schema, value)
    .issues.filter(({ pointer }) => !isInexact.has(pointer))
    .map(({ pointer, message }) => textError(pointer, ownMessage(pointer) ?? message));
  const sent = inexact.filter(({ pointer }) => /^\/(?:run|vary)\//.test(pointer));
  const changed = sent.map(({ pointer, message }) => error(pointer, message));
  return [
    ...problems,
    ...changed,
    ...(problems.length === 0 ? meaningOf(value as JsonObject) : []),
    ...unknownMembers(value),
  ];
}

/** The schema's own messages would show a pattern, and mention a model. */
function ownMessage(pointer: string): string | undefined {
  const [parent, name, ...others] = segmentsOf(pointer);
  if (!isShortPointer([name, ...others].at(-1) ?? ''))
    return l10n.t('A place has at most {0} parts and {1} characters.', MOST_SEGMENTS, LONGEST_POINTER);
  if (parent !== 'thresholds' || name === undefined || others.length > 0) return undefined;
  return l10n.t('Enter an operator and a number in quotes, such as ">= 0.9".');
}

/** Rules beyond the schema: parts that have to fit one another. */
function meaningOf(value: JsonObject): ExperimentProblem[] {
  const experiment = value as unknown as ExperimentFile;
  const { over, expected, metrics = [], vary = {}, thresholds = {}, stop } = experiment;
  const problems: ExperimentProblem[] = [];
  const report = (pointer: string, message: string) => problems.push(error(pointer, message));
  const isRows = over !== undefined && 'rows' in over;
  if (expected && 'column' in expected && !isRows)
    report('/expected/column', l10n.t('A column belongs to rows: add "over" with "rows".'));
  if (expected && ('folder' in expected || 'file' in expected) && (over === undefined || isRows))
    report(
      '/expected',
      l10n.t('Folders and files beside the input belong to files: add "over" with "files".'),
    );
  if (expected && 'qrels' in expected && isRows && expected.column === undefined)
    report('/expected/qrels', l10n.t('Name the column with the ids of the queries: add "column".'));
  const asked = metrics.map(metricName);
  for (const [index, name] of asked.entries())
    if (expected && 'folder' in expected && name.startsWith('recall@'))
      report(
        childPointer('/metrics', index),
        l10n.t('A share of all right hits needs a list of them: use "qrels", or "hit@k" and "precision@k".'),
      );
  for (const { pointer, message } of metricProblems(metrics)) report(pointer, message);
  if (metrics.some(comparesExpected) && !expected)
    report('/metrics', l10n.t('Metrics compare with what is expected: add "expected".'));
  const notMeasured = (name: string) => l10n.t('“{0}” is not measured: add it to "metrics".', name);
  for (const key of Object.keys(thresholds)) {
    const { metric: name } = measuredColumns(key);
    if (!asked.includes(name) && !JUDGEMENT_KINDS.some((kind) => kind === name))
      report(childPointer('/thresholds', key), notMeasured(name));
  }
  if (stop && !asked.includes(stop.metric)) report('/stop/metric', notMeasured(stop.metric));
  // First of all: later checks compare each place with the others.
  const varied = Object.keys(vary).length;
  const more = isRows ? Object.keys(over.media ?? {}).length + (over.templates ?? []).length : 0;
  const mapped = Object.keys(over?.map ?? {}).length + more;
  if (varied > MOST_PLACES) report('/vary', tooLargeText(new GridTooLarge(varied, 'places')));
  if (mapped > MOST_PLACES)
    report('/over/map', l10n.t('{0} places are mapped; {1} are possible.', mapped, MOST_PLACES));
  if (varied > MOST_PLACES || mapped > MOST_PLACES) return problems;
  for (const { pointer, message } of replacedPlaces(experiment)) report(pointer, message);
  try {
    for (const [pointer, values] of Object.entries(vary)) {
      const place = childPointer('/vary', pointer);
      if ('scale' in values && values.scale === 'log' && values.from <= 0)
        report(childPointer(place, 'from'), l10n.t('Numbers on a log scale begin above 0.'));
      else if (valueCount(values) === 0)
        report(place, l10n.t('This range has no value: "to" is below "from".'));
    }
    checkGrid(vary);
    addAll(problems, strayLabels(experiment));
  } catch (thrown) {
    if (!(thrown instanceof GridTooLarge)) throw thrown;
    report('/vary', tooLargeText(thrown));
  }
  return problems;
}

function strayLabels(experiment: ExperimentFile): ExperimentProblem[] {
  return unusedLabels(experiment)
    .slice(0, MOST_UNKNOWN)
    .map(({ pointer, key }) => {
      const place = childPointer('/labels', pointer);
      const message =
        key === undefined
          ? l10n.t('{0} is not varied, so its names are not shown.', pointer)
          : l10n.t('No column has this value at {0}, so its name is not shown.', pointer);
      const at = key === undefined ? place : childPointer(place, key);
      return { ...error(at, message), severity: 'warning' as const };
    });
}

/** VS Code shows no more problems of a file. */
const MOST_UNKNOWN = 1_000;

function unknownMembers(value: JsonObject): ExperimentProblem[] {
  return Object.keys(value)
    .filter((name) => name !== '$schema' && !Object.hasOwn(schema.properties, name))
    .slice(0, MOST_UNKNOWN)
    .map((name) => ({
      pointer: childPointer('', name),
      message: l10n.t('“{0}” is not a member of experiments, and is ignored.', name),
      severity: 'warning',
      source: 'meaning',
    }));
}

function error(pointer: string, message: string): ExperimentProblem {
  return { pointer, message, severity: 'error', source: 'meaning' };
}

function textError(pointer: string, message: string): ExperimentProblem {
  return { ...error(pointer, message), source: 'text' };
}
