import { closeSync, existsSync, fchmodSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import { FILE_MODE, replaceFile } from './privateFiles';

/**
 * A file of JSON records, one a line, that only grows. Each append is one write, so that a killed process
 * loses at most the record it was writing: an incomplete last line is removed when the file is opened.
 */
export class JsonLines<Row> {
  /** What the file held when it was opened. */
  readonly rows: readonly Row[];
  readonly #descriptor: number;
  #closed = false;

  constructor(path: string) {
    const bytes = existsSync(path) ? readFileSync(path) : Buffer.alloc(0);
    const wholeBytes = bytes.lastIndexOf(0x0a) + 1;
    const lines = bytes.subarray(0, wholeBytes).toString('utf8').split('\n');
    this.rows = lines.flatMap(parseLine<Row>);
    this.#descriptor = openSync(path, 'a+', FILE_MODE);
    fchmodSync(this.#descriptor, FILE_MODE); // an older version may have made it readable
    ftruncateSync(this.#descriptor, wholeBytes);
  }

  /** Opens a file without the rows that a later row of the same key replaces. The file is replaced as a whole. */
  static compacted<Row>(path: string, keyOf: (row: Row) => string): JsonLines<Row> {
    const file = new JsonLines<Row>(path);
    const latest = [...new Map(file.rows.map((row) => [keyOf(row), row])).values()];
    if (latest.length === file.rows.length) return file;
    file.close();
    replaceFile(path, latest.map((row) => `${JSON.stringify(row)}\n`).join(''));
    return new JsonLines<Row>(path);
  }

  append(rows: readonly Row[]): void {
    // A run may end after the server was stopped; its record is then lost, as after a kill.
    if (this.#closed || rows.length === 0) return;
    writeSync(this.#descriptor, `${rows.map((row) => JSON.stringify(row)).join('\n')}\n`);
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    closeSync(this.#descriptor);
  }
}

function parseLine<Row>(line: string): Row[] {
  if (line === '') return [];
  try {
    return [JSON.parse(line) as Row];
  } catch {
    return []; // damaged by another program: the other records are kept
  }
}
