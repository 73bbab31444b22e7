import * as fs from 'node:fs/promises';
import * as l10n from '@vscode/l10n';
import type { RunRequest } from '../contract/runRequest';
import { type HeldLock, tryLock } from '../journal/lock';
import type { RunAnswer } from '../service/client';
import type { NextStep } from '../service/errors';
import type { JobEnd, JobHead, JobItem } from './jobJournal';
import type { JobParts, TakenFile } from './jobParts';
import { JobSteps } from './jobSteps';
import { Pace } from './pace';
import { payloadOf } from './payload';
import { readingProblem } from './plan';
import { type JobProgress, type JobState, Meter, progressOf } from './progress';
import { recover } from './recover';
import { isServiceError, messageOf, retryAt, setbackOf } from './setback';
import { asMember, splitRefused } from './split';
import { WorkQueue } from './workQueue';

/** Tries of an upload before its file is given up; between them the whole job pauses. */
const MOST_TRIES = 5;
/** Requests in a row that did not reach the service before the job pauses by itself. */
const MOST_TROUBLE = 8;
/** As many files refused alone, all for the same reason and none indexed, say that it is not the files. */
const SAME_REFUSALS = 3;
/** Up to this size an upload's time is the service's, not the line's. */
const QUICK_BYTES = 256 * 1024;
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
  readonly #steps: JobSteps;
  readonly #pace: Pace;
  readonly #meter = new Meter();
  readonly #listeners = new Set<() => void>();
  readonly #uploads = new AbortController();
  readonly #tries = new Map<number, number>();
  /** Items whose reference this job has got from the service itself: a refusal is not the reference's age. */
  readonly #fresh = new Set<number>();
  readonly #lonely: string[] = [];
  #running = 0;
  #trouble = 0;
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
    this.#steps = new JobSteps(parts, this.#meter);
    this.#pace = new Pace(() => Math.max(1, parts.ports.concurrency()));
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
      waitMs: this.#pace.pauseLeft(),
    });
  }

  onDidChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Begins, or waits for the window that is indexing into the same dataset. */
  start(): void {
    void this.#begin().catch((error: unknown) => this.#break(error));
  }

  /** Sends nothing new; what is in flight is waited for. */
  pause(): void {
    if (this.#state === 'running') this.#stop(undefined);
  }

  resume(): void {
    if (this.#state !== 'paused' && this.#state !== 'stopping') return;
    if (this.#ending) return;
    this.#reason = this.#nextStep = undefined;
    this.#trouble = 0;
    this.#lonely.length = 0;
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
    // A job that was left has answers to write down as unknown first: that needs the dataset's lock.
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
    clearTimeout(this.#timer);
    // Told to nobody: it is neither over nor paused, and there is no window left to say so in.
    this.#state = 'stopping';
    if (this.#queue.uploading === 0 && this.#running === 0) void this.#lock?.release();
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
      throw new Error(l10n.t('Another window has gone on with this job.'));
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
    if (this.#queue.uploading > 0 || this.#running > 0) return;
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
    this.#inBackground(upload ? this.#upload(upload) : this.#index(this.#queue.takeBatch()));
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

  async #upload(item: JobItem): Promise<void> {
    const startedAt = performance.now();
    try {
      const taken = await this.parts.ports.take(item, this.#uploads.signal).catch(async (error: unknown) => {
        await this.#uploadFailed(item, error);
      });
      if (taken) await this.#uploaded(item, taken, performance.now() - startedAt);
    } finally {
      this.#queue.uploadEnded(item);
    }
  }

  async #uploaded(item: JobItem, taken: TakenFile, ms: number): Promise<void> {
    const tells = !taken.reused && taken.text === undefined && taken.sizeBytes <= QUICK_BYTES;
    this.#pace.succeeded(tells ? { request: 'upload', ms } : undefined);
    this.#trouble = 0;
    // The request is over: the next one need not wait for our disk.
    this.#pump();
    if (!taken.reused) this.#fresh.add(item.index);
    await this.#steps.uploaded(item, taken);
    this.#queue.uploaded(item);
  }

  async #uploadFailed(item: JobItem, error: unknown): Promise<void> {
    if (this.#isLeft) return this.#pace.released();
    switch (setbackOf(error, 'upload')) {
      case 'stop':
        this.#pace.released();
        return this.#stopFor(error);
      case 'aborted':
        return this.#pace.released();
      case 'wait':
        return this.#pace.refused(retryAt(error));
      case 'again': {
        this.#pace.troubled();
        const tries = (this.#tries.get(item.index) ?? 0) + 1;
        this.#tries.set(item.index, tries);
        if (++this.#trouble >= MOST_TROUBLE) return this.#stopFor(error);
        if (tries < MOST_TRIES) return;
        return this.#steps.failed(item, messageOf(error));
      }
      default:
        this.#pace.released();
        return this.#steps.failed(item, isServiceError(error) ? messageOf(error) : readingProblem(error));
    }
  }

  async #index(batch: JobItem[]): Promise<void> {
    this.#running++;
    try {
      const run = await this.#steps.sent(batch);
      if (this.#state !== 'running') {
        // Paused or cancelled while the line was written: nothing has left.
        this.#pace.released();
        return await this.#giveBack(run, [batch]);
      }
      const startedAt = performance.now();
      let answer: RunAnswer;
      try {
        answer = await this.parts.ports.run(this.#request(batch), batch.length);
      } catch (error) {
        return await this.#runFailed(run, batch, error);
      }
      this.#pace.succeeded({ request: 'run', ms: performance.now() - startedAt });
      this.#trouble = 0;
      this.#pump();
      await this.#steps.answered(run, batch, answer);
      await this.#forgetStale(batch.filter((item) => item.state === 'failed'));
    } finally {
      this.#running--;
    }
  }

  #request(batch: readonly JobItem[]): RunRequest {
    const { model, mode, scope, params } = this.head;
    return { model, mode, scope, input: payloadOf(this.parts.shape, batch), params };
  }

  async #runFailed(run: number, batch: JobItem[], error: unknown): Promise<void> {
    switch (setbackOf(error, 'run')) {
      case 'stop':
        this.#pace.released();
        await this.#giveBack(run, [batch]);
        return this.#stopFor(error);
      case 'wait':
        this.#pace.refused(retryAt(error));
        return this.#giveBack(run, [batch]);
      case 'again':
        this.#pace.troubled();
        await this.#giveBack(run, [batch]);
        if (++this.#trouble >= MOST_TROUBLE) this.#stopFor(error);
        return;
      case 'aborted':
        this.#pace.released();
        return this.#giveBack(run, [batch]);
      case 'unknown':
        this.#pace.troubled();
        await this.#steps.settled(run, batch, 'unknown', messageOf(error));
        if (++this.#trouble >= MOST_TROUBLE) this.#stopFor(error);
        return;
      case 'refused':
        this.#pace.succeeded();
        return this.#refused(run, batch, error);
    }
  }

  /**
   * A refused batch is split until the bad file stands alone with its reason. References from earlier may be what
   * was refused: uploading is free, so those files are uploaded once more before any of them is blamed.
   */
  async #refused(run: number, batch: JobItem[], error: unknown): Promise<void> {
    const isTooLarge = isServiceError(error) && error.details.status === 413;
    const stale = isTooLarge ? [] : await this.#forgetStale(batch);
    if (stale.length > 0) {
      await this.#giveBack(run, [batch.filter((item) => !stale.includes(item))]);
      return this.#queue.uploadAgain(stale);
    }
    if (batch.length > 1) {
      if (isTooLarge) this.#queue.capBatch(Math.ceil(batch.length / 2));
      const parts = splitRefused(batch.map(asMember), error);
      return this.#giveBack(
        run,
        parts.map((part) => part.map(({ item }) => item)),
      );
    }
    const reason = messageOf(error);
    await this.#steps.settled(run, batch, 'failed', reason);
    if (this.#items.some((item) => item.state === 'indexed')) return;
    // Ids and places differ from file to file; what is left of the words tells whether it is one and the same refusal.
    this.#lonely.push(
      reason.replaceAll(batch[0]?.imageId ?? '', '').replaceAll(batch[0]?.mediaRef ?? '', ''),
    );
    const same = this.#lonely.length >= SAME_REFUSALS && new Set(this.#lonely).size === 1;
    if (same) this.#stop(l10n.t('The service refuses every file for the same reason: {0}', reason));
  }

  /** Those whose reference is from an earlier upload; they will not get it again. */
  async #forgetStale(items: readonly JobItem[]): Promise<JobItem[]> {
    const stale = items.filter((item) => item.mediaRef !== undefined && !this.#fresh.has(item.index));
    for (const item of stale) {
      await this.parts.ports.forget(item);
      // Once: whatever `take` brings now counts as new.
      this.#fresh.add(item.index);
    }
    return stale;
  }

  async #giveBack(run: number, parts: readonly JobItem[][]): Promise<void> {
    this.#queue.giveBack(parts);
    await this.#steps.returned(run);
  }

  #stopFor(error: unknown): void {
    if (this.#reason === undefined && isServiceError(error)) this.#nextStep = error.nextStep;
    this.#stop(messageOf(error));
  }

  #stop(reason: string | undefined): void {
    if (this.#state === 'ended' || this.#ending) return;
    this.#reason ??= reason;
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
