import * as l10n from '@vscode/l10n';
import { ServiceError } from '../service/errors';
import { messageOf } from '../wording/errors';
import { consequenceOf, type StopReason, stopReasonOf } from './consequence';
import type { JobRecord } from './jobJournal';
import type { JobRecorder } from './jobRecorder';
import type { JobHead, JobItem, JobWork, Prepared, RunOutcome } from './jobWork';
import type { WorkQueue } from './workQueue';

/** Attempts to prepare an item before it counts as failed. */
const MOST_ATTEMPTS = 5;
/** Requests in a row that failed on the way before the job pauses. */
const MOST_FAILURES_IN_A_ROW = 8;
/** Items rejected alone, all for one reason and none done: the cause is not the items. */
const SAME_REJECTIONS = 3;

/** A request that is over. */
export interface RequestEnd {
  readonly succeeded: boolean;
  /** Writes down what became of it. Resolves to why the job must pause, if it must. */
  settle(): Promise<StopReason | undefined>;
}

/** Sends one preparation or one run, and decides what its outcome means for its items and for the job. */
export class JobRequests<Head extends JobHead, Item> {
  readonly #attempts = new Map<number, number>();
  /** Places of items prepared by this job itself: what was rejected then is the content, not an old reference. */
  readonly #fresh = new Set<number>();
  readonly #rejectedAlone: string[] = [];
  #failuresInARow = 0;

  constructor(
    private readonly work: JobWork<Item>,
    private readonly record: JobRecord<Head, Item>,
    private readonly queue: WorkQueue<Item>,
    private readonly recorder: JobRecorder<Head, Item>,
  ) {}

  /** The user resumes: failures from before the pause no longer count. */
  resetFailures(): void {
    this.#failuresInARow = 0;
    this.#rejectedAlone.length = 0;
  }

  async prepare(item: JobItem<Item>, signal: AbortSignal): Promise<RequestEnd> {
    try {
      const prepared = (await this.work.prepare?.(item, signal)) ?? { fields: {} };
      return { succeeded: true, settle: () => this.#prepared(item, prepared) };
    } catch (error) {
      // What fails after the job was stopped fails for that reason, not because of the item.
      const settle = async () => (signal.aborted ? undefined : this.#preparationFailed(item, error));
      return { succeeded: false, settle };
    }
  }

  /** @param turn gives the run up until its bytes leave */
  async run(batch: readonly JobItem<Item>[], turn: AbortSignal): Promise<RequestEnd> {
    const run = await this.recorder.sent(batch);
    // Stopped while the line was written: nothing has left.
    if (turn.aborted) return { succeeded: false, settle: () => this.#giveBack(run, [batch]) };
    try {
      const outcome = await this.work.run(batch, turn);
      return { succeeded: true, settle: () => this.#responded(run, batch, outcome) };
    } catch (error) {
      return { succeeded: false, settle: () => this.#runFailed(run, batch, error) };
    }
  }

  async #prepared(item: JobItem<Item>, prepared: Prepared<Item>): Promise<undefined> {
    this.#failuresInARow = 0;
    if (!prepared.reused) this.#fresh.add(item.index);
    await this.recorder.prepared(item, prepared);
    this.queue.prepared(item);
  }

  async #preparationFailed(item: JobItem<Item>, error: unknown): Promise<StopReason | undefined> {
    switch (consequenceOf(error, 'prepare')) {
      case 'stop':
        return stopReasonOf(error);
      case 'notSent':
        return undefined;
      case 'retry': {
        const attempts = (this.#attempts.get(item.index) ?? 0) + 1;
        this.#attempts.set(item.index, attempts);
        const stop = this.#countFailure(error);
        if (!stop && attempts >= MOST_ATTEMPTS) await this.recorder.failedAlone(item, messageOf(error));
        return stop;
      }
      case 'rejected':
      case 'unknown':
        await this.recorder.failedAlone(item, messageOf(error));
    }
  }

  async #responded(
    run: number,
    batch: readonly JobItem<Item>[],
    outcome: RunOutcome<Item>,
  ): Promise<undefined> {
    this.#failuresInARow = 0;
    await this.recorder.settled(run, batch, outcome);
    await this.#renewStale(batch.filter((item) => item.state === 'failed'));
  }

  async #runFailed(
    run: number,
    batch: readonly JobItem<Item>[],
    error: unknown,
  ): Promise<StopReason | undefined> {
    switch (consequenceOf(error, 'run')) {
      case 'stop':
        await this.#giveBack(run, [batch]);
        return stopReasonOf(error);
      case 'notSent':
        return this.#giveBack(run, [batch]);
      case 'retry':
        await this.#giveBack(run, [batch]);
        return this.#countFailure(error);
      case 'unknown':
        await this.recorder.settled(run, batch, { outcome: 'unknown', reason: messageOf(error) });
        return this.#countFailure(error);
      case 'rejected':
        return this.#rejected(run, batch, error);
    }
  }

  /**
   * A rejected batch is split until the bad item is alone with its reason. What was reused may be what was
   * rejected: preparing is free, so those items are prepared again before any of them counts as failed.
   */
  async #rejected(
    run: number,
    batch: readonly JobItem<Item>[],
    error: unknown,
  ): Promise<StopReason | undefined> {
    const isTooLarge = error instanceof ServiceError && error.details.status === 413;
    const stale = isTooLarge ? [] : await this.#renewStale(batch);
    if (stale.length > 0) {
      await this.#giveBack(run, [batch.filter((item) => !stale.includes(item))]);
      this.queue.prepareAgain(stale);
      return undefined;
    }
    const [first, ...others] = batch;
    if (!first) return undefined;
    if (others.length > 0) {
      if (isTooLarge) this.queue.capBatch(Math.ceil(batch.length / 2));
      return this.#giveBack(run, this.work.splitRejected?.(batch, error) ?? halves(batch));
    }
    const reason = messageOf(error);
    await this.recorder.settled(run, batch, { outcome: 'failed', reason });
    return this.#rejectedAloneFor(this.work.commonReason?.(reason, first) ?? reason, reason);
  }

  #rejectedAloneFor(commonReason: string, reason: string): StopReason | undefined {
    if (this.record.items.some((item) => item.state === 'done')) return undefined;
    this.#rejectedAlone.push(commonReason);
    const isSame = this.#rejectedAlone.length >= SAME_REJECTIONS && new Set(this.#rejectedAlone).size === 1;
    if (!isSame) return undefined;
    return { reason: l10n.t('Every item is rejected for the same reason: {0}', reason) };
  }

  /** Those whose preparation was reused; the next one makes it anew. Once for each item. */
  async #renewStale(items: readonly JobItem<Item>[]): Promise<readonly JobItem<Item>[]> {
    if (!this.work.renew) return [];
    const stale = items.filter((item) => !this.#fresh.has(item.index));
    for (const item of stale) {
      await this.work.renew(item);
      this.#fresh.add(item.index);
    }
    return stale;
  }

  #countFailure(error: unknown): StopReason | undefined {
    return ++this.#failuresInARow >= MOST_FAILURES_IN_A_ROW ? stopReasonOf(error) : undefined;
  }

  async #giveBack(run: number, parts: readonly (readonly JobItem<Item>[])[]): Promise<undefined> {
    this.queue.giveBack(parts);
    await this.recorder.returned(run);
  }
}

function halves<T>(batch: readonly T[]): readonly T[][] {
  const middle = Math.ceil(batch.length / 2);
  return [batch.slice(0, middle), batch.slice(middle)];
}
