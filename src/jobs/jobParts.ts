import type { RunRequest } from '../domain/run';
import type { Ledger } from '../indexing/ledger';
import type { PayloadShape } from '../indexing/payload';
import type { Journal } from '../journal/journal';
import type { RunResponse } from '../service/client';
import type { JobEntry, JobRecord, PlannedItem } from './jobJournal';

/** A file as it was when it was uploaded (or read, where the request carries text). */
export interface TakenFile {
  /** Its reference is from an earlier upload: the service may have let go of it. */
  readonly reused?: boolean;
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly modifiedMs: number;
  readonly mediaRef?: string;
  readonly text?: string;
}

/** What a job needs of the world. Whatever these throw is a ServiceError, an abort, or why a file cannot be read. */
export interface JobPorts {
  /** Uploads a file, or finds the reference of its content; reads it where the request carries text. */
  take(item: PlannedItem, signal: AbortSignal): Promise<TakenFile>;
  /** One paid run: admitted by the guard, sent at most once, settled. `turn` gives it up only until it leaves. */
  run(request: RunRequest, items: number, turn: AbortSignal): Promise<RunResponse>;
  /** A reference that was used again has been refused: the next `take` uploads the file. */
  forget(item: PlannedItem): Promise<void>;
  /** Until when the service has asked for a pause, milliseconds since the epoch; requests wait for it by themselves. */
  pausedUntil?(): number | undefined;
  /** Most requests in flight. */
  concurrency(): number;
  /** As the user set it; the contract's own limit is in `shape`. */
  batchSize(): number;
}

export interface JobParts {
  readonly record: JobRecord;
  readonly journal: Journal<JobEntry>;
  /** The journal's file, removed when the job is over. */
  readonly file: string;
  /** Path of the dataset's lock: one window at a time writes to a dataset. */
  readonly lockPath: string;
  readonly ledger: Ledger;
  /** Puts into the ledger what other jobs of this dataset left unsaid. Called with the lock held. */
  readonly settleOthers: () => Promise<void>;
  readonly shape: PayloadShape;
  readonly ports: JobPorts;
}
