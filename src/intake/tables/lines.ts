import * as l10n from '@vscode/l10n';
import { isDeeper } from '../../domain/depth';
import { firstInexact, inexactIn, parseExactly, parseSendable } from '../../domain/exactNumbers';
import type { Json, JsonObject } from '../../domain/json';
import { isObject } from '../../domain/value';
import {
  type KeptPart,
  LONGEST_JSON,
  MOST_CELLS,
  MOST_COLUMNS,
  MOST_FAULTS,
  MOST_ROWS,
  type ReadTable,
  type TableFault,
  type TableRow,
  type WorkInTurns,
} from '../table';
import { numberedLines } from './tabs';

/** A value nested deeper is no input of a model. */
const DEEPEST = 200;

/** JSONL: an object on each line. A list of objects, laid out or not, is read too; other JSON is one fault. */
export async function readLines(text: string, turns: WorkInTurns, part: KeptPart): Promise<ReadTable> {
  const list = listIn(text);
  if (list === 'oneJson') return { columns: [], rows: [], faults: [{ fault: 'oneJson' }], isCut: false };
  const columns = new Set<string>();
  const faults: TableFault[] = [];
  const rows: TableRow[] = [];
  let isCut = false;
  let count = 0;
  let cells = 0;
  for (const { value, line, inexact } of list ? lineItems(list) : valuesOf(text)) {
    if (turns.isOver) await turns.next();
    if (++count > (part.mostRows ?? MOST_ROWS)) {
      isCut = true;
      break;
    }
    if (typeof value === 'string') {
      if (faults.length < MOST_FAULTS) faults.push({ fault: 'line', line, detail: value });
    } else {
      for (const name of Object.keys(value)) columns.add(name.normalize('NFC'));
      const values = keptOf(composed(value), part);
      cells += Object.keys(values).length;
      if (cells > MOST_CELLS || columns.size > MOST_COLUMNS) {
        const [fault, most] =
          cells > MOST_CELLS
            ? (['tooManyCells', MOST_CELLS] as const)
            : (['tooManyColumns', MOST_COLUMNS] as const);
        faults.unshift({ fault, most });
        break;
      }
      rows.push({ line, values, ...(inexact && { inexact }) });
    }
  }
  return { columns: [...columns], rows, faults, isCut };
}

/** An object, or why a line has none. */
interface LineValue extends Pick<TableRow, 'inexact'> {
  readonly value: JsonObject | string;
  readonly line: number;
}

function* valuesOf(text: string): Generator<LineValue> {
  for (const { line, number } of numberedLines(text))
    if (line.trim() !== '') yield { ...objectIn(line), line: number };
}

function* lineItems({ value, plain, sendable }: ReadJson): Generator<LineValue> {
  for (const [at, item] of (value as Json[]).entries())
    yield isObject(item)
      ? { value: item, line: at + 1, ...inexactOf((plain as Json[])[at], (sendable as Json[])[at]) }
      : { value: l10n.t('it is not an object'), line: at + 1 };
}

/** JSON as rows have it, and as plain and exact numbers make it: all the same, but for numbers of many digits. */
interface ReadJson {
  readonly value: Json;
  readonly plain: Json;
  readonly sendable: Json;
}

/** @throws SyntaxError */
function readJson(text: string): ReadJson {
  const plain = JSON.parse(text) as Json;
  if (firstInexact(text) === undefined) return { value: plain, plain, sendable: plain };
  return { value: parseExactly(text), plain, sendable: parseSendable(text) };
}

/** Columns with a number that would be sent as another one. */
function inexactOf(plain: Json | undefined, sendable: Json | undefined): Pick<TableRow, 'inexact'> {
  if (plain === sendable || !isObject(plain) || !isObject(sendable)) return {};
  const members = Object.keys(plain).flatMap((name): [string, string][] => {
    const digits = inexactIn(plain[name], sendable[name]);
    return digits === undefined ? [] : [[name.normalize('NFC'), digits]];
  });
  return members.length === 0 ? {} : { inexact: Object.fromEntries(members) };
}

/** The list that the text is; `oneJson` for other JSON over several lines; undefined for lines of JSON. */
function listIn(text: string): ReadJson | 'oneJson' | undefined {
  // A line by itself begins and ends an object.
  const [first = ''] = /\S.*/.exec(text) ?? [];
  const isList = first.startsWith('[');
  if (!isList && !/^\{\s*$/.test(first) && !/^\{.*[,[{:]\s*$/.test(first)) return undefined;
  // Lists on lines of their own are lines that are no objects.
  if (text.length > LONGEST_JSON)
    return isList && first.length <= LONGEST_JSON && isParsed(first) ? undefined : 'oneJson';
  try {
    const read = readJson(text);
    const { plain } = read;
    if (isList && Array.isArray(plain) && !isDeeper(plain, text, DEEPEST) && plain.some(isObject))
      return read;
    return /\S[^\S\n]*\n\s*\S/.test(text) ? 'oneJson' : undefined;
  } catch {
    // Objects over several lines, one after another; or one faulty line.
    return isList || isParsed(first) ? undefined : 'oneJson';
  }
}

function isParsed(line: string): boolean {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}

function objectIn(line: string): Omit<LineValue, 'line'> {
  if (line.length > LONGEST_JSON) return { value: l10n.t('it has more than {0} characters', LONGEST_JSON) };
  try {
    const { value, plain, sendable } = readJson(line);
    if (isDeeper(plain, line, DEEPEST))
      return { value: l10n.t('it is nested deeper than {0} levels', DEEPEST) };
    return isObject(value)
      ? { value, ...inexactOf(plain, sendable) }
      : { value: l10n.t('it is not an object') };
  } catch (error) {
    const [odd] = /(?<=[:[,]\s{0,9})(?:-?Infinity|NaN|None|undefined)(?=\s*[,}\]])/.exec(line) ?? [];
    if (odd !== undefined) return { value: l10n.t('“{0}” is no value of JSON. Write null.', odd) };
    return { value: error instanceof Error ? error.message : String(error) };
  }
}

function keptOf(values: JsonObject, { columns }: KeptPart): JsonObject {
  if (columns === undefined) return values;
  return Object.fromEntries(Object.entries(values).filter(([name]) => columns.has(name)));
}

/** Names are compared by characters, however they are composed. */
function composed(value: JsonObject): JsonObject {
  const isPlain = Object.keys(value).every((name) => /^[\x20-\x7e]*$/.test(name));
  return isPlain
    ? value
    : Object.fromEntries(Object.entries(value).map(([name, item]) => [name.normalize('NFC'), item]));
}
