import type { JsonObject } from './json';
import type { Money } from './money';

export interface PastJob {
  readonly id: string;
  /** Of its `JobKind`. */
  readonly kind: string;
  /** The members that its kind of job keeps. */
  readonly head: JsonObject;
  /** Milliseconds since the epoch, when it was planned. */
  readonly startedAt: number;
  readonly endedAt: number;
  /** Items by outcome. */
  readonly done: number;
  readonly failed: number;
  readonly unknown: number;
  readonly requests: number;
  /** Costs reported by its responses, one amount per currency; requests without a response are left out. */
  readonly costs: readonly Money[];
}

/** A run of a job that ended or waits, with the job. */
export interface RequestOfJob {
  readonly job: Pick<PastJob, 'id' | 'kind' | 'head'>;
  readonly request: PastRequest;
}

export interface PastRequest {
  readonly number: number;
  /** Key of its first item. */
  readonly firstItem: string;
  readonly items: number;
  readonly sentAt: number;
  readonly finishedAt?: number;
  /** `returned`: it was not executed, and its items were sent again. */
  readonly outcome?: 'done' | 'failed' | 'unknown' | 'returned';
  readonly reason?: string;
  /** The service's identifier of the run. */
  readonly runId?: string;
  readonly cost?: Money;
}
