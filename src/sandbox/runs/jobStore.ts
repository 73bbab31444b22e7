import { join } from 'node:path';
import { HttpError, messageOf, notFound } from '../http/errors';
import { JsonLines } from '../store/jsonLines';

interface JobRow {
  readonly run_id: string;
  readonly body: { readonly status: string; readonly [fact: string]: unknown };
}

/** Asynchronous runs and their outcomes. */
export class JobStore {
  readonly #file: JsonLines<JobRow>;
  readonly #bodies = new Map<string, object>();

  constructor(dataDir: string) {
    this.#file = new JsonLines(join(dataDir, 'jobs.jsonl'));
    for (const { run_id, body } of this.#file.rows) {
      const interrupted = body.status === 'running'; // when an earlier process ended
      this.#bodies.set(run_id, interrupted ? failed(body, 'The sandbox was stopped during this run.') : body);
    }
  }

  /** Stores an asynchronous run; `work` resolves with its final body. */
  accept(runId: string, running: JobRow['body'], work: () => Promise<JobRow['body']>): void {
    this.#set(runId, running);
    work().then(
      (body) => this.#set(runId, body),
      (error: unknown) => this.#set(runId, failed(running, messageOf(error), error)),
    );
  }

  /** GET /api/runs/{id}: the address that an accepted run names. @throws {HttpError} 404 */
  get(runId: string): object {
    const body = this.#bodies.get(runId);
    if (body === undefined) throw notFound('unknown_run', 'There is no such run.');
    return body;
  }

  close(): void {
    this.#file.close();
  }

  #set(runId: string, body: JobRow['body']): void {
    this.#file.append([{ run_id: runId, body }]);
    this.#bodies.set(runId, body);
  }
}

const failed = (running: JobRow['body'], message: string, error?: unknown) => ({
  ...running,
  status: 'failed',
  error: { code: error instanceof HttpError ? error.code : 'run_failed', message },
});
