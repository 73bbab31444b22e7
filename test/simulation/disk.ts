import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { Database } from '../../src/store/database';
import { sqlite } from '../../src/store/open';
import { SCHEMA } from '../../src/store/schema';
import { Dead, type SimProcess } from './world';

const BUSY = 5;
const FULL = 13;

/** The fate of the next change of a process, decided when it begins. */
export type ChangeFate = 'made' | 'diskFull' | 'busy' | 'deathBefore' | 'deathIn' | 'deathAfter';

/** The real database, in memory, which every process sees through a connection of its own. */
export class Disk {
  readonly #connection: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  #commits = 0;

  constructor() {
    this.#connection = new (sqlite().DatabaseSync)(':memory:');
    this.#connection.exec(SCHEMA);
  }

  close(): void {
    this.#statements.clear();
    this.#connection.close();
  }

  /** The content of the disk, for the judge. */
  rows(sql: string, ...values: readonly (string | number)[]): Record<string, unknown>[] {
    return this.#prepared(sql).all(...values) as Record<string, unknown>[];
  }

  /** The database of a process. `fateOf` is asked at the beginning of each change. */
  openedBy(process: SimProcess, fateOf: () => ChangeFate, onCommitted: () => void): Database {
    const connection = this.#connectionOf(process, fateOf, onCommitted);
    return new Database(connection as unknown as DatabaseSync, { folder: 'simulated' });
  }

  #connectionOf(process: SimProcess, fateOf: () => ChangeFate, onCommitted: () => void) {
    let fate: ChangeFate = 'made';
    let own = 0;
    const isTransaction = () => this.#connection.isTransaction;
    const assertAlive = () => {
      if (!process.isAlive) throw new Dead();
    };
    const die = (when: string): never => {
      if (this.#connection.isTransaction) this.#connection.exec('ROLLBACK');
      process.world.mark(`killed ${when} a change`);
      process.die(`is killed ${when} a change of the store`);
      throw new Dead();
    };
    const begin = () => {
      fate = process.isFrozen ? 'busy' : fateOf();
      if (fate === 'busy') throw sqliteError('database is locked', BUSY);
      if (fate === 'deathBefore') die('before');
      this.#connection.exec('BEGIN IMMEDIATE');
    };
    const commit = () => {
      if (fate === 'diskFull') {
        this.#connection.exec('ROLLBACK');
        throw sqliteError('database or disk is full', FULL);
      }
      this.#connection.exec('COMMIT');
      this.#commits++;
      own++;
      onCommitted();
      if (fate === 'deathAfter') die('right after');
    };
    // In the connection itself, only the commits of others change it.
    const dataVersion = () => ({ data_version: this.#commits - own });
    return {
      exec: (sql: string) => {
        assertAlive();
        if (sql.endsWith('BEGIN IMMEDIATE')) begin();
        else if (sql === 'COMMIT') commit();
        else if (!sql.startsWith('PRAGMA')) this.#connection.exec(sql);
      },
      prepare: (sql: string) => {
        assertAlive();
        if (sql === 'PRAGMA data_version') return { get: dataVersion };
        const statement = this.#prepared(sql);
        return {
          // Each text has a statement of its own, which is asked for in one way.
          setReturnArrays: (isWanted: boolean) => statement.setReturnArrays(isWanted),
          get: (...values: never[]) => {
            assertAlive();
            return statement.get(...values);
          },
          all: (...values: never[]) => {
            assertAlive();
            return statement.all(...values);
          },
          run: (...values: never[]) => {
            assertAlive();
            if (fate === 'deathIn') die('in the midst of');
            return statement.run(...values);
          },
        };
      },
      get isTransaction() {
        return process.isAlive && isTransaction();
      },
      close: () => undefined,
    };
  }

  #prepared(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (!statement) {
      statement = this.#connection.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }
}

function sqliteError(message: string, errcode: number): Error {
  return Object.assign(new Error(message), { code: 'ERR_SQLITE_ERROR', errcode });
}
