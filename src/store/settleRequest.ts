import type { Money } from '../domain/money';
import type { RawResponse } from '../domain/response';
import type { Database } from './database';
import type { JobHead, JobItem, JobKind } from './jobKind';
import { jobItemOf } from './jobRows';
import { number } from './rows';

/** The outcome of a request; `returned`: it was not executed, and its items may be sent again. */
export interface RequestOutcome {
  readonly outcome: 'done' | 'failed' | 'unknown' | 'returned';
  readonly reason?: string;
  readonly runId?: string;
  readonly cost?: Money;
  /** Items that failed in a request that was executed. */
  readonly failed?: readonly ItemReason[];
  /** Items without an outcome in its response. */
  readonly unknown?: readonly ItemReason[];
  /** Its response, where that was not understood. */
  readonly kept?: KeptResponse;
}

/** A response that may be read again. */
export type KeptResponse = Pick<RawResponse, 'status' | 'contentType' | 'bytes'>;

interface ItemReason {
  readonly item: number;
  readonly reason: string;
}

export interface Settled<Item> {
  readonly item: JobItem<Item>;
  /** When it was called unknown before, in milliseconds since the epoch: its response has come all the same. */
  readonly unknownSince?: number;
}

/**
 * Records the outcome of a request and of its items, inside a change; returns the items that have an outcome. That a
 * request is unknown may bring its cost, but says nothing new of items that are unknown already.
 */
export function settle<Head extends JobHead, Item>(
  database: Database,
  kind: JobKind<Head, Item>,
  job: string,
  request: number,
  result: RequestOutcome,
): Settled<Item>[] {
  const at = Date.now();
  const { outcome, reason = null, runId = null, cost, failed = [], unknown = [] } = result;
  const known = database.run(
    `UPDATE request SET outcome = ?, reason = ?, run_id = coalesce(?, run_id), cost = coalesce(?, cost),
       currency = coalesce(?, currency), answered_at = ?
     WHERE job = ? AND n = ? AND (outcome IS NULL OR outcome = 'unknown' AND ? <> 'returned')`,
    ...[outcome, reason, runId, cost?.amount ?? null, cost?.currency ?? null, at],
    ...[job, request, outcome],
  );
  if (known === 0) return [];
  const others = new Map<number, { readonly state: 'failed' | 'unknown'; readonly reason: string }>([
    ...failed.map(({ item, reason: why }) => [item, { state: 'failed' as const, reason: why }] as const),
    ...unknown.map(({ item, reason: why }) => [item, { state: 'unknown' as const, reason: why }] as const),
  ]);
  const unknownSince = new Map(
    database.all(
      `SELECT n, at FROM job_item INDEXED BY job_item_request
       WHERE job = ? AND request = ? AND state = 'unknown' AND at IS NOT NULL`,
      (row) => [number(row, 'n'), number(row, 'at')] as const,
      ...[job, request],
    ),
  );
  const items = database
    .all(
      `UPDATE job_item INDEXED BY job_item_request SET state = ?, reason = ?, at = ?
       WHERE job = ? AND request = ? AND (state = 'inFlight' OR state = 'unknown' AND ? <> 'unknown') RETURNING *`,
      (row) => jobItemOf(kind, row),
      ...[outcome === 'returned' ? 'ready' : outcome, reason, at, job, request, outcome],
    )
    .map((item): JobItem<Item> => {
      const other = others.get(item.index);
      if (other === undefined) return item;
      database.run(
        'UPDATE job_item SET state = ?, reason = ? WHERE job = ? AND n = ?',
        ...[other.state, other.reason, job, item.index],
      );
      return { ...item, ...other };
    });
  database.run('DELETE FROM in_flight WHERE job = ? AND request = ?', job, request);
  if (outcome === 'returned') return [];
  return items.map((item) => {
    const since = unknownSince.get(item.index);
    return { item, ...(since !== undefined && { unknownSince: since }) };
  });
}
