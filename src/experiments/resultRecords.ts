import { parseExactly } from '../domain/exactNumbers';
import type { Json, JsonObject } from '../domain/json';
import { isObject } from '../domain/value';

/** An object of a results file, with its text on one line; without a value, an unreadable part of the file. */
export interface FileRecord {
  /** From 1, where it begins. */
  readonly line: number;
  readonly text: string;
  readonly value?: JsonObject;
}

/** Characters of a line. A longer one cannot be a result: long results are files of their own. */
const LONGEST_LINE = 2_000_000;
/** How far a text was read. */
export interface ReadEnd {
  /** Where the part begins that later text may complete; the text's length where there is none. */
  readonly end: number;
  /** Lines before that. */
  readonly lines: number;
  /** The last object is not closed. */
  readonly isOpen: boolean;
}

/**
 * The objects of a text: one a line, as we write them; also over several lines from an editor's layout, and in an
 * array, each followed by new lines of ours. The line ends and the mark of an encoding do not matter. It can pause
 * after each step.
 * @param isContinued more text follows: it ends before an object that is not closed
 */
export function* recordsIn(text: string, isContinued = false): Generator<FileRecord | undefined, ReadEnd> {
  // Steps spent on objects that are not closed: enough for every real results file.
  let spare = 4 * text.length + 10_000;
  let isOpen = false;
  let lines = 0;
  let next: TextLine | undefined = lineAt(text, 0, 1);
  while (next) {
    const { raw, number, start }: TextLine = next;
    const current: TextLine = next;
    lines = number;
    next = lineAfter(text, current);
    const line = raw.trim();
    const isRead = line.length <= LONGEST_LINE;
    const whole = isRead ? recordsOf(line, number) : undefined;
    const bare = isRead && !whole ? withoutArray(line) : line;
    const records = whole ?? (bare === line ? undefined : recordsOf(bare, number));
    if (bare === '' || records) {
      // A pause for each blank line would take longer than the lines.
      if (!records && number % 1_000 === 0) yield;
      yield* records ?? [];
      continue;
    }
    const block = isRead && bare.startsWith('{') && spare > 0 ? blockAt(text, current) : undefined;
    if (block?.value) {
      yield { line: number, text: block.text, value: block.value };
      next = block.last && lineAfter(text, block.last);
      continue;
    }
    if (isContinued && block?.isOpen === true) return { end: start, lines: number - 1, isOpen: true };
    spare -= block?.text.length ?? 0;
    isOpen ||= block?.isOpen === true;
    yield { line: number, text: raw };
  }
  return { end: text.length, lines, isOpen };
}

interface TextLine {
  /** Without its end. */
  readonly raw: string;
  /** From 1. */
  readonly number: number;
  readonly start: number;
  /** Where the next line begins; undefined: there is none. */
  readonly next: number | undefined;
}

/** One line at a time: a list of all lines of a file takes several times its size. */
function lineAt(text: string, start: number, number: number): TextLine {
  const from = text.charCodeAt(start) === 0xfeff ? start + 1 : start;
  const lineEnd = text.indexOf('\n', from);
  const end = lineEnd < 0 ? text.length : lineEnd;
  const isPair = lineEnd > from && text.charCodeAt(lineEnd - 1) === 0x0d;
  return {
    raw: text.slice(from, isPair ? end - 1 : end),
    number,
    start,
    next: lineEnd < 0 ? undefined : lineEnd + 1,
  };
}

function lineAfter(text: string, { next, number }: TextLine): TextLine | undefined {
  return next === undefined ? undefined : lineAt(text, next, number + 1);
}

/** Without the brackets and commas that an array has around its elements. */
function withoutArray(line: string): string {
  const bare = line
    .replace(/^[[,]\s*/, '')
    .replace(/,$/, '')
    .trimEnd();
  const isWhole = !bare.endsWith(']') || parsed(bare) !== undefined;
  return isWhole ? bare : bare.slice(0, -1).trimEnd();
}

/** An object, or the elements of an array, each with a text of its own; undefined: neither, or too deep to be written. */
function recordsOf(text: string, line: number): FileRecord[] | undefined {
  const value = parsed(text);
  if (isObject(value)) return [{ line, text, value }];
  if (!Array.isArray(value)) return undefined;
  const texts = value.map(written);
  if (texts.includes(undefined)) return undefined;
  return value.map((one, n) => ({ line, text: texts[n]!, ...(isObject(one) && { value: one }) }));
}

/** Undefined: nested too deep. */
function written(value: Json | undefined): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

interface Block {
  readonly text: string;
  /** Its last line, where it is an object. */
  readonly last?: TextLine;
  readonly value?: JsonObject;
  /** The text ended before the object did. */
  readonly isOpen: boolean;
}

/** An object over several lines. It ends, unread, where a line is a result by itself. */
function blockAt(text: string, first: TextLine): Block {
  const parts: string[] = [];
  const read = () => parts.join(' ');
  let depth = 0;
  for (let at: TextLine | undefined = first; at; at = lineAfter(text, at)) {
    const trimmed: string = at.raw.trim();
    const line = withoutComma(trimmed);
    if (at !== first && isResult(line)) return { text: read(), isOpen: false };
    const after = depthAfter(line, depth);
    parts.push(trimmed);
    if (after === undefined) return { text: read(), isOpen: false };
    depth = after;
    if (depth > 0) continue;
    const whole = withoutArray(read());
    const value = parsed(whole);
    return { text: written(value) ?? whole, last: at, ...(isObject(value) && { value }), isOpen: false };
  }
  return { text: read(), isOpen: true };
}

const withoutComma = (line: string) => line.replace(/,$/, '');

function isResult(line: string): boolean {
  return line.startsWith('{') && line.includes('"custom_id"') && parsed(line) !== undefined;
}

/** How many brackets are open after a line; undefined: it breaks off in a string, or closes more than are open. */
function depthAfter(line: string, before: number): number | undefined {
  let depth = before;
  let isString = false;
  for (let at = 0; at < line.length; at++) {
    const character = line[at];
    if (isString && character === '\\') at++;
    else if (character === '"') isString = !isString;
    else if (isString) continue;
    else if (character === '{' || character === '[') depth++;
    else if (character === '}' || character === ']') depth--;
  }
  // The bracket of an array around it may follow the object.
  return isString || depth < -1 ? undefined : Math.max(0, depth);
}

function parsed(text: string): Json | undefined {
  // Most invalid text is not closed JSON: an exception takes a hundred times as long.
  if (
    text === '' ||
    (text.startsWith('{') && !text.endsWith('}')) ||
    (text.startsWith('[') && !text.endsWith(']'))
  )
    return undefined;
  try {
    return parseExactly(text);
  } catch {
    return undefined;
  }
}
