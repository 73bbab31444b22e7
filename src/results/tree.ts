import type { Json } from '../domain/json';
import { childPointer } from '../domain/pointer';
import { getAt, isObject, type UnknownObject } from '../domain/value';
import { limits } from './limits';
import type { TreeMatches, TreeNode } from './resultView';

/** The JSON tree, one level at a time. */

function nodeType(value: unknown): TreeNode['type'] {
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
export function treeNodeOf(value: unknown, pointer: string, key?: string | number): TreeNode {
  const type = nodeType(value);
  const size = Array.isArray(value) ? value.length : isObject(value) ? Object.keys(value).length : 0;
  return { pointer, ...(key !== undefined && { key }), type, preview: shortJson(value), size };
}

/** `count` children of the container at `pointer`, from the `from`th on; empty for other values. */
export function treeChildren(root: unknown, pointer: string, from: number, count: number): TreeNode[] {
  const container: unknown = getAt(root as Json, pointer);
  if (!isContainer(container)) return [];
  const { value, names } = levelOf(container, pointer);
  const until = Math.min((names ?? value).length as number, from + Math.min(count, limits.childrenAtOnce));
  const children: TreeNode[] = [];
  for (let at = from; at < until; at++) {
    const key = names ? names[at]! : at;
    children.push(treeNodeOf((value as UnknownObject)[key], childPointer(pointer, key), key));
  }
  return children;
}

/** Nodes with `text` in their key or plain value, ignoring case; in document order. */
export function searchTree(root: unknown, text: string): TreeMatches {
  const wanted = text.toLowerCase();
  const matches: TreeMatches['matches'] = [];
  if (wanted === '') return { matches, more: false };
  if (!isContainer(root)) {
    if (has(root, wanted)) matches.push({ pointer: '', path: [] });
    return { matches, more: false };
  }
  // An explicit stack: deep JSON would overflow recursion.
  const levels: Level[] = [levelOf(root, '')];
  for (let level = levels.at(-1); level; level = levels.at(-1)) {
    const { value, names, pointer } = level;
    if (level.next === (names ?? (value as readonly unknown[])).length) {
      levels.pop();
      continue;
    }
    const key = names ? names[level.next]! : level.next;
    level.next += 1;
    const member = (value as UnknownObject)[key];
    const isFound =
      (names !== undefined && has(key, wanted)) || (!isContainer(member) && has(member, wanted));
    if (isFound) {
      if (matches.length === limits.matches) return { matches, more: true };
      matches.push({ pointer: childPointer(pointer, key), path: levels.map(({ next }) => next - 1) });
    }
    if (isContainer(member)) levels.push(levelOf(member, childPointer(pointer, key)));
  }
  return { matches, more: false };
}

/** A list or an object on the way to the node that is looked at. */
interface Level {
  readonly value: UnknownObject | readonly unknown[];
  /** Of an object; a list has places. */
  readonly names: readonly string[] | undefined;
  readonly pointer: string;
  next: number;
}

function levelOf(value: Level['value'], pointer: string): Level {
  return { value, names: Array.isArray(value) ? undefined : Object.keys(value), pointer, next: 0 };
}

function isContainer(value: unknown): value is Level['value'] {
  return typeof value === 'object' && value !== null;
}

/** Whether a plain value contains a text in lower case. */
function has(value: unknown, wanted: string): boolean {
  return String(value).toLowerCase().includes(wanted);
}
