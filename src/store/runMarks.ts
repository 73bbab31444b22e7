import type { Database } from './database';
import { indexRun } from './putRun';
import { touch } from './revisions';
import { number } from './rows';
import { RUN_COLUMNS, RUN_TABLES, runOf } from './runRecord';

/** The user's notes on a run of the history; a missing member stays unchanged. */
export interface RunMark {
  readonly pinned?: boolean;
  /** Empty: the name is removed. */
  readonly name?: string;
}

/** Marks a run; a run that was deleted meanwhile stays deleted. `durable`: a user typed it. */
export function markRun(database: Database, id: string, { pinned, name }: RunMark): Promise<void> {
  return database.write(() => {
    const n = database.get('SELECT n FROM run WHERE id = ?', (row) => number(row, 'n'), id);
    if (n === undefined) return;
    database.run('INSERT OR IGNORE INTO run_mark (run) VALUES (?)', n);
    if (pinned !== undefined) database.run('UPDATE run_mark SET pinned = ? WHERE run = ?', Number(pinned), n);
    if (name !== undefined) {
      database.run('UPDATE run_mark SET name = ? WHERE run = ?', name === '' ? null : name, n);
      const record = database.get(`SELECT ${RUN_COLUMNS} FROM ${RUN_TABLES} WHERE r.n = ?`, runOf, n);
      if (record) indexRun(database, n, record);
    }
    touch(database, 'runs');
  });
}
