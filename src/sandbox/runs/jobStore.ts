import { join } from 'node:path';
import { HttpError } from '../http/errors';
import { JsonLines } from '../store/jsonLines';

interface JobRow {
  readonly run_id: string;
  readonly body: object;
}

/** Asynchronous runs and their outcomes. */
export class JobStore {
  readonly #file: JsonLines<JobRow>;
  readonly #bodies = new Map<string, object>();

  constructor(dataDir: string) {
    this.#file = JsonLines.open(join(dataDir, 'jobs.jsonl'));
    for (const { run_id, body } of this.#file.rows) {
      // Interrupted when an earlier process ended.
      const lost = (body as { status?: unknown }).status === 'running';
      this.#bodies.set(
        run_id,
        lost ? { ...body, ...failure('The sandbox was stopped during this run.') } : body,
      );
    }
  }

  /** Stores an asynchronous run; `work` resolves with its final body. */
  accept(runId: string, running: object, work: () => Promise<object>): void {
    this.#set(runId, running);
    work().then(
      (body) => this.#set(runId, body),
      (error: unknown) =>
        this.#set(runId, {
          ...running,
          ...failure(error instanceof Error ? error.message : String(error), error),
        }),
    );
  }

  get(runId: string): object | undefined {
    return this.#bodies.get(runId);
  }

  close(): void {
    this.#file.close();
  }

  #set(runId: string, body: object): void {
    this.#file.append([{ run_id: runId, body }]);
    this.#bodies.set(runId, body);
  }
}

const failure = (message: string, error?: unknown) => ({
  status: 'failed',
  error: { code: error instanceof HttpError ? error.code : 'run_failed', message },
});
