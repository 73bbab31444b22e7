import type { JobRun, PastRun } from '../domain/runRecord';
import type { Database, Row } from './database';
import { pastRuns } from './pastRuns';
import { touch } from './revisions';
import { costInRow, number, oneOf, optional, text } from './rows';

const states = ['finished', 'accepted', 'failed', 'unclear'] as const satisfies JobRun['state'][];

/**
 * Kept of each mode of each model at each service: twice the number that an estimate uses, as the newest may lack a
 * cost.
 */
const KEPT_OF_MODE = 40;

/** The last runs of jobs. */
export class StoredJobRuns {
  constructor(private readonly database: Database) {}

  get(id: string): JobRun | undefined {
    return this.database.get('SELECT * FROM job_run WHERE id = ?', jobRunOf, id);
  }

  /** Newest first. */
  list(): JobRun[] {
    return this.database.all('SELECT * FROM job_run ORDER BY started_at DESC, id', jobRunOf);
  }

  /** The run to which a service gave an identifier. */
  withRunId(baseUrl: string, runId: string): JobRun | undefined {
    return this.database.get(
      'SELECT * FROM job_run WHERE run_id = ? AND base_url = ? LIMIT 1',
      jobRunOf,
      ...[runId, baseUrl],
    );
  }

  /** How many of these runs went to which other services: at least, as the oldest are not kept. */
  elsewhere(baseUrl: string, firstItems: ReadonlySet<string>): Map<string, number> {
    const counts = new Map<string, number>();
    const others = this.database.all(
      'SELECT id, base_url FROM job_run WHERE base_url <> ?',
      (row) => ({ item: text(row, 'id').replace(/ \d+$/, ''), at: text(row, 'base_url') }),
      baseUrl,
    );
    for (const { item, at } of others) if (firstItems.has(item)) counts.set(at, (counts.get(at) ?? 0) + 1);
    return counts;
  }

  /** The facts that an estimate reads. */
  past(baseUrl: string, model: string, mode?: string): PastRun[] {
    return pastRuns(this.database, 'job_run', baseUrl, model, mode);
  }

  /** Adds, or replaces those of the same ids. */
  put(runs: readonly JobRun[]): Promise<void> {
    return this.database.write(() => {
      putJobRuns(this.database, runs);
      touch(this.database, 'jobRuns');
    });
  }
}

/** Inside a change. */
function putJobRuns(database: Database, runs: readonly JobRun[]): void {
  for (const { id, baseUrl, draft, items, startedAt, sentAt, finishedAt, state, runId, cost } of runs) {
    database.run(
      'INSERT OR REPLACE INTO job_run VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
      ...[id, baseUrl, draft.model, draft.mode, items],
      ...[startedAt, sentAt, finishedAt].map(Math.round),
      state,
      ...[runId ?? null, cost?.amount ?? null, cost?.currency ?? null],
    );
    const mode = [baseUrl, draft.model, draft.mode] as const;
    database.run(
      `DELETE FROM job_run WHERE base_url = ? AND model = ? AND mode = ? AND started_at < (SELECT started_at FROM job_run
       WHERE base_url = ? AND model = ? AND mode = ? ORDER BY started_at DESC LIMIT 1 OFFSET ${KEPT_OF_MODE - 1})`,
      ...mode,
      ...mode,
    );
  }
}

const readState = oneOf(states);

function jobRunOf(row: Row): JobRun {
  return {
    id: text(row, 'id'),
    baseUrl: text(row, 'base_url'),
    draft: { model: text(row, 'model'), mode: text(row, 'mode') },
    items: number(row, 'items'),
    startedAt: number(row, 'started_at'),
    sentAt: number(row, 'sent_at'),
    finishedAt: number(row, 'finished_at'),
    state: readState(row, 'state'),
    ...optional(row, 'run_id', text, 'runId'),
    ...optional(row, 'cost', costInRow),
  };
}
