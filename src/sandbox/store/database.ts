import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite';
import { asDataProblem } from './dataProblem';

export type Row = Readonly<Record<string, SQLOutputValue>>;
type Parameters = readonly SQLInputValue[];

/** A connection with its prepared statements. All calls are synchronous; failures of the data are `DataProblem`s. */
export class Database {
  readonly #statements = new Map<string, StatementSync>();
  readonly #connection: DatabaseSync;
  /** Called after a transaction was undone, by who keeps rows in memory. */
  onUndone: () => void = () => undefined;

  constructor(connection: DatabaseSync) {
    this.#connection = connection;
  }

  get isOpen(): boolean {
    return this.#connection.isOpen;
  }

  get(sql: string, ...parameters: Parameters): Row | undefined {
    return this.#run(sql, (statement) => statement.get(...parameters));
  }

  all(sql: string, ...parameters: Parameters): Row[] {
    return this.#run(sql, (statement) => statement.all(...parameters));
  }

  /** Row by row, for results that should not be in memory twice. */
  each(sql: string, visit: (row: Row) => void, ...parameters: Parameters): void {
    this.#run(sql, (statement) => {
      for (const row of statement.iterate(...parameters)) visit(row);
    });
  }

  /** Makes a change; returns the id of the row that it inserted. */
  run(sql: string, ...parameters: Parameters): number {
    return this.#run(sql, (statement) => Number(statement.run(...parameters).lastInsertRowid));
  }

  /** Makes all changes of `work`, which is synchronous, or none of them. */
  transaction<T>(work: () => T): T {
    this.#run('BEGIN IMMEDIATE', (statement) => statement.run());
    try {
      const result = work();
      this.#run('COMMIT', (statement) => statement.run());
      return result;
    } catch (error) {
      // A full disk has undone it already. `DatabaseSync.isTransaction` is missing in Node.js 22.13.
      try {
        this.#connection.exec('ROLLBACK');
      } catch {}
      this.onUndone();
      throw error;
    }
  }

  close(): void {
    if (!this.isOpen) return;
    this.#statements.clear();
    this.#connection.close();
  }

  #run<T>(sql: string, work: (statement: StatementSync) => T): T {
    try {
      let statement = this.#statements.get(sql);
      if (statement === undefined) {
        statement = this.#connection.prepare(sql);
        this.#statements.set(sql, statement);
      }
      return work(statement);
    } catch (error) {
      throw asDataProblem(error);
    }
  }
}
