import type { RunRecord } from '../domain/runRecord';
import type { Database } from './database';
import type { Owners } from './owners';
import { putRun } from './putRun';
import { RUN_COLUMNS, RUN_TABLES, runOf } from './runRecord';

/** Marks runs of windows that are gone as unknown, and says so in `message`. Resolves to how many there were. */
export async function settleLeftRuns(database: Database, owners: Owners, message: string): Promise<number> {
  const left = leftRuns(database, owners);
  if (left.length === 0) return 0;
  return database.write(() => {
    let settled = 0;
    for (const { id } of left) {
      const now = database.get(`SELECT ${RUN_COLUMNS} FROM ${RUN_TABLES} WHERE r.id = ?`, runOf, id);
      if (now?.state !== 'running') continue;
      putRun(database, { ...now, state: 'unknown', message }, null);
      settled++;
    }
    return settled;
  });
}

/** Runs of windows that are gone, which say that they are under way. Those of early versions have no owner. */
function leftRuns(database: Database, owners: Owners): RunRecord[] {
  const all = database.all(
    "SELECT DISTINCT owner FROM run WHERE state = 'running'",
    (row) => row.owner as string | null,
  );
  const gone = all.filter((owner) => owner === null || owners.isGone(owner));
  return gone.flatMap((owner) =>
    database.all(
      `SELECT ${RUN_COLUMNS} FROM ${RUN_TABLES} WHERE r.state = 'running' AND r.owner IS ?`,
      runOf,
      owner,
    ),
  );
}
