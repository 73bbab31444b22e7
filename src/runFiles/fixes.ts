import * as l10n from '@vscode/l10n';
import { applyEdits, modify } from 'jsonc-parser';
import type { Json } from '../domain/json';
import type { ModelContract } from '../domain/model';
import { nearestName } from '../domain/nearestName';
import { childPointer, parentPointer, segmentsOf } from '../domain/pointer';
import { getAt, isObject } from '../domain/value';
import { knownNamesAt, namesAt } from './complete';
import { isInPayload, type ReadRunFile, type RunFileProblem } from './read';
import { nameAt, nodeAt } from './text';
import { changeBetween, jsonPath, textFormatting } from './write';

/** A change of a file's text that fixes a problem. */
export interface Fix {
  readonly title: string;
  /** The replaced characters. */
  readonly offset: number;
  readonly length: number;
  readonly text: string;
}

/** The fixes of a problem, the likeliest first; empty when only the user can know. */
export function problemFixes(
  file: ReadRunFile,
  problem: RunFileProblem,
  contract: ModelContract | undefined,
): Fix[] {
  const { pointer, onName } = problem;
  const segments = segmentsOf(pointer);
  const [name = ''] = segments;
  if (pointer === '/parameters' && file.members?.params === undefined)
    return renamed(file, pointer, 'params');
  if (onName && segments.length === 1) return removed(file, pointer);
  if (pointer === '/mode')
    return (contract?.modes ?? []).flatMap((mode) => written(file, '/mode', mode.name));
  if (segments.length === 1 && (name === 'input' || name === 'params') && !isObject(file.members?.[name]))
    return written(file, pointer, {});
  return isInPayload(pointer) && segments.length > 1 ? payloadFixes(file, pointer, contract) : [];
}

function payloadFixes(file: ReadRunFile, pointer: string, contract: ModelContract | undefined): Fix[] {
  const parent = parentPointer(pointer);
  const name = segmentsOf(pointer).at(-1)!;
  const known = knownNamesAt(file, parent, contract);
  const addable = namesAt(file, parent, contract);
  if (nodeAt(file.root, pointer)) {
    if (known.length === 0 || known.includes(name)) return [];
    // A name that the model does not know, but it has one of almost the same spelling.
    const near = nearestName(
      name,
      addable.map(({ label }) => label),
    );
    return near === undefined ? [] : renamed(file, pointer, near);
  }
  const missing = addable.find(({ label }) => label === name);
  if (!missing) return [];
  const parentValue = getAt(file.value, parent);
  const unknown = Object.keys(isObject(parentValue) ? parentValue : {}).filter((key) => !known.includes(key));
  const value = (JSON.parse(`{${missing.insert}}`) as { [key: string]: Json })[name] ?? null;
  const near = nearestName(name, unknown);
  return [
    ...(near === undefined ? [] : renamed(file, childPointer(parent, near), name)),
    ...written(file, pointer, value),
  ];
}

function renamed(file: ReadRunFile, pointer: string, to: string): Fix[] {
  const place = nameAt(file.root, pointer);
  const from = segmentsOf(pointer).at(-1)!;
  if (!place) return [];
  return [{ title: l10n.t('Rename “{0}” to “{1}”', from, to), ...place, text: JSON.stringify(to) }];
}

function removed(file: ReadRunFile, pointer: string): Fix[] {
  const title = l10n.t('Remove “{0}”', segmentsOf(pointer).at(-1)!);
  return [{ title, ...edit(file, pointer, undefined) }];
}

function written(file: ReadRunFile, pointer: string, value: Json): Fix[] {
  const name = segmentsOf(pointer).at(-1)!;
  const isThere = nodeAt(file.root, pointer) !== undefined;
  const text = JSON.stringify(value);
  const title = isThere ? l10n.t('Replace “{0}” with {1}', name, text) : l10n.t('Add “{0}”: {1}', name, text);
  return [{ title, ...edit(file, pointer, value) }];
}

function edit({ text }: ReadRunFile, pointer: string, value: Json | undefined) {
  const options = { formattingOptions: textFormatting(text) };
  return changeBetween(text, applyEdits(text, modify(text, jsonPath(pointer), value, options)));
}
