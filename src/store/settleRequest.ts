import type { Money } from '../domain/money';
import type { Database } from './database';
import type { ItemOutcome } from './items';
import { itemOfJob, type JobHead, type JobItem, jobItemOf } from './jobRows';
import { recordItems } from './recordItems';

/** What became of a request; `returned`: it was not executed, and its items may be sent again. */
export interface RequestOutcome {
  readonly outcome: ItemOutcome | 'returned';
  readonly reason?: string;
  readonly runId?: string;
  readonly cost?: Money;
  /** Items that failed in a request that was executed. */
  readonly failed?: readonly { readonly item: number; readonly reason: string }[];
}

/** Records what became of a request and of its items, in the job and in the dataset; inside a change. */
export function settle(
  database: Database,
  job: JobHead,
  request: number,
  told: RequestOutcome,
  at: number,
): void {
  const { outcome, reason = null, runId = null, cost, failed = [] } = told;
  const known = database.run(
    `UPDATE request SET outcome = ?, reason = ?, run_id = ?, cost = ?, currency = ?, answered_at = ?
     WHERE job = ? AND n = ? AND (outcome IS NULL OR outcome = 'unknown' AND ? <> 'returned')`,
    outcome,
    reason,
    runId,
    cost?.amount ?? null,
    cost?.currency ?? null,
    at,
    job.id,
    request,
    outcome,
  );
  if (known === 0) return;
  const state = outcome === 'returned' ? 'uploaded' : outcome;
  const reasons = new Map(failed.map((member) => [member.item, member.reason]));
  const items = database
    .all(
      `UPDATE job_item INDEXED BY job_item_request SET state = ?, reason = ?, at = ?
       WHERE job = ? AND request = ? AND state IN ('inFlight', 'unknown') RETURNING *`,
      jobItemOf,
      ...[state, reason, at, job.id, request],
    )
    .map((item): JobItem => {
      const why = reasons.get(item.index);
      if (why === undefined) return item;
      fail(database, job.id, item.index, why, at);
      return { ...item, state: 'failed', reason: why };
    });
  database.run('DELETE FROM in_flight WHERE job = ? AND request = ?', job.id, request);
  if (outcome === 'returned') return;
  recordItems(
    database,
    items.map((item) => itemOfJob(job, item)),
  );
}

function fail(database: Database, job: string, item: number, reason: string, at: number): void {
  database.run(
    "UPDATE job_item SET state = 'failed', reason = ?, at = ? WHERE job = ? AND n = ?",
    ...[reason, at, job, item],
  );
}
