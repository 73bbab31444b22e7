import type { Json, JsonObject } from '../../domain/json';
import { type ModelContract, modeOf } from '../../domain/model';
import { parentPointer } from '../../domain/pointer';
import type { RunDraft } from '../../domain/run';
import { getAt, isObject, removeAt, setAt } from '../../domain/value';
import { initialInput } from '../../forms/buildForm';
import { EXPERIMENT_VERSION, type ExperimentFile } from './format';

/** The run of an experiment that is written in its file. */
export type RunObject = Exclude<ExperimentFile['run'], string>;

/** The text of a new experiment. */
export function newText(members: Partial<ExperimentFile>): string {
  return `${JSON.stringify({ version: EXPERIMENT_VERSION, ...members }, null, 2)}\n`;
}

/**
 * The run of a model that is varied: its initial values, without the places that inputs fill.
 * @param places JSON pointers
 */
export function runOver(contract: ModelContract, modeName: string, places: readonly string[]): RunObject {
  const mode = modeOf(contract, modeName);
  const input: JsonObject = mode ? initialInput(mode.input.schema) : {};
  const run = { model: contract.slug, ...(modeName !== 'execute' && { mode: modeName }), input };
  return runWithout(run, places);
}

/** A request as the run of an experiment; members with their defaults are left out. */
export function runOfDraft({ model, mode, scope, input, params, options }: RunDraft): RunObject {
  return {
    model,
    ...(mode !== 'execute' && { mode }),
    ...(scope !== undefined && scope !== '' && { scope }),
    input,
    ...(Object.keys(params).length > 0 && { params }),
    ...(options && Object.keys(options).length > 0 && { options }),
  };
}

/** A run without the values of places that inputs fill: they would never be sent. @param places JSON pointers */
export function runWithout(run: RunObject, places: readonly string[]): RunObject {
  return places.reduce<Json>(without, run as Json) as RunObject;
}

function without(run: Json, place: string): Json {
  const parent = parentPointer(place);
  // A list that an input goes into begins with it.
  if (place.endsWith('/0')) return setAt(run, parent, []);
  return isObject(getAt(run, parent)) ? removeAt(run, place) : run;
}

/** A path as a glob that means this file only. */
export function globOf(path: string): string {
  return path.replaceAll(/[\\*?[\]{}()!+@|]/g, '\\$&');
}

/** A glob for the files of these endings in a folder, at any depth. @param folder '' is the experiment's own */
export function folderGlob(folder: string, extensions: readonly string[]): string {
  const ending = extensions.length === 1 ? extensions[0]! : `{${extensions.join(',')}}`;
  return `${folder === '' ? '' : `${globOf(folder)}/`}**/*.${ending}`;
}
