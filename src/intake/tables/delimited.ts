import { finished } from 'node:stream/promises';
import * as l10n from '@vscode/l10n';
import { type CsvError, type Options, parse } from 'csv-parse';
import {
  type KeptPart,
  MOST_CELLS,
  MOST_COLUMNS,
  MOST_FAULTS,
  MOST_ROWS,
  type ReadTable,
  type TableFault,
  type TableRow,
  type WorkInTurns,
} from '../table';

/** Characters that are parsed in one step: some milliseconds, even if the parser reports an error for each line. */
const PIECE = 4_096;

/** CR LF and LF each end a record, in one file too: it may have several authors. A lone CR does where no LF is. */
export function recordDelimiters(text: string): string[] {
  return text.includes('\n') ? ['\r\n', '\n'] : ['\r'];
}

/** The cases that RFC 4180 leaves open, in the way of spreadsheets and data sets. */
export const CSV_OPTIONS = {
  relax_column_count: true,
  // A quote inside a cell that does not begin with one is a character of it.
  relax_quotes: true,
  skip_empty_lines: true,
} as const;

/**
 * How spaces before the quotes of cells are read: where every quoted cell has them they are no part of it, as
 * `skipinitialspace` of Python's csv module has it; else such a cell is a fault, since its quotes would be sent.
 */
function quoteOptions(text: string, delimiter: string): Pick<Options, 'ltrim' | 'cast'> {
  const cell = delimiter.replace(/[\\\]^-]/, '\\$&');
  const [spaced, direct] = [new RegExp(`(?:^|[${cell}\r\n]) +"`), new RegExp(`(?:^|[${cell}\r\n])"`)];
  if (!spaced.test(text)) return {};
  if (!direct.test(text)) return { ltrim: true };
  return {
    cast: (value, { quoting, lines }) => {
      if (quoting || !/^ +"/.test(value)) return value;
      const message = l10n.t('a cell has a space before its quotes. Remove the space');
      throw Object.assign(new Error(message), { lines });
    },
  };
}

/** @param linesBefore the text, in its file */
export async function readDelimited(
  text: string,
  delimiter: string,
  turns: WorkInTurns,
  linesBefore: number,
  kept: KeptPart,
): Promise<ReadTable> {
  const parser = parse({
    ...CSV_OPTIONS,
    ...quoteOptions(text, delimiter),
    delimiter,
    info: true,
    record_delimiter: recordDelimiters(text),
  });
  const table = new TableOfLines(kept);
  let lastLine = linesBefore;
  parser.on('data', ({ record, info }: Parsed) => {
    const line = linesBefore + info.lines;
    // A cell over several lines, unless only blank ones came before.
    const spans = record.some((cell) => /[\r\n]/.test(cell)) ? lastLine + 1 : undefined;
    lastLine = line;
    table.add(record, line, spans);
  });
  const ended = finished(parser);
  // Also where a piece has failed before.
  ended.catch(() => undefined);
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
    const { code, lines = 0, message = '' } = error as Partial<CsvError> & { lines?: number };
    const line = linesBefore + lines;
    const fault: TableFault =
      code === 'CSV_QUOTE_NOT_CLOSED'
        ? { fault: 'openQuote', line: lastLine + 1 }
        : { fault: 'line', line, detail: message };
    return { columns: [], rows: [], faults: [fault], isCut: false };
  } finally {
    parser.destroy();
  }
}

interface Parsed {
  readonly record: readonly string[];
  readonly info: { readonly lines: number };
}

function* piecesOf(text: string): Generator<string> {
  for (let start = 0; start < text.length; start += PIECE) yield text.slice(start, start + PIECE);
}

/** A table of lines, of which the first has the names of its columns. */
export class TableOfLines implements ReadTable {
  columns: readonly string[] = [];
  readonly rows: TableRow[] = [];
  readonly faults: TableFault[] = [];
  isCut = false;
  blankRows = 0;
  /** Later lines do not change it. */
  isOver = false;
  #count = -1;
  #cells = 0;
  /** Columns that are kept: each with its place. */
  #kept: readonly (readonly [name: string, at: number])[] = [];

  constructor(private readonly part: KeptPart) {}

  /** @param spans the line in which a cell began that goes over several */
  add(record: readonly string[], line: number, spans?: number): void {
    if (this.isOver) return;
    if (this.#count >= 0 && record.every((cell) => cell.trim() === '')) {
      this.blankRows += 1;
      return;
    }
    this.#count += 1;
    if (this.#count === 0) this.#begin(record, line);
    else if (this.#count > (this.part.mostRows ?? MOST_ROWS)) this.isCut = this.isOver = true;
    else if (record.length === this.columns.length) {
      this.#cells += this.#kept.length;
      if (this.#cells > MOST_CELLS) {
        this.faults.unshift({ fault: 'tooManyCells', most: MOST_CELLS });
        this.isOver = true;
      } else this.rows.push({ line, values: this.#named(record) });
    } else if (this.faults.length < MOST_FAULTS) {
      const widths = { cells: record.length, columns: this.columns.length };
      this.faults.push({ fault: 'ragged', line, ...widths, ...(spans !== undefined && { spans }) });
    }
  }

  #begin(record: readonly string[], line: number): void {
    if (record.length > MOST_COLUMNS) {
      this.faults.push({ fault: 'tooManyColumns', most: MOST_COLUMNS });
      this.isOver = true;
      return;
    }
    this.columns = record.map((name) => name.trim().normalize('NFC'));
    const known = new Set<string>();
    for (const name of this.columns) {
      // Commas at the end of each line, as spreadsheets leave them, are no columns.
      if (name !== '' && known.has(name)) {
        this.faults.push({ fault: 'column', column: name, line });
        this.isOver = true;
        return;
      }
      known.add(name);
    }
    const { columns: wanted } = this.part;
    this.#kept = [...this.columns.entries()].flatMap(([at, name]) =>
      wanted === undefined || wanted.has(name) ? [[name, at] as const] : [],
    );
  }

  #named(record: readonly string[]): TableRow['values'] {
    return Object.fromEntries(this.#kept.map(([name, at]) => [name, record[at]!]));
  }
}
