import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { Listeners } from '../domain/listeners';
import type { ReadOnlyReason } from '../domain/storeProblem';
import type { LogSync } from './logSync';
import { asProblem, isBusy, StoreProblem } from './storeProblem';

/** By name, or by place where a row was asked for as a list. */
export type Column = string | number;
export type Row = Readonly<Record<Column, SQLOutputValue>>;
/** In the order of the question marks; Node 22 binds no numbered ones (`?1`). */
export type Parameters = readonly SQLInputValue[];

/**
 * Whether a change must survive the machine's loss of power when it has been made:
 * - `durable`: what money depends on, and what a user typed. Synced to the disk at the commit
 * - `eventual`: what can be had again for free (a reference of an upload, a file's time, a sign of life). It survives
 *   the death of the process; a loss of power may take the last of it, never a part of it
 *
 * docs/reliability.md lists which kind of change has which.
 */
export type Durability = 'durable' | 'eventual';

/** Of 4 kB. */
const CHECKPOINT_PAGES = 250;
/** How long a change waits for other processes' changes before it gives up. */
const PATIENCE_MS = 15_000;
/** Between two tries to begin a change while another process makes one. */
const RETRY_MS = { least: 1, most: 12 };
/** How long a read waits for another process that holds the whole file for a moment, as at its close. */
const READ_PATIENCE_MS = 1_000;

export interface DatabaseOptions {
  /** Where the database is, for the words of its problems. */
  readonly folder: string;
  readonly readOnly?: ReadOnlyReason;
  /** How long a change waits for those of other processes. */
  readonly patienceMs?: number;
  /**
   * Without a write-ahead log an unsynced change may damage the file when the power is lost, and a synced one can come
   * undone with its journal's name: then every change is synced, with the folder (SQLite's `synchronous = EXTRA`).
   */
  readonly syncsEverything?: boolean;
  /** Syncs durable changes off the thread; missing: their commits do it. */
  readonly log?: LogSync | undefined;
}

/** A connection with its prepared statements. Reads are synchronous; changes take turns with those of other processes. */
export class Database {
  readonly #statements = new Map<string, StatementSync>();
  #turn: Promise<unknown> = Promise.resolve();
  #synchronous: string | undefined;
  #closed = false;
  readonly #written = new Listeners();
  /** Calls back after each change that this connection made, and its sync; returns what ends that. */
  readonly onDidWrite = this.#written.add;

  constructor(
    private readonly connection: DatabaseSync,
    private readonly options: DatabaseOptions,
  ) {
    connection.exec(`PRAGMA busy_timeout = ${READ_PATIENCE_MS}`);
  }

  get readOnly(): ReadOnlyReason | undefined {
    return this.options.readOnly;
  }

  /** The first row, as `parse` reads it. */
  get<T>(sql: string, parse: (row: Row) => T, ...parameters: Parameters): T | undefined {
    return this.#run(() => {
      const row = this.#prepared(sql).get(...bound(parameters));
      return row && parse(row);
    });
  }

  all<T>(sql: string, parse: (row: Row) => T, ...parameters: Parameters): T[] {
    // In one go: an iteration takes half as long again.
    return this.#run(() =>
      this.#prepared(sql)
        .all(...bound(parameters))
        .map((row) => parse(row)),
    );
  }

  /** The same, but that `parse` gets the columns by their places: half the time where there are many rows. */
  lists<T>(sql: string, parse: (row: Row) => T, ...parameters: Parameters): T[] {
    return this.#run(() => {
      const statement = this.#prepared(sql);
      statement.setReturnArrays(true);
      try {
        return statement.all(...bound(parameters)).map((row) => parse(row));
      } finally {
        // The statement is kept, and others ask it for rows with names.
        statement.setReturnArrays(false);
      }
    });
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
   * Makes a change as a whole or not at all. `work` runs at once when it is its turn, and must be short and
   * synchronous; what it throws undoes the change. Waiting for other processes, or for the disk, does not hold up this
   * one. A durable change that cannot be synced is made all the same, and fails: what it says may be lost with the power.
   */
  async write<T>(durability: Durability, work: () => T): Promise<T> {
    const made = this.#turn.then(() => this.#write(durability, work));
    this.#turn = made.catch(() => undefined);
    const result = await made;
    try {
      if (durability === 'durable') await this.options.log?.synced();
    } catch (error) {
      throw this.#problem(error);
    } finally {
      this.#written.call();
    }
    return result;
  }

  /** After how many pages of the write-ahead log a commit brings it home; small steps, as each holds the thread. */
  checkpointAfter(pages = CHECKPOINT_PAGES): void {
    if (!this.#closed) this.connection.exec(`PRAGMA wal_autocheckpoint = ${pages}`);
  }

  /** Waits for the changes that were asked for, then closes. */
  async close(): Promise<void> {
    await this.#turn;
    if (this.#closed) return;
    this.#closed = true;
    await this.options.log?.close();
    this.#statements.clear();
    this.connection.close();
  }

  async #write<T>(durability: Durability, work: () => T): Promise<T> {
    const { readOnly: reason } = this.options;
    if (reason)
      throw this.#problem(new StoreProblem('readOnly', `Opened to read only: ${reason}.`, { reason }));
    const until = performance.now() + (this.options.patienceMs ?? PATIENCE_MS);
    // From its begin to its end a change is one turn of the event loop: no read here sees half of it.
    while (!this.#begin(durability, performance.now() > until))
      await delay(RETRY_MS.least + Math.random() * RETRY_MS.most);
    try {
      const result = work();
      this.connection.exec('COMMIT');
      return result;
    } catch (error) {
      // A full disk has rolled it back already.
      if (this.connection.isTransaction) this.connection.exec('ROLLBACK');
      throw this.#problem(error);
    }
  }

  /** False: another process makes a change, and `isLast` does not say that this was the last try. */
  #begin(durability: Durability, isLast: boolean): boolean {
    this.#assertOpen();
    try {
      const synchronous = this.#synchronousFor(durability);
      if (this.#synchronous !== synchronous) {
        this.connection.exec(`PRAGMA synchronous = ${synchronous}`);
        this.#synchronous = synchronous;
      }
      this.connection.exec('PRAGMA busy_timeout = 0; BEGIN IMMEDIATE');
      return true;
    } catch (error) {
      if (!isBusy(error) || isLast) throw this.#problem(error);
      return false;
    } finally {
      // Also for the commit: in a rollback journal it waits for readers.
      this.connection.exec(`PRAGMA busy_timeout = ${READ_PATIENCE_MS}`);
    }
  }

  #synchronousFor(durability: Durability): 'EXTRA' | 'FULL' | 'NORMAL' {
    if (this.options.syncsEverything) return 'EXTRA';
    return durability === 'durable' && !this.options.log ? 'FULL' : 'NORMAL';
  }

  /** Only inside a change: what others write must not come between what it reads and what it writes. */
  #change(sql: string, parameters: Parameters) {
    if (!this.connection.isTransaction) throw new Error(`Not inside a change: ${sql}`);
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

  #problem(error: unknown): unknown {
    return asProblem(error, this.options.folder);
  }

  #prepared(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (!statement) {
      statement = this.connection.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }
}

/**
 * Node 22 reads a text back only up to its first NUL: a reference `a\0b` would come back as `a`, which may be
 * another's. In place of the NUL stands what Unicode has for a character that cannot be shown; nobody has that one.
 */
function bound(parameters: Parameters): SQLInputValue[] {
  return parameters.map((value) => (typeof value === 'string' ? value.replaceAll('\0', '\ufffd') : value));
}
