import * as l10n from '@vscode/l10n';
import { createScanner, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import { exactValue, isExactNumber } from '../domain/exactNumbers';
import type { Json } from '../domain/json';
import { childPointer, pointerOf, segmentsOf } from '../domain/pointer';
import { cannotBeExact } from '../forms/issueMessage';
import { decodedText, pointerFault, pointerText, shownText } from '../intake/text';

/** A longer text is not read: no request is that long, and parsing it would hold up the host. */
const LONGEST_TEXT = 1_000_000;
/** Deeper JSON is not read: it would overflow the stack of recursive readers. */
const DEEPEST = 100;
/** More problems of one kind than this are not useful to show. */
const MOST_PLACES = 20;

/** A text of more values is not read: its tree takes a hundred times the memory, and 3 µs for each value. */
const MOST_VALUES = 30_000;

/** A larger file is not opened: see `LONGEST_TEXT`. */
export const LARGEST_RUN_FILE = 1_000_000;
/** More syntax errors than this are not useful to show. */
const MOST_ERRORS = 100;

/** Characters of a text, as in an editor's document. */
export interface TextSpan {
  readonly offset: number;
  readonly length: number;
}

/** A text that is JSON with comments, and the place of each value in it. */
export interface ParsedText {
  readonly text: string;
  /** Undefined where nothing could be read. */
  readonly root: Node | undefined;
  /** The value of the well-formed part of the text. Of members with the same name, the last one counts. */
  readonly value: Json | undefined;
  readonly errors: readonly TextError[];
  /** Numbers that would be sent as other ones. In `value`, those beyond 2^53 are strings of their digits. */
  readonly inexact: readonly (TextError & { readonly pointer: string })[];
}

interface TextError {
  readonly place: TextSpan;
  readonly message: string;
}

/** The text of a file, as an editor shows it: characters that cannot be read are errors of `parseText`. */
export function textOfFile(bytes: Uint8Array): string {
  const text = decodedText(bytes);
  return typeof text === 'string' ? text : shownText(bytes);
}

/** Reads JSON with comments and trailing commas. Never throws; work is bounded by the limits above. */
export function parseText(text: string): ParsedText {
  const whole = { offset: 0, length: Math.min(1, text.length) };
  const unread = (message: string): ParsedText => ({
    text,
    root: undefined,
    value: undefined,
    inexact: [],
    errors: [{ place: whole, message }],
  });
  if (text.length > LONGEST_TEXT)
    return unread(l10n.t('This file is too long to be a run file (more than {0} characters).', LONGEST_TEXT));
  if (isNestedTooDeep(text))
    return unread(l10n.t('This file is nested too deeply (more than {0} levels).', DEEPEST));
  if (hasTooManyValues(text))
    return unread(l10n.t('This file has too many values to be read (more than {0}).', MOST_VALUES));
  if (text.trim() === '') return unread(l10n.t('This file is empty.'));
  const pointer = pointerFault(text);
  if (pointer) return unread(pointerText(pointer));
  if (text.includes('\0')) return unread(l10n.t('This file is not text. Save it as UTF-8.'));
  const parseErrors: ParseError[] = [];
  const root = parseTree(text.replace(/^\uFEFF/, ' '), parseErrors, { allowTrailingComma: true });
  const errors = parseErrors.slice(0, MOST_ERRORS).map(({ error, offset, length }) => ({
    place: { offset, length },
    message: l10n.t('This is not valid JSON: {0}.', inWords(printParseErrorCode(error))),
  }));
  const conflicts = errors.length > 0 ? conflictsIn(text) : [];
  const unreadable = unreadableIn(text);
  const shown = unreadable.length > 0 ? unreadable : conflicts.length > 0 ? conflicts : errors;
  if (!root) return { text, root, value: undefined, errors: shown, inexact: [] };
  const read = readValue(root, text);
  return {
    text,
    root,
    value: read.value,
    errors: shown.length > 0 ? shown : read.twice,
    inexact: read.inexact,
  };
}

/** Bytes that are no UTF-8 are this character in every reading, which would be sent instead of them. */
function unreadableIn(text: string): TextError[] {
  const offset = text.indexOf('\ufffd');
  if (offset < 0) return [];
  const message = l10n.t('Line {0}: a character is not UTF-8. Save the file as UTF-8.', lineAt(text, offset));
  return [{ place: { offset, length: 1 }, message }];
}

/** Lines that a merge left: each conflict once. */
function conflictsIn(text: string): TextError[] {
  const marks = [...text.matchAll(/^<{7}(?= |\r?$).*/gm)].slice(0, MOST_PLACES);
  return marks.map(({ index: offset, 0: line }) => ({
    place: { offset, length: line.length },
    message: l10n.t(
      'Line {0}: a conflict of a merge. Keep one side, and remove the lines <<<<<<<, ======= and >>>>>>>.',
      lineAt(text, offset),
    ),
  }));
}

/** From 1. */
function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}

/** Whether a text is within the limits for reading. */
export function isReadable(text: string): boolean {
  return text.length <= LONGEST_TEXT && !hasTooManyValues(text) && !isNestedTooDeep(text);
}

/** By its commas and opening brackets, those inside strings too: a text written by a person has fewer. */
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

interface ReadValue {
  readonly value: Json;
  /** Members with the name of an earlier one of their object. */
  readonly twice: TextError[];
  readonly inexact: (TextError & { readonly pointer: string })[];
}

/** Our own instead of jsonc-parser's `getNodeValue`, which sets the prototype of an object with a member `__proto__`. */
function readValue(root: Node, text: string): ReadValue {
  const twice: ReadValue['twice'] = [];
  const inexact: ReadValue['inexact'] = [];
  const read = (node: Node, pointer: string): Json => {
    const { offset, length, children = [] } = node;
    if (node.type === 'array') return children.map((item, at) => read(item, childPointer(pointer, at)));
    if (node.type === 'object') return Object.fromEntries(members(children, pointer));
    if (node.type !== 'number') return (node.value ?? null) as Json;
    const digits = text.slice(offset, offset + length);
    if (!isExactNumber(digits))
      inexact.push({ pointer, place: { offset, length }, message: cannotBeExact(digits) });
    return exactValue(digits);
  };
  const members = (children: readonly Node[], pointer: string) => {
    const names = new Map<string, Node>();
    return children.flatMap(({ children: [name, value] = [] }): [string, Json][] => {
      if (!name || !value) return [];
      const key = String(name.value);
      const first = names.get(key);
      if (first && twice.length < MOST_PLACES)
        twice.push({
          place: { offset: name.offset, length: name.length },
          message: twiceText(text, key, first, name),
        });
      names.set(key, first ?? name);
      return [[key, read(value, childPointer(pointer, key))]];
    });
  };
  return { value: read(root, ''), twice, inexact };
}

function twiceText(text: string, key: string, first: Node, again: Node): string {
  return l10n.t(
    'Line {0}: “{1}” is there already, in line {2}. Remove one of them.',
    ...[lineAt(text, again.offset), key, lineAt(text, first.offset)],
  );
}

/** Members by their names, of objects that were asked for: one look for each of thousands of problems is quadratic. */
const membersByName = new WeakMap<Node, ReadonlyMap<unknown, Node | undefined>>();

function memberOf(object: Node | undefined, name: string): Node | undefined {
  if (!object?.children) return undefined;
  let members = membersByName.get(object);
  if (!members) {
    members = new Map(object.children.map(({ children }) => [children?.[0]?.value, children?.[1]]));
    membersByName.set(object, members);
  }
  return members.get(name);
}

/** The node of the value at a pointer; undefined when the place does not exist. */
export function nodeAt(root: Node | undefined, pointer: string): Node | undefined {
  return segmentsOf(pointer).reduce<Node | undefined>((node, key) => {
    if (node?.type === 'array') return /^\d+$/.test(key) ? node.children?.[Number(key)] : undefined;
    return memberOf(node, key);
  }, root);
}

/** Where something about a pointer is marked. */
export interface MarkedPlace {
  readonly place: TextSpan;
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

/** The place of the name of the member at a pointer, with its quotes. */
export function nameAt(root: Node | undefined, pointer: string): TextSpan | undefined {
  const name = nodeAt(root, pointer)?.parent?.children?.[0];
  return name?.type === 'string' ? { offset: name.offset, length: name.length } : undefined;
}

/** A long object or list is marked at its opening brace only. */
function shownPart({ type, offset, length }: Node): TextSpan {
  return type === 'object' || type === 'array' ? { offset, length: 1 } : { offset, length };
}

/** "close bracket expected". */
function inWords(code: string): string {
  return code.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
}
