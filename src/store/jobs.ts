import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { jsonObject } from '../domain/json';
import type { Money } from '../domain/money';
import type { Database, Row } from './database';
import type { ItemState, JobHead, JobItem, JobKind, JobOutcomes } from './jobKind';
import {
  bodyOf,
  insertJob,
  insertJobItem,
  jobItemOf,
  readHead,
  readItemState,
  unpricedRequests,
} from './jobRows';
import type { Leases } from './owners';
import { keepPastJob } from './pastJobs';
import { removeJob } from './removeJob';
import { touch } from './revisions';
import { costInRow, json, number, optional, text } from './rows';
import { type KeptResponse, type RequestOutcome, type Settled, settle } from './settleRequest';
import { resultCode, StoreProblem } from './storeProblem';

const STEP = 500;
/** A longer response that is not understood is not kept, and of those that are only the last ones. */
const MOST_KEPT_BYTES = 64 * 1024;
const MOST_KEPT = 1000;
const CONSTRAINT = 19;

interface SentRequest<Item> {
  readonly items: readonly JobItem<Item>[];
  readonly sentAt: number;
}

export interface AcceptedRequest<Head, Item> extends SentRequest<Item> {
  readonly head: Head;
  readonly request: number;
  /** The service's identifier of the run. */
  readonly runId?: string;
  readonly followUrl: string;
  /** Its response, or that of its last poll, which was not understood. */
  readonly kept?: KeptResponse;
}

/** A request without an outcome: where it is asked for, or its response. */
interface OpenRun {
  readonly runId?: string;
  readonly followUrl?: string;
  readonly kept?: KeptResponse;
}

export type ItemCounts = Readonly<Partial<Record<ItemState, number>>>;

/** The jobs of one kind, their items and their requests. */
export class Jobs<Head extends JobHead, Item, Payload = undefined> {
  constructor(
    private readonly database: Database,
    private readonly leases: Leases,
    readonly kind: JobKind<Head, Item>,
    readonly outcomes: JobOutcomes<Head, Item, Payload>,
  ) {}

  /** Writes a job with its plan, and claims it; it is on the disk when this resolves. */
  async plan(job: Omit<Head, keyof JobHead>, items: readonly Item[]): Promise<Head> {
    const head = { ...job, id: randomUUID(), at: Date.now() } as Head;
    await this.database.write(() => insertJob(this.database, this.kind, head));
    for (let at = 0; at < items.length; at += STEP) {
      await this.database.write(() => {
        for (const [n, item] of items.slice(at, at + STEP).entries())
          insertJobItem(this.database, this.kind, head.id, { ...item, index: at + n, state: 'planned' });
      });
      await new Promise((resolve) => setImmediate(resolve));
    }
    await this.database.write(() => {
      this.database.run('UPDATE job SET planned = 1 WHERE id = ?', head.id);
      this.leases.take(claimOn(head), head.id);
      touch(this.database, 'jobs');
    });
    return head;
  }

  /** Jobs that are not over. */
  list(): Head[] {
    const heads = this.database.all(
      'SELECT id, head, at FROM job WHERE kind = ? AND planned = 1 ORDER BY at, id',
      (row) => readHead(this.kind, row),
      this.kind.name,
    );
    return heads.filter((head) => head !== undefined);
  }

  /** Undefined after the job has ended. */
  get(job: string): Head | undefined {
    return this.database.get(
      'SELECT id, head, at FROM job WHERE id = ? AND kind = ? AND planned = 1',
      (row) => readHead(this.kind, row),
      ...[job, this.kind.name],
    );
  }

  /** Items by their place in the plan, from `from` on. */
  items(job: string, from: number, limit: number): JobItem<Item>[] {
    return this.database.all(
      'SELECT * FROM job_item WHERE job = ? AND n >= ? ORDER BY n LIMIT ?',
      (row) => jobItemOf(this.kind, row),
      ...[job, from, limit],
    );
  }

  /** All items, read in steps: between two the thread is free. */
  async allItems(job: string): Promise<JobItem<Item>[]> {
    const items: JobItem<Item>[] = [];
    for (;;) {
      const page = this.items(job, items.length, STEP);
      items.push(...page);
      if (page.length < STEP) return items;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  counts(job: string): ItemCounts {
    const rows = this.database.all(
      'SELECT state, count(*) AS items FROM job_item WHERE job = ? GROUP BY state',
      (row) => [readItemState(row, 'state'), number(row, 'items')] as const,
      job,
    );
    return Object.fromEntries(rows);
  }

  /** How many requests were sent. */
  requests(job: string): number {
    return (
      this.database.get(
        'SELECT next_request FROM job WHERE id = ?',
        (row) => number(row, 'next_request'),
        job,
      ) ?? 0
    );
  }

  costs(job: string): Money[] {
    return this.database.all(
      'SELECT cost, currency FROM request WHERE job = ? AND cost IS NOT NULL ORDER BY n',
      costInRow,
      job,
    );
  }

  /** Requests that may have been charged, and have no known cost. */
  unpriced(job: string): number {
    return unpricedRequests(this.database, job);
  }

  /** Whether a window or terminal that is not known to be gone works on the job's target. */
  isWorkedOn(head: Omit<Head, keyof JobHead>): boolean {
    return this.leases.isHeld(this.#lease(head));
  }

  /** Whether a window or terminal that is not known to be gone has the job open: it works on it, or waits for its target. */
  isOpen(head: Head): boolean {
    return this.leases.isHeld(claimOn(head));
  }

  /** Claims a job before waiting for its target, so that no other process ends or resumes it. False: another one has it. */
  async claim(job: Head): Promise<boolean> {
    const name = claimOn(job);
    if (this.leases.isOwn(name, job.id)) return true;
    // Waiting jobs ask several times a second: a held lease causes no write.
    if (this.leases.isHeld(name)) return false;
    return this.database.write(() => this.leases.take(name, job.id));
  }

  /** Keeps the prepared data. It can be prepared again for free. */
  prepared(job: Head, item: JobItem<Item>): Promise<void> {
    return this.database.write(() => {
      this.database.run(
        `UPDATE job_item SET state = 'ready', key = ?, body = ?
         WHERE job = ? AND n = ? AND state IN ('planned', 'ready')`,
        ...[this.kind.key(item), bodyOf(this.kind, item), job.id, item.index],
      );
    });
  }

  /**
   * Marks items as sent, before the first byte of their request leaves; resolves to the request's number. Rejects
   * with `notOwner` when another window works on the target, or has ended the job, and with `inFlight` when one of
   * the items is in a request without an outcome: then the request must not be sent.
   */
  sent(job: Head, items: readonly number[], at = Date.now()): Promise<number> {
    return this.database.write(() => {
      this.leases.assertHeld(this.#lease(job), job.id);
      const request = this.database.get(
        'UPDATE job SET next_request = next_request + 1 WHERE id = ? AND planned = 1 RETURNING next_request - 1 AS n',
        (row) => number(row, 'n'),
        job.id,
      );
      if (request === undefined) throw new StoreProblem('notOwner', `The job ${job.id} is over.`);
      this.database.run(
        `INSERT INTO request (job, n, sent_at, items, first_item)
         VALUES (?, ?, ?, ?, (SELECT key FROM job_item WHERE job = ? AND n = ?))`,
        ...[job.id, request, at, items.length, job.id, items[0] ?? null],
      );
      for (const item of items) this.#fly(job, item, request);
      return request;
    });
  }

  /** Whether a request waits for its outcome: not any more, once another window has taken over. */
  isInFlight(job: Head, request: number): boolean {
    return this.database.has(
      'SELECT 1 AS yes FROM in_flight WHERE job = ? AND request = ? LIMIT 1',
      ...[job.id, request],
    );
  }

  /**
   * Records the outcome of a request and of its items, in the job and beyond it, in one change. This also holds if
   * the lease was lost meanwhile and another window has marked the items unknown, or has ended the job, as the response
   * is better knowledge; but not for items that a later request or the user has changed since.
   * @param payload the part of the response that the kind keeps
   * @param sent the request, as far as its job knows it
   */
  answered(
    job: Head,
    request: number,
    outcome: RequestOutcome,
    payload?: Payload,
    sent?: SentRequest<Item>,
  ): Promise<void> {
    return this.database.write(() => {
      const isKept = this.database.has(
        'SELECT 1 AS yes FROM request WHERE job = ? AND n = ?',
        ...[job.id, request],
      );
      if (isKept || !sent)
        this.#record(
          job,
          job.id,
          request,
          settle(this.database, this.kind, job.id, request, outcome),
          payload,
        );
      else this.#recordLate(job, sent, outcome, payload);
      const { kept } = outcome;
      if (outcome.outcome !== 'unknown')
        this.database.run('DELETE FROM accepted_run WHERE id = ?', requestId(job, request));
      else if (sent && kept && kept.bytes.length <= MOST_KEPT_BYTES) {
        this.#keepOpen(job, request, sent, outcome);
        const others = 'SELECT id FROM accepted_run WHERE body IS NOT NULL ORDER BY sent_at DESC LIMIT ?';
        this.database.run(
          `DELETE FROM accepted_run WHERE body IS NOT NULL AND id NOT IN (${others})`,
          MOST_KEPT,
        );
      }
    });
  }

  /** The service has accepted a request: on the disk before it is asked for its outcome. */
  accepted(job: Head, request: number, sent: SentRequest<Item>, accepted: OpenRun): Promise<void> {
    return this.database.write(() => {
      this.database.run(
        'UPDATE request SET run_id = coalesce(?, run_id) WHERE job = ? AND n = ?',
        ...[accepted.runId ?? null, job.id, request],
      );
      this.#keepOpen(job, request, sent, accepted);
    });
  }

  #keepOpen(
    job: Head,
    request: number,
    { items, sentAt }: SentRequest<Item>,
    { runId, followUrl, kept }: OpenRun,
  ): void {
    const asked = this.database.get(
      'SELECT follow_url FROM accepted_run WHERE id = ?',
      (row) => text(row, 'follow_url'),
      requestId(job, request),
    );
    const bodies = items.map((item) => ({ index: item.index, body: this.kind.item(item) }));
    this.database.run(
      'INSERT OR REPLACE INTO accepted_run VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
      ...[requestId(job, request), this.kind.name, this.kind.target(job), job.id, request],
      ...[JSON.stringify(job), JSON.stringify(bodies), sentAt, runId ?? null, followUrl ?? asked ?? ''],
      ...[kept?.status ?? null, kept?.contentType ?? null, kept?.bytes ?? null],
    );
  }

  /** Accepted requests without an outcome, of jobs that no process works on. @param target missing: of all */
  acceptedRuns(target?: string): AcceptedRequest<Head, Item>[] {
    return this.#openRuns(target).filter(({ followUrl }) => followUrl !== '');
  }

  /** The same of jobs that a process works on, or did until it was killed a moment ago. */
  acceptedInWork(): AcceptedRequest<Head, Item>[] {
    return this.#keptOpen().filter((one) => one.followUrl !== '' && this.isWorkedOn(one.head));
  }

  /** Requests whose response was not understood, of such jobs. @param target missing: of all */
  keptRuns(target?: string): AcceptedRequest<Head, Item>[] {
    return this.#openRuns(target).filter(({ kept }) => kept !== undefined);
  }

  #openRuns(target?: string): AcceptedRequest<Head, Item>[] {
    return this.#keptOpen(target).filter(({ head }) => !this.isWorkedOn(head));
  }

  #keptOpen(target?: string): AcceptedRequest<Head, Item>[] {
    const all = this.database.all(
      'SELECT * FROM accepted_run WHERE kind = ? AND target = coalesce(?, target) ORDER BY sent_at',
      (row) => acceptedRequestOf(this.kind, row),
      ...[this.kind.name, target ?? null],
    );
    return all.filter((one) => one !== undefined);
  }

  /** Items that end without a request. `skipped` can be found out again. */
  left(job: Head, items: readonly number[], outcome: 'failed' | 'skipped', reason?: string): Promise<void> {
    return this.database.write(() => {
      this.leases.assertHeld(this.#lease(job), job.id);
      const left = items.flatMap((item) =>
        this.database.all(
          `UPDATE job_item SET state = ?, reason = ?, at = ?
           WHERE job = ? AND n = ? AND state IN ('planned', 'ready') RETURNING *`,
          (row) => jobItemOf(this.kind, row),
          ...[outcome, reason ?? null, Date.now(), job.id, item],
        ),
      );
      if (outcome === 'failed') this.outcomes.record(job, left, {});
    });
  }

  /**
   * Takes the lease of a job's target, for a job without its window or for a new one; false while another one works
   * on it. Requests in flight in any job of the target have lost their owner: their outcome is unknown, for the given
   * reason.
   */
  takeOver(job: Head, reason: string): Promise<boolean> {
    return this.database.write(() => {
      if (!this.leases.take(this.#lease(job), job.id)) return false;
      const lost = this.database.all(
        'SELECT DISTINCT job, request FROM in_flight WHERE kind = ? AND target = ?',
        (row) => ({ of: text(row, 'job'), request: number(row, 'request') }),
        ...[this.kind.name, this.kind.target(job)],
      );
      for (const { of, request } of lost) {
        const items = settle(this.database, this.kind, of, request, { outcome: 'unknown', reason });
        // A job that this version cannot read may work on the same target.
        this.#record(this.get(of) ?? job, of, request, items);
      }
      return true;
    });
  }

  /** Releases the job and its target. */
  async release(job: Head): Promise<void> {
    // Both are tried: a release that cannot be written now is written with a later beat.
    const released = await Promise.allSettled(
      [this.#lease(job), claimOn(job)].map((name) => this.leases.release(name, job.id)),
    );
    for (const one of released) if (one.status === 'rejected') throw one.reason;
  }

  /** Removes a job that has ended; the outcomes of its items are where its kind keeps them. */
  async end(job: Head): Promise<void> {
    await this.database.write(() => {
      const waits = this.database.has('SELECT 1 AS yes FROM in_flight WHERE job = ? LIMIT 1', job.id);
      if (waits) throw new StoreProblem('inFlight', `The job ${job.id} has requests without an outcome.`);
      keepPastJob(this.database, job.id);
      this.database.run('UPDATE job SET planned = 0 WHERE id = ?', job.id);
      touch(this.database, 'jobs');
    });
    await removeJob(this.database, job.id);
  }

  #lease(head: Omit<Head, keyof JobHead>): string {
    return `${this.kind.name} ${this.kind.target(head)}`;
  }

  /** @param of the job of the request */
  #record(
    job: Head,
    of: string,
    request: number,
    settled: readonly Settled<Item>[],
    payload?: Payload,
  ): void {
    const isNews = ({ item, unknownSince }: Settled<Item>) => {
      const recordedAt = unknownSince === undefined ? undefined : this.outcomes.recordedAt(job, item);
      return recordedAt === undefined || recordedAt === unknownSince;
    };
    const facts = this.database.get(
      'SELECT sent_at, run_id, cost, currency FROM request WHERE job = ? AND n = ?',
      (row) => ({
        sentAt: number(row, 'sent_at'),
        ...optional(row, 'run_id', text, 'runId'),
        ...optional(row, 'cost', costInRow),
      }),
      ...[of, request],
    );
    this.outcomes.record(
      job,
      settled.filter(isNews).map(({ item }) => item),
      { ...facts, ...(payload !== undefined && { payload }) },
    );
  }

  /** Of a job that was ended without this outcome. */
  #recordLate(
    job: Head,
    { items, sentAt }: SentRequest<Item>,
    { outcome, reason, runId, cost, failed = [], unknown = [] }: RequestOutcome,
    payload?: Payload,
  ): void {
    if (outcome === 'returned' || outcome === 'unknown') return;
    const others = new Map<number, { readonly state: 'failed' | 'unknown'; readonly reason: string }>([
      ...failed.map((one) => [one.item, { state: 'failed', reason: one.reason }] as const),
      ...unknown.map((one) => [one.item, { state: 'unknown', reason: one.reason }] as const),
    ]);
    const ended = items.map(
      (item): JobItem<Item> => ({
        ...item,
        state: outcome,
        reason,
        at: Date.now(),
        ...others.get(item.index),
      }),
    );
    this.outcomes.recordLate(job, ended, {
      sentAt,
      ...(runId !== undefined && { runId }),
      ...(cost && { cost }),
      ...(payload !== undefined && { payload }),
    });
  }

  #fly(job: Head, item: number, request: number): void {
    try {
      const flown = this.database.run(
        `INSERT INTO in_flight (kind, target, key, job, item, request)
         SELECT ?, ?, key, job, n, ? FROM job_item WHERE job = ? AND n = ? AND state IN ('planned', 'ready')`,
        ...[this.kind.name, this.kind.target(job), request, job.id, item],
      );
      if (flown === 0)
        throw new StoreProblem('inFlight', `Item ${item} of ${job.id} does not wait to be sent.`);
    } catch (error) {
      if (((resultCode(error) ?? 0) & 0xff) !== CONSTRAINT) throw error;
      throw new StoreProblem('inFlight', `Item ${item} of ${job.id} is in flight.`, { cause: error });
    }
    this.database.run(
      "UPDATE job_item SET state = 'inFlight', request = ? WHERE job = ? AND n = ?",
      ...[request, job.id, item],
    );
  }
}

/** The lease of a job itself: of its target, only one job at a time has the lease. */
function claimOn({ id }: JobHead): string {
  return `job ${id}`;
}

function requestId({ id }: JobHead, request: number): string {
  return `${id} ${request}`;
}

function keptIn(row: Row, column: string): KeptResponse {
  return {
    status: number(row, 'status'),
    contentType: text(row, 'content_type'),
    bytes: row[column] as Uint8Array,
  };
}

const bodiesIn = json(z.array(z.object({ index: z.number(), body: z.unknown() })));

/** Undefined: another version has written it. */
function acceptedRequestOf<Head extends JobHead, Item>(
  kind: JobKind<Head, Item>,
  row: Row,
): AcceptedRequest<Head, Item> | undefined {
  const head = kind.head(json(jsonObject)(row, 'head'));
  const items = bodiesIn(row, 'items').map(({ index, body }): JobItem<Item> | undefined => {
    const item = kind.item(body);
    return item && { ...item, index, state: 'unknown' };
  });
  if (!head || items.includes(undefined)) return undefined;
  return {
    head,
    items: items.filter((item) => item !== undefined),
    request: number(row, 'request'),
    sentAt: number(row, 'sent_at'),
    ...optional(row, 'run_id', text, 'runId'),
    followUrl: text(row, 'follow_url'),
    ...optional(row, 'body', keptIn, 'kept'),
  };
}
