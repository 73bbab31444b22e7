import { sumByCurrency } from '../domain/amounts';
import type { Money } from '../domain/money';
import type { NextStep } from '../domain/problems';
import type { BulkPause } from '../service/client';
import type { ItemProgress, ItemState } from '../store/jobKind';
import type { StopReason } from './consequence';

/**
 * - `queued`: another job, of this window or another, works on the same target; this one starts after that
 * - `stopping`: sending has stopped; requests in flight are awaited
 * - `paused`: by the user, or for `reason`
 */
export type JobState = 'queued' | 'running' | 'paused' | 'stopping' | 'ended';

export interface JobProgress {
  readonly state: JobState;
  /** Why it paused by itself, or could not continue; missing: the user paused it. */
  readonly reason?: string;
  /** The user's next step in this case. */
  readonly nextStep?: NextStep;
  readonly total: number;
  readonly done: number;
  readonly failed: number;
  readonly unknown: number;
  /** Not sent: done by another job since this one was planned, or no longer wanted. */
  readonly skipped: number;
  /** Those of `skipped` that are no longer wanted. */
  readonly leftOut?: number;
  /** Items without an outcome. */
  readonly remaining: number;
  /** Items that are being prepared, or wait for the response of their run. */
  readonly inFlight: number;
  readonly runs: number;
  /** Costs of the responses so far, by currency; empty when no response has named any. */
  readonly spent: readonly Money[];
  /** Runs that may have been charged and have reported no cost: `spent` is the least. */
  readonly unpricedRuns?: number;
  /** Of `queued`: another job is known to work on the same target. */
  readonly isHeldUp?: boolean;
  /** Items a second, over the last while; missing until it is known. */
  readonly rate?: number;
  /** Milliseconds until the end at this rate. */
  readonly remainingMs?: number;
  /** Sending waits until then. */
  readonly waiting?: BulkPause;
  /** Why responses that were received are not saved yet; sending waits for that. */
  readonly unsaved?: string;
}

const WINDOW_MS = 15_000;
/** A rate over a shorter time says little. */
const LEAST_MS = 500;

/** The rate of the last seconds, and the money spent. */
export class Meter {
  #marks: { at: number; items: number }[] = [];
  #spent: Money[] = [];
  #startedAt = Date.now();
  #unpricedRuns = 0;

  /** Time spent paused is not counted. */
  restart(): void {
    this.#marks = [];
    this.#startedAt = Date.now();
  }

  done(items: number, now = Date.now()): void {
    this.#marks.push({ at: now, items });
    while (this.#marks.length > 1 && this.#marks[0]!.at < now - WINDOW_MS) this.#marks.shift();
  }

  /** The cost of the requests so far, sent from any window. */
  startFrom(costs: readonly Money[], unpricedRuns: number): void {
    this.#spent = [...sumByCurrency(costs)];
    this.#unpricedRuns = unpricedRuns;
  }

  spend(costs: readonly Money[]): void {
    this.#spent = [...sumByCurrency([...this.#spent, ...costs])];
  }

  /** A run that may have been charged, and reported no cost. */
  spendUnknown(): void {
    this.#unpricedRuns += 1;
  }

  get unpricedRuns(): number {
    return this.#unpricedRuns;
  }

  get spent(): readonly Money[] {
    return this.#spent;
  }

  rate(now = Date.now()): number | undefined {
    const items = this.#marks.reduce((sum, mark) => sum + mark.items, 0);
    const ms = Math.min(WINDOW_MS, now - this.#startedAt);
    return items === 0 || ms < LEAST_MS ? undefined : (items * 1_000) / ms;
  }
}

/** Facts about its progress that only the job itself knows. */
export interface ProgressFacts {
  readonly state: JobState;
  readonly stopped?: StopReason;
  readonly isHeldUp?: boolean;
  readonly preparing: number;
  readonly leftOut?: number;
  readonly runs: number;
  readonly waiting?: BulkPause;
  readonly unsaved?: string;
}

export function jobProgress(items: readonly ItemProgress[], meter: Meter, facts: ProgressFacts): JobProgress {
  const { state, isHeldUp, stopped, preparing, leftOut = 0, runs, waiting, unsaved } = facts;
  const { sparesAdmitted: _, ...why } = stopped ?? {};
  const counts: Record<ItemState, number> = {
    planned: 0,
    ready: 0,
    inFlight: 0,
    done: 0,
    failed: 0,
    unknown: 0,
    skipped: 0,
  };
  for (const item of items) counts[item.state]++;
  const { done, failed, unknown, skipped, inFlight } = counts;
  const remaining = items.length - done - failed - unknown - skipped;
  const rate = state === 'running' ? meter.rate() : undefined;
  return {
    state,
    total: items.length,
    done,
    failed,
    unknown,
    skipped,
    remaining,
    runs,
    ...why,
    inFlight: inFlight + preparing,
    spent: meter.spent,
    ...(leftOut > 0 && { leftOut }),
    ...(meter.unpricedRuns > 0 && { unpricedRuns: meter.unpricedRuns }),
    ...(isHeldUp && { isHeldUp }),
    ...(rate !== undefined && { rate, remainingMs: (remaining / rate) * 1_000 }),
    ...(waiting && { waiting }),
    ...(unsaved !== undefined && { unsaved }),
  };
}
