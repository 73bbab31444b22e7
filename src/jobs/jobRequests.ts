import * as l10n from '@vscode/l10n';
import { isCharged } from '../domain/amounts';
import { ServiceError } from '../service/errors';
import type { JobHead, JobItem } from '../store/jobKind';
import { messageOf } from '../wording/errors';
import { errorConsequence, errorStopReason, type StopReason } from './consequence';
import type { JobRecorder } from './jobRecorder';
import { type JobWork, type Prepared, type RunOutcome, SentElsewhere } from './jobWork';
import type { WorkQueue } from './workQueue';

/** Attempts to prepare an item before it counts as failed. */
const MOST_ATTEMPTS = 5;
/** Requests in a row that failed on the way before the job pauses. */
const MOST_FAILURES_IN_A_ROW = 8;
/** Items rejected alone, all for one reason and none done: the cause is not the items. */
const SAME_REJECTIONS = 3;

/** An item prepared this recently is not the reason of a rejection: a service keeps an upload at least as long. */
const FRESH_MS = 60_000;

/**
 * Sends one preparation or one run, records its outcome, and decides the consequence for its items and for the job: each
 * resolves to the reason why the job must pause, if it must.
 */
export class JobRequests<Head extends JobHead, Item, Payload = undefined> {
  readonly #attempts = new Map<number, number>();
  /** When this job prepared an item itself, by place; milliseconds of a clock that never goes back. */
  readonly #preparedAt = new Map<number, number>();
  /** Places of items that were prepared again because of a rejection. */
  readonly #renewed = new Set<number>();
  readonly #rejectedAlone: string[] = [];
  #abandon = new AbortController();
  #failuresInARow = 0;
  #sentAt = 0;
  readonly #counted = new WeakSet<object>();
  /** Outcomes that are being recorded: each resolves to whether that succeeded. */
  readonly #recording = new Set<Promise<boolean>>();

  constructor(
    private readonly work: JobWork<Item, Payload>,
    private readonly items: readonly JobItem<Item>[],
    private readonly queue: WorkQueue<Item>,
    private readonly recorder: JobRecorder<Head, Item, Payload>,
    private readonly onResponse: () => void,
  ) {}

  /** Responses that are being recorded. */
  get recording(): number {
    return this.#recording.size;
  }

  /** The user resumes: failures from before the pause no longer count. */
  resetFailures(): void {
    this.#failuresInARow = 0;
    this.#rejectedAlone.length = 0;
    // The pause may have been long: earlier preparations may have expired.
    this.#preparedAt.clear();
    this.#renewed.clear();
    this.#abandon = new AbortController();
  }

  /** Stops waiting for responses: the outcome of the sent items is unknown. */
  stopWaiting(): void {
    this.#abandon.abort();
  }

  async prepare(item: JobItem<Item>, signal: AbortSignal): Promise<StopReason | undefined> {
    let prepared: Prepared<Item>;
    try {
      prepared = (await this.work.prepare?.(item, signal)) ?? { fields: {} };
    } catch (error) {
      // A failure after the job was stopped has that reason, not the item.
      return signal.aborted ? undefined : this.#preparationFailed(item, error);
    }
    return this.#prepared(item, prepared);
  }

  /** Those of a batch that can be sent; the others are prepared again. */
  ready(batch: readonly JobItem<Item>[]): readonly JobItem<Item>[] {
    const stale = batch.filter((item) => this.work.isStillReady?.(item) === false);
    this.queue.prepareAgain(stale);
    return batch.filter((item) => !stale.includes(item));
  }

  /**
   * One write to the disk records the outcomes before it and that it is sent; its bytes leave after both.
   * @param turn gives the run up until then
   */
  async run(batch: readonly JobItem<Item>[], turn: AbortSignal): Promise<StopReason | undefined> {
    if (!this.#isWanted(batch)) return this.recorder.leftOut(batch);
    const sentAt = this.#nextSentAt(batch);
    const before = [...this.#recording];
    const run = await this.recorder.sent(batch, sentAt).catch((error: unknown) => {
      this.queue.giveBack([batch]);
      throw error;
    });
    const areRecorded = !(await Promise.all(before)).includes(false);
    // Stopped while that was written, so the request has not left.
    if (turn.aborted || !areRecorded) return this.#giveBack(run, [batch]);
    if (!this.#isWanted(batch)) return this.recorder.skipped(run, batch);
    let outcome: RunOutcome<Item, Payload>;
    try {
      outcome = await this.work.run(
        ...([batch, turn, this.#abandon.signal, sentAt] as const),
        () => this.recorder.mayLeave(run),
        (accepted) => this.recorder.accepted(run, batch, sentAt, accepted),
      );
    } catch (error) {
      if (error instanceof SentElsewhere) return this.recorder.skipped(run, batch);
      return this.#runFailed(run, batch, sentAt, error);
    }
    return this.#responded(run, batch, sentAt, outcome);
  }

  #isWanted(batch: readonly JobItem<Item>[]): boolean {
    return batch.some((item) => this.work.isWanted?.(item) !== false);
  }

  /** One time for each request, even if the clock is set back: a line that takes one back must not mean another. */
  #nextSentAt(batch: readonly JobItem<Item>[]): number {
    const last = batch.map((item) => this.work.lastAt?.(item) ?? 0);
    this.#sentAt = Math.max(Date.now(), Math.max(this.#sentAt, ...last) + 1);
    return this.#sentAt;
  }

  async #prepared(item: JobItem<Item>, prepared: Prepared<Item>): Promise<undefined> {
    this.#failuresInARow = 0;
    if (!prepared.reused) this.#preparedAt.set(item.index, performance.now());
    if (await this.recorder.prepared(item, prepared)) this.queue.prepared(item);
  }

  async #preparationFailed(item: JobItem<Item>, error: unknown): Promise<StopReason | undefined> {
    switch (errorConsequence(error, 'prepare')) {
      case 'stop':
        return errorStopReason(error);
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
    sentAt: number,
    outcome: RunOutcome<Item, Payload>,
  ): Promise<undefined> {
    this.#failuresInARow = 0;
    const settled = this.recorder.settled(run, batch, sentAt, outcome);
    const recording = settled.then(
      () => true,
      () => false,
    );
    this.#recording.add(recording);
    this.onResponse();
    await settled.finally(() => this.#recording.delete(recording));
    await this.#renewStale(batch.filter((item) => item.state === 'failed'));
  }

  async #runFailed(
    run: number,
    batch: readonly JobItem<Item>[],
    sentAt: number,
    error: unknown,
  ): Promise<StopReason | undefined> {
    const { charge } = error instanceof ServiceError ? error : {};
    switch (errorConsequence(error, 'run')) {
      case 'stop':
        if (isCharged(charge?.cost)) {
          await this.#rejected(run, batch, sentAt, error);
          return errorStopReason(error);
        }
        // A reference that the service no longer knows is "not found" as well as a model that is gone.
        if (isNotFound(error) && (await this.#preparedAnew(run, batch))) return undefined;
        await this.#giveBack(run, [batch]);
        return errorStopReason(error);
      case 'notSent':
        return this.#giveBack(run, [batch]);
      case 'retry':
        await this.#giveBack(run, [batch]);
        return this.#countFailure(error);
      case 'unknown':
        await this.recorder.settled(run, batch, sentAt, {
          outcome: 'unknown',
          reason: messageOf(error),
          ...charge,
        });
        return this.#countFailure(error);
      case 'rejected':
        return this.#rejected(run, batch, sentAt, error);
    }
  }

  /**
   * A rejected batch is split until the bad item is alone with its reason. An upload from a while ago may have
   * expired and be the reason: preparing is free, so those items are prepared again before any of them counts as
   * failed. A batch that was charged is not sent again, in whole or in parts: it might be paid twice.
   */
  async #rejected(
    run: number,
    batch: readonly JobItem<Item>[],
    sentAt: number,
    error: unknown,
  ): Promise<StopReason | undefined> {
    const { charge, details } = error instanceof ServiceError ? error : {};
    const isPaid = isCharged(charge?.cost);
    const isTooLarge = details?.status === 413;
    if (!isPaid && !isTooLarge && (await this.#preparedAnew(run, batch))) return undefined;
    const [first, ...others] = batch;
    if (!first) return undefined;
    if (others.length > 0 && !isPaid) {
      if (isTooLarge) this.queue.capBatch(Math.ceil(batch.length / 2));
      return this.#giveBack(run, this.work.splitRejected?.(batch, error) ?? halves(batch));
    }
    const reason = messageOf(error);
    await this.recorder.settled(run, batch, sentAt, { outcome: 'failed', reason, ...charge });
    return this.#rejectedAloneFor(this.work.commonReason?.(reason, first) ?? reason, reason);
  }

  #rejectedAloneFor(commonReason: string, reason: string): StopReason | undefined {
    if (this.items.some((item) => item.state === 'done')) return undefined;
    this.#rejectedAlone.push(commonReason);
    const isSame = this.#rejectedAlone.length >= SAME_REJECTIONS && new Set(this.#rejectedAlone).size === 1;
    if (!isSame) return undefined;
    return { reason: l10n.t('Every item is rejected for the same reason: {0}', reason) };
  }

  /** Prepares items again that may have expired, once for each item. False: there are none. */
  async #preparedAnew(run: number, batch: readonly JobItem<Item>[]): Promise<boolean> {
    const stale = await this.#renewStale(batch);
    if (stale.length === 0) return false;
    this.work.returned?.(stale);
    await this.#giveBack(run, [batch.filter((item) => !stale.includes(item))]);
    this.queue.prepareAgain(stale);
    return true;
  }

  /** The items without a recent preparation; the next one replaces it. Once for each item. */
  async #renewStale(items: readonly JobItem<Item>[]): Promise<readonly JobItem<Item>[]> {
    if (!this.work.renew) return [];
    const stale = items.filter(({ index }) => this.#mayHaveExpired(index));
    for (const item of stale) {
      // An item that cannot be renewed, as its file is gone, fails alone when it is prepared again.
      await this.work.renew(item).catch(() => undefined);
      this.#renewed.add(item.index);
    }
    return stale;
  }

  #mayHaveExpired(place: number): boolean {
    const at = this.#preparedAt.get(place) ?? Number.NEGATIVE_INFINITY;
    return !this.#renewed.has(place) && performance.now() - at > FRESH_MS;
  }

  /** A shared preparation, such as one upload, has failed once. */
  #countFailure(error: unknown): StopReason | undefined {
    if (this.#counted.has(error as object)) return undefined;
    this.#counted.add(error as object);
    return ++this.#failuresInARow >= MOST_FAILURES_IN_A_ROW ? errorStopReason(error) : undefined;
  }

  async #giveBack(run: number, parts: readonly (readonly JobItem<Item>[])[]): Promise<undefined> {
    this.queue.giveBack(parts);
    this.work.returned?.(parts.flat());
    await this.recorder.returned(run);
  }
}

function isNotFound(error: unknown): boolean {
  return error instanceof ServiceError && error.kind === 'notFound';
}

function halves<T>(batch: readonly T[]): readonly T[][] {
  const middle = Math.ceil(batch.length / 2);
  return [batch.slice(0, middle), batch.slice(middle)];
}
