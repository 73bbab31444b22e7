import { type FileHandle, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import * as l10n from '@vscode/l10n';
import { pointerFault, pointerText } from '../../intake/text';
import { Turns } from '../../service/turns';
import type { StoredResult } from '../../store/experimentResults';
import { writeBody } from '../files/bodies';
import { appendToFile, piecesAt, piecesOf } from '../files/door';
import type { ResultEntry } from './resultLine';
import { type ReadResults, ResultLines, readingResults, type UnreadableLine } from './results';

export { resultFilePlaces, resultPlaces } from '../files/places';

/**
 * Of one file, which takes some 200 MB of memory to read: 10,000 cells take some tens of megabytes, since long results
 * are files of their own.
 */
export const MOST_RESULT_BYTES = 64 * 2 ** 20;
/** Bytes before the end of the part that was read: another file has others there. */
const MARK_BYTES = 64;

/** The results file was rolled back or replaced while it was written to: nothing more goes into it. */
export class FileReplaced extends Error {
  /** @param kept where the job's results are instead */
  constructor(file: string, kept?: string) {
    super(
      kept === undefined
        ? l10n.t('“{0}” is not the file any more that was read when the runs were chosen.', basename(file))
        : l10n.t(
            'Something has replaced or shortened “{0}” while the experiment ran, so nothing more is sent. The results are in “{1}”; the next start adds them to “{0}”.',
            ...[basename(file), basename(kept)],
          ),
    );
  }
}

/**
 * A results file: each line says that a run was sent, has its outcome, or has a person's judgement. It is read once,
 * then as far as others or we have appended to it.
 */
export class ResultsFile {
  #lines: ResultLines;
  #end: { inode?: number; offset: number; line: number; mark: Uint8Array } = NOTHING_READ();
  /** The text behind the last line's end. */
  #tail = '';
  #seen = '';
  #last: Promise<unknown> = Promise.resolve();
  /** Called with each line of a run that was appended since the file was opened. */
  onLine: ((entry: ResultEntry) => void) | undefined;

  /** @param keepsTexts see `ResultEntry` */
  constructor(
    readonly path: string,
    private readonly keepsTexts = false,
  ) {
    this.#lines = new ResultLines(keepsTexts);
  }

  /** The results of a file now. @throws when it is no regular file, or too large */
  static async open(path: string, keepsTexts?: boolean): Promise<ResultsFile> {
    const file = new ResultsFile(path, keepsTexts);
    await file.#readOn();
    return file;
  }

  get lines(): ResultLines {
    return this.#lines;
  }

  /** Reads the file; from its beginning where it does not continue the one that was read before. */
  read(): Promise<ReadResults> {
    return this.#inTurn(async () => {
      const facts = await stat(this.path).catch(() => undefined);
      const seen = facts ? `${facts.size} ${facts.mtimeMs}` : '';
      // Of one length, and written again: an editor has changed a line.
      const isEdited = seen !== this.#seen && facts?.size === this.#end.offset;
      if (isEdited || !(await this.#readOn())) {
        this.#lines = new ResultLines(this.keepsTexts);
        this.#end = NOTHING_READ();
        await this.#readOn();
      }
      this.#seen = seen;
      return this.held();
    });
  }

  /** The results that were read so far. */
  held(): Promise<ReadResults> {
    return new Turns().through(readingResults(this.#lines));
  }

  /** Whether the file continues the one that was read; its new lines are read. */
  continues(): Promise<boolean> {
    return this.#inTurn(() => this.#readOn());
  }

  /** Makes the file where there is none: a renaming is noticed from then on. */
  make(): Promise<void> {
    return this.#inTurn(async () => {
      if (this.#end.inode !== undefined) return;
      await appendLines(this.path, []);
      this.#end.inode = (await stat(this.path)).ino;
    });
  }

  /** Adds lines to the file that was read, and reads them and those that others have added. @throws FileReplaced */
  append(lines: readonly string[]): Promise<void> {
    return this.#inTurn(async () => {
      const { inode, offset, mark } = this.#end;
      let isSame = false;
      await appendLines(this.path, lines, this.#end, inode === undefined, async (handle) => {
        // Of the path: another file may have it by now.
        const facts = await stat(this.path).catch(() => undefined);
        isSame = facts !== undefined && (await this.#readOn(piecesOf(handle, facts, offset - mark.length)));
      });
      if (!isSame) throw new FileReplaced(this.path);
    });
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work, work);
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  /** False: another file has its place. */
  async #readOn(
    pieces = resultPieces(this.path, this.#end.offset - this.#end.mark.length),
  ): Promise<boolean> {
    const { inode, mark } = this.#end;
    const turns = new Turns();
    let rest: Buffer[] = [];
    let isFirst = true;
    for await (const piece of pieces) {
      let { bytes } = piece;
      if (isFirst) {
        const isSame = inode === undefined || inode === piece.inode;
        if (!isSame || Buffer.compare(bytes.subarray(0, mark.length), mark) !== 0) return false;
        this.#end.inode = piece.inode;
        if (mark.length === 0) rejectPointer(bytes, basename(this.path));
        bytes = bytes.subarray(mark.length);
        isFirst = false;
      }
      const end = bytes.lastIndexOf(0x0a) + 1;
      if (end > 0)
        await turns.through(this.#adding(Buffer.concat([...rest.splice(0), bytes.subarray(0, end)])));
      if (end < bytes.length) rest.push(Buffer.from(bytes.subarray(end)));
    }
    if (isFirst) return inode === undefined;
    this.#tail = decoded(Buffer.concat(rest));
    rest = [];
    // It counts, as an editor may have left out its end, and is read again once more follows.
    if (this.#tail !== '') this.#lines.add(this.#tail, this.#end.line + 1);
    await turns.through(this.#lines.settling());
    return true;
  }

  /** @param bytes whole lines */
  *#adding(bytes: Buffer): Generator<unknown, void> {
    for (const text of decoded(bytes.subarray(0, -1)).split('\n')) {
      const entry = this.#lines.add(text, ++this.#end.line);
      if (entry && text !== this.#tail) this.onLine?.(entry);
      this.#tail = '';
      yield;
    }
    this.#end.offset += bytes.length;
    const mark = Buffer.concat([this.#end.mark, bytes.subarray(-MARK_BYTES)]).subarray(-MARK_BYTES);
    this.#end.mark = Uint8Array.from(mark);
  }
}

const NOTHING_READ = () => ({ offset: 0, line: 0, mark: new Uint8Array() });

const decoded = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

/** The pieces of a results file; none where there is no such file. @throws when it is too large */
function resultPieces(file: string, from: number) {
  const tooLarge = l10n.t(
    '“{0}” is too large to be read (more than 64 MB). Divide the experiment into several, each with its own results.',
    basename(file),
  );
  return piecesAt(file, MOST_RESULT_BYTES, tooLarge, from);
}

/** The results in a file; empty when there is no such file. */
export async function readResultsFile(file: string): Promise<ReadResults> {
  return new ResultsFile(file).read();
}

/** The results in the bytes of a file. */
export async function resultsIn(bytes: Uint8Array): Promise<ReadResults> {
  const lines = new ResultLines();
  rejectPointer(bytes);
  for (const [at, text] of decoded(bytes).split('\n').entries()) lines.add(text, at + 1);
  const turns = new Turns();
  await turns.through(lines.settling());
  return turns.through(readingResults(lines));
}

/** Adds results at the end of their file, each file of a large result before its line. */
export async function appendResults(
  file: string,
  results: readonly (Pick<StoredResult, 'line'> & Partial<Pick<StoredResult, 'files'>>)[],
  append = (lines: readonly string[]) => appendLines(file, lines),
): Promise<void> {
  for (const { files = [] } of results)
    for (const { name, bytes } of files) await writeBody(file, name, bytes);
  await append(results.map(({ line }) => line));
}

/** A results file of which only a pointer is here. */
export class NotHere extends Error {}

/** Its lines would be taken for runs that were paid. */
function rejectPointer(bytes: Uint8Array, name?: string): void {
  const pointer = pointerFault(bytes);
  if (pointer) throw new NotHere(pointerText(pointer, name));
}

/**
 * Adds lines at the end of a results file; they are on the disk when this resolves. A line that was torn by the end of a
 * process stays, and the next begins on a line of its own.
 * @param known the end of the part that was read; missing: any file of this name
 * @param isMade where there is none
 * @param then reads the file behind the lines
 * @throws FileReplaced where the file does not continue that
 */
export async function appendLines(
  file: string,
  lines: readonly string[],
  known: { readonly inode?: number; readonly offset: number; readonly mark: Uint8Array } = NOTHING_READ(),
  isMade = known.inode === undefined,
  then?: (handle: FileHandle) => Promise<void>,
): Promise<void> {
  const { inode, offset, mark } = known;
  const isThere = await appendToFile(
    file,
    async (handle, { size, ino }) => {
      const before = Buffer.alloc(mark.length);
      await handle.read(before, 0, before.length, offset - mark.length);
      if ((inode !== undefined && inode !== ino) || Buffer.compare(before, mark) !== 0)
        throw new FileReplaced(file);
      let end = before.at(-1);
      if (size > offset) {
        const last = await handle.read(Buffer.alloc(1), 0, 1, size - 1);
        end = last.buffer[0];
      }
      const isTorn = size > 0 && end !== 0x0a;
      return Buffer.from(`${isTorn ? '\n' : ''}${lines.map((line) => `${line}\n`).join('')}`);
    },
    isMade,
    then,
  );
  if (!isThere) throw new FileReplaced(file);
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

/** Lines of a results file that may be runs that were paid: sending waits for their repair. */
export class UnreadableLines extends Error {
  /** Of the first one, from 1. */
  readonly line: number;

  constructor(
    readonly file: string,
    unreadable: readonly UnreadableLine[],
  ) {
    const [{ line } = { line: 1 }] = unreadable;
    super(
      unreadable.length === 1
        ? l10n.t(
            'Line {0} of “{1}” cannot be read. It may be a run that was paid: repair or remove it, and start again.',
            ...[line, basename(file)],
          )
        : l10n.t(
            '{0} lines of “{1}” cannot be read, first: line {2}. They may be runs that were paid: repair or remove them, and start again.',
            ...[unreadable.length, basename(file), line],
          ),
    );
    this.line = line;
  }
}
