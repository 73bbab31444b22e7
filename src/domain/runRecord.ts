import type * as z from 'zod/mini';
import type { AgentMark } from './agentGrant';
import type { Money } from './money';
import type { attachment, RunDraft, RunRequest, RunState } from './run';

export interface RunRecord {
  readonly id: string;
  readonly environment: string;
  readonly baseUrl: string;
  readonly modelName: string;
  readonly draft: RunDraft;
  /** The request that was sent; missing when none left. */
  readonly request?: RunRequest;
  readonly attachments: readonly z.infer<typeof attachment>[];
  readonly startedAt: number;
  /** When its bytes left; `durationOf` counts from here. */
  readonly sentAt?: number;
  /** Missing where the outcome was set without a response: the end of the run is unknown. */
  readonly finishedAt?: number;
  readonly state: RunState;
  readonly settledByUser?: boolean;
  /** The service's identifier of the run. */
  readonly runId?: string;
  /** Where a run that the service has accepted is asked for, until it has an outcome that is understood. */
  readonly followUrl?: string;
  readonly status?: number;
  /** A sentence on why it failed, was not sent or is unknown. */
  readonly message?: string;
  /** Only the cost that the response or the activity reports for this run, never a balance difference. */
  readonly cost?: Money;
  /** The agent that started it; missing: the user did. */
  readonly agent?: AgentMark;
  /** The copy of its response's body that is kept. */
  readonly result?: {
    readonly contentType: string;
    /** Of the whole body. */
    readonly sizeBytes: number;
    readonly truncated: boolean;
  };
  /** The user's name for it. A new record without a name keeps the old one. */
  readonly name?: string;
  /** The user keeps it: it has no limit. A record that is put without it leaves it. */
  readonly pinned?: boolean;
}

/**
 * The record of a job's run that got a response: only the parts that an estimate and a receipt need. A job of
 * thousands of runs would flood the history, and the job itself has the purpose of each run.
 */
export interface JobRun {
  readonly id: string;
  readonly baseUrl: string;
  readonly draft: { readonly model: string; readonly mode: string };
  /** Media of the run: a larger batch costs more. */
  readonly items: number;
  readonly startedAt: number;
  readonly sentAt: number;
  readonly finishedAt: number;
  readonly state: Extract<RunState, 'finished' | 'accepted' | 'failed' | 'unclear'>;
  readonly runId?: string;
  readonly cost?: Money;
}

/** The parts of a run with a response that an estimate reads. */
export type PastRun = Pick<RunRecord, 'startedAt' | 'sentAt' | 'finishedAt' | 'state' | 'cost'> & {
  /** Media of the run. */
  readonly items: number;
};
