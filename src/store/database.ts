import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import type { ReadOnlyReason } from '../domain/storeProblem';
import { asProblem, isBusy, StoreProblem } from './storeProblem';

export type Row = Readonly<Record<string, SQLOutputValue>>;
/** In the order of the question marks; Node 22 binds no numbered ones (`?1`). */
export type Parameters = readonly SQLInputValue[];

/**
 * Whether a change must survive the machine's loss of power when it has been made:
 * - `durable`: what money depends on, and what a user typed. Synced to the disk at the commit
 * - `eventual`: what can be had again for free (a reference of an upload, a file's time, a sign of life). It survives
 *   the death of the process; a loss of power may take the last of it, never a part of it
 */
export type Durability = 'durable' | 'eventual';

/** How long a change waits for other processes' changes before it gives up. */
const PATIENCE_MS = 15_000;
/** Between two tries to begin a change while another process makes one. */
const RETRY_MS = { least: 1, most: 12 };
/** How long a read waits for another process that holds the whole file for a moment, as at its close. */
const READ_PATIENCE_MS = 1_000;

export interface DatabaseOptions {
  readonly readOnly?: ReadOnlyReason;
  /** How long a change waits for those of other processes. */
  readonly patienceMs?: number;
}

/** A connection with its prepared statements. Reads are synchronous; changes take turns with those of other processes. */
export class Database {
  readonly #statements = new Map<string, StatementSync>();
  #turn: Promise<unknown> = Promise.resolve();
  #synchronous: Durability | undefined;
  #closed = false;
  /** Called after each change that this connection made. */
  onWritten: () => void = () => undefined;

  constructor(
    private readonly connection: DatabaseSync,
    private readonly options: DatabaseOptions = {},
  ) {
    connection.exec(`PRAGMA busy_timeout = ${READ_PATIENCE_MS}`);
  }

  get readOnly(): ReadOnlyReason | undefined {
    return this.options.readOnly;
  }

  /** The first row, as `parse` reads it. */
  get<T>(sql: string, parse: (row: Row) => T, ...parameters: Parameters): T | undefined {
    return this.#run(() => {
      const row = this.#prepared(sql).get(...parameters);
      return row && parse(row);
    });
  }

  all<T>(sql: string, parse: (row: Row) => T, ...parameters: Parameters): T[] {
    return this.#run(() => {
      const rows: T[] = [];
      for (const row of this.#prepared(sql).iterate(...parameters)) rows.push(parse(row));
      return rows;
    });
  }

  /** A change inside the running transaction; returns how many rows it changed. */
  run(sql: string, ...parameters: Parameters): number {
    return Number(this.#run(() => this.#prepared(sql).run(...parameters)).changes);
  }

  /** The same, and the id of the row it inserted. */
  insert(sql: string, ...parameters: Parameters): number {
    return Number(this.#run(() => this.#prepared(sql).run(...parameters)).lastInsertRowid);
  }

  /**
   * Makes a change as a whole or not at all. `work` runs at once when it is its turn, and must be short and
   * synchronous; what it throws undoes the change. Waiting for other processes does not hold up this one.
   */
  write<T>(durability: Durability, work: () => T): Promise<T> {
    const made = this.#turn.then(() => this.#write(durability, work));
    this.#turn = made.catch(() => undefined);
    return made;
  }

  /** Waits for the changes that were asked for, then closes. */
  async close(): Promise<void> {
    await this.#turn;
    if (this.#closed) return;
    this.#closed = true;
    this.#statements.clear();
    this.connection.close();
  }

  async #write<T>(durability: Durability, work: () => T): Promise<T> {
    if (this.options.readOnly)
      throw new StoreProblem('readOnly', `Opened to read only: ${this.options.readOnly}.`);
    const until = performance.now() + (this.options.patienceMs ?? PATIENCE_MS);
    // From its begin to its end a change is one turn of the event loop: no read here sees half of it.
    while (!this.#begin(durability, performance.now() > until))
      await delay(RETRY_MS.least + Math.random() * RETRY_MS.most);
    try {
      const result = work();
      this.connection.exec('COMMIT');
      this.onWritten();
      return result;
    } catch (error) {
      // A full disk has rolled it back already.
      if (this.connection.isTransaction) this.connection.exec('ROLLBACK');
      throw asProblem(error);
    }
  }

  /** False: another process makes a change, and `isLast` does not say that this was the last try. */
  #begin(durability: Durability, isLast: boolean): boolean {
    if (this.#closed) throw new StoreProblem('io', 'The store is closed.');
    try {
      if (this.#synchronous !== durability) {
        this.connection.exec(`PRAGMA synchronous = ${durability === 'durable' ? 'FULL' : 'NORMAL'}`);
        this.#synchronous = durability;
      }
      this.connection.exec('PRAGMA busy_timeout = 0; BEGIN IMMEDIATE');
      return true;
    } catch (error) {
      if (!isBusy(error) || isLast) throw asProblem(error);
      return false;
    } finally {
      // Also for the commit: in a rollback journal it waits for readers.
      this.connection.exec(`PRAGMA busy_timeout = ${READ_PATIENCE_MS}`);
    }
  }

  #run<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw asProblem(error);
    }
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
