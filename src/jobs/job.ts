import * as fs from 'node:fs/promises';
import * as l10n from '@vscode/l10n';
import { type HeldLock, tryLock } from '../journal/lock';
import type { BulkThrottle } from '../service/client';
import { type StopReason, stopReasonOf } from './consequence';
import type { JobEnd, OpenJournal } from './jobJournal';
import { JobRecorder } from './jobRecorder';
import { JobRequests, type RequestEnd } from './jobRequests';
import type { JobHead, JobItem, JobKind, JobWork, OutcomeStore } from './jobWork';
import { type JobProgress, type JobState, Meter, progressOf } from './progress';
import { recover } from './recover';
import { WorkQueue } from './workQueue';

const LOCK_POLL_MS = 1_000;

export interface JobParts<Head extends JobHead, Item> extends OpenJournal<Head, Item> {
  readonly kind: JobKind<Head, Item>;
  readonly outcomes: OutcomeStore<Head, Item>;
  /** Path of the target's lock: one job at a time works on a target. */
  readonly lockPath: string;
  /** Records what killed jobs of this target had not recorded. Called with the lock held. */
  readonly recordOthers: () => Promise<void>;
  readonly work: JobWork<Item>;
}

/**
 * Preparations and runs of one plan, overlapping, as many at once as the throttle allows, each step in the journal
 * before and after. A killed job is opened again from its journal and continues where it was. Little is held in
 * memory: a few batches at most wait between preparation and run.
 */
export class Job<Head extends JobHead, Item> {
  readonly head: Head;
  readonly items: readonly JobItem<Item>[];
  readonly #queue: WorkQueue<Item>;
  readonly #requests: JobRequests<Head, Item>;
  readonly #meter = new Meter();
  readonly #listeners = new Set<() => void>();
  #preparations = new AbortController();
  #turns = new AbortController();
  #state: JobState = 'queued';
  #stopped: StopReason | undefined;
  #ending: JobEnd | undefined;
  #isDetached = false;
  #lock: HeldLock | undefined;
  /** Requests that have no response yet. */
  #inFlight = 0;
  /** As `#inFlight`, and those whose outcome is being written down. */
  #unsettled = 0;
  #throttle: BulkThrottle | undefined;
  #unsubscribe: (() => void) | undefined;
  #resolve: (() => void) | undefined;
  #reject: ((error: unknown) => void) | undefined;

  /** Resolves when the job has ended, finished or cancelled; rejects when its journal cannot be written. */
  readonly done = new Promise<void>((resolve, reject) => {
    this.#resolve = resolve;
    this.#reject = reject;
  });

  constructor(private readonly parts: JobParts<Head, Item>) {
    const { record, work } = parts;
    this.head = record.head;
    this.items = record.items;
    this.#queue = new WorkQueue(record.items, () => work.batchSize(), work.prepare !== undefined);
    this.#requests = new JobRequests(work, record, this.#queue, new JobRecorder(parts, this.#meter));
    this.#meter.spend(record.costs);
    this.done.catch(() => undefined);
  }

  get progress(): JobProgress {
    return progressOf(this.items, this.#meter, {
      state: this.#state,
      stopped: this.#stopped,
      preparing: this.#queue.preparing,
      runs: this.parts.record.nextRun,
      waiting: this.parts.work.throttle?.()?.pause,
    });
  }

  onDidChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Starts, or waits for the job that works on the same target. */
  start(): void {
    void this.#begin().catch((error: unknown) => this.#break(error));
  }

  /** Sends nothing new; what is in flight is waited for, what only waits to be sent stays here. */
  pause(): void {
    if (this.#state === 'running') this.#stop(undefined);
  }

  resume(): void {
    if ((this.#state !== 'paused' && this.#state !== 'stopping') || this.#ending) return;
    this.#stopped = undefined;
    this.#preparations = new AbortController();
    this.#turns = new AbortController();
    this.#requests.resetFailures();
    this.#meter.restart();
    if (!this.#lock) {
      this.#change('queued');
      this.start();
      return;
    }
    this.#change('running');
    this.#pump();
  }

  /** Ends the job: runs in flight are waited for (they are paid), preparations are aborted. */
  cancel(): void {
    if (this.#state === 'ended') return;
    this.#ending = 'cancelled';
    this.#abortAll();
    // An interrupted job has unknown outcomes to record first: that needs the target's lock.
    const isFresh = !this.items.some((item) => item.state === 'inFlight');
    if (this.#state === 'queued' && isFresh) this.#finish();
    else if (this.#state !== 'queued') {
      this.#change('stopping');
      this.#pump();
    }
  }

  /**
   * The extension host stops: nothing new is sent, and what fails from now on is not counted against an item. The
   * journal stays, for the next window to resume. The lock is released with the last request, or with the process.
   */
  detach(): void {
    if (this.#state === 'ended') return;
    this.#isDetached = true;
    this.#abortAll();
    // Without notifying: the job neither ended nor paused, and no window is left to show it.
    this.#state = 'stopping';
    this.#unsubscribe?.();
    if (this.#unsettled === 0) void this.#lock?.release();
  }

  async #begin(): Promise<void> {
    if (!(await this.#takeLock())) return;
    const { journal, outcomes, recordOthers } = this.parts;
    // While the lock was free, another window may have continued this very job.
    const foreign = await journal.refresh();
    if (foreign.length > 0 || journal.records.length === 0)
      throw new Error(l10n.t('Another window has resumed this job and shows its progress.'));
    await outcomes.refresh();
    await recordOthers();
    await recover(this.parts);
    this.#queue.restart();
    if (this.#isDetached) return this.#lock?.release();
    if (this.#ending) return this.#finish();
    this.#meter.restart();
    this.#change('running');
    this.#pump();
  }

  /** Waits for the target's lock; false when the job ended meanwhile. */
  async #takeLock(): Promise<boolean> {
    while (!this.#lock) {
      this.#lock = await tryLock(this.parts.lockPath);
      if (!this.#lock) await new Promise((resolve) => setTimeout(resolve, LOCK_POLL_MS));
      if (!this.#isDetached && this.#state !== 'ended') continue;
      await this.#lock?.release();
      return false;
    }
    this.#lock.lost.addEventListener('abort', () => {
      this.#lock = undefined;
      const reason = l10n.t(
        'This window lost its lock (the computer slept or was overloaded). Resume to continue.',
      );
      this.#stop({ reason });
    });
    return true;
  }

  /** Starts whatever may start. Called after every change. */
  #pump(): void {
    this.#followThrottle();
    if (this.#state === 'running') while (this.#startOne());
    if (this.#unsettled > 0) return;
    if (this.#isDetached) void this.#lock?.release();
    else if (this.#ending) this.#finish();
    else if (this.#state === 'stopping') this.#change('paused');
    else if (this.#state === 'running' && this.#queue.isDrained) {
      this.#ending = 'finished';
      this.#finish();
    }
  }

  /** A new client of the service (another key) has a throttle of its own. */
  #followThrottle(): void {
    const throttle = this.parts.work.throttle?.();
    if (throttle === this.#throttle) return;
    this.#unsubscribe?.();
    this.#throttle = throttle;
    this.#unsubscribe = throttle?.onDidChange(() => {
      this.#notify();
      this.#pump();
    });
  }

  #startOne(): boolean {
    const most = Math.max(1, this.parts.work.concurrency());
    const limit = this.#throttle?.limit(most) ?? most;
    const due = this.#inFlight < limit ? this.#queue.next(limit) : undefined;
    if (!due) return false;
    const item = due === 'prepare' ? this.#queue.takeUnprepared() : undefined;
    if (item)
      this.#track(this.#requests.prepare(item, this.#preparations.signal), () =>
        this.#queue.preparationEnded(item),
      );
    else this.#track(this.#requests.run(this.#queue.takeBatch(), this.#turns.signal));
    return true;
  }

  #track(request: Promise<RequestEnd>, ended?: () => void): void {
    this.#inFlight++;
    this.#unsettled++;
    request
      .finally(() => this.#inFlight--)
      .then(({ succeeded, settle }) => {
        // The next request need not wait for the disk; after a failure it waits for the consequence.
        if (succeeded) this.#pump();
        return settle();
      })
      .then((stop) => stop && this.#stop(stop))
      .catch((error: unknown) => this.#break(error))
      .finally(() => {
        this.#unsettled--;
        ended?.();
        this.#notify();
        this.#pump();
      });
  }

  #stop(stopped: StopReason | undefined): void {
    if (this.#state === 'ended' || this.#ending) return;
    this.#stopped ??= stopped;
    this.#turns.abort();
    // Preparations may wait an hour for the service's pause to end; they cost nothing, and start again.
    if (this.#throttle?.pause) this.#preparations.abort();
    this.#change('stopping');
    this.#pump();
  }

  #abortAll(): void {
    this.#preparations.abort();
    this.#turns.abort();
  }

  #finish(): void {
    if (this.#state === 'ended') return;
    this.#unsubscribe?.();
    this.#change('ended');
    this.#writeEnd().then(this.#resolve, this.#reject);
  }

  async #writeEnd(): Promise<void> {
    const { journal, file } = this.parts;
    await journal.append({ kind: 'ended', how: this.#ending ?? 'finished', at: Date.now() });
    await journal.close();
    // The store has every outcome.
    await fs.rm(file, { force: true });
    await this.#lock?.release();
  }

  /** The disk is full or gone: nothing may be sent that cannot be written down. */
  #break(error: unknown): void {
    if (this.#state === 'ended') return;
    this.#stopped ??= stopReasonOf(error);
    this.#abortAll();
    this.#unsubscribe?.();
    this.#change('ended');
    void this.#lock?.release();
    this.#reject?.(error);
  }

  #change(state: JobState): void {
    this.#state = state;
    this.#notify();
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }
}
