import { HttpError, messageOf, notFound } from '../http/errors';
import type { Database } from '../store/database';

/** The body of an asynchronous run for a client: its facts and state, after it has ended also its outcome. */
interface JobBody {
  readonly status: string;
  readonly [fact: string]: unknown;
}

/** Asynchronous runs and their outcomes. */
export class JobStore {
  constructor(private readonly database: Database) {
    const interrupted = JSON.stringify(errorOf('The sandbox was stopped during this run.'));
    database.run(
      `UPDATE jobs SET body = json_set(body, '$.status', 'failed', '$.error', json(?))
       WHERE json_extract(body, '$.status') = 'running'`,
      interrupted,
    );
  }

  /** Stores an asynchronous run. `work` stores its outcome, together with its charge, unless it fails. */
  accept(runId: string, running: JobBody, work: () => Promise<unknown>): void {
    keepJob(this.database, runId, running);
    work().catch((error: unknown) => {
      // A run may end after the server was stopped; the next start finds it interrupted.
      if (!this.database.isOpen) return;
      keepJob(this.database, runId, {
        ...running,
        status: 'failed',
        error: errorOf(messageOf(error), error),
      });
    });
  }

  finish(runId: string, body: JobBody): void {
    keepJob(this.database, runId, body);
  }

  /** GET /api/runs/{id}: the address that an accepted run names. @throws {HttpError} 404 */
  get(runId: string): object {
    const row = this.database.get('SELECT body FROM jobs WHERE run_id = ?', runId);
    if (row === undefined) throw notFound('unknown_run', 'There is no such run.');
    return JSON.parse(String(row.body)) as object;
  }
}

function keepJob(database: Database, runId: string, body: object): void {
  database.run('INSERT OR REPLACE INTO jobs VALUES (?, ?)', runId, JSON.stringify(body));
}

const errorOf = (message: string, error?: unknown) => ({
  code: error instanceof HttpError ? error.code : 'run_failed',
  message,
});
