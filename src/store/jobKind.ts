import type { Money } from '../domain/money';
/** The store's facts of every job, for any kind of work. */
export interface JobHead {
  readonly id: string;
  /** Milliseconds since the epoch, when it was planned. */
  readonly at: number;
}

export const itemStates = ['planned', 'ready', 'inFlight', 'done', 'failed', 'unknown', 'skipped'] as const;
/**
 * - `ready`: prepared (uploaded, or read), waiting for its request
 * - `inFlight`: sent, or about to be
 * - `unknown`: sent without a response; it may have been executed and paid
 * - `skipped`: another job has done it since this one was planned
 */
export type ItemState = (typeof itemStates)[number];

/** How far a job has come with an item. */
export interface ItemProgress {
  /** Its place in the plan, by which the job names it. */
  readonly index: number;
  state: ItemState;
  /** Why it failed or is unknown. */
  reason?: string;
  /** Milliseconds since the epoch, of its outcome. */
  at?: number;
}

export type JobItem<Item> = Item & ItemProgress;

/**
 * A kind of job: the shape of its head and its items. Each function reads decoded JSON and leaves out unkept members.
 */
export interface JobKind<Head extends JobHead, Item> {
  /** Under which its jobs are kept. */
  readonly name: string;
  head(value: unknown): Head | undefined;
  item(value: unknown): Item | undefined;
  /** Jobs of one target wait for one another, in all windows. */
  target(head: Omit<Head, keyof JobHead>): string;
  /** The part of its target that an item is: it is in flight once, across all jobs. */
  key(item: Item): string;
}

/** The facts of a request when the outcomes of its items are recorded. */
export interface RecordedRequest<Payload> {
  /** When it was recorded as sent, in milliseconds since the epoch. Missing: the items failed before they were in a request. */
  readonly sentAt?: number;
  readonly runId?: string;
  readonly cost?: Money;
  /** The part of the response that the kind of job keeps; missing: there was no response. */
  readonly payload?: Payload;
}

/**
 * The place of outcomes beyond the job.
 * @template Payload the kept part of a response
 */
export interface JobOutcomes<Head extends JobHead, Item, Payload = undefined> {
  /** Called inside the change that records them in the job: both are kept, or neither. */
  record(head: Head, items: readonly JobItem<Item>[], request: RecordedRequest<Payload>): void;
  /** As `record`, for items of a job that was ended without their outcome: unless later requests have one. */
  recordLate(head: Head, items: readonly JobItem<Item>[], request: RecordedRequest<Payload>): void;
  /** When the outcome that is kept of an item was recorded, in milliseconds since the epoch; undefined: there is none. */
  recordedAt(head: Head, item: Item): number | undefined;
  /** Whether another job has done the item since this one was planned. */
  isDone(head: Head, item: Item): boolean;
  /**
   * The changed members of a prepared item, since its key now belongs to another item. Missing when it is unchanged.
   */
  renamed?(head: Head, item: Item): Partial<Item> | undefined;
}
