import { createHash } from 'node:crypto';
import { addAmounts } from '../domain/amounts';
import type { Money } from '../domain/money';
import type { Database, Row } from './database';
import { touch } from './revisions';
import { number, oneOf, optional, text } from './rows';

/** What one reference of an upload is found by. The kind of media counts: a service may treat one content in two ways. */
export interface UploadKey {
  readonly baseUrl: string;
  readonly sha256: string;
  readonly mediaType: string;
}

/** References of earlier uploads: the same content at the same service keeps its reference while it works. */
export class Uploads {
  constructor(private readonly database: Database) {}

  find({ baseUrl, sha256, mediaType }: UploadKey): string | undefined {
    return this.database.get(
      'SELECT media_ref FROM upload WHERE base_url = ? AND sha256 = ? AND media_type = ?',
      (row) => text(row, 'media_ref'),
      ...[baseUrl, sha256, mediaType],
    );
  }

  async remember({ baseUrl, sha256, mediaType }: UploadKey, mediaRef: string): Promise<void> {
    await this.database.write('eventual', () =>
      this.database.run(
        'INSERT OR REPLACE INTO upload VALUES (?, ?, ?, ?, ?)',
        ...[baseUrl, sha256, mediaType, mediaRef, Date.now()],
      ),
    );
  }

  /** The reference does not work any more: the content is uploaded anew next time. */
  async forget({ baseUrl, sha256, mediaType }: UploadKey): Promise<void> {
    await this.database.write('eventual', () =>
      this.database.run(
        'DELETE FROM upload WHERE base_url = ? AND sha256 = ? AND media_type = ?',
        ...[baseUrl, sha256, mediaType],
      ),
    );
  }
}

/** What was spent in a workspace at a service: windows add to one sum. */
export class SpendingTable {
  constructor(private readonly database: Database) {}

  of(workspace: string, baseUrl: string): string {
    return (
      this.database.get(
        'SELECT spent FROM spending WHERE workspace = ? AND base_url = ?',
        (row) => text(row, 'spent'),
        ...[workspace, baseUrl],
      ) ?? '0'
    );
  }

  /** Adds a canonical amount, or takes one away that begins with a minus; resolves to the sum. */
  add(workspace: string, baseUrl: string, amount: string): Promise<string> {
    return this.#set(workspace, baseUrl, (before) => addAmounts(before, amount));
  }

  reset(workspace: string, baseUrl: string): Promise<string> {
    return this.#set(workspace, baseUrl, () => '0');
  }

  #set(workspace: string, baseUrl: string, change: (before: string) => string): Promise<string> {
    return this.database.write('durable', () => {
      const spent = change(this.of(workspace, baseUrl));
      this.database.run(
        'INSERT OR REPLACE INTO spending VALUES (?, ?, ?, ?)',
        ...[workspace, baseUrl, spent, Date.now()],
      );
      touch(this.database, 'spending');
      return spent;
    });
  }
}

/** When the key of an environment was last entered or cleared on this machine; nothing of the key itself. */
export class KeyChanges {
  constructor(private readonly database: Database) {}

  /** Milliseconds since the epoch; 0 when nothing is known. */
  lastOf(environment: string): number {
    return (
      this.database.get(
        'SELECT at FROM key_change WHERE environment = ?',
        (row) => number(row, 'at'),
        hashOf(environment),
      ) ?? 0
    );
  }

  /** Notes a change, later than every one before; resolves to its time. */
  note(environment: string): Promise<number> {
    return this.database.write('durable', () => {
      const at = Math.max(Date.now(), this.lastOf(environment) + 1);
      this.database.run('INSERT OR REPLACE INTO key_change VALUES (?, ?)', hashOf(environment), at);
      touch(this.database, 'keys');
      return at;
    });
  }
}

function hashOf(environment: string): string {
  return createHash('sha256').update(environment).digest('hex').slice(0, 32);
}

const jobRunStates = ['finished', 'accepted', 'failed'] as const;

/** What is kept of an answered run of a job: what an estimate and a receipt need. */
export interface JobRun {
  readonly id: string;
  readonly baseUrl: string;
  readonly draft: { readonly model: string; readonly mode: string };
  /** Media of the run: a larger batch costs more. */
  readonly items: number;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly sentAt: number;
  readonly finishedAt: number;
  readonly state: (typeof jobRunStates)[number];
  readonly runId?: string;
  readonly cost?: Money;
}

/** Kept of each mode of each model at each service: twice what an estimate looks at. */
const KEPT_OF_MODE = 40;

/** The last runs of jobs. */
export class JobRuns {
  constructor(private readonly database: Database) {}

  /** Newest first. */
  list(): JobRun[] {
    return this.database.all('SELECT * FROM job_run ORDER BY started_at DESC, id', jobRunOf);
  }

  /** Adds, or replaces those of the same ids. A loss of power costs an estimate its last examples, and no money. */
  put(runs: readonly JobRun[]): Promise<void> {
    return this.database.write('eventual', () => {
      putJobRuns(this.database, runs);
      touch(this.database, 'jobRuns');
    });
  }
}

/** Inside a change. */
export function putJobRuns(database: Database, runs: readonly JobRun[]): void {
  for (const { id, baseUrl, draft, items, startedAt, sentAt, finishedAt, state, runId, cost } of runs) {
    database.run(
      'INSERT OR REPLACE INTO job_run VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
      ...[
        id,
        baseUrl,
        draft.model,
        draft.mode,
        items,
        ...[startedAt, sentAt, finishedAt].map(Math.round),
        state,
      ],
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

const jobRunState = oneOf(jobRunStates);

function jobRunOf(row: Row): JobRun {
  return {
    id: text(row, 'id'),
    baseUrl: text(row, 'base_url'),
    draft: { model: text(row, 'model'), mode: text(row, 'mode') },
    items: number(row, 'items'),
    startedAt: number(row, 'started_at'),
    sentAt: number(row, 'sent_at'),
    finishedAt: number(row, 'finished_at'),
    state: jobRunState(row, 'state'),
    ...(row.run_id !== null && { runId: text(row, 'run_id') }),
    ...(row.cost !== null && { cost: { amount: text(row, 'cost'), ...optional(row, 'currency', text) } }),
  };
}
