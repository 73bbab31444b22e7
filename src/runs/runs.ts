import type { ModelContract, Price } from '../domain/model';
import type { RunDraft, RunRequest, RunStep } from '../domain/run';
import type { CheckOptions } from '../forms/checkDraft';
import type { RunResponse, UploadedMedia, UploadSource } from '../service/client';
import type { RunRecord } from './history/record';
import type { UploadKey } from './uploads/mediaCache';

/** A file on the user's side that a draft may point at; the feature that made it knows how to read it. */
export interface LocalFile {
  /** As it stands in the draft's `media_ref`. */
  readonly uri: string;
  readonly source: UploadSource;
}

export interface RunOrder {
  readonly contract: ModelContract;
  readonly draft: RunDraft;
  /** Only these local files may be uploaded for this run. */
  readonly files: readonly LocalFile[];
  readonly source: Exclude<RunRecord['source'], 'indexing'>;
  /** The user may choose to run without validation: the service decides then. */
  readonly check?: CheckOptions;
}

/** One run of a job. */
export interface JobRunOrder {
  readonly baseUrl: string;
  readonly request: RunRequest;
  readonly items: number;
  /** The published price of the mode or the model. */
  readonly price?: Price;
  /** Gives the run up while it waits for its turn; once its bytes may have left it is waited for, since it is paid. */
  readonly turn?: AbortSignal;
}

export interface FinishedRun {
  readonly record: RunRecord;
  /** Missing when none was received; one with an error status is `failed`. */
  readonly response?: RunResponse;
  readonly error?: unknown;
  /** It was rejected with files whose earlier uploads were used again: the next run uploads them anew. */
  readonly uploadsForgotten?: boolean;
}

export interface RunOptions {
  readonly signal?: AbortSignal;
  /** 0 or missing: never give up waiting. */
  readonly timeoutMs?: number;
  readonly onStep?: (step: RunStep) => void;
  /** The run's record is on disk and its request is about to leave: the id leads to its outcome later. */
  readonly onRecorded?: (recordId: string) => void;
}

/** Every paid run of the extension goes through here: checked, admitted by the budget, recorded before and after. */
export interface Runs {
  /** Does not reject when the run fails: its outcome is in the record. */
  perform(order: RunOrder, options?: RunOptions): Promise<FinishedRun>;
  /** One run of a job, measured but not in the history. Rejects with `ServiceError`, also when the budget is reached. */
  performForJob(order: JobRunOrder): Promise<RunResponse>;
  /** Uploads a file, or returns the reference of the same content uploaded before to the same environment. */
  upload(
    file: LocalFile,
    options?: { signal?: AbortSignal; bulk?: boolean; onProgress?: (sentBytes: number) => void },
  ): Promise<UploadedMedia & { readonly sha256: string; readonly reused: boolean }>;
  /** The reference of this content was rejected: it is uploaded anew next time. */
  forgetUpload(upload: UploadKey): Promise<void>;
}
