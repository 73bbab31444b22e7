import { applyEdits, type FormattingOptions, type JSONPath, modify } from 'jsonc-parser';
import type { Json } from '../domain/json';
import { pointerOf, segmentsOf } from '../domain/pointer';
import type { RunDraft } from '../domain/run';
import { isObject, ownOf, sameJson } from '../domain/value';
import { RUN_FILE_VERSION } from './format';
import { nodeAt, parseText } from './text';

/** The text of a new run file. Its media objects have relative paths already (`withRefs`). */
export function newRunFileText(draft: RunDraft): string {
  const { model, mode, scope, input, params, options } = draft;
  const members = {
    version: RUN_FILE_VERSION,
    model,
    mode,
    ...(scope !== undefined && scope !== '' && { scope }),
    input,
    params,
    ...(options && Object.keys(options).length > 0 && { options }),
  };
  return `${JSON.stringify(members, null, 2)}\n`;
}

/**
 * The text of a run file with the request of a draft in it. Only differences are written: comments, unknown members,
 * order and layout of the rest stay unchanged. A member that is missing in the file and has the interface's default
 * is not added.
 */
export function withDraft(text: string, draft: RunDraft): string {
  const { value } = parseText(text);
  const before = isObject(value) ? value : {};
  const { model, mode, scope, input, params, options } = draft;
  const wanted: readonly [string, Json | undefined, unset: Json | undefined][] = [
    ['model', model, undefined],
    ['mode', mode, 'execute'],
    ['scope', scope === '' ? undefined : scope, undefined],
    ['input', input, undefined],
    ['params', params, {}],
    ['options', options, {}],
  ];
  const layout = textFormatting(text);
  return wanted.reduce((written, [name, next, unset]) => {
    const had = before[name];
    if (had === undefined && (next === undefined || sameJson(next, unset))) return written;
    return written === text && sameJson(had, next) ? written : changed(written, [name], had, next, layout);
  }, text);
}

/**
 * The text of a JSON object with some members of other values; undefined removes one. Only differences are written:
 * comments, other members, order and layout stay.
 */
export function withMembers(text: string, members: Readonly<Record<string, Json | undefined>>): string {
  const { value } = parseText(text);
  const before = isObject(value) ? value : {};
  const layout = textFormatting(text);
  return Object.entries(members).reduce(
    (written, [name, next]) => changed(written, [name], ownOf(before, name), next, layout),
    text,
  );
}

/** Goes down to the members that differ, so that comments beside the others stay. */
function changed(
  text: string,
  path: JSONPath,
  before: Json | undefined,
  after: Json | undefined,
  layout: FormattingOptions,
): string {
  if (sameJson(before, after)) return text;
  if (isObject(before) && isObject(after)) {
    const names = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...names].reduce(
      (written, name) => changed(written, [...path, name], ownOf(before, name), ownOf(after, name), layout),
      text,
    );
  }
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length) {
    return before.reduce<string>(
      (written, item, index) => changed(written, [...path, index], item, after[index], layout),
      text,
    );
  }
  const isInPlace = before !== undefined && after !== undefined && typeof after !== 'object';
  // A value that takes the place of another leaves the layout around it unchanged.
  if (isInPlace) return replaced(text, path, JSON.stringify(after));
  return applyEdits(text, modify(text, path, after, { formattingOptions: layout }));
}

function replaced(text: string, path: JSONPath, value: string): string {
  const node = nodeAt(parseText(text).root, pointerOf(path));
  return node ? text.slice(0, node.offset) + value + text.slice(node.offset + node.length) : text;
}

/** A pointer as jsonc-parser has it: array indexes are numbers. */
export function jsonPath(pointer: string): JSONPath {
  return segmentsOf(pointer).map((segment) => (/^(?:0|[1-9]\d*)$/.test(segment) ? Number(segment) : segment));
}

/** How a text is indented and where its lines end. */
export function textFormatting(text: string): FormattingOptions {
  const indent = /^([ \t]+)\S/m.exec(text)?.[1] ?? '  ';
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  if (indent.startsWith('\t')) return { insertSpaces: false, tabSize: 1, eol };
  return { insertSpaces: true, tabSize: indent.length, eol };
}

/** The one change that leads from a text to another: the part between their common beginning and end. */
export function changeBetween(
  before: string,
  after: string,
): { readonly offset: number; readonly length: number; readonly text: string } {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < most - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1;
  return { offset: start, length: before.length - start - end, text: after.slice(start, after.length - end) };
}
