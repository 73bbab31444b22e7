import { randomUUID } from 'node:crypto';
import { type Dataset, datasetKey } from '../domain/dataset';
import type { Money } from '../domain/money';
import { inSteps } from './chunks';
import type { Database } from './database';
import type { Datasets } from './datasets';
import {
  costOf,
  headOf,
  insertJob,
  insertJobItem,
  itemOfJob,
  type JobHead,
  type JobItem,
  type JobItemState,
  jobItemOf,
  type PlannedItem,
  stateOf,
} from './jobRows';
import type { Leases } from './owners';
import { recordItems } from './recordItems';
import { touch } from './revisions';
import { number, text } from './rows';
import { type RequestOutcome, settle } from './settleRequest';
import { resultCode, StoreProblem } from './storeProblem';

const STEP = 500;
/** Items that are looked up one by one in a step. */
const SMALL_STEP = 200;

const isWaiting = ({ state }: JobItem) => state === 'planned' || state === 'uploaded';

/** The lease under which a job sends: one for a dataset, so that two jobs of it take turns. */
export const leaseOf = (dataset: Dataset): string => `dataset ${datasetKey(dataset)}`;

/** Jobs, their items and their requests. */
export class Jobs {
  constructor(
    private readonly database: Database,
    private readonly leases: Leases,
    private readonly datasets: Pick<Datasets, 'find'>,
  ) {}

  /** Writes a job with its plan; it is on the disk when this resolves. */
  async plan(job: Omit<JobHead, 'id' | 'at'>, items: readonly PlannedItem[]): Promise<JobHead> {
    const head: JobHead = { ...job, id: randomUUID(), at: Date.now() };
    await this.database.write('eventual', () => insertJob(this.database, head));
    for (let at = 0; at < items.length; at += STEP) {
      await this.database.write('eventual', () => {
        for (const [n, item] of items.slice(at, at + STEP).entries())
          insertJobItem(this.database, head.id, { ...item, index: at + n, state: 'planned' });
      });
    }
    await this.database.write('durable', () => {
      this.database.run('UPDATE job SET planned = 1 WHERE id = ?', head.id);
      touch(this.database, 'jobs');
    });
    return head;
  }

  /** Jobs that are not over. */
  list(): JobHead[] {
    return this.database.all('SELECT * FROM job WHERE planned = 1 ORDER BY at, id', headOf);
  }

  get(job: string): JobHead | undefined {
    return this.database.get('SELECT * FROM job WHERE id = ? AND planned = 1', headOf, job);
  }

  /** Items by their place in the plan, from `from` on. */
  items(job: string, from: number, limit: number): JobItem[] {
    return this.database.all(
      'SELECT * FROM job_item WHERE job = ? AND n >= ? ORDER BY n LIMIT ?',
      jobItemOf,
      job,
      from,
      limit,
    );
  }

  counts(job: string): Readonly<Partial<Record<JobItemState, number>>> {
    const rows = this.database.all(
      'SELECT state, count(*) AS items FROM job_item WHERE job = ? GROUP BY state',
      (row) => [stateOf(row, 'state'), number(row, 'items')] as const,
      job,
    );
    return Object.fromEntries(rows);
  }

  costs(job: string): Money[] {
    return this.database.all(
      'SELECT cost, currency FROM request WHERE job = ? AND cost IS NOT NULL ORDER BY n',
      costOf,
      job,
    );
  }

  /** An upload can be had again for nothing. */
  uploaded(
    job: string,
    item: number,
    taken: Pick<JobItem, 'sha256' | 'sizeBytes' | 'modifiedMs' | 'mediaRef'>,
  ): Promise<void> {
    return this.database.write('eventual', () => {
      this.database.run(
        `UPDATE job_item SET state = 'uploaded', sha256 = ?, size_bytes = ?, modified_ms = ?, media_ref = ?
         WHERE job = ? AND n = ? AND state IN ('planned', 'uploaded')`,
        taken.sha256 ?? null,
        taken.sizeBytes,
        taken.modifiedMs,
        taken.mediaRef ?? null,
        job,
        item,
      );
    });
  }

  /**
   * Marks items as sent, before the first byte of their request leaves; resolves to the request's number. Rejects
   * with `notOwner` when another window works on the dataset by now, and with `inFlight` when one of the items stands
   * in a request without an outcome: then nothing may be sent.
   */
  sent(job: JobHead, items: readonly number[]): Promise<number> {
    return this.database.write('durable', () => {
      this.leases.assertHeld(leaseOf(job));
      const request = this.database.get(
        'UPDATE job SET next_request = next_request + 1 WHERE id = ? RETURNING next_request - 1 AS n',
        (row) => number(row, 'n'),
        job.id,
      );
      if (request === undefined) throw new StoreProblem('notOwner', `The job ${job.id} is over.`);
      this.database.run(
        'INSERT INTO request (job, n, sent_at) VALUES (?, ?, ?)',
        job.id,
        request,
        Date.now(),
      );
      for (const item of items) this.#fly(job, item, request);
      return request;
    });
  }

  /**
   * Records what became of a request, of its items, and so of the dataset's: one change. Also when the lease was lost
   * meanwhile and another window has called the items unknown, as what the service says is better knowledge.
   */
  answered(job: JobHead, request: number, told: RequestOutcome): Promise<void> {
    return this.database.write('durable', () => {
      settle(this.database, job, request, told, Date.now());
      touch(this.database, 'datasets');
    });
  }

  /** An item that is over without a request. */
  left(job: JobHead, item: number, outcome: 'failed' | 'skipped', reason?: string): Promise<void> {
    return this.database.write('durable', () => {
      const items = this.database.all(
        'UPDATE job_item SET state = ?, reason = ?, at = ? WHERE job = ? AND n = ? RETURNING *',
        jobItemOf,
        ...[outcome, reason ?? null, Date.now(), job.id, item],
      );
      if (outcome === 'failed')
        recordItems(
          this.database,
          items.map((left) => itemOfJob(job, left)),
        );
      touch(this.database, 'datasets');
    });
  }

  /**
   * Takes over a dataset's lease for a job whose window is gone, or for a new one; false when another window works on
   * it. What is in flight in any job of the dataset has nobody left who waits for it: unknown, for the given reason.
   */
  async takeOver(job: JobHead, reason: string): Promise<boolean> {
    if (!(await this.leases.take(leaseOf(job)))) return false;
    await this.database.write('durable', () => {
      this.leases.assertHeld(leaseOf(job));
      const lost = this.database.all(
        'SELECT DISTINCT job, request FROM in_flight WHERE base_url = ? AND model = ? AND scope = ?',
        (row) => ({ job: text(row, 'job'), request: number(row, 'request') }),
        job.baseUrl,
        job.model,
        job.scope,
      );
      for (const { job: of, request } of lost)
        settle(this.database, { ...job, id: of }, request, { outcome: 'unknown', reason }, Date.now());
      touch(this.database, 'datasets');
    });
    return true;
  }

  /** Leaves out what another window has indexed, or sent, since the job was planned, as it is now. */
  async skipKnown(job: JobHead): Promise<void> {
    for (let from = 0; ; from += SMALL_STEP) {
      const items = this.items(job.id, from, SMALL_STEP);
      if (items.length === 0) return;
      const known = items.filter((item) => isWaiting(item) && this.#isKnown(job, item));
      if (known.length > 0)
        await this.database.write('durable', () => {
          for (const { index } of known)
            this.database.run("UPDATE job_item SET state = 'skipped' WHERE job = ? AND n = ?", job.id, index);
        });
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  #isKnown(job: JobHead, item: JobItem): boolean {
    const known = this.datasets.find(job, item.imageId);
    const isDone = known?.outcome === 'indexed' || (known?.outcome === 'unknown' && known.at > job.at);
    return (
      isDone &&
      known.file === item.uri &&
      known.sizeBytes === item.sizeBytes &&
      known.modifiedMs === item.modifiedMs
    );
  }

  /** Removes a job that is over; what became of its items stands in the dataset. */
  async end(job: JobHead): Promise<void> {
    await this.database.write('durable', () => {
      const waits = this.database.get(
        'SELECT 1 AS yes FROM in_flight WHERE job = ? LIMIT 1',
        () => true,
        job.id,
      );
      if (waits) throw new StoreProblem('inFlight', `The job ${job.id} has requests without an outcome.`);
      this.database.run('UPDATE job SET planned = 0 WHERE id = ?', job.id);
      touch(this.database, 'jobs');
    });
    await this.#remove(job.id);
  }

  /** Removes what is left of jobs that ended, or that were cut short while they were planned a day or more ago. */
  async sweep(): Promise<void> {
    const over = this.database.all(
      'SELECT id FROM job WHERE planned = 0 AND at < ?',
      (row) => text(row, 'id'),
      Date.now() - 86_400_000,
    );
    for (const job of over) await this.#remove(job);
  }

  async #remove(job: string): Promise<void> {
    await inSteps(this.database, STEP, (limit) =>
      this.database.run(
        'DELETE FROM job_item WHERE job = ? AND n IN (SELECT n FROM job_item WHERE job = ? LIMIT ?)',
        job,
        job,
        limit,
      ),
    );
    await inSteps(this.database, STEP, (limit) =>
      this.database.run(
        'DELETE FROM request WHERE job = ? AND n IN (SELECT n FROM request WHERE job = ? LIMIT ?)',
        job,
        job,
        limit,
      ),
    );
    await this.database.write('eventual', () => this.database.run('DELETE FROM job WHERE id = ?', job));
  }

  #fly(job: JobHead, item: number, request: number): void {
    try {
      const flown = this.database.run(
        `INSERT INTO in_flight SELECT ?, ?, ?, image_id, job, n, ? FROM job_item WHERE job = ? AND n = ?
         AND state IN ('planned', 'uploaded')`,
        job.baseUrl,
        job.model,
        job.scope,
        request,
        job.id,
        item,
      );
      if (flown === 0)
        throw new StoreProblem('inFlight', `Item ${item} of ${job.id} does not wait to be sent.`);
    } catch (error) {
      if (((resultCode(error) ?? 0) & 0xff) !== 19) throw error;
      throw new StoreProblem('inFlight', `Item ${item} of ${job.id} is in flight.`, { cause: error });
    }
    this.database.run(
      `UPDATE job_item SET state = 'inFlight', request = ? WHERE job = ? AND n = ?`,
      request,
      job.id,
      item,
    );
  }
}
