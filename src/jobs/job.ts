import * as fs from 'node:fs/promises';
import * as l10n from '@vscode/l10n';
import type { NextStep } from '../domain/problems';
import { type HeldLock, tryLock } from '../journal/lock';
import { ServiceError } from '../service/errors';
import { messageOf, nextStepOf } from '../wording/errors';
import type { JobEnd, JobHead, JobItem } from './jobJournal';
import type { JobParts } from './jobParts';
import { JobRequests } from './jobRequests';
import { JobSteps } from './jobSteps';
import { Pace } from './pace';
import { type JobProgress, type JobState, Meter, progressOf } from './progress';
import { recover } from './recover';
import { WorkQueue } from './workQueue';

const LOCK_POLL_MS = 1_000;

/**
 * A job of indexing: uploads and index runs of one plan overlap, never more requests in flight than the service
 * bears, and each step is in the journal before and after. A killed job is opened again from its journal and
 * goes on where it was. No file is held in memory; at most a few batches wait between upload and run.
 */
export class IndexingJob {
  readonly head: JobHead;
  readonly #items: JobItem[];
  readonly #queue: WorkQueue;
  readonly #requests: JobRequests;
  readonly #pace: Pace;
  readonly #meter = new Meter();
  readonly #listeners = new Set<() => void>();
  #uploads = new AbortController();
  #turns = new AbortController();
  #state: JobState = 'queued';
  #reason: string | undefined;
  #nextStep: NextStep | undefined;
  #ending: JobEnd | undefined;
  #isLeft = false;
  #lock: HeldLock | undefined;
  #timer: NodeJS.Timeout | undefined;
  #finish: (() => void) | undefined;
  #fail: ((error: unknown) => void) | undefined;

  /** Resolves when the job is over, finished or cancelled; rejects when its journal cannot be written. */
  readonly done: Promise<void>;

  constructor(private readonly parts: JobParts) {
    this.head = parts.record.head;
    this.#items = parts.record.items;
    this.#queue = new WorkQueue(this.#items, parts.shape, () => parts.ports.batchSize());
    this.#pace = new Pace(() => Math.max(1, parts.ports.concurrency()));
    this.#requests = new JobRequests(parts, this.#queue, this.#pace, new JobSteps(parts, this.#meter), {
      goesOn: () => this.#state === 'running',
      isLeft: () => this.#isLeft,
      stop: (reason) => this.#stop(reason),
      stopFor: (error) => this.#stopFor(error),
      pump: () => this.#pump(),
      signals: () => ({ uploads: this.#uploads.signal, turns: this.#turns.signal }),
    });
    this.#meter.spend(parts.record.costs);
    this.done = new Promise((resolve, reject) => {
      this.#finish = resolve;
      this.#fail = reject;
    });
    this.done.catch(() => undefined);
  }

  get items(): readonly JobItem[] {
    return this.#items;
  }

  get progress(): JobProgress {
    return progressOf(this.#items, this.#meter, {
      state: this.#state,
      reason: this.#reason,
      nextStep: this.#nextStep,
      uploading: this.#queue.uploading,
      runs: this.parts.record.nextRun,
      waitMs: this.#waitMs,
    });
  }

  /** Milliseconds until the service takes requests again. */
  get #waitMs(): number {
    const untilMs = this.parts.ports.pausedUntil?.() ?? 0;
    return Math.max(this.#pace.pauseLeft(), untilMs - Date.now());
  }

  onDidChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Begins, or waits for the window that is indexing into the same dataset. */
  start(): void {
    void this.#begin().catch((error: unknown) => this.#break(error));
  }

  /** Sends nothing new; what is in flight is waited for, what only waits to be sent stays here. */
  pause(): void {
    if (this.#state === 'running') this.#stop(undefined);
  }

  resume(): void {
    if (this.#state !== 'paused' && this.#state !== 'stopping') return;
    if (this.#ending) return;
    this.#reason = this.#nextStep = undefined;
    this.#uploads = new AbortController();
    this.#turns = new AbortController();
    this.#requests.forgive();
    this.#meter.restart();
    if (!this.#lock) {
      this.#change('queued');
      this.start();
      return;
    }
    this.#change('running');
    this.#pump();
  }

  /** Ends the job: runs in flight are waited for (they are paid), uploads are broken off. */
  cancel(): void {
    if (this.#state === 'ended') return;
    this.#ending = 'cancelled';
    this.#uploads.abort();
    this.#turns.abort();
    // A job that was left has responses to write down as unknown first: that needs the dataset's lock.
    const isFresh = !this.#items.some((item) => item.state === 'inFlight');
    if (this.#state === 'queued' && isFresh) void this.#end().catch((error: unknown) => this.#break(error));
    else if (this.#state !== 'queued') {
      this.#change('stopping');
      this.#pump();
    }
  }

  /**
   * The host is going: nothing new is sent, and what fails from now on fails for that reason and says nothing of
   * its file. The journal stays as it is; the next window goes on. The lock ends with this process, or its work.
   */
  leave(): void {
    if (this.#state === 'ended') return;
    this.#isLeft = true;
    this.#uploads.abort();
    this.#turns.abort();
    clearTimeout(this.#timer);
    // Told to nobody: it is neither over nor paused, and there is no window left to say so in.
    this.#state = 'stopping';
    if (this.#queue.uploading === 0 && this.#requests.running === 0) void this.#lock?.release();
  }

  async #begin(): Promise<void> {
    while (!this.#lock) {
      this.#lock = await tryLock(this.parts.lockPath);
      if (this.#lock) break;
      await new Promise((resolve) => setTimeout(resolve, LOCK_POLL_MS));
      if (this.#isLeft || this.#state === 'ended') return;
    }
    if (this.#isLeft || this.#state === 'ended') return this.#lock.release();
    this.#lock?.lost.addEventListener('abort', () => {
      this.#lock = undefined;
      this.#stop(
        l10n.t('The computer slept, or was too busy to keep its hold on this scope. Resume to go on.'),
      );
    });
    // While nobody held the lock, another window may have gone on with this very job.
    const foreign = await this.parts.journal.refresh();
    if (foreign.length > 0 || this.parts.journal.records.length === 0)
      throw new Error(
        l10n.t('Another window has gone on with this job: its Scopes view shows how far it is.'),
      );
    await this.parts.ledger.refresh();
    await this.parts.settleOthers();
    await recover(this.parts);
    this.#queue.restart();
    if (this.#isLeft) return this.#lock?.release();
    if (this.#ending) return this.#end();
    this.#meter.restart();
    this.#change('running');
    this.#pump();
  }

  /** Starts whatever may start. Called after every change. */
  #pump(): void {
    clearTimeout(this.#timer);
    if (this.#state === 'running') {
      while (this.#startOne());
      const wait = this.#pace.pauseLeft();
      if (wait > 0) this.#timer = setTimeout(() => this.#pump(), Math.min(wait, 60_000));
    }
    if (this.#queue.uploading > 0 || this.#requests.running > 0) return;
    if (this.#isLeft) void this.#lock?.release();
    else if (this.#ending) void this.#end().catch((error: unknown) => this.#break(error));
    else if (this.#state === 'stopping') this.#change('paused');
    else if (this.#state === 'running' && this.#queue.isDrained) {
      this.#ending = 'finished';
      void this.#end().catch((error: unknown) => this.#break(error));
    }
  }

  #startOne(): boolean {
    const next = this.#queue.next(this.#pace.limit);
    if (!next || !this.#pace.take()) return false;
    const upload = next === 'upload' ? this.#queue.takeUpload() : undefined;
    const requests = this.#requests;
    this.#inBackground(upload ? requests.upload(upload) : requests.index(this.#queue.takeBatch()));
    return true;
  }

  #inBackground(work: Promise<void>): void {
    work
      .catch((error: unknown) => this.#break(error))
      .finally(() => {
        this.#tell();
        this.#pump();
      });
  }

  #stopFor(error: unknown): void {
    if (this.#reason === undefined && error instanceof ServiceError) this.#nextStep = nextStepOf(error);
    this.#stop(messageOf(error));
  }

  #stop(reason: string | undefined): void {
    if (this.#state === 'ended' || this.#ending) return;
    this.#reason ??= reason;
    this.#turns.abort();
    // They wait for the service's pause to end, which may take an hour, and begin anew for nothing.
    if (this.#waitMs > 0) this.#uploads.abort();
    this.#change('stopping');
    this.#pump();
  }

  async #end(): Promise<void> {
    if (this.#state === 'ended') return;
    this.#change('ended');
    clearTimeout(this.#timer);
    const { journal, file } = this.parts;
    await journal.append({ kind: 'ended', how: this.#ending ?? 'finished', at: Date.now() });
    await journal.close();
    // The ledger has every outcome; the steps are of no more use.
    await fs.rm(file, { force: true });
    await this.#lock?.release();
    this.#finish?.();
  }

  /** The disk is full, or gone: nothing may be sent that cannot be written down. */
  #break(error: unknown): void {
    if (this.#state === 'ended') return;
    this.#reason ??= messageOf(error);
    this.#uploads.abort();
    this.#change('ended');
    void this.#lock?.release();
    this.#fail?.(error);
  }

  #change(state: JobState): void {
    this.#state = state;
    this.#tell();
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}
