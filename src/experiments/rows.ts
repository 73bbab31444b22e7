import { finished } from 'node:stream/promises';
import * as l10n from '@vscode/l10n';
import { parse } from 'csv-parse';
import type { Json, JsonObject } from '../domain/json';
import { isObject } from '../domain/value';
import { Turns } from '../service/turns';
import { isDeeper } from './depth';

/** A row of a table: column → value. Text from CSV and TSV; whatever JSON has from JSONL. */
interface TableRow {
  /** Number of the line in the file, from 1. */
  readonly line: number;
  readonly values: Readonly<Record<string, Json>>;
}

/** Why a table, or a line of it, cannot be used. */
export type TableFault =
  | { readonly fault: 'encoding' | 'empty' | 'noRows' }
  | { readonly fault: 'kind'; readonly extension: string }
  | { readonly fault: 'tooLarge'; readonly bytes: number; readonly most: number }
  | { readonly fault: 'tooManyRows'; readonly most: number }
  | { readonly fault: 'column'; readonly column: string; readonly line: number }
  | { readonly fault: 'line'; readonly line: number; readonly detail: string }
  | { readonly fault: 'ragged'; readonly line: number; readonly cells: number; readonly columns: number };

export interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly TableRow[];
  readonly faults: readonly TableFault[];
}

/** A larger table would be held in memory whole, and nobody looks at a million rows. */
export const LARGEST_TABLE = 50_000_000;
const MOST_ROWS = 200_000;
/** Further faults of the same file help nobody. */
const MOST_FAULTS = 20;
/** Characters that are parsed at once: some milliseconds. */
const PIECE = 16_384;
/** A value nested deeper is no input of a model. */
const DEEPEST = 200;

/**
 * Reads a table: CSV (RFC 4180) and TSV with a line of column names, or JSONL with an object on each line. Lines that
 * do not fit are faults, and no rows: none is filled up or cut. A long one is read in turns with everything else.
 * @param extension lower case, with its dot
 */
export async function readTable(bytes: Uint8Array, extension: string): Promise<Table> {
  const none = (fault: TableFault): Table => ({ columns: [], rows: [], faults: [fault] });
  if (bytes.length > LARGEST_TABLE)
    return none({ fault: 'tooLarge', bytes: bytes.length, most: LARGEST_TABLE });
  const text = decoded(bytes);
  if (text === undefined) return none({ fault: 'encoding' });
  if (text.trim() === '') return none({ fault: 'empty' });
  const delimiter = delimiterOf(text, extension);
  if (delimiter !== undefined) return bounded(await readDelimited(text, delimiter));
  if (extension === '.jsonl' || extension === '.ndjson') return bounded(await readLines(text));
  return none({ fault: 'kind', extension });
}

/** Undefined for files that are no CSV or TSV. Where the comma is the decimal sign, spreadsheets write semicolons. */
function delimiterOf(text: string, extension: string): string | undefined {
  if (extension === '.tsv') return '\t';
  if (extension !== '.csv') return undefined;
  const [head = ''] = /^.*/.exec(text) ?? [];
  return head.includes(';') && !head.includes(',') ? ';' : ',';
}

/** A table as it was read, of a long one the beginning. */
interface ReadTable extends Table {
  readonly isCut: boolean;
}

function bounded({ columns, rows, isCut, ...table }: ReadTable): Table {
  const faults = table.faults.slice(0, MOST_FAULTS);
  if (isCut) faults.push({ fault: 'tooManyRows', most: MOST_ROWS });
  else if (rows.length === 0 && faults.length === 0) faults.push({ fault: 'noRows' });
  return { columns, rows, faults };
}

/**
 * UTF-8, and UTF-16 where a byte order mark says so, as Excel's "Unicode Text"; undefined for anything else, which is
 * also text with NUL: it is UTF-16 without a mark, or none.
 */
function decoded(bytes: Uint8Array): string | undefined {
  const [first, second] = bytes;
  const encoding =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}

async function readDelimited(text: string, delimiter: string): Promise<ReadTable> {
  const parser = parse({
    delimiter,
    info: true,
    relax_column_count: true,
    // A quote inside a cell that does not begin with one is a character of it.
    relax_quotes: true,
    skip_empty_lines: true,
  });
  const table = new DelimitedTable();
  parser.on('data', (row: Parsed) => table.add(row));
  const ended = finished(parser);
  // Also where a piece has failed before.
  ended.catch(() => undefined);
  const turns = new Turns();
  try {
    for (const piece of piecesOf(text)) {
      await new Promise<void>((parsed, failed) =>
        parser.write(piece, (error) => (error ? failed(error) : parsed())),
      );
      if (table.isOver) return table;
      if (turns.isOver) await turns.next();
    }
    parser.end();
    await ended;
    return table;
  } catch (error) {
    const { lines = 1, message = '' } = error as { lines?: number; message?: string };
    return { columns: [], rows: [], faults: [{ fault: 'line', line: lines, detail: message }], isCut: false };
  } finally {
    parser.destroy();
  }
}

/** A table of lines, of which the first has the names of its columns. */
class DelimitedTable implements ReadTable {
  columns: readonly string[] = [];
  readonly rows: TableRow[] = [];
  readonly faults: TableFault[] = [];
  isCut = false;
  /** Nothing that follows changes it. */
  isOver = false;
  #count = -1;

  add({ record, info: { lines: line } }: Parsed): void {
    if (this.isOver) return;
    this.#count += 1;
    if (this.#count === 0) this.#begin(record, line);
    else if (this.#count > MOST_ROWS) this.isCut = this.isOver = true;
    else if (record.length === this.columns.length) this.rows.push({ line, values: this.#named(record) });
    else this.faults.push({ fault: 'ragged', line, cells: record.length, columns: this.columns.length });
  }

  #begin(record: readonly string[], line: number): void {
    this.columns = record.map((name) => name.trim());
    // Commas at the end of each line, as spreadsheets leave them, are no columns.
    const twice = this.columns.find((name, at) => name !== '' && this.columns.indexOf(name) < at);
    if (twice === undefined) return;
    this.faults.push({ fault: 'column', column: twice, line });
    this.isOver = true;
  }

  #named(record: readonly string[]): TableRow['values'] {
    return Object.fromEntries(this.columns.map((name, at) => [name, record[at]!]));
  }
}

interface Parsed {
  readonly record: readonly string[];
  readonly info: { readonly lines: number };
}

function* piecesOf(text: string): Generator<string> {
  for (let start = 0; start < text.length; start += PIECE) yield text.slice(start, start + PIECE);
}

async function readLines(text: string): Promise<ReadTable> {
  const columns = new Set<string>();
  const faults: TableFault[] = [];
  const rows: TableRow[] = [];
  const turns = new Turns();
  let count = 0;
  for (const { line, number } of linesOf(text)) {
    if (turns.isOver) await turns.next();
    if (line.trim() === '') continue;
    if (++count > MOST_ROWS) return { columns: [...columns], rows, faults, isCut: true };
    const values = objectIn(line);
    if (typeof values === 'string') {
      faults.push({ fault: 'line', line: number, detail: values });
      continue;
    }
    for (const name of Object.keys(values)) columns.add(name);
    rows.push({ line: number, values });
  }
  return { columns: [...columns], rows, faults, isCut: false };
}

/** One after another: all lines of a large file at once would fill the memory. */
function* linesOf(text: string): Generator<{ readonly line: string; readonly number: number }> {
  for (let start = 0, number = 1; start <= text.length; number += 1) {
    const newline = text.indexOf('\n', start);
    const end = newline < 0 ? text.length : newline;
    yield { line: text.slice(start, end), number };
    start = end + 1;
  }
}

function objectIn(line: string): JsonObject | string {
  try {
    const value = JSON.parse(line) as Json;
    if (isDeeper(value, line, DEEPEST)) return l10n.t('it is nested deeper than {0} levels', DEEPEST);
    return isObject(value) ? value : l10n.t('it is not an object');
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
