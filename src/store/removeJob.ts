import { inSteps } from './chunks';
import type { Database } from './database';
import { text } from './rows';

const STEP = 500;
const DAY_MS = 86_400_000;

/** Removes a job that has ended, in steps. */
export async function removeJob(database: Database, job: string): Promise<void> {
  for (const table of ['job_item', 'request'])
    await inSteps(database, STEP, (limit) =>
      database.run(
        `DELETE FROM ${table} WHERE job = ? AND n IN (SELECT n FROM ${table} WHERE job = ? LIMIT ?)`,
        ...[job, job, limit],
      ),
    );
  await database.write(() => database.run('DELETE FROM job WHERE id = ?', job));
}

/** Removes remains of jobs that ended, or that were cut short while they were planned a day or more ago. */
export async function sweepJobs(database: Database): Promise<void> {
  const over = database.all(
    'SELECT id FROM job WHERE planned = 0 AND at < ?',
    (row) => text(row, 'id'),
    Date.now() - DAY_MS,
  );
  for (const job of over) await removeJob(database, job);
}
