import type { JsonObject } from '../domain/json';
import { type ModelContract, modeOf } from '../domain/model';
import { ownOf, setOwn } from '../domain/value';
import { initialInput } from '../forms/buildForm';
import { EXPERIMENT_VERSION, type ExperimentFile } from './format';

/** The text of a new experiment. */
export function newText(members: Partial<ExperimentFile>): string {
  return `${JSON.stringify({ version: EXPERIMENT_VERSION, ...members }, null, 2)}\n`;
}

/**
 * The run of a model that is varied: its initial values, without the places that inputs fill.
 * @param places JSON pointers
 */
export function runOver(
  contract: ModelContract,
  modeName: string,
  places: readonly string[],
): ExperimentFile['run'] {
  const mode = modeOf(contract, modeName);
  const mapped = new Set(
    places.filter((place) => place.startsWith('/input/')).map((place) => place.split('/')[2]),
  );
  const initial: JsonObject = mode ? initialInput(mode.input.schema) : {};
  const input = Object.fromEntries(
    // A list gets its file as the first item.
    Object.entries(initial).flatMap(([name, value]) =>
      mapped.has(name) ? (Array.isArray(value) ? [[name, []]] : []) : [[name, value]],
    ),
  );
  for (const place of places) {
    const [, of, name = '', index] = place.split('/');
    if (of === 'input' && index !== undefined) setOwn(input, name, ownOf(input, name) ?? []);
  }
  return { model: contract.slug, ...(modeName !== 'execute' && { mode: modeName }), input };
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
