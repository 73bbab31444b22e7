import { parse } from 'csv-parse/sync';
import type { Json, JsonObject } from '../domain/json';
import { isObject } from '../domain/value';

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

const DELIMITERS: Readonly<Record<string, string>> = { '.csv': ',', '.tsv': '\t' };

/**
 * Reads a table: CSV (RFC 4180) and TSV with a line of column names, or JSONL with an object on each line. Lines that
 * do not fit are faults, and no rows: none is filled up or cut.
 * @param extension lower case, with its dot
 */
export function readTable(bytes: Uint8Array, extension: string): Table {
  const none = (fault: TableFault): Table => ({ columns: [], rows: [], faults: [fault] });
  if (bytes.length > LARGEST_TABLE)
    return none({ fault: 'tooLarge', bytes: bytes.length, most: LARGEST_TABLE });
  const text = decoded(bytes);
  if (text === undefined) return none({ fault: 'encoding' });
  if (text.trim() === '') return none({ fault: 'empty' });
  const delimiter = DELIMITERS[extension];
  if (delimiter !== undefined) return bounded(readDelimited(text, delimiter));
  if (extension === '.jsonl' || extension === '.ndjson') return bounded(readLines(text));
  return none({ fault: 'kind', extension });
}

function bounded(table: Table): Table {
  const faults = table.faults.slice(0, MOST_FAULTS);
  if (table.rows.length > MOST_ROWS) faults.push({ fault: 'tooManyRows', most: MOST_ROWS });
  else if (table.rows.length === 0 && faults.length === 0) faults.push({ fault: 'noRows' });
  return { columns: table.columns, rows: table.rows.slice(0, MOST_ROWS), faults };
}

/** UTF-8, and UTF-16 where a byte order mark says so, as Excel's "Unicode Text"; undefined for anything else. */
function decoded(bytes: Uint8Array): string | undefined {
  const [first, second] = bytes;
  const encoding =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function readDelimited(text: string, delimiter: string): Table {
  let records: { record: string[]; info: { lines: number } }[];
  try {
    records = parse(text, {
      delimiter,
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
    }) as never;
  } catch (error) {
    const { lines = 1, message = '' } = error as { lines?: number; message?: string };
    return { columns: [], rows: [], faults: [{ fault: 'line', line: lines, detail: message }] };
  }
  const [head, ...body] = records;
  const columns = head?.record.map((name) => name.trim()) ?? [];
  const twice = columns.find((name, at) => columns.indexOf(name) < at);
  if (twice !== undefined)
    return { columns, rows: [], faults: [{ fault: 'column', column: twice, line: head?.info.lines ?? 1 }] };
  const faults: TableFault[] = [];
  const rows: TableRow[] = [];
  for (const { record, info } of body) {
    if (record.length !== columns.length)
      faults.push({ fault: 'ragged', line: info.lines, cells: record.length, columns: columns.length });
    else
      rows.push({
        line: info.lines,
        values: Object.fromEntries(columns.map((name, at) => [name, record[at]!])),
      });
  }
  return { columns, rows, faults };
}

function readLines(text: string): Table {
  const columns = new Set<string>();
  const faults: TableFault[] = [];
  const rows: TableRow[] = [];
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === '') continue;
    const values = objectIn(line);
    if (typeof values === 'string') {
      faults.push({ fault: 'line', line: index + 1, detail: values });
      continue;
    }
    for (const name of Object.keys(values)) columns.add(name);
    rows.push({ line: index + 1, values });
  }
  return { columns: [...columns], rows, faults };
}

function objectIn(line: string): JsonObject | string {
  try {
    const value = JSON.parse(line) as Json;
    return isObject(value) ? value : 'not an object';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
