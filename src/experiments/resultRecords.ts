import type { Json, JsonObject } from '../domain/json';
import { isObject } from '../domain/value';

/** An object of a results file, with its text on one line; without a value, what of the file cannot be read. */
export interface ResultRecord {
  /** From 1, where it begins. */
  readonly line: number;
  readonly text: string;
  readonly value?: JsonObject;
}

export interface ReadRecords {
  readonly records: readonly ResultRecord[];
  /** The last object is not closed: it may go on with what follows. */
  readonly isOpen: boolean;
}

/** Characters of a line. A longer one is none of a result: long results are files of their own. */
const LONGEST_LINE = 2_000_000;

/**
 * The objects of a text: one a line, as they are written; also over several lines as an editor lays them out, and in
 * an array, each followed by new lines of ours. The line ends and the mark of an encoding do not matter.
 */
export function readRecords(text: string): ReadRecords {
  const lines = text.replace(/^\ufeff/, '').split(/\r?\n\ufeff?/);
  const records: ResultRecord[] = [];
  // What was read in vain of objects that are not closed: enough for every file that is one.
  let spare = 4 * text.length + 10_000;
  let isOpen = false;
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!.trim();
    const isRead = line.length <= LONGEST_LINE;
    const whole = isRead ? recordsOf(line, at + 1) : undefined;
    const bare = isRead && !whole ? withoutArray(line) : line;
    const found = whole ?? (bare === line ? undefined : recordsOf(bare, at + 1));
    if (bare === '' || found) {
      records.push(...(found ?? []));
      continue;
    }
    const block = isRead && bare.startsWith('{') && spare > 0 ? blockAt(lines, at) : undefined;
    if (block?.value) {
      records.push({ line: at + 1, text: block.text, value: block.value });
      at = block.last;
      continue;
    }
    spare -= block?.text.length ?? 0;
    isOpen ||= block?.isOpen === true;
    records.push({ line: at + 1, text: lines[at]! });
  }
  return { records, isOpen };
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
function recordsOf(text: string, line: number): ResultRecord[] | undefined {
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
  readonly last: number;
  readonly value?: JsonObject;
  /** The text ended before the object did. */
  readonly isOpen: boolean;
}

/** An object over several lines. It ends, unread, where a line is a result by itself. */
function blockAt(lines: readonly string[], first: number): Block {
  const parts: string[] = [];
  const read = () => parts.join(' ');
  let depth = 0;
  for (let at = first; at < lines.length; at++) {
    const line = withoutComma(lines[at]!.trim());
    if (at > first && isResult(line)) return { text: read(), last: at, isOpen: false };
    const after = depthAfter(line, depth);
    parts.push(lines[at]!.trim());
    if (after === undefined) return { text: read(), last: at, isOpen: false };
    depth = after;
    if (depth > 0) continue;
    const text = withoutArray(read());
    const value = parsed(text);
    return { text: written(value) ?? text, last: at, ...(isObject(value) && { value }), isOpen: false };
  }
  return { text: read(), last: lines.length, isOpen: true };
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
  // Most of what is no JSON is not closed: an exception takes a hundred times as long.
  if ((text.startsWith('{') && !text.endsWith('}')) || (text.startsWith('[') && !text.endsWith(']')))
    return undefined;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
