import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { Listeners } from '../domain/listeners';
import { asProblem, isBusy, StoreProblem } from './storeProblem';

export type Row = Readonly<Record<string, SQLOutputValue>>;
/** In the order of the question marks; Node 22 binds no numbered ones (`?1`). */
export type Parameters = readonly SQLInputValue[];

/** How long a change waits for other processes' changes before it gives up, from the moment it is asked for. */
const PATIENCE_MS = 15_000;
/** How long it waits at least when its turn has come: those before it have taken their time. */
const LEAST_PATIENCE_MS = 1_000;
/** Between two tries to begin a change while another process makes one. */
const RETRY_MS = { least: 1, most: 12 };
/** Changes that are made together: more of them would hold up everything else. */
const MOST_TOGETHER = 32;
/** How long a read waits for another process that holds the whole file for a moment, as at its close. */
const READ_PATIENCE_MS = 1_000;

export interface DatabaseOptions {
  /** Where the database is, for the words of its problems. */
  readonly folder: string;
  /** How long a change waits for those of other processes. */
  readonly patienceMs?: number | undefined;
  /** The files under the connection; missing: they are not watched. */
  readonly files?: DatabaseFiles;
}

export interface DatabaseFiles {
  /** False: another program has deleted or replaced one, and a change would be lost with it. Opens no descriptor. */
  areIntact(): boolean;
  /** A new connection, after the old one was closed. */
  open(): DatabaseSync;
  /** Puts the commits so far on the disk, without holding up this thread; missing: each commit does that itself. */
  readonly sync?: () => Promise<void>;
  /** The connection is about to be closed. */
  close(): void;
}

/** A change that waits for its turn. */
interface Waiting {
  readonly work: () => unknown;
  /** When it gives up waiting for other processes. */
  readonly until: number;
  readonly resolve: (result: never) => void;
  readonly reject: (error: unknown) => void;
}

/** A connection with its prepared statements. Reads are synchronous; changes take turns with those of other processes. */
export class Database {
  readonly #statements = new Map<string, StatementSync>();
  readonly #waiting: Waiting[] = [];
  /** Undefined while nothing waits. */
  #turns: Promise<void> | undefined;
  /** Undefined while its files are gone and cannot be opened again. */
  #connection: DatabaseSync | undefined;
  /** `DatabaseSync.isTransaction` is missing in Node.js 22.13. */
  #isChanging = false;
  #closed = false;
  readonly #written = new Listeners();
  /** Calls back after each change that this connection made; returns how to stop that. */
  readonly onDidWrite = this.#written.add;
  readonly #reopened = new Listeners();
  /** Calls back when another program had deleted or replaced the database, and it was opened again. */
  readonly onDidReopen = this.#reopened.add;

  constructor(
    connection: DatabaseSync,
    private readonly options: DatabaseOptions,
  ) {
    this.#connection = connection;
    connection.exec(`PRAGMA busy_timeout = ${READ_PATIENCE_MS}`);
  }

  /** The first row, as `parse` reads it. */
  get<T>(sql: string, parse: (row: Row) => T, ...parameters: Parameters): T | undefined {
    return this.#run(() => {
      const row = this.#prepared(sql).get(...bound(parameters));
      return row && parse(row);
    });
  }

  /** Whether there is such a row. */
  has(sql: string, ...parameters: Parameters): boolean {
    return this.get(sql, () => true, ...parameters) ?? false;
  }

  /** The number `n` of the first row; 0 without one. */
  count(sql: string, ...parameters: Parameters): number {
    return this.get(sql, ({ n }) => Number(n), ...parameters) ?? 0;
  }

  all<T>(sql: string, parse: (row: Row) => T, ...parameters: Parameters): T[] {
    // In one go: an iteration takes half as long again.
    return this.#run(() =>
      this.#prepared(sql)
        .all(...bound(parameters))
        .map((row) => parse(row)),
    );
  }

  /** A change inside the running transaction; returns how many rows it changed. */
  run(sql: string, ...parameters: Parameters): number {
    return Number(this.#change(sql, parameters).changes);
  }

  /** The same, and the id of the row it inserted. */
  insert(sql: string, ...parameters: Parameters): number {
    return Number(this.#change(sql, parameters).lastInsertRowid);
  }

  /**
   * Makes a change as a whole or not at all; when this resolves it survives a loss of power. `work` runs at once when it
   * is its turn, and must be short and synchronous; an error that it throws undoes the change. Waiting for other
   * processes does not hold up this one.
   */
  async write<T>(work: () => T): Promise<T> {
    const { patienceMs = PATIENCE_MS } = this.options;
    const until = performance.now() + patienceMs;
    const made = new Promise<T>((resolve, reject) => {
      this.#waiting.push({ work, until, resolve, reject });
    });
    this.#turns ??= this.#takeTurns();
    const result = await made;
    this.#written.call();
    return result;
  }

  /** Opens the database again when another program has deleted or replaced one of its files. */
  reopenIfReplaced(): void {
    this.#assertOpen();
    // Inside a change it is too late: its reads and writes belong together.
    const { files } = this.options;
    if (!files || this.#isChanging || (this.#connection && files.areIntact())) return;
    this.#statements.clear();
    const before = this.#connection;
    this.#connection = undefined;
    // Closed first: connections of one process share their locks, and the old one may have lost them. The close carries a
    // deleted log home, unless another process has begun a new one and has it open.
    before?.close();
    this.#connection = files.open();
    this.#connection.exec(`PRAGMA busy_timeout = ${READ_PATIENCE_MS}`);
    this.#reopened.call();
  }

  /** Waits for the changes that were asked for, then closes. */
  async close(): Promise<void> {
    await this.#turns;
    if (this.#closed) return;
    this.#closed = true;
    this.options.files?.close();
    this.#connection?.close();
  }

  /**
   * Changes that wait at the same time reach the disk together, since a disk takes as long for one as for many. Between
   * them the event loop has turns of its own.
   */
  async #takeTurns(): Promise<void> {
    const { patienceMs = PATIENCE_MS } = this.options;
    await nextTurn();
    for (let first = this.#waiting[0]; first; first = this.#waiting[0]) {
      const until = Math.max(first.until, performance.now() + Math.min(patienceMs, LEAST_PATIENCE_MS));
      try {
        while (!this.#begin(performance.now() > until))
          await delay(RETRY_MS.least + Math.random() * RETRY_MS.most);
        await this.#makeAll(this.#waiting.splice(0, MOST_TOGETHER));
      } catch (error) {
        this.#waiting.shift()?.reject(error);
      }
      await nextTurn();
    }
    this.#turns = undefined;
  }

  async #makeAll(changes: readonly Waiting[]): Promise<void> {
    try {
      const ends = this.#committed(changes);
      await this.options.files?.sync?.();
      for (const end of ends) end();
    } catch (error) {
      const problem = this.#problem(error);
      for (const { reject } of changes) reject(problem);
    }
  }

  /**
   * From its begin to its commit this is one turn of the event loop: no read here sees half of it. Returns how each ends
   * once all of them are on the disk.
   */
  #committed(changes: readonly Waiting[]): (() => void)[] {
    try {
      const [first] = changes;
      // A savepoint keeps the pages that each statement changes: thousands of rows in one take ten times as long.
      const ends =
        first && changes.length === 1 ? [made(first)] : changes.map((change) => this.#make(change));
      this.#open.exec('COMMIT');
      return ends;
    } catch (error) {
      this.#rollBack();
      throw error;
    } finally {
      this.#isChanging = false;
    }
  }

  /** Makes one change as a whole or not at all; returns how it ends. */
  #make(change: Waiting): () => void {
    this.#open.exec('SAVEPOINT change');
    try {
      const end = made(change);
      this.#open.exec('RELEASE change');
      return end;
    } catch (error) {
      try {
        this.#open.exec('ROLLBACK TO change; RELEASE change');
      } catch {
        // A full disk has rolled everything back already.
        throw error;
      }
      const problem = this.#problem(error);
      return () => change.reject(problem);
    }
  }

  #rollBack(): void {
    try {
      this.#open.exec('ROLLBACK');
    } catch {
      // A full disk has rolled it back already.
    }
  }

  /** False: another process makes a change, and `isLast` does not say that this was the last try. */
  #begin(isLast: boolean): boolean {
    this.#assertOpen();
    try {
      this.reopenIfReplaced();
      this.#open.exec('PRAGMA busy_timeout = 0; BEGIN IMMEDIATE');
      this.#isChanging = true;
      return true;
    } catch (error) {
      if (!isBusy(error) || isLast) throw this.#problem(error);
      return false;
    } finally {
      // Also for the commit: in a rollback journal it waits for readers.
      this.#connection?.exec(`PRAGMA busy_timeout = ${READ_PATIENCE_MS}`);
    }
  }

  /** Only inside a change: writes of others must not come between its reads and its writes. */
  #change(sql: string, parameters: Parameters) {
    if (!this.#isChanging) throw new Error(`Not inside a change: ${sql}`);
    return this.#run(() => this.#prepared(sql).run(...bound(parameters)));
  }

  #run<T>(work: () => T): T {
    this.#assertOpen();
    try {
      return work();
    } catch (error) {
      throw this.#problem(error);
    }
  }

  #assertOpen(): void {
    if (this.#closed) throw this.#problem(new StoreProblem('closed', 'The store is closed.'));
  }

  get #open(): DatabaseSync {
    if (!this.#connection) throw new StoreProblem('replaced', 'The files of the database are gone.');
    return this.#connection;
  }

  #problem(error: unknown): unknown {
    return asProblem(error, this.options.folder);
  }

  #prepared(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (!statement) {
      statement = this.#open.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }
}

/** Returns how the change ends. */
function made({ work, resolve }: Waiting): () => void {
  const result = work() as never;
  return () => resolve(result);
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/**
 * Node 22 reads a text back only up to its first NUL: a reference `a\0b` would come back as `a`, which may be
 * another's. The NUL is replaced by Unicode's sign for a character that cannot be shown, which references do not use.
 */
function bound(parameters: Parameters): SQLInputValue[] {
  return parameters.map((value) => (typeof value === 'string' ? value.replaceAll('\0', '\ufffd') : value));
}
