import type { Money } from '../domain/money';
import type { AcceptedRun } from '../domain/response';
import type { BulkThrottle } from '../service/client';
import type { JobItem } from '../store/jobKind';
import type { KeptResponse, RequestOutcome } from '../store/settleRequest';

export interface Prepared<Item> {
  readonly fields: Partial<Item>;
  /** Kept from an earlier job: the service may have deleted it since. */
  readonly reused?: boolean;
}

/**
 * The outcome of a run that has a response.
 * @template Payload the part of a response that the kind of job keeps with its outcomes
 */
export interface RunOutcome<Item, Payload = undefined> {
  readonly outcome: 'done' | 'failed' | 'unknown';
  readonly reason?: string;
  readonly runId?: string;
  readonly cost?: Money;
  /** Failed items of an executed run, each with the service's reason. */
  readonly failed?: ReadonlyMap<JobItem<Item>, string>;
  /** Items that may have been executed and charged, each with why that is not known. */
  readonly unconfirmed?: ReadonlyMap<JobItem<Item>, string>;
  readonly payload?: Payload;
  /** The response, where it was not understood: a response mapping may read it later. */
  readonly kept?: KeptResponse;
}

/** A run was not sent, since another process has sent its items. */
export class SentElsewhere extends Error {
  override readonly name = 'SentElsewhere';
}

/**
 * The work of a job on its items. It throws only a ServiceError, an abort, or the reason why an item cannot be used.
 */
export interface JobWork<Item, Payload = undefined> {
  /** Uploads or reads the data for an item's run; missing: items need no preparation. */
  prepare?(item: JobItem<Item>, signal: AbortSignal): Promise<Prepared<Item>>;
  /** Whether an earlier window's preparation can still be sent; missing: it can. */
  isReady?(item: JobItem<Item>): boolean;
  /** Whether this window's preparation can still be sent, asked before each run; missing: it can. */
  isStillReady?(item: JobItem<Item>): boolean;
  /** Whether an item is still to be sent, asked before each run; false: it is left out. Missing: it is. */
  isWanted?(item: JobItem<Item>): boolean;
  /**
   * The time of the item's last outcome, in milliseconds since the epoch: its next run is recorded as sent after that,
   * even if the clock was set back. Missing: there are none.
   */
  lastAt?(item: JobItem<Item>): number;
  /** These have an outcome: data held for their run can be released. Resolves when it counts for `isWanted`. */
  settled?(items: readonly JobItem<Item>[]): Promise<void> | void;
  /** The reused upload was rejected: the next `prepare` replaces it. Missing: this kind never reuses uploads. */
  renew?(item: JobItem<Item>): Promise<void>;
  /**
   * One paid run, sent at most once. `turn` gives it up only until its bytes leave; `abandon` ends the waiting for its
   * response too, so that its outcome is unknown.
   * @throws SentElsewhere
   * @param sentAt when it was recorded as sent, in milliseconds since the epoch
   * @param mayLeave asked right before its bytes leave. False: another process has taken over, as after a sleep of this
   * one, and calls the run unconfirmed
   * @param onAccepted see `SendOptions.onAccepted`
   */
  run(
    batch: readonly JobItem<Item>[],
    turn: AbortSignal,
    abandon: AbortSignal,
    sentAt: number,
    mayLeave: () => boolean,
    onAccepted: (accepted: AcceptedRun) => Promise<void>,
  ): Promise<RunOutcome<Item, Payload>>;
  /** Their run was not executed: they wait to be sent again, or the job ends without them. */
  returned?(items: readonly JobItem<Item>[]): void;
  /** The highest number of items in one run, read each time. */
  batchSize(): number;
  /** The user's highest number of requests in flight, read each time. */
  concurrency(): number;
  /** The service's throttle, once there is a client; missing: requests are not held back. */
  throttle?(): BulkThrottle | undefined;
  /** Parts of a rejected batch that are sent next; missing: two halves. */
  splitRejected?(batch: readonly JobItem<Item>[], error: unknown): readonly JobItem<Item>[][];
  /** A rejection without the parts that differ from item to item; missing: there are none. */
  commonReason?(reason: string, item: JobItem<Item>): string;
}

/** The facts of an outcome as the store keeps them. */
export function requestOutcome<Item, Payload>({
  outcome,
  reason,
  runId,
  cost,
  failed,
  unconfirmed,
  kept,
}: RunOutcome<Item, Payload>): RequestOutcome {
  return {
    outcome,
    ...(reason !== undefined && { reason }),
    ...(runId !== undefined && { runId }),
    ...(cost && { cost }),
    failed: reasonsByIndex(failed),
    unknown: reasonsByIndex(unconfirmed),
    ...(kept && { kept }),
  };
}

function reasonsByIndex<Item>(items: ReadonlyMap<JobItem<Item>, string> = new Map()) {
  return [...items].map(([{ index }, reason]) => ({ item: index, reason }));
}
