import * as l10n from '@vscode/l10n';
import { createScanner, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import type { Json } from '../domain/json';
import { pointerOf, segmentsOf } from '../domain/pointer';

/** A longer text is not read: no request is that long, and parsing it would hold up the host. */
const LONGEST_TEXT = 1_000_000;
/** Deeper JSON is not read: it would overflow the stack of recursive readers. */
const DEEPEST = 100;

/** A text of more values is not read: a tree takes a hundred times the memory of its text. */
const MOST_VALUES = 100_000;
/** More syntax errors than this are not useful to show. */
const MOST_ERRORS = 100;

/** Characters of a text, as in an editor's document. */
export interface Place {
  readonly offset: number;
  readonly length: number;
}

/** A text that is JSON with comments, and where each value of it stands. */
export interface ParsedText {
  readonly text: string;
  /** Undefined where nothing could be read. */
  readonly root: Node | undefined;
  /** What the text stands for as far as it is well formed; the last of members with one name counts. */
  readonly value: Json | undefined;
  readonly errors: readonly { readonly place: Place; readonly message: string }[];
}

/** Reads JSON with comments and trailing commas. Never throws; work is bounded by the limits above. */
export function parseText(text: string): ParsedText {
  const whole = { offset: 0, length: Math.min(1, text.length) };
  const unread = (message: string): ParsedText => ({
    ...{ text, root: undefined, value: undefined },
    errors: [{ place: whole, message }],
  });
  if (text.length > LONGEST_TEXT)
    return unread(l10n.t('This file is too long to be a run file (more than {0} characters).', LONGEST_TEXT));
  if (isNestedTooDeep(text))
    return unread(l10n.t('This file is nested too deeply (more than {0} levels).', DEEPEST));
  if (hasTooManyValues(text))
    return unread(l10n.t('This file has too many values to be read (more than {0}).', MOST_VALUES));
  if (text.trim() === '') return unread(l10n.t('This file is empty.'));
  const found: ParseError[] = [];
  const root = parseTree(text.replace(/^\uFEFF/, ' '), found, { allowTrailingComma: true });
  const errors = found.slice(0, MOST_ERRORS).map(({ error, offset, length }) => ({
    place: { offset, length },
    message: l10n.t('This is not valid JSON ({0}).', printParseErrorCode(error)),
  }));
  return { text, root, value: root && jsonOf(root), errors };
}

/** Whether a text is within the limits of what is read. */
export function isReadable(text: string): boolean {
  return text.length <= LONGEST_TEXT && !hasTooManyValues(text) && !isNestedTooDeep(text);
}

/** By its commas and opening brackets, those inside strings too: no text that a person writes has so many. */
function hasTooManyValues(text: string): boolean {
  let values = 0;
  for (const one of [',', '[', '{'])
    for (let at = text.indexOf(one); at >= 0 && values <= MOST_VALUES; at = text.indexOf(one, at + 1))
      values += 1;
  return values > MOST_VALUES;
}

function isNestedTooDeep(text: string): boolean {
  const scanner = createScanner(text, true);
  let depth = 0;
  for (scanner.scan(); scanner.getTokenOffset() < text.length; scanner.scan()) {
    // Brackets inside strings and comments are no tokens of their own.
    const first = text[scanner.getTokenOffset()];
    if (first === '{' || first === '[') depth += 1;
    else if (first === '}' || first === ']') depth -= 1;
    if (depth > DEEPEST) return true;
  }
  return false;
}

/** Our own instead of jsonc-parser's `getNodeValue`, which sets the prototype of an object with a member `__proto__`. */
function jsonOf(node: Node): Json {
  const children = node.children ?? [];
  if (node.type === 'array') return children.map(jsonOf);
  if (node.type !== 'object') return (node.value ?? null) as Json;
  const members = children.flatMap(({ children: [name, value] = [] }): [string, Json][] =>
    name && value ? [[String(name.value), jsonOf(value)]] : [],
  );
  return Object.fromEntries(members);
}

/** Members by their names, of objects that were asked for: one look for each of thousands of problems is quadratic. */
const membersOf = new WeakMap<Node, ReadonlyMap<unknown, Node | undefined>>();

function memberOf(object: Node | undefined, name: string): Node | undefined {
  if (!object?.children) return undefined;
  let members = membersOf.get(object);
  if (!members) {
    members = new Map(object.children.map(({ children }) => [children?.[0]?.value, children?.[1]]));
    membersOf.set(object, members);
  }
  return members.get(name);
}

/** The node of the value at a pointer; undefined when nothing stands there. */
export function nodeAt(root: Node | undefined, pointer: string): Node | undefined {
  return segmentsOf(pointer).reduce<Node | undefined>((node, key) => {
    if (node?.type === 'array') return /^\d+$/.test(key) ? node.children?.[Number(key)] : undefined;
    return memberOf(node, key);
  }, root);
}

/** Where something about a pointer is marked. */
export interface MarkedPlace {
  readonly place: Place;
  /** The name of the member that is missing: its object's opening brace, or the name of the object, is marked instead. */
  readonly missing?: string;
}

/** Where to mark a problem of the value at a pointer, whether or not it is there. */
export function markAt(root: Node | undefined, pointer: string): MarkedPlace {
  const segments = segmentsOf(pointer);
  const node = nodeAt(root, pointer);
  if (node) return { place: shownPart(node) };
  for (let length = segments.length - 1; length >= 0; length--) {
    const parent = nodeAt(root, pointerOf(segments.slice(0, length)));
    if (parent) return { place: { offset: parent.offset, length: 1 }, missing: segments[length] };
  }
  return { place: { offset: 0, length: 1 } };
}

/** Where the name of the member at a pointer stands, with its quotes. */
export function nameAt(root: Node | undefined, pointer: string): Place | undefined {
  const name = nodeAt(root, pointer)?.parent?.children?.[0];
  return name?.type === 'string' ? { offset: name.offset, length: name.length } : undefined;
}

/** A long object or list is marked at its opening brace only. */
function shownPart({ type, offset, length }: Node): Place {
  return type === 'object' || type === 'array' ? { offset, length: 1 } : { offset, length };
}
