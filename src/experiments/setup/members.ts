import { posix, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as l10n from '@vscode/l10n';
import type { ExperimentSetup, OverFiles, SetUpValues } from '../../domain/experimentSetup';
import type { Json } from '../../domain/json';
import { parentPointer } from '../../domain/pointer';
import type { RunDraft } from '../../domain/run';
import { getAt, isObject, removeAt, setAt } from '../../domain/value';
import { valueText } from '../../domain/words';
import { type ExperimentFile, MOST_REPEATS, type Over, type Varied } from '../format';
import type { MetricName } from '../metrics/metrics';
import { globOf } from '../newExperiment';

/** The members of an experiment that a run panel sets up; undefined: the file has none. */
export type SetUpMembers = {
  readonly [Name in 'run' | 'vary' | 'over' | 'repeats' | 'sample' | 'expected']: ExperimentFile[Name];
};

/** Names the missing part of a setup in a sentence. */
export class SetupIncomplete extends Error {}

/**
 * The experiment that a run panel has set up.
 * @param draft the panel's request; its local files are already relative to the experiment
 * @param folder absolute path of the experiment's folder, above all inputs
 * @throws SetupIncomplete
 */
export function setUpMembers(draft: RunDraft, setup: ExperimentSetup, folder: string): SetUpMembers {
  const { repeats, sample, models } = setup;
  if (!Number.isInteger(repeats) || repeats < 1 || repeats > MOST_REPEATS)
    throw new SetupIncomplete(l10n.t('Enter how often each run is repeated: 1 to {0}.', MOST_REPEATS));
  if (sample !== undefined && (!Number.isInteger(sample) || sample < 1))
    throw new SetupIncomplete(l10n.t('Enter how many inputs are chosen: 1 or more.'));
  const values = Object.entries(setup.vary).map(([pointer, one]) => [pointer, variedOf(pointer, one)]);
  const vary: Record<string, Varied> = {
    ...(models.length > 0 && { '/model': [draft.model, ...models.map(({ slug }) => slug)] }),
    ...Object.fromEntries(values),
  };
  return {
    run: runWithout(draft, [...Object.keys(vary), ...Object.keys(setup.over?.map ?? {})]),
    vary,
    over: overOf(setup, folder),
    repeats: repeats === 1 ? undefined : repeats,
    sample: sample === undefined ? undefined : { inputs: sample },
    expected: expectedOf(setup),
  };
}

/** @throws SetupIncomplete */
function variedOf(pointer: string, values: SetUpValues): Varied {
  if ('values' in values) {
    if (values.values.length > 0) return values.values;
    throw new SetupIncomplete(l10n.t('{0}: add a value.', fieldName(pointer)));
  }
  const { from, to, step } = values;
  if (typeof from !== 'number' || typeof to !== 'number' || typeof step !== 'number')
    throw new SetupIncomplete(l10n.t('{0}: enter numbers for from, to and step.', fieldName(pointer)));
  if (step <= 0) throw new SetupIncomplete(l10n.t('{0}: the step must be more than 0.', fieldName(pointer)));
  if (to < from) throw new SetupIncomplete(l10n.t('{0}: “to” is below “from”.', fieldName(pointer)));
  return { from, to, step };
}

function fieldName(pointer: string): string {
  return pointer.split('/').slice(2).join(' › ') || pointer;
}

/** The varied run, without the values of the varied fields: they would never be sent. */
function runWithout(draft: RunDraft, places: readonly string[]): ExperimentFile['run'] {
  const rest = places.reduce<Json>(without, draft as unknown as Json) as unknown as RunDraft;
  const { model, mode, scope, input, params, options } = rest;
  return {
    model: model ?? draft.model,
    ...(mode !== 'execute' && { mode }),
    ...(scope !== undefined && scope !== '' && { scope }),
    input,
    ...(Object.keys(params).length > 0 && { params }),
    ...(options && Object.keys(options).length > 0 && { options }),
  };
}

function without(draft: Json, place: string): Json {
  const parent = getAt(draft, parentPointer(place));
  if (isObject(parent) && parentPointer(place) !== '') return removeAt(draft, place);
  // A list that an input goes into begins with it.
  if (place.endsWith('/0')) return setAt(draft, parentPointer(place), []);
  return draft;
}

function overOf({ over }: ExperimentSetup, folder: string): Over | undefined {
  if (!over) return undefined;
  if (Object.keys(over.map).length === 0)
    throw new SetupIncomplete(l10n.t('Choose a field for at least one column of the table.'));
  if (over.kind === 'rows') return { rows: pathFrom(folder, over.file), map: over.map };
  const globs = globsFrom(folder, over);
  return { files: globs.length === 1 ? globs[0]! : globs, map: over.map };
}

function globsFrom(folder: string, { folder: from, globs }: Pick<OverFiles, 'folder' | 'globs'>): string[] {
  const way = pathFrom(folder, from);
  return way === '' ? [...globs] : globs.map((glob) => posix.join(globOf(way), glob));
}

/** With "/" between its parts. */
function pathFrom(folder: string, uri: string): string {
  return relative(folder, fileURLToPath(uri)).split(sep).join('/');
}

function expectedOf({ over, at }: ExperimentSetup): ExperimentFile['expected'] {
  const place = at === undefined || at === '' ? {} : { at };
  if (over?.kind === 'rows' && over.expected !== undefined) return { column: over.expected, ...place };
  return over?.kind === 'files' && over.folderIsLabel ? { folder: true, ...place } : undefined;
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
