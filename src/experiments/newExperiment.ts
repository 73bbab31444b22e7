import type { JsonObject } from '../domain/json';
import { type ModelContract, modeOf } from '../domain/model';
import { ownOf, setOwn } from '../domain/value';
import { initialInput } from '../forms/buildForm';
import type { FileField } from './fileField';
import { EXPERIMENT_VERSION } from './format';

/** The text of an experiment that runs a model over files. @param files globs relative to the experiment */
export function overFilesText(contract: ModelContract, field: FileField, files: readonly string[]): string {
  const mode = modeOf(contract, field.mode);
  const mapped = new Set(Object.keys(field.map).map((pointer) => pointer.split('/')[2]));
  const initial: JsonObject = mode ? initialInput(mode.input.schema) : {};
  const input = Object.fromEntries(
    // A list gets its file as the first item.
    Object.entries(initial).flatMap(([name, value]) =>
      mapped.has(name) ? (Array.isArray(value) ? [[name, []]] : []) : [[name, value]],
    ),
  );
  for (const pointer of Object.keys(field.map)) {
    const [, , name = '', index] = pointer.split('/');
    if (index !== undefined) setOwn(input, name, ownOf(input, name) ?? []);
  }
  const experiment = {
    version: EXPERIMENT_VERSION,
    run: { model: contract.slug, ...(field.mode !== 'execute' && { mode: field.mode }), input },
    vary: {},
    over: { files: files.length === 1 ? files[0] : files, map: field.map },
  };
  return `${JSON.stringify(experiment, null, 2)}\n`;
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
