import type { Environment } from '../domain/environment';
import type { ModelContract, Price } from '../domain/model';
import type { RunResponse } from '../domain/response';
import type { RunDraft, RunRequest, RunStep } from '../domain/run';
import type { RunRecord } from '../domain/runRecord';
import type { CheckOptions } from '../forms/checkDraft';
import type { RunPhase, SendOptions, UploadSource } from '../service/client';
import type { AgentPurse } from './budget/agentPurse';

/** A file on the user's side that a draft may point at; the feature that made it knows how to read it. */
export interface LocalFile {
  /** The value of `media_ref` in the draft. */
  readonly uri: string;
  readonly source: UploadSource;
}

export interface RunOrder {
  /** Where it is sent, and recorded. */
  readonly environment: Environment;
  readonly contract: ModelContract;
  readonly draft: RunDraft;
  /** Only these local files may be uploaded for this run. */
  readonly files: readonly LocalFile[];
  /** The user may choose to run without validation: the service decides then. */
  readonly check?: CheckOptions;
  /** Of the agent that started it; missing: the user did. */
  readonly agent?: AgentPurse;
}

export interface JobRunOrder {
  readonly environment: Environment;
  /** Tells it from all others, see `jobRunId`; missing: it is not looked up later. */
  readonly id?: string;
  readonly request: RunRequest;
  readonly items: number;
  /** The published price of the mode or the model. */
  readonly price?: Price;
  /** Of the agent that started the job; missing: the user did. */
  readonly agent?: AgentPurse;
  /**
   * Says elsewhere that the run leaves, while its estimate is written; it waits for both. An error holds it back, and is
   * passed on.
   */
  readonly announce?: () => Promise<void>;
  /** Gives the run up while it waits for its turn; once its bytes may have left it is waited for, since it is paid. */
  readonly turn?: AbortSignal;
  /** Gives the run up at any time: once its bytes may have left, its outcome is unknown. */
  readonly abandon?: AbortSignal;
  /** Asked right before its bytes leave, see `JobWork.run`. */
  readonly mayLeave?: () => boolean;
  readonly onAccepted?: SendOptions['onAccepted'];
  /** 0 or missing: never give up waiting. */
  readonly timeoutMs?: number;
  readonly onPhase?: (phase: RunPhase) => void;
}

/** The outcome of `perform`: the record has no response, only the history's copy of its body. */
export interface PerformedRun {
  readonly record: RunRecord;
  /** Missing when none was received; one with an error status is `failed`. */
  readonly response?: RunResponse;
  readonly error?: unknown;
  /** It was rejected with files of reused uploads: the next run uploads them again. */
  readonly uploadsForgotten?: boolean;
}

export interface PerformOptions {
  readonly signal?: AbortSignal;
  /** 0 or missing: never give up waiting. */
  readonly timeoutMs?: number;
  readonly onStep?: (step: RunStep) => void;
  /** The run's record is on disk and its request is about to leave: the id leads to its outcome later. */
  readonly onRecorded?: (recordId: string) => void;
}
