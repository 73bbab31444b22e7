import type { ModelContract, Money } from '../contract/model';
import type { RunDraft } from '../contract/runRequest';
import type { RunAnswer, UploadedMedia, UploadSource } from '../service/client';
import type { RunAttachment, RunRecord } from './record';

/** Where a run stands, for a timer and a step line. */
export type RunStep =
  | { readonly step: 'checking' }
  | {
      readonly step: 'uploading';
      readonly file: number;
      readonly files: number;
      readonly sentBytes: number;
      readonly totalBytes: number;
    }
  | { readonly step: 'waiting' | 'sending' | 'running' | 'reading' };

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
  readonly source: RunRecord['source'];
}

export interface FinishedRun {
  readonly record: RunRecord;
  /** Missing when the run has no answer. */
  readonly answer?: RunAnswer;
  readonly error?: unknown;
}

export interface RunOptions {
  readonly signal?: AbortSignal;
  /** 0 or missing: never give up waiting. */
  readonly timeoutMs?: number;
  readonly onStep?: (step: RunStep) => void;
}

/** Every paid run of the extension goes through here: checked, admitted by the budget, recorded before and after. */
export interface Runs {
  /** Never rejects for what became of the run: that is in the record. */
  perform(order: RunOrder, options?: RunOptions): Promise<FinishedRun>;
  /** Uploads a file, or returns the reference of the same content uploaded before to the same environment. */
  upload(
    file: LocalFile,
    options?: { signal?: AbortSignal; onProgress?: (sentBytes: number) => void },
  ): Promise<UploadedMedia & { readonly sha256: string; readonly reused: boolean }>;
}

/** Where runs are kept. */
export interface History {
  readonly runs: readonly RunRecord[];
  get(id: string): RunRecord | undefined;
  /** Adds, or replaces the record of the same id. `result`: the answer's body, kept bounded. */
  put(
    record: RunRecord,
    result?: { readonly bytes: Uint8Array; readonly contentType: string },
  ): Promise<RunRecord>;
  result(id: string): Promise<Uint8Array | undefined>;
  delete(ids: readonly string[]): Promise<void>;
  /** Told after every change; returns how to stop listening. */
  onDidChange(listener: (changed: readonly RunRecord[]) => void): () => void;
}

/** What the last runs of a model say about the next one: an estimate, and called one. */
export interface Estimate {
  readonly runs: number;
  readonly medianCost?: Money;
  readonly medianMs?: number;
}

/** The budgets of the settings, kept in one place so that several jobs cannot pass them together. */
export interface Guard {
  /** Called right before a run's bytes leave; throws `BudgetReached` when the budget does not allow another. */
  admit(model: string): Admission;
}

export interface Admission {
  /** Must be called once when the run is over, with what it cost if that is known. */
  settle(cost: Money | undefined): void;
}

export class BudgetReached extends Error {
  override readonly name = 'BudgetReached';
}

export type { RunAttachment, RunRecord };
