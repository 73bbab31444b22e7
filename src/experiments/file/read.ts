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
  const { over, expected, metrics, vary, thresholds, stop } = value as unknown as ExperimentFile;
  const problems: ExperimentProblem[] = [];
  const isRows = over !== undefined && 'rows' in over;
  const more = isRows ? Object.keys(over.media ?? {}).length + (over.templates ?? []).length : 0;
  const mapped = Object.keys(over?.map ?? {}).length + more;
  if (expected && 'column' in expected && !isRows)
    problems.push(error('/expected/column', l10n.t('A column belongs to rows: add "over" with "rows".')));
  if (expected && ('folder' in expected || 'file' in expected) && (over === undefined || isRows))
    problems.push(
      error(
        '/expected',
        l10n.t('Folders and files beside the input belong to files: add "over" with "files".'),
      ),
    );
  if (expected && 'qrels' in expected && isRows && expected.column === undefined)
    problems.push(
      error('/expected/qrels', l10n.t('Name the column with the ids of the queries: add "column".')),
    );
  for (const [index, entry] of (metrics ?? []).entries())
    if (expected && 'folder' in expected && metricName(entry).startsWith('recall@'))
      problems.push(
        error(
          childPointer('/metrics', index),
          l10n.t(
            'A share of all right hits needs a list of them: use "qrels", or "hit@k" and "precision@k".',
          ),
        ),
      );
  for (const { pointer, message } of metricProblems(metrics ?? [])) problems.push(error(pointer, message));
  if (metrics?.some(comparesExpected) && !expected)
    problems.push(error('/metrics', l10n.t('Metrics compare with what is expected: add "expected".')));
  const asked = (metrics ?? []).map(metricName);
  for (const key of Object.keys(thresholds ?? {})) {
    const { metric: name } = measuredColumns(key);
    if (!asked.some((metric) => metric === name) && !JUDGEMENT_KINDS.some((kind) => kind === name))
      problems.push(
        error(childPointer('/thresholds', key), l10n.t('“{0}” is not measured: add it to "metrics".', name)),
      );
  }
  if (stop && !asked.includes(stop.metric))
    problems.push(error('/stop/metric', l10n.t('“{0}” is not measured: add it to "metrics".', stop.metric)));
  // First of all: later checks compare each place with the others.
  if (Object.keys(vary ?? {}).length > MOST_PLACES || mapped > MOST_PLACES)
    return [...problems, ...tooManyPlaces(Object.keys(vary ?? {}).length, mapped)];
  for (const { pointer, message } of replacedPlaces({ vary, over })) problems.push(error(pointer, message));
  try {
    for (const [pointer, values] of Object.entries(vary ?? {}))
      if ('scale' in values && values.scale === 'log' && values.from <= 0)
        problems.push(
          error(
            childPointer(childPointer('/vary', pointer), 'from'),
            l10n.t('Numbers on a log scale begin above 0.'),
          ),
        );
      else if (valueCount(values) === 0)
        problems.push(
          error(childPointer('/vary', pointer), l10n.t('This range has no value: "to" is below "from".')),
        );
    checkGrid(vary);
    addAll(problems, strayLabels(value as unknown as ExperimentFile));
  } catch (thrown) {
    if (!(thrown instanceof GridTooLarge)) throw thrown;
    problems.push(error('/vary', tooLargeText(thrown)));
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

function tooManyPlaces(varied: number, mapped: number): ExperimentProblem[] {
  const text = l10n.t('{0} places are mapped; {1} are possible.', mapped, MOST_PLACES);
  return [
    ...(varied > MOST_PLACES ? [error('/vary', tooLargeText(new GridTooLarge(varied, 'places')))] : []),
    ...(mapped > MOST_PLACES ? [error('/over/map', text)] : []),
  ];
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
