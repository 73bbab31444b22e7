import { randomUUID } from 'node:crypto';
import type { Stats } from 'node:fs';
import * as fs from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Journal, JournalOptions } from './journal';
import { type Lines, readLines, stamp } from './lines';
import { withLock } from './lock';
import { undefinedWhenMissing } from './undefinedWhenMissing';

const NEWLINE = Buffer.from('\n');

/**
 * Opens a journal, made with its folder when it is not there. `parse` checks one decoded line and returns
 * undefined for what is no record; such lines are skipped and counted.
 *
 * Why each batch begins with a newline as well as ending with one: another process may have died in the middle
 * of its line a moment ago, and our first record must not be glued to it. Empty lines are skipped on reading.
 */
export async function openJournal<T>(
  file: string,
  parse: (value: unknown) => T | undefined,
  options: JournalOptions = {},
): Promise<Journal<T>> {
  await fs.mkdir(dirname(file), { recursive: true });
  const journal = new JournalFile(file, parse, options);
  await journal.refresh();
  return journal;
}

interface Waiting {
  readonly lines: readonly string[];
  readonly done: () => void;
  readonly failed: (error: unknown) => void;
}

class JournalFile<T> implements Journal<T> {
  #records: T[] = [];
  #generation = 0;
  #unreadable = 0;
  /** How far the file has been read, in bytes; always at the start of a line. */
  #offset = 0;
  /** Which file the offset belongs to: a rewrite by another process puts a new one in its place. */
  #inode: number | undefined;
  /** Its first bytes: inode numbers are given out anew, and a replaced file begins with a stamp of its own. */
  #head = '';
  /** Records of others that were read beside our own appends, for the next `refresh`. */
  #foreign: T[] = [];
  #queue: Waiting[] = [];
  #flushing: Promise<void> | undefined;
  /** Reading, writing and replacing take turns, so that offset and records stay of one mind. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly file: string,
    private readonly parse: (value: unknown) => T | undefined,
    private readonly options: JournalOptions,
  ) {}

  get records(): readonly T[] {
    return this.#records;
  }

  get generation(): number {
    return this.#generation;
  }

  get unreadable(): number {
    return this.#unreadable;
  }

  append(record: T): Promise<void> {
    return this.appendAll([record]);
  }

  appendAll(records: readonly T[]): Promise<void> {
    if (records.length === 0) return Promise.resolve();
    const lines = records.map((record) => JSON.stringify(record));
    return new Promise((done, failed) => {
      this.#queue.push({ lines, done, failed });
      this.#flushing ??= this.#flush();
    });
  }

  rewrite(records: readonly T[] | ((current: readonly T[]) => readonly T[])): Promise<void> {
    return this.#inTurn(() => withLock(this.file, () => this.#replace(records)));
  }

  refresh(): Promise<readonly T[]> {
    return this.#inTurn(async () => {
      const before = this.#generation;
      const fresh = await this.#readOn();
      const foreign = this.#foreign;
      this.#foreign = [];
      return this.#generation === before ? [...foreign, ...fresh] : this.#records;
    });
  }

  async close(): Promise<void> {
    await this.#flushing;
    await this.#turn;
  }

  #inTurn<R>(work: () => Promise<R>): Promise<R> {
    const result = this.#turn.then(work);
    this.#turn = result.catch(() => undefined);
    return result;
  }

  async #flush(): Promise<void> {
    // One tick later: what is appended in the same breath goes into the same write.
    await Promise.resolve();
    while (this.#queue.length > 0) {
      const batch = this.#queue;
      this.#queue = [];
      try {
        const text = `\n${batch.map((waiting) => waiting.lines.join('\n')).join('\n')}\n`;
        await this.#inTurn(() => this.#write(Buffer.from(text)));
        for (const waiting of batch) waiting.done();
      } catch (error) {
        for (const waiting of batch) waiting.failed(error);
      }
    }
    // In the same breath as the queue was seen empty: an append after it starts the next flush.
    this.#flushing = undefined;
  }

  /** One write to the end of the file (O_APPEND), synced; again if the file was replaced under it meanwhile. */
  async #write(bytes: Buffer): Promise<void> {
    for (;;) {
      const handle = await fs.open(this.file, 'a');
      try {
        await handle.appendFile(bytes);
        await handle.datasync();
        // Compared while the handle is open: the number of a closed, replaced file may be given out anew.
        const written = await handle.stat();
        const now = await fs.stat(this.file).catch(undefinedWhenMissing);
        if (now?.ino === written.ino) return await this.#takeIn(bytes, written);
      } finally {
        await handle.close();
      }
    }
  }

  /** Our own records become visible as they were read back from the file, between those of other processes. */
  async #takeIn(ours: Buffer, stats: Stats): Promise<void> {
    const known = this.#inode === stats.ino || (this.#inode === undefined && this.#offset === 0);
    if (known && stats.size === this.#offset + ours.length) {
      this.#inode = stats.ino;
      this.#add(readLines(ours, this.parse));
      this.#offset = stats.size;
      return;
    }
    const fresh = await this.#readOn();
    const own = new Set(ours.toString('utf8').split('\n'));
    this.#foreign.push(...fresh.filter((record) => !own.has(JSON.stringify(record))));
  }

  /** Reads from where we stopped; from the start when the file is another or has shrunk. */
  async #readOn(): Promise<T[]> {
    const handle = await fs.open(this.file, 'r').catch(undefinedWhenMissing);
    if (!handle) return this.#offset === 0 ? [] : this.#restart(undefined);
    try {
      const stats = await handle.stat();
      const head = await readHead(handle);
      if ((this.#inode !== undefined && this.#inode !== stats.ino) || !head.startsWith(this.#head))
        this.#restart(stats.ino);
      if (stats.size < this.#offset) this.#restart(stats.ino);
      this.#inode = stats.ino;
      this.#head = head;
      if (stats.size === this.#offset) return [];
      const bytes = Buffer.allocUnsafe(stats.size - this.#offset);
      const { bytesRead } = await handle.read(bytes, 0, bytes.length, this.#offset);
      const lines = readLines(bytes.subarray(0, bytesRead), this.parse);
      this.#offset += lines.consumed;
      return this.#add(lines);
    } finally {
      await handle.close();
    }
  }

  #restart(inode: number | undefined): T[] {
    this.#records = [];
    this.#foreign = [];
    this.#offset = 0;
    this.#inode = inode;
    this.#head = '';
    this.#generation++;
    return [];
  }

  #add(lines: Lines<T>): T[] {
    for (const record of lines.records) this.#records.push(record);
    this.#unreadable += lines.unreadable.length;
    for (const line of lines.unreadable) this.options.onUnreadable?.(line);
    return lines.records;
  }

  async #replace(records: readonly T[] | ((current: readonly T[]) => readonly T[])): Promise<void> {
    const seen = this.#records.length;
    const generation = this.#generation;
    await this.#readOn();
    // A plain list was made from what the caller had seen: what others appended since stays behind it.
    const unseen = generation === this.#generation ? this.#records.slice(seen) : [];
    const kept = typeof records === 'function' ? records(this.#records) : [...records, ...unseen];
    const old = await fs.open(this.file, 'r').catch(undefinedWhenMissing);
    try {
      const temporary = `${this.file}.${process.pid}.new`;
      const text = kept.map((record) => `${JSON.stringify(record)}\n`).join('');
      await fs.writeFile(temporary, `${stamp(randomUUID())}\n${text}`, { flush: true });
      await fs.rename(temporary, this.file);
      await this.#carryOver(old);
    } finally {
      await old?.close();
    }
    this.#restart(undefined);
    await this.#readOn();
  }

  /** Appends wait for no lock: what reached the old file between our reading it and the rename is brought along. */
  async #carryOver(old: fs.FileHandle | undefined): Promise<void> {
    const late = (await old?.stat())?.size ?? 0;
    if (!old || late <= this.#offset) return;
    const bytes = Buffer.allocUnsafe(late - this.#offset);
    await old.read(bytes, 0, bytes.length, this.#offset);
    await fs.appendFile(this.file, Buffer.concat([NEWLINE, bytes, NEWLINE]), { flush: true });
  }
}

/** The first bytes of a file, as far as there are any. */
async function readHead(handle: fs.FileHandle): Promise<string> {
  const bytes = Buffer.alloc(64);
  const { bytesRead } = await handle.read(bytes, 0, bytes.length, 0);
  return bytes.toString('latin1', 0, bytesRead);
}
