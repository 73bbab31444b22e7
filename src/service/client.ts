import type { IncompleteList } from '../domain/failure';
import type { ModelContract, ModelSummary } from '../domain/model';
import type { AcceptedRun, RawResponse, RunResponse, WalletResponse } from '../domain/response';
import type { RunRequest } from '../domain/run';

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** One of many requests of a job: its outcome counts for `ServiceClient.bulk`. */
  readonly bulk?: boolean;
}

export interface SendOptions extends CallOptions {
  /** Give up waiting after; 0 or undefined: never. */
  readonly timeoutMs?: number;
  readonly onPhase?: (phase: RunPhase) => void;
  /**
   * Called right before the bytes leave, for each attempt; an error that it throws keeps them here and is passed on.
   */
  readonly onLeaving?: () => void;
  /**
   * The service has accepted the run and named where it is asked for: awaited before the first poll, and when that has
   * changed. The record of it outlives this process.
   */
  readonly onAccepted?: (accepted: AcceptedRun) => Promise<void>;
}

export interface FollowOptions extends SendOptions {
  /** Ask one time only. */
  readonly once?: boolean;
}

export interface UploadOptions extends CallOptions {
  readonly onProgress?: (sentBytes: number) => void;
}

export interface CatalogPage {
  readonly models: readonly ModelSummary[];
  /** Set when a body was no list of any known kind, or some of its rows were not understood. */
  readonly unrecognised?: RawResponse;
  /** Why the list is known to go on although no further page comes. */
  readonly incomplete?: IncompleteList;
}

/** Whether the service has asked for a pause, which holds back everything. */
export interface RateLimitState {
  /** Requests wait until this time; undefined: not paused. */
  readonly pausedUntilMs?: number;
  /** The wait that the service named, where it was longer than the limit and was cut. */
  readonly cappedFromMs?: number;
  /** `rateLimit` after a 429, `unavailable` after a 503 that named a time. */
  readonly reason?: PauseReason;
  /** The service's own sentence. */
  readonly serviceMessage?: string;
}

export type PauseReason = 'rateLimit' | 'unavailable';

/** Why bulk work waits: `rateLimit` after a 429, `trouble` because it failed or could not be reached. */
export interface BulkPause {
  /** Milliseconds since the epoch. */
  readonly untilMs: number;
  readonly reason: 'rateLimit' | 'trouble';
  /** The service's own sentence, for a rate limit. */
  readonly serviceMessage?: string;
}

/** How much a bulk of work may send at once, found from the responses that the client has seen. */
export interface BulkThrottle {
  /** Requests that may be in flight now, `most` at most; 0 during a pause. */
  limit(most: number): number;
  readonly pause: BulkPause | undefined;
  /** Calls back when a pause begins or ends, and when the client is closed; returns a function to stop that. */
  onDidChange(listener: () => void): () => void;
}

/** A file to upload. `open` is called once per attempt, and streams: a file is never held whole in memory. */
export interface UploadSource {
  readonly filename: string;
  readonly contentType: string;
  /** Section 2.3; follows from the MIME type unless the user said otherwise. */
  readonly mediaType: string;
  readonly sizeBytes: number;
  open(): AsyncIterable<Uint8Array>;
}

export interface UploadedMedia {
  readonly mediaRef: string;
}

export interface BillingQuery {
  /** An ISO 8601 date, sent only when set. */
  readonly from?: string;
  readonly granularity?: 'day';
  /**
   * The `next` link or path that the page before this one named, sent unchanged (only to the environment's own
   * origin); the other fields are then left out.
   */
  readonly next?: string;
}

export type RunPhase = 'waiting' | 'sending' | 'running' | 'reading';

/**
 * The client of the interface, for one environment. Every method throws only `ServiceError` (errors.ts); retries,
 * rate limits and redirects are handled inside.
 */
export interface ServiceClient {
  /** As the user named it. */
  readonly environment: string;
  readonly baseUrl: string;
  /** Asks without the key whether a service answers at the base URL. @throws ServiceError where none does */
  reach(options?: CallOptions): Promise<void>;
  listModels(options?: CallOptions): AsyncIterable<CatalogPage>;
  /** GET /api/marketplace/models/{slug}. */
  getModel(slug: string, options?: CallOptions): Promise<ModelContract>;
  /** POST /api/runs: sent at most once, unless the response proves that it was not executed. */
  run(request: RunRequest, options?: SendOptions): Promise<RunResponse>;
  /**
   * Asks for a run that was accepted, free of charge, until it has an outcome or `options` end it: then the latest
   * response is returned, for the run stays accepted.
   */
  followRun(accepted: AcceptedRun, options?: FollowOptions): Promise<RunResponse>;
  /** Init, bytes, complete (section 4, rule 2). */
  upload(source: UploadSource, options?: UploadOptions): Promise<UploadedMedia>;
  wallet(options?: CallOptions): Promise<WalletResponse>;
  usageSummary(query?: BillingQuery, options?: CallOptions): Promise<RawResponse>;
  usageTimeseries(query?: BillingQuery, options?: CallOptions): Promise<RawResponse>;
  activity(query?: BillingQuery, options?: CallOptions): Promise<RawResponse>;
  readonly rateLimit: RateLimitState;
  /** Calls back when a pause begins and when it ends; returns a function to stop that. */
  onRateLimit(listener: (state: RateLimitState) => void): () => void;
  readonly bulk: BulkThrottle;
  /** Closes every socket; calls under way end as `cancelled`, a run as `outcome unknown`. */
  close(): void;
}
