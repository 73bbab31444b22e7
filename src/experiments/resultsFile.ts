import * as l10n from '@vscode/l10n';
import { encodingOf } from '../intake/text';
import { Turns } from '../service/turns';
import type { StoredResult } from '../store/experimentResults';
import { writeBody } from './files/bodies';
import { appendToFile, readFileAt } from './files/door';
import { type ReadResults, ResultsReader } from './results';

export { placesOf, resultPlaces } from './files/places';

/** As one string; 10,000 cells take some tens of megabytes, since long results are files of their own. */
export const MOST_RESULT_BYTES = 256 * 2 ** 20;

/**
 * The results in a file; empty when there is no such file.
 * @param reader the one that has read it before, where it is read again and again
 */
export async function readResultsFile(file: string, reader = new ResultsReader()): Promise<ReadResults> {
  const text = await readResultsText(file);
  return new Turns().through(reader.reading(text));
}

/** The text of a results file; '' when there is no such file. */
export async function readResultsText(file: string): Promise<string> {
  const read = await readFileAt(file, MOST_RESULT_BYTES);
  return read ? decoded(read.bytes, new Turns()) : '';
}

/** Bytes that are decoded at once: a few milliseconds. */
const PIECE_BYTES = 4 * 2 ** 20;

/** The text of a results file's bytes, which is long where they are many. */
export async function decoded(bytes: Uint8Array, turns: Turns): Promise<string> {
  const decoder = new TextDecoder(encodingOf(bytes));
  let text = '';
  for (let from = 0; from < bytes.length; from += PIECE_BYTES) {
    text += decoder.decode(bytes.subarray(from, from + PIECE_BYTES), { stream: true });
    if (turns.isOver) await turns.next();
  }
  return text + decoder.decode();
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
    const encoding = encodingOf(mark);
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
