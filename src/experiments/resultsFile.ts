import { basename } from 'node:path';
import * as l10n from '@vscode/l10n';
import { textEncoding } from '../intake/text';
import { Turns } from '../service/turns';
import type { StoredResult } from '../store/experimentResults';
import { writeBody } from './files/bodies';
import { appendToFile, piecesAt, type ReadBytes } from './files/door';
import { type ReadResults, ResultEntries, ResultsReader } from './results';
import { TextsOfPieces } from './textsOfPieces';

export { resultFilePlaces, resultPlaces } from './files/places';

/**
 * Of one file, which takes some 200 MB of memory to read: 10,000 cells take some tens of megabytes, since long results
 * are files of their own.
 */
export const MOST_RESULT_BYTES = 64 * 2 ** 20;

/** The pieces of a results file; none where there is no such file. @throws when it is too large */
function resultPieces(file: string): AsyncGenerator<ReadBytes> {
  const tooLarge = l10n.t(
    '“{0}” is too large to be read (more than 64 MB). Divide the experiment into several, each with its own results.',
    basename(file),
  );
  return piecesAt(file, MOST_RESULT_BYTES, tooLarge);
}

/**
 * The results in a file; empty when there is no such file.
 * @param reader the one that has read it before, where it is read again and again
 */
export async function readResultsFile(file: string, reader = new ResultsReader()): Promise<ReadResults> {
  return reader.read(() => bytesOf(file));
}

/** The end of the part of a results file that was read; later lines are new. */
export interface FileEnd {
  /** Undefined: there was no file. */
  readonly inode?: number;
  readonly offset: number;
  /** The bytes before that place: another file has others there. */
  readonly mark: Uint8Array;
}

/** The known part of a results file when the runs to send were chosen. */
export interface KnownResults {
  readonly entries: Pick<ResultEntries, 'runs'>;
  /** Undefined where the file is not continued byte by byte, as in UTF-16. */
  readonly end: FileEnd | undefined;
}

/** Bytes before the end of the part that was read. */
export const MARK_BYTES = 64;

/**
 * Reads a results file together with its end; without entries where there is no such file.
 * @param keepsTexts see `ResultEntry`
 */
export async function readKnownResults(
  file: string,
  keepsTexts = false,
): Promise<KnownResults & { readonly entries: ResultEntries }> {
  const entries = new ResultEntries(keepsTexts);
  const texts = new TextsOfPieces();
  const turns = new Turns();
  let inode: number | undefined;
  let [before, offset] = [0, 0];
  let mark: Uint8Array = new Uint8Array();
  let last = Buffer.alloc(0);
  for await (const piece of resultPieces(file)) {
    inode = piece.inode;
    last = Buffer.concat([last.subarray(Math.max(0, last.length - MARK_BYTES)), piece.bytes]);
    const end = last.lastIndexOf(0x0a) + 1;
    if (end > last.length - piece.bytes.length) {
      mark = Uint8Array.from(last.subarray(Math.max(0, end - MARK_BYTES), end));
      offset = before + piece.bytes.length - (last.length - end);
    }
    before += piece.bytes.length;
    await turns.through(entries.adding(texts.next(piece.bytes), false));
  }
  await turns.through(entries.adding(texts.end()));
  if (inode === undefined) return { entries, end: { offset: 0, mark } };
  return { entries, end: texts.encoding === 'utf-8' ? { inode, offset, mark } : undefined };
}

async function* bytesOf(file: string): AsyncGenerator<Uint8Array> {
  for await (const { bytes } of resultPieces(file)) yield bytes;
}

/** Adds results at the end of their file, each file of a large result before its line. */
export async function appendResults(
  file: string,
  results: readonly (Pick<StoredResult, 'line'> & Partial<Pick<StoredResult, 'files'>>)[],
): Promise<void> {
  for (const { files = [] } of results)
    for (const { name, bytes } of files) await writeBody(file, name, bytes);
  await appendLines(
    file,
    results.map(({ line }) => line),
  );
}

/**
 * Adds lines at the end of a results file, in its encoding; they are on the disk when this resolves. A line that was
 * torn by the end of a process stays, and the next begins on a line of its own.
 */
export async function appendLines(file: string, lines: readonly string[]): Promise<void> {
  await appendToFile(file, async (handle) => {
    const { size } = await handle.stat();
    const [mark, end] = [Buffer.alloc(Math.min(size, 2)), Buffer.alloc(Math.min(size, 2))];
    await handle.read(mark, 0, mark.length, 0);
    await handle.read(end, 0, end.length, size - end.length);
    const encoding = textEncoding(mark);
    const isTorn = size > 0 && (encoding === 'utf-8' ? end.at(-1) !== 0x0a : !end.includes(0x0a));
    const text = `${isTorn ? '\n' : ''}${lines.map((line) => `${line}\n`).join('')}`;
    if (encoding === 'utf-8') return Buffer.from(text);
    const bytes = Buffer.from(text, 'utf16le');
    return encoding === 'utf-16be' ? bytes.swap16() : bytes;
  });
}

/** Why results cannot be written, and that they are not lost. */
export function cannotWriteText(file: string, error: unknown): string {
  const detail = error instanceof Error ? error.message : String(error);
  return l10n.t(
    'The results cannot be written into “{0}”: {1}. They are kept, and written when you resume.',
    file,
    detail,
  );
}
