import type { Money } from '../domain/money';
import type { BulkThrottle } from '../service/client';

/** What the first line of every job's journal has, whatever the job works on. */
export interface JobHead {
  readonly id: string;
  /** Milliseconds since the epoch, when it was planned. */
  readonly at: number;
}

/**
 * - `ready`: prepared (uploaded, or read), waiting for its run
 * - `inFlight`: sent, or about to be
 * - `unknown`: sent without a response; it may have been executed and paid
 * - `skipped`: another job has done it since this one was planned
 */
export type ItemState = 'planned' | 'ready' | 'inFlight' | 'done' | 'failed' | 'unknown' | 'skipped';

/** How far a job has come with an item. */
export interface ItemProgress {
  /** Its place in the plan, by which the journal names it. */
  readonly index: number;
  state: ItemState;
  /** Why it failed or is unknown. */
  reason?: string;
  /** Milliseconds since the epoch, of its outcome. */
  at?: number;
}

export type JobItem<Item> = Item & ItemProgress;

/** How a kind of job is kept on disk: each reads a part of a journal's line, and leaves out what is not kept. */
export interface JobKind<Head extends JobHead, Item> {
  head(line: unknown): Head | undefined;
  /** An item of the plan. */
  item(entry: unknown): Item | undefined;
  /** What preparing added to an item. */
  prepared(line: unknown): Partial<Item> | undefined;
  /** Jobs of one target wait for one another, in all windows. */
  target(head: Omit<Head, keyof JobHead>): string;
  /** Whether an item that a reopened journal has as prepared still is; missing: it is. */
  isReady?(item: Item): boolean;
}

/** Where outcomes are kept beyond the job, for all windows. Written with the target's lock held. */
export interface OutcomeStore<Head extends JobHead, Item> {
  /** Reads what other windows have recorded. */
  refresh(): Promise<void>;
  record(head: Head, items: readonly JobItem<Item>[]): Promise<void>;
  /** When the store's outcome of this item was recorded, in milliseconds since the epoch. */
  recordedAt(head: Head, item: Item): number | undefined;
  /** Whether another job has done the item since this one was planned. */
  isDone(head: Head, item: Item): boolean;
}

export interface Prepared<Item> {
  readonly fields: Partial<Item>;
  /** Kept from an earlier job: the service may have deleted it since. */
  readonly reused?: boolean;
}

/** What became of a run that has a response. */
export interface RunOutcome<Item> {
  readonly outcome: 'done' | 'failed' | 'unknown';
  readonly reason?: string;
  readonly runId?: string;
  readonly cost?: Money;
  /** Items of an executed run that failed nevertheless, each with the service's reason. */
  readonly failed?: ReadonlyMap<JobItem<Item>, string>;
}

/** What a job does with its items. Whatever these throw is a ServiceError, an abort, or why an item cannot be used. */
export interface JobWork<Item> {
  /** Uploads or reads what an item's run needs; missing: items need nothing before their run. */
  prepare?(item: JobItem<Item>, signal: AbortSignal): Promise<Prepared<Item>>;
  /** What was reused has been rejected: the next `prepare` makes it anew. Missing: nothing is ever reused. */
  renew?(item: JobItem<Item>): Promise<void>;
  /** One paid run, sent at most once. `turn` gives it up only until its bytes leave. */
  run(batch: readonly JobItem<Item>[], turn: AbortSignal): Promise<RunOutcome<Item>>;
  /** Most items in one run, read anew each time. */
  batchSize(): number;
  /** Most requests in flight, as the user set it, read anew each time. */
  concurrency(): number;
  /** The service's throttle, once there is a client; missing: nothing is held back. */
  throttle?(): BulkThrottle | undefined;
  /** Parts of a rejected batch that are sent next; missing: two halves. */
  splitRejected?(batch: readonly JobItem<Item>[], error: unknown): readonly JobItem<Item>[][];
  /** A rejection without what differs from item to item; missing: nothing does. */
  commonReason?(reason: string, item: JobItem<Item>): string;
}
