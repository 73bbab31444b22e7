import * as z from 'zod/mini';
import { sumByCurrency } from '../domain/amounts';
import { type JsonObject, jsonObject } from '../domain/json';
import type { Money } from '../domain/money';
import { money } from '../domain/money';
import type { PastJob, PastRequest, RequestOfJob } from '../domain/pastJob';
import type { Database, Row } from './database';
import { touch } from './revisions';
import { costInRow, json, number, oneOf, optional, text } from './rows';

/** Kept of one job: the last of them. */
const MOST_REQUESTS = 2_000;

/** Of `request`, in the order of `past_request`. */
const REQUEST_COLUMNS =
  'job, n, first_item, items, sent_at, answered_at, outcome, reason, run_id, cost, currency';

/** Keeps a job and its requests for the history, inside the change that ends it. A job without requests is not kept. */
export function keepPastJob(database: Database, job: string): void {
  const sent = 'SELECT count(*) AS n FROM request WHERE job = ?';
  const requests = database.count(sent, job);
  if (requests === 0) return;
  const counts = new Map(
    database.all(
      'SELECT state, count(*) AS n FROM job_item WHERE job = ? GROUP BY state',
      (row) => [text(row, 'state'), number(row, 'n')] as const,
      job,
    ),
  );
  const costs = database.all(
    'SELECT cost, currency FROM request WHERE job = ? AND cost IS NOT NULL ORDER BY n',
    costInRow,
    job,
  );
  database.run(
    `INSERT OR REPLACE INTO past_job
     SELECT id, kind, head, at, ?, ?, ?, ?, ?, ? FROM job WHERE id = ?`,
    ...[Date.now(), counts.get('done') ?? 0, counts.get('failed') ?? 0, counts.get('unknown') ?? 0],
    ...[requests, JSON.stringify(sumByCurrency(costs)), job],
  );
  database.run(
    `INSERT INTO past_request (${REQUEST_COLUMNS})
     SELECT ${REQUEST_COLUMNS} FROM request WHERE job = ? ORDER BY n DESC LIMIT ${MOST_REQUESTS}`,
    job,
  );
  touch(database, 'runs');
}

/** Jobs that ended, as the history keeps them. */
export class PastJobs {
  constructor(private readonly database: Database) {}

  /** Newest first, of those that began at or after `from` (milliseconds since the epoch). */
  list(page: { readonly from?: number; readonly limit: number }): PastJob[] {
    return this.database.all(
      'SELECT * FROM past_job WHERE at >= ? ORDER BY at DESC, id LIMIT ?',
      pastJobOf,
      ...[page.from ?? 0, page.limit],
    );
  }

  get(id: string): PastJob | undefined {
    return this.database.get('SELECT * FROM past_job WHERE id = ?', pastJobOf, id);
  }

  /** The known costs of a job, ended or not. */
  costs(id: string): readonly Money[] {
    const ofRequests = 'SELECT cost, currency FROM request WHERE job = ? AND cost IS NOT NULL';
    return this.get(id)?.costs ?? this.database.all(ofRequests, costInRow, id);
  }

  count(): number {
    return this.database.count('SELECT count(*) AS n FROM past_job');
  }

  /** The kept requests of a job, newest first. */
  requests(job: string, limit: number): PastRequest[] {
    return this.database.all(
      'SELECT * FROM past_request WHERE job = ? ORDER BY n DESC LIMIT ?',
      pastRequestOf,
      ...[job, limit],
    );
  }

  /**
   * Requests to a service that may have been billed, and of which no response or cost is known, newest first; those of
   * jobs that have not ended too.
   */
  unresolved(baseUrl: string, limit: number): RequestOfJob[] {
    return this.database.all(
      `SELECT * FROM (
         SELECT past_job.id, kind, head, ${REQUEST_COLUMNS} FROM past_request JOIN past_job ON past_job.id = job
         WHERE coalesce(outcome, 'unknown') = 'unknown'
         UNION ALL
         SELECT job.id, kind, head, ${REQUEST_COLUMNS} FROM request JOIN job ON job.id = request.job
         WHERE outcome = 'unknown' AND planned = 1
       )
       WHERE json_extract(head, '$.baseUrl') = ? AND cost IS NULL AND run_id IS NULL
       ORDER BY sent_at DESC, n DESC LIMIT ?`,
      (row) => ({
        job: { id: text(row, 'id'), kind: text(row, 'kind'), head: readHead(row, 'head') },
        request: pastRequestOf(row),
      }),
      ...[baseUrl, limit],
    );
  }

  /** The head of the job, or of one that has not ended, with the run to which a service gave an identifier. */
  headOfRun(baseUrl: string, runId: string): JsonObject | undefined {
    return this.#ofRun(baseUrl, runId, (row) => readHead(row, 'head'));
  }

  /** Notes the cost of the run to which a service gave an identifier, where it was not known. */
  async chargeRun(baseUrl: string, runId: string, cost: Money): Promise<void> {
    const request = this.#ofRun(baseUrl, runId, (row) => ({ id: text(row, 'job'), n: number(row, 'n') }));
    if (request) await this.charge(request, request.n, cost, runId);
  }

  #ofRun<T>(baseUrl: string, runId: string, read: (row: Row) => T): T | undefined {
    const readIn = (request: string, job: string) =>
      this.database.get(
        `SELECT head, ${request}.job, ${request}.n FROM ${request} JOIN ${job} ON ${job}.id = ${request}.job
         WHERE run_id = ? AND json_extract(head, '$.baseUrl') = ? LIMIT 1`,
        read,
        ...[runId, baseUrl],
      );
    return readIn('request', 'job') ?? readIn('past_request', 'past_job');
  }

  /**
   * The user has learned the cost of a request: zero where it was not billed. Resolves to false when it is known
   * already.
   * @param runId the service's id of the run
   */
  charge(
    job: Pick<PastJob, 'id'>,
    request: number,
    cost: Money,
    runId: string | undefined,
  ): Promise<boolean> {
    const change = (table: 'request' | 'past_request') =>
      this.database.run(
        `UPDATE ${table} SET cost = ?, currency = ?, run_id = coalesce(run_id, ?)
         WHERE job = ? AND n = ? AND cost IS NULL`,
        ...[cost.amount, cost.currency ?? null, runId ?? null, job.id, request],
      );
    return this.database.write(() => {
      if (change('request') > 0) return true;
      if (change('past_request') === 0) return false;
      const costs = this.get(job.id)?.costs ?? [];
      this.database.run(
        'UPDATE past_job SET costs = ? WHERE id = ?',
        ...[JSON.stringify(sumByCurrency([...costs, cost])), job.id],
      );
      touch(this.database, 'runs');
      return true;
    });
  }

  delete(ids: readonly string[]): Promise<void> {
    return this.database.write(() => {
      for (const id of ids) this.database.run('DELETE FROM past_job WHERE id = ?', id);
      touch(this.database, 'runs');
    });
  }

  /** All but the newest `limit` go; 0: all. */
  async prune(limit: number): Promise<void> {
    const over = this.database.all(
      'SELECT id FROM past_job ORDER BY at DESC, id LIMIT -1 OFFSET ?',
      (row) => text(row, 'id'),
      limit,
    );
    if (over.length > 0) await this.delete(over);
  }
}

const readOutcome = oneOf(['done', 'failed', 'unknown', 'returned']);
const readHead = json(jsonObject);
const readCosts = json(z.array(money));

function pastJobOf(row: Row): PastJob {
  return {
    id: text(row, 'id'),
    kind: text(row, 'kind'),
    head: readHead(row, 'head'),
    startedAt: number(row, 'at'),
    endedAt: number(row, 'ended_at'),
    done: number(row, 'done'),
    failed: number(row, 'failed'),
    unknown: number(row, 'unknown'),
    requests: number(row, 'requests'),
    costs: readCosts(row, 'costs'),
  };
}

function pastRequestOf(row: Row): PastRequest {
  return {
    number: number(row, 'n'),
    sentAt: number(row, 'sent_at'),
    firstItem: text(row, 'first_item'),
    items: number(row, 'items'),
    ...optional(row, 'answered_at', number, 'finishedAt'),
    ...optional(row, 'outcome', readOutcome),
    ...optional(row, 'reason', text),
    ...optional(row, 'run_id', text, 'runId'),
    ...optional(row, 'cost', costInRow),
  };
}
