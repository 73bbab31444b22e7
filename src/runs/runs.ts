import type { BudgetName } from '../domain/failure';
import type { ModelContract, Price } from '../domain/model';
import type { Money } from '../domain/money';
import type { RunDraft, RunStep } from '../domain/run';
import type { CheckOptions } from '../forms/checkDraft';
import type { RawResponse, RunResponse, UploadedMedia, UploadSource } from '../service/client';
import type { JobRunOrder } from './jobRuns';
import type { UploadKey } from './mediaCache';
import type { RunRecord } from './record';

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
  /** The user may choose to send an input that its schema does not allow: the service decides then. */
  readonly check?: CheckOptions;
}

export interface FinishedRun {
  readonly record: RunRecord;
  /** Missing when the run has no response. */
  readonly response?: RunResponse;
  readonly error?: unknown;
  /** What the service answered when that was an error: kept like a result. */
  readonly refusal?: RawResponse;
  /** It was refused with files whose earlier uploads were used again: the next run uploads them anew. */
  readonly uploadsForgotten?: boolean;
}

export interface RunOptions {
  readonly signal?: AbortSignal;
  /** 0 or missing: never give up waiting. */
  readonly timeoutMs?: number;
  readonly onStep?: (step: RunStep) => void;
  /** The run's record is on disk and its request is about to leave: who remembers the id finds what became of it. */
  readonly onRecorded?: (recordId: string) => void;
}

/** Every paid run of the extension goes through here: checked, admitted by the budget, recorded before and after. */
export interface Runs {
  /** Never rejects for what became of the run: that is in the record. */
  perform(order: RunOrder, options?: RunOptions): Promise<FinishedRun>;
  /** One run of a job, measured but not in the history. Rejects with `ServiceError`, also when the budget is reached. */
  performForJob(order: JobRunOrder): Promise<RunResponse>;
  /** Uploads a file, or returns the reference of the same content uploaded before to the same environment. */
  upload(
    file: LocalFile,
    options?: { signal?: AbortSignal; onProgress?: (sentBytes: number) => void },
  ): Promise<UploadedMedia & { readonly sha256: string; readonly reused: boolean }>;
  /** The reference of this content was refused: it is uploaded anew next time. */
  forgetUpload(upload: UploadKey): Promise<void>;
}

/** Where runs are kept. */
export interface History {
  readonly runs: readonly RunRecord[];
  get(id: string): RunRecord | undefined;
  /** Adds, or replaces the record of the same id. `result`: the response's body, kept bounded. */
  put(
    record: RunRecord,
    result?: { readonly bytes: Uint8Array; readonly contentType: string },
  ): Promise<RunRecord>;
  result(id: string): Promise<Uint8Array | undefined>;
  delete(ids: readonly string[]): Promise<void>;
  /** Told after every change; returns how to stop listening. */
  onDidChange(listener: (changed: readonly RunRecord[]) => void): () => void;
}

/** Which runs an estimate is made of, or is wanted for. */
export interface EstimateOf {
  readonly baseUrl: string;
  readonly model: string;
  /** Missing: of every mode. An index run of a batch costs something else than an `execute`. */
  readonly mode?: string;
  /** The published price of the mode or the model: stands in while no run has told its cost. */
  readonly price?: Price;
  /** Media of one run: a larger batch may cost more. Missing: of whatever size. */
  readonly items?: number;
}

/** What the last runs of a model say about the next one: an estimate, and called one. */
export interface Estimate {
  /** Runs of it in the history that were answered. */
  readonly runs: number;
  /** Median of the last runs whose cost is known; `costFrom` of them. */
  readonly medianCost?: Money;
  readonly costFrom: number;
  /** Median from sending to response. */
  readonly medianMs?: number;
  /** The published price of one run, when there is one in money. */
  readonly published?: Money;
}

/** What the history tells of models. Cheap to ask for every row of the catalog. */
export interface Estimates {
  of(what: EstimateOf): Estimate;
  /** "about 0.02 · 1.3 s from your last 20 runs", "published price 0.02 per run"; empty when nothing is known. */
  text(what: EstimateOf): string;
  onDidChange(listener: () => void): () => void;
}

/** A run that is about to be sent. */
export interface PaidRun extends EstimateOf {
  /** The record's id, by which a receipt that comes later finds the amount that was assumed. */
  readonly id: string;
  readonly source: RunRecord['source'];
}

/** A job of several runs that is about to start. */
export interface PaidJob extends EstimateOf {
  readonly runs: number;
  /** Media in all its runs; `items` are those of a full run. */
  readonly allItems?: number;
}

/** What the guard says of a job before it starts. */
export interface JobVerdict {
  /** Ask before starting: it is long, may pass a budget or the balance, or payment was refused before. */
  readonly ask: boolean;
  /** "180 runs, about 4.10 from your last 20 runs of this model; leaves 2.30 of the session budget". */
  readonly text: string;
  /** What it is estimated to cost; missing when nothing is known. */
  readonly total?: Money;
  /** The budget it is estimated to pass; runs stop there. */
  readonly passes?: BudgetName;
  /** About how many runs the budget still allows, when it is passed. */
  readonly allowedRuns?: number;
  /** More than the wallet's balance when it was last read. */
  readonly passesBalance: boolean;
  /** What passing a budget or the balance means for the job, in a sentence. */
  readonly consequence?: string;
}

/** What was spent against one budget. Amounts of other currencies count at their face value: a wallet has one. */
export interface BudgetState {
  readonly budget?: string;
  readonly spent: string;
  /** Estimates of the runs that are in flight. */
  readonly reserved: string;
}

export interface Spending {
  readonly session: BudgetState;
  readonly workspace: BudgetState;
  /** Runs of this session whose cost nothing tells and for which nothing could be assumed. */
  readonly unknownRuns: number;
  /** The service answered 402, and no sign since that it can be paid. */
  readonly cannotPay: boolean;
  readonly currency?: string;
}

/** The budgets of the settings, kept in one place so that several jobs cannot pass them together. */
export interface Guard {
  /**
   * Called right before a run's bytes leave. Throws `ServiceError` `budgetReached` when the budget does not allow another, or,
   * for runs of a job, when payment was refused: what a user starts by hand may always try again.
   */
  admit(run: PaidRun): Admission;
  /** What to tell and ask before a job. */
  assess(job: PaidJob): JobVerdict;
  /** The user said yes to a job: runs may be tried again after a 402. */
  approve(baseUrl: string): void;
  /** The wallet was read. */
  noteBalance(baseUrl: string, balance: Money): void;
  spending(baseUrl: string): Spending;
  /** Starts both budgets of an environment over. */
  reset(baseUrl: string): void;
  onDidChange(listener: () => void): () => void;
}

/** Ended exactly once, by whichever of these comes first. */
export interface Admission {
  /** The run may have been billed: with what it cost, or undefined when nothing tells (the estimate is counted). */
  settle(cost: Money | undefined): void;
  /** Nothing was billed: it was not sent, or was refused before it was executed. */
  release(): void;
  /** The service answered 402: nothing was billed, and jobs stop at once. */
  cannotPay(): void;
}

export type { RunRecord };
