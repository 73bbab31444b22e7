import { sumByCurrency } from '../domain/amounts';
import type { Money } from '../domain/money';
import type { NextStep } from '../domain/problems';
import type { JobItem } from './jobJournal';

/**
 * - `queued`: another job, of this window or another, writes to the same dataset; this one begins when that is over
 * - `stopping`: nothing new is sent; what is in flight is waited for
 * - `paused`: by the user, or for `reason`
 */
export type JobState = 'queued' | 'running' | 'paused' | 'stopping' | 'ended';

export interface JobProgress {
  readonly state: JobState;
  /** Why it paused by itself, or how it ended. */
  readonly reason?: string;
  /** What leads on from the error that it paused for. */
  readonly nextStep?: NextStep;
  readonly total: number;
  readonly indexed: number;
  readonly failed: number;
  readonly unknown: number;
  /** Indexed meanwhile by another window. */
  readonly skipped: number;
  /** Files in uploads and runs that are not answered. */
  readonly inFlight: number;
  readonly runs: number;
  /** What the responses told so far, by currency; empty when none told anything. */
  readonly spent: readonly Money[];
  /** Files a second, over the last while; undefined until it is known. */
  readonly rate?: number;
  /** Milliseconds that are left at this rate. */
  readonly leftMs?: number;
  /** Until when the service has asked for a pause. */
  readonly waitingUntilMs?: number;
}

/** Files without an outcome. */
export function leftToDo({ total, indexed, failed, unknown, skipped }: JobProgress): number {
  return total - indexed - failed - unknown - skipped;
}

const WINDOW_MS = 15_000;

/** The rate of the last seconds, and what was spent. */
export class Meter {
  #marks: { at: number; files: number }[] = [];
  #spent: Money[] = [];
  #startedAt = Date.now();

  /** Time spent paused counts for nothing. */
  restart(): void {
    this.#marks = [];
    this.#startedAt = Date.now();
  }

  done(files: number, now = Date.now()): void {
    this.#marks.push({ at: now, files });
    while (this.#marks.length > 1 && this.#marks[0]!.at < now - WINDOW_MS) this.#marks.shift();
  }

  spend(costs: readonly Money[]): void {
    this.#spent = [...sumByCurrency([...this.#spent, ...costs])];
  }

  get spent(): readonly Money[] {
    return this.#spent;
  }

  rate(now = Date.now()): number | undefined {
    const files = this.#marks.reduce((sum, mark) => sum + mark.files, 0);
    const ms = Math.min(WINDOW_MS, now - this.#startedAt);
    return files === 0 || ms < 500 ? undefined : (files * 1_000) / ms;
  }
}

/** Where a job stands: its items counted by state, and what only the job itself knows. */
export function progressOf(
  items: readonly JobItem[],
  meter: Meter,
  now: {
    readonly state: JobState;
    readonly reason: string | undefined;
    readonly nextStep: NextStep | undefined;
    readonly uploading: number;
    readonly runs: number;
    readonly waitMs: number;
  },
): JobProgress {
  const counts = { indexed: 0, failed: 0, unknown: 0, skipped: 0, inFlight: 0, planned: 0, uploaded: 0 };
  for (const item of items) counts[item.state]++;
  const { indexed, failed, unknown, skipped } = counts;
  const rate = now.state === 'running' ? meter.rate() : undefined;
  const left = items.length - indexed - failed - unknown - skipped;
  return {
    state: now.state,
    ...(now.reason !== undefined && { reason: now.reason }),
    ...(now.nextStep !== undefined && { nextStep: now.nextStep }),
    total: items.length,
    indexed,
    failed,
    unknown,
    skipped,
    inFlight: counts.inFlight + now.uploading,
    runs: now.runs,
    spent: meter.spent,
    ...(rate !== undefined && { rate, leftMs: (left / rate) * 1_000 }),
    ...(now.waitMs > 0 && { waitingUntilMs: Date.now() + now.waitMs }),
  };
}
