import type { Json } from '../domain/json';
import { childPointer } from '../domain/pointer';
import { getAt, isObject, type UnknownObject } from '../domain/value';
import { limits } from './limits';
import type { TreeMatches, TreeNode } from './resultView';

/** The JSON tree, one level at a time. */

function typeOf(value: unknown): TreeNode['type'] {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return 'array';
  const type = typeof value;
  return type === 'string' || type === 'number' || type === 'boolean' ? type : 'object';
}

/** JSON of a value cut to about `length` characters, without writing out all of a large one. */
export function shortJson(value: unknown, length: number = limits.previewCharacters, depth = 2): string {
  if (typeof value === 'string') {
    return value.length > length
      ? `${JSON.stringify(value.slice(0, length)).slice(0, -1)}…`
      : JSON.stringify(value);
  }
  if (Array.isArray(value))
    return wrap('[', ']', value.length, length, depth, (at) => [undefined, value[at]]);
  if (isObject(value)) {
    const keys = firstKeys(value, 40);
    return wrap('{', '}', keys.length, length, depth, (at) => [keys[at], value[keys[at]!]]);
  }
  return JSON.stringify(value) ?? 'null';
}

function firstKeys(object: { readonly [key: string]: unknown }, count: number): string[] {
  const keys: string[] = [];
  for (const key in object) {
    if (keys.length >= count) break;
    keys.push(key);
  }
  return keys;
}

function wrap(
  open: string,
  close: string,
  size: number,
  length: number,
  depth: number,
  entry: (at: number) => [key: string | undefined, value: unknown],
): string {
  if (size === 0) return `${open}${close}`;
  if (depth === 0) return `${open}…${close}`;
  let text = open;
  for (let at = 0; at < size; at++) {
    if (text.length >= length) return `${text}…${close}`;
    const [key, value] = entry(at);
    const name = key === undefined ? '' : `${JSON.stringify(key)}: `;
    text += `${at > 0 ? ', ' : ''}${name}${shortJson(value, Math.max(8, length - text.length), depth - 1)}`;
  }
  return text + close;
}

/** The node of a value: itself, not its children. */
export function nodeOf(value: unknown, pointer: string, key?: string | number): TreeNode {
  const type = typeOf(value);
  const size = Array.isArray(value) ? value.length : isObject(value) ? Object.keys(value).length : 0;
  return { pointer, ...(key !== undefined && { key }), type, preview: shortJson(value), size };
}

/** `count` children of the container at `pointer`, from the `from`th on; none for other values. */
export function childrenOf(root: unknown, pointer: string, from: number, count: number): TreeNode[] {
  const container: unknown = getAt(root as Json, pointer);
  const until = from + Math.min(count, limits.childrenAtOnce);
  if (Array.isArray(container))
    return container
      .slice(from, until)
      .map((item: unknown, index) => nodeOf(item, childPointer(pointer, from + index), from + index));
  const entries = isObject(container) ? Object.entries(container).slice(from, until) : [];
  return entries.map(([key, value]) => nodeOf(value, childPointer(pointer, key), key));
}

export interface SearchOptions {
  /** Called every few thousand nodes; resolves to continue, throws to stop the search. */
  readonly pause?: () => Promise<void>;
}

/** Nodes whose key or plain value contains `text`, ignoring case. */
export async function searchTree(
  root: unknown,
  text: string,
  options: SearchOptions = {},
): Promise<TreeMatches> {
  const wanted = text.toLowerCase();
  const matches: TreeMatches['matches'] = [];
  if (wanted === '') return { matches, more: false };
  const has = (part: unknown) => String(part).toLowerCase().includes(wanted);
  // An explicit stack: deep JSON would overflow recursion.
  const stack: Visit[] = [{ value: root, pointer: '', key: undefined, at: 0, parent: undefined }];
  for (let seen = 1; stack.length > 0; seen++) {
    const due = seen % 5000 === 0;
    if (due && options.pause) await options.pause();
    const visit = stack.pop()!;
    const { value, pointer, key } = visit;
    const container = typeof value === 'object' && value !== null;
    if ((key !== undefined && has(key)) || (!container && has(value))) {
      if (matches.length === limits.matches) return { matches, more: true };
      matches.push({ pointer, path: pathOf(visit) });
    }
    const names = isObject(value) ? Object.keys(value) : undefined;
    const items = Array.isArray(value) ? value : [];
    for (let at = (names ?? items).length - 1; at >= 0; at--) {
      const name = names?.[at];
      const inner = name === undefined ? items[at] : (value as UnknownObject)[name];
      stack.push({ value: inner, pointer: childPointer(pointer, name ?? at), key: name, at, parent: visit });
    }
  }
  return { matches, more: false };
}

interface Visit {
  readonly value: unknown;
  readonly pointer: string;
  readonly key: string | undefined;
  /** Index among its siblings. */
  readonly at: number;
  readonly parent: Visit | undefined;
}

function pathOf(visit: Visit): number[] {
  const path: number[] = [];
  for (let at: Visit = visit; at.parent; at = at.parent) path.unshift(at.at);
  return path;
}
