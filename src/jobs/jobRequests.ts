import * as l10n from '@vscode/l10n';
import type { RunRequest } from '../domain/run';
import { payloadOf } from '../indexing/payload';
import { readingProblem } from '../indexing/plan';
import type { RunResponse } from '../service/client';
import { ServiceError } from '../service/errors';
import { messageOf } from '../wording/errors';
import { retryAt, setbackOf } from './consequence';
import type { JobItem } from './jobJournal';
import type { JobParts, TakenFile } from './jobParts';
import type { JobSteps } from './jobSteps';
import type { Pace } from './pace';
import { asMember, splitRefused } from './rejectedBatch';
import type { WorkQueue } from './workQueue';

/** Tries of an upload before its file is given up; between them the whole job pauses. */
const MOST_TRIES = 5;
/** Requests in a row that did not reach the service before the job pauses by itself. */
const MOST_TROUBLE = 8;
/** As many files refused alone, all for the same reason and none indexed, say that it is not the files. */
const SAME_REFUSALS = 3;
/** Up to this size an upload's time is the service's, not the line's. */
const QUICK_BYTES = 256 * 1024;

export interface JobSignals {
  /** Aborted when uploads are to be broken off: they cost nothing. */
  readonly uploads: AbortSignal;
  /** Aborted when runs that have not left are to stay here. */
  readonly turns: AbortSignal;
}

/** What the requests of a job may ask of it. */
export interface RequestingJob {
  /** False: paused, stopping or over; nothing new leaves. */
  goesOn(): boolean;
  /** The host is going: what fails now says nothing of its file. */
  isLeft(): boolean;
  signals(): JobSignals;
  /** Sends nothing new, and says why. */
  stop(reason: string): void;
  stopFor(error: unknown): void;
  /** Starts whatever may start now. */
  pump(): void;
}

/** One upload, one index run, and what their outcomes mean for the files and for the job. */
export class JobRequests {
  readonly #tries = new Map<number, number>();
  /** Items whose reference this job has got from the service itself: a refusal is not the reference's age. */
  readonly #fresh = new Set<number>();
  readonly #lonely: string[] = [];
  #running = 0;
  #trouble = 0;

  constructor(
    private readonly parts: Pick<JobParts, 'ports' | 'record' | 'shape'>,
    private readonly queue: WorkQueue,
    private readonly pace: Pace,
    private readonly steps: JobSteps,
    private readonly job: RequestingJob,
  ) {}

  /** Runs that are sent and not answered. */
  get running(): number {
    return this.#running;
  }

  /** The user goes on after a pause: what went wrong before it counts no more. */
  forgive(): void {
    this.#trouble = 0;
    this.#lonely.length = 0;
  }

  async upload(item: JobItem): Promise<void> {
    const startedAt = performance.now();
    try {
      const taken = await this.parts.ports
        .take(item, this.job.signals().uploads)
        .catch(async (error: unknown) => {
          await this.#uploadFailed(item, error);
        });
      if (taken) await this.#uploaded(item, taken, performance.now() - startedAt);
    } finally {
      this.queue.uploadEnded(item);
    }
  }

  async #uploaded(item: JobItem, taken: TakenFile, ms: number): Promise<void> {
    const tells = !taken.reused && taken.text === undefined && taken.sizeBytes <= QUICK_BYTES;
    this.pace.succeeded(tells ? { request: 'upload', ms } : undefined);
    this.#trouble = 0;
    // The request is over: the next one need not wait for our disk.
    this.job.pump();
    if (!taken.reused) this.#fresh.add(item.index);
    await this.steps.uploaded(item, taken);
    this.queue.uploaded(item);
  }

  async #uploadFailed(item: JobItem, error: unknown): Promise<void> {
    if (this.job.isLeft()) return this.pace.released();
    switch (setbackOf(error, 'upload')) {
      case 'stop':
        this.pace.released();
        return this.job.stopFor(error);
      case 'aborted':
        return this.pace.released();
      case 'wait':
        return this.pace.refused(retryAt(error));
      case 'again': {
        this.pace.troubled();
        const tries = (this.#tries.get(item.index) ?? 0) + 1;
        this.#tries.set(item.index, tries);
        if (++this.#trouble >= MOST_TROUBLE) return this.job.stopFor(error);
        if (tries < MOST_TRIES) return;
        return this.steps.failed(item, messageOf(error));
      }
      default:
        this.pace.released();
        return this.steps.failed(
          item,
          error instanceof ServiceError ? messageOf(error) : readingProblem(error),
        );
    }
  }

  async index(batch: JobItem[]): Promise<void> {
    this.#running++;
    try {
      const run = await this.steps.sent(batch);
      if (!this.job.goesOn()) {
        // Paused or cancelled while the line was written: nothing has left.
        this.pace.released();
        return await this.#giveBack(run, [batch]);
      }
      const startedAt = performance.now();
      let response: RunResponse;
      try {
        response = await this.parts.ports.run(this.#request(batch), batch.length, this.job.signals().turns);
      } catch (error) {
        return await this.#runFailed(run, batch, error);
      }
      this.pace.succeeded({ request: 'run', ms: performance.now() - startedAt });
      this.#trouble = 0;
      this.job.pump();
      await this.steps.answered(run, batch, response);
      await this.#forgetStale(batch.filter((item) => item.state === 'failed'));
    } finally {
      this.#running--;
    }
  }

  #request(batch: readonly JobItem[]): RunRequest {
    const { model, mode, scope, params } = this.parts.record.head;
    return { model, mode, scope, input: payloadOf(this.parts.shape, batch), params };
  }

  async #runFailed(run: number, batch: JobItem[], error: unknown): Promise<void> {
    switch (setbackOf(error, 'run')) {
      case 'stop':
        this.pace.released();
        await this.#giveBack(run, [batch]);
        return this.job.stopFor(error);
      case 'wait':
        this.pace.refused(retryAt(error));
        return this.#giveBack(run, [batch]);
      case 'again':
        this.pace.troubled();
        await this.#giveBack(run, [batch]);
        if (++this.#trouble >= MOST_TROUBLE) this.job.stopFor(error);
        return;
      case 'aborted':
        this.pace.released();
        return this.#giveBack(run, [batch]);
      case 'unknown':
        this.pace.troubled();
        await this.steps.settled(run, batch, 'unknown', messageOf(error));
        if (++this.#trouble >= MOST_TROUBLE) this.job.stopFor(error);
        return;
      case 'refused':
        this.pace.succeeded();
        return this.#refused(run, batch, error);
    }
  }

  /**
   * A refused batch is split until the bad file stands alone with its reason. References from earlier may be what
   * was refused: uploading is free, so those files are uploaded once more before any of them is blamed.
   */
  async #refused(run: number, batch: JobItem[], error: unknown): Promise<void> {
    const isTooLarge = error instanceof ServiceError && error.details.status === 413;
    const stale = isTooLarge ? [] : await this.#forgetStale(batch);
    if (stale.length > 0) {
      await this.#giveBack(run, [batch.filter((item) => !stale.includes(item))]);
      return this.queue.uploadAgain(stale);
    }
    if (batch.length > 1) {
      if (isTooLarge) this.queue.capBatch(Math.ceil(batch.length / 2));
      const parts = splitRefused(batch.map(asMember), error);
      return this.#giveBack(
        run,
        parts.map((part) => part.map(({ item }) => item)),
      );
    }
    const reason = messageOf(error);
    await this.steps.settled(run, batch, 'failed', reason);
    if (this.parts.record.items.some((item) => item.state === 'indexed')) return;
    // Ids and places differ from file to file; what is left of the words tells whether it is one and the same refusal.
    this.#lonely.push(
      reason.replaceAll(batch[0]?.imageId ?? '', '').replaceAll(batch[0]?.mediaRef ?? '', ''),
    );
    const same = this.#lonely.length >= SAME_REFUSALS && new Set(this.#lonely).size === 1;
    if (same) this.job.stop(l10n.t('The service refuses every file for the same reason: {0}', reason));
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
    this.queue.giveBack(parts);
    await this.steps.returned(run);
  }
}
