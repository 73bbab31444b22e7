import * as fs from 'node:fs/promises';
import * as l10n from '@vscode/l10n';
import type { RunRequest } from '../contract/runRequest';
import type { Journal } from '../journal/journal';
import { type HeldLock, tryLock } from '../journal/lock';
import type { RunAnswer } from '../service/client';
import type { NextStep } from '../service/errors';
import type { JobEnd, JobEntry, JobHead, JobItem, JobRecord, PlannedItem } from './jobJournal';
import type { Ledger, LedgerItem } from './ledger';
import { closedBeforeAnswer, ledgerItemOf, unsaid } from './outcomes';
import { Pace } from './pace';
import { type PayloadShape, payloadOf } from './payload';
import { readingProblem } from './plan';
import { type JobProgress, type JobState, Meter } from './progress';
import { failedMembers } from './refusals';
import { setbackOf } from './setback';
import { splitRefused } from './split';

/** A file as it was when it was uploaded (or read, where the request carries text). */
export interface TakenFile {
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly modifiedMs: number;
  readonly mediaRef?: string;
  readonly text?: string;
}

/** What a job needs of the world. Whatever these throw is a ServiceError, an abort, or why a file cannot be read. */
export interface JobPorts {
  /** Uploads a file, or finds the reference of its content; reads it where the request carries text. */
  take(item: PlannedItem, signal: AbortSignal): Promise<TakenFile>;
  /** One paid run: admitted by the guard, sent at most once, settled. */
  run(request: RunRequest, items: number): Promise<RunAnswer>;
  /** Most requests in flight. */
  concurrency(): number;
  /** As the user set it; the contract's own limit is in `shape`. */
  batchSize(): number;
}

export interface JobParts {
  readonly record: JobRecord;
  readonly journal: Journal<JobEntry>;
  /** The journal's file, removed when the job is over. */
  readonly file: string;
  /** Path of the dataset's lock: one window at a time writes to a dataset. */
  readonly lockPath: string;
  readonly ledger: Ledger;
  /** Puts into the ledger what other jobs of this dataset left unsaid. Called with the lock held. */
  readonly settleOthers: () => Promise<void>;
  readonly shape: PayloadShape;
  readonly ports: JobPorts;
}

/** Tries of an upload before its file is given up; between them the whole job pauses. */
const MOST_TRIES = 5;
/** Requests in a row that did not reach the service before the job pauses by itself. */
const MOST_TROUBLE = 8;
/** As many files refused alone, all for the same reason and none indexed, say that it is not the files. */
const SAME_REFUSALS = 3;
const LOCK_POLL_MS = 1_000;

/**
 * A job of indexing: uploads and index runs of one plan overlap, never more requests in flight than the service
 * bears, and each step is in the journal before and after. A killed job is opened again from its journal and
 * goes on where it was. No file is held in memory; at most a few batches wait between upload and run.
 */
export class IndexingJob {
  readonly head: JobHead;
  readonly #items: JobItem[];
  readonly #ready: JobItem[] = [];
  /** Parts of refused batches, and batches to be sent again: they go first, as they are. */
  readonly #parts: JobItem[][] = [];
  readonly #texts = new Map<number, string>();
  readonly #tries = new Map<number, number>();
  readonly #pace: Pace;
  readonly #meter = new Meter();
  readonly #listeners = new Set<() => void>();
  readonly #uploads = new AbortController();
  readonly #lonely: string[] = [];
  /** Items that are being uploaded, by their place. */
  readonly #busy = new Set<number>();
  #next = 0;
  #uploading = 0;
  #running = 0;
  #trouble = 0;
  #batchLimit = Number.POSITIVE_INFINITY;
  #state: JobState = 'queued';
  #reason: string | undefined;
  #nextStep: NextStep | undefined;
  #ending: JobEnd | undefined;
  #lock: HeldLock | undefined;
  #timer: NodeJS.Timeout | undefined;
  #finish: (() => void) | undefined;
  #fail: ((error: unknown) => void) | undefined;

  /** Resolves when the job is over, finished or cancelled; rejects when its journal cannot be written. */
  readonly done: Promise<void>;

  constructor(private readonly parts: JobParts) {
    this.head = parts.record.head;
    this.#items = parts.record.items;
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
    const counts = { indexed: 0, failed: 0, unknown: 0, skipped: 0, inFlight: 0, planned: 0, uploaded: 0 };
    for (const item of this.#items) counts[item.state]++;
    const { indexed, failed, unknown, skipped } = counts;
    const rate = this.#state === 'running' ? this.#meter.rate() : undefined;
    const left = this.#items.length - indexed - failed - unknown - skipped;
    const wait = this.#pace.pauseLeft();
    return {
      state: this.#state,
      ...(this.#reason !== undefined && { reason: this.#reason }),
      ...(this.#nextStep !== undefined && { nextStep: this.#nextStep }),
      total: this.#items.length,
      indexed,
      failed,
      unknown,
      skipped,
      inFlight: counts.inFlight + this.#uploading,
      runs: this.parts.record.nextRun,
      spent: this.#meter.spent,
      ...(rate !== undefined && { rate, leftMs: (left / rate) * 1_000 }),
      ...(wait > 0 && { waitingUntilMs: Date.now() + wait }),
    };
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

  async #begin(): Promise<void> {
    while (!this.#lock) {
      this.#lock = await tryLock(this.parts.lockPath);
      if (this.#lock) break;
      await new Promise((resolve) => setTimeout(resolve, LOCK_POLL_MS));
      if (this.#state === 'ended') return;
    }
    if (this.#state === 'ended') return this.#lock.release();
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
    await this.#recover();
    if (this.#ending) return this.#end();
    this.#meter.restart();
    this.#change('running');
    this.#pump();
  }

  /**
   * What is in flight in the journal has nobody left who waits for it: unknown. What has an outcome is put into
   * the ledger if the host died in between. What another window has indexed since the plan is left out.
   */
  async #recover(): Promise<void> {
    const { ledger, journal, record } = this.parts;
    const lost = this.#items.filter((item) => item.state === 'inFlight');
    if (lost.length > 0) {
      const reason = closedBeforeAnswer();
      const run = record.nextRun++;
      const at = Date.now();
      await journal.appendAll([
        { kind: 'sent', run, items: lost.map((item) => item.index) },
        { kind: 'answered', run, outcome: 'unknown', reason, at },
      ]);
      for (const item of lost) Object.assign(item, { state: 'unknown', reason, at });
    }
    await ledger.record(unsaid(record, ledger));
    const skipped = this.#items.filter((item) => {
      if (item.state !== 'planned' && item.state !== 'uploaded') return false;
      const known = ledger.find(this.head, item.imageId);
      const isDone =
        known?.outcome === 'indexed' || (known?.outcome === 'unknown' && known.at > this.head.at);
      return (
        isDone &&
        known.file === item.uri &&
        known.sizeBytes === item.sizeBytes &&
        known.modifiedMs === item.modifiedMs
      );
    });
    await journal.appendAll(skipped.map((item) => ({ kind: 'left', item: item.index, outcome: 'skipped' })));
    for (const item of skipped) item.state = 'skipped';
    this.#next = 0;
    this.#ready.length = 0;
    for (const item of this.#items) {
      // Text is not kept in the journal: it is read again.
      if (item.state === 'uploaded' && item.mediaRef === undefined) item.state = 'planned';
      else if (item.state === 'uploaded') this.#ready.push(item);
    }
  }

  /** Starts whatever may start. Called after every change. */
  #pump(): void {
    clearTimeout(this.#timer);
    if (this.#state === 'running') {
      while (this.#startOne());
      const wait = this.#pace.pauseLeft();
      if (wait > 0) this.#timer = setTimeout(() => this.#pump(), Math.min(wait, 60_000));
    }
    if (this.#uploading > 0 || this.#running > 0) return;
    if (this.#ending) void this.#end().catch((error: unknown) => this.#break(error));
    else if (this.#state === 'stopping') this.#change('paused');
    else if (this.#state === 'running' && this.#isDrained()) {
      this.#ending = 'finished';
      void this.#end().catch((error: unknown) => this.#break(error));
    }
  }

  #isDrained(): boolean {
    return this.#parts.length === 0 && this.#ready.length === 0 && !this.#peek();
  }

  #startOne(): boolean {
    const batch = this.#canRun();
    const mayUpload = this.#ready.length + this.#uploading < this.#highWater();
    const upload = !batch && mayUpload ? this.#peek() : undefined;
    if ((!batch && !upload) || !this.#pace.take()) return false;
    if (batch) this.#inBackground(this.#index(this.#takeBatch()));
    else if (upload) {
      this.#next = upload.index + 1;
      this.#inBackground(this.#upload(upload));
    }
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

  /** The next file that is not uploaded; those that must be tried again are before the others. */
  #peek(): JobItem | undefined {
    for (let at = this.#next; at < this.#items.length; at++) {
      const item = this.#items[at];
      if (item?.state === 'planned' && !this.#busy.has(at)) {
        this.#next = at;
        return item;
      }
    }
    this.#next = this.#items.length;
    return undefined;
  }

  #batchSize(): number {
    const size = Math.min(this.parts.ports.batchSize(), this.parts.shape.maxItems, this.#batchLimit);
    return this.parts.shape.list ? Math.max(1, size) : 1;
  }

  /** Uploads run ahead of the runs by this many files, and no further: what waits is bounded. */
  #highWater(): number {
    return this.#batchSize() * 3 + this.#pace.limit;
  }

  /** A full batch, or the last of all. */
  #canRun(): boolean {
    if (this.#parts.length > 0 || this.#ready.length >= this.#batchSize()) return true;
    return this.#ready.length > 0 && this.#uploading === 0 && !this.#peek();
  }

  #takeBatch(): JobItem[] {
    const batch = this.#parts.shift() ?? this.#ready.splice(0, this.#batchSize());
    for (const item of batch) item.state = 'inFlight';
    this.#running++;
    return batch;
  }

  async #upload(item: JobItem): Promise<void> {
    this.#uploading++;
    this.#busy.add(item.index);
    try {
      const taken = await this.parts.ports.take(item, this.#uploads.signal).catch(async (error: unknown) => {
        await this.#uploadFailed(item, error);
      });
      if (taken) await this.#uploaded(item, taken);
    } finally {
      this.#uploading--;
      this.#busy.delete(item.index);
    }
  }

  async #uploaded(item: JobItem, { text, mediaRef, ...file }: TakenFile): Promise<void> {
    this.#pace.succeeded();
    this.#trouble = 0;
    // The request is over: the next one need not wait for our disk.
    this.#pump();
    if (text !== undefined) this.#texts.set(item.index, text);
    Object.assign(item, file, { mediaRef });
    await this.parts.journal.append({
      kind: 'uploaded',
      item: item.index,
      sha256: file.sha256,
      sizeBytes: file.sizeBytes,
      modifiedMs: file.modifiedMs,
      ...(mediaRef !== undefined && { mediaRef }),
    });
    item.state = 'uploaded';
    this.#ready.push(item);
  }

  async #uploadFailed(item: JobItem, error: unknown): Promise<void> {
    const setback = setbackOf(error, 'upload');
    this.#next = Math.min(this.#next, item.index);
    switch (setback) {
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
        return this.#leave(item, messageOf(error));
      }
      default:
        this.#pace.released();
        return this.#leave(item, isServiceError(error) ? messageOf(error) : readingProblem(error));
    }
  }

  /** A file that fails before any run: its own fault, its neighbours go on. */
  async #leave(item: JobItem, reason: string): Promise<void> {
    const at = Date.now();
    await this.parts.journal.append({ kind: 'left', item: item.index, outcome: 'failed', reason });
    Object.assign(item, { state: 'failed', reason, at });
    this.#meter.done(1);
    await this.parts.ledger.record([this.#ledgerItem(item)]);
  }

  async #index(batch: JobItem[]): Promise<void> {
    try {
      const run = this.parts.record.nextRun++;
      await this.parts.journal.append({ kind: 'sent', run, items: batch.map((item) => item.index) });
      if (this.#state !== 'running') {
        // Paused or cancelled while the line was written: nothing has left.
        this.#pace.released();
        return await this.#giveBack(run, [batch]);
      }
      let answer: RunAnswer;
      try {
        answer = await this.parts.ports.run(this.#request(batch), batch.length);
      } catch (error) {
        return await this.#runFailed(run, batch, error);
      }
      this.#pace.succeeded();
      this.#trouble = 0;
      this.#pump();
      await this.#answered(run, batch, answer);
    } finally {
      this.#running--;
    }
  }

  #request(batch: readonly JobItem[]): RunRequest {
    const { model, mode, scope, params } = this.head;
    const items = batch.map((item) => ({
      imageId: item.imageId,
      filename: item.filename,
      ...(item.mediaRef !== undefined && { mediaRef: item.mediaRef }),
      ...(this.#texts.has(item.index) && { text: this.#texts.get(item.index) }),
    }));
    return { model, mode, scope, input: payloadOf(this.parts.shape, items), params };
  }

  async #answered(run: number, batch: readonly JobItem[], answer: RunAnswer): Promise<void> {
    const told = {
      ...(answer.runId !== undefined && { runId: answer.runId }),
      ...(answer.cost && { cost: answer.cost }),
    };
    if (answer.cost) this.#meter.spend([answer.cost]);
    switch (answer.state) {
      case 'finished': {
        const failed = failedMembers(answer, batch.map(asMember));
        const reasons = new Map([...failed].map(([member, reason]) => [member.item, reason]));
        return this.#settle(run, batch, 'indexed', undefined, told, reasons);
      }
      case 'failed':
        return this.#settle(
          run,
          batch,
          'failed',
          answer.message ?? l10n.t('The service says that the run failed, and gives no reason.'),
          told,
        );
      case 'accepted':
        return this.#settle(
          run,
          batch,
          'unknown',
          l10n.t('The service took it for later and has not said that it was done.'),
          told,
        );
    }
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
        await this.#settle(run, batch, 'unknown', messageOf(error));
        if (++this.#trouble >= MOST_TROUBLE) this.#stopFor(error);
        return;
      case 'refused':
        this.#pace.succeeded();
        return this.#refused(run, batch, error);
    }
  }

  /** A refused batch is split until the bad file stands alone with its reason. */
  async #refused(run: number, batch: JobItem[], error: unknown): Promise<void> {
    if (batch.length > 1) {
      if (isServiceError(error) && error.details.status === 413)
        this.#batchLimit = Math.min(this.#batchLimit, Math.ceil(batch.length / 2));
      const parts = splitRefused(batch.map(asMember), error);
      return this.#giveBack(
        run,
        parts.map((part) => part.map(({ item }) => item)),
      );
    }
    const reason = messageOf(error);
    await this.#settle(run, batch, 'failed', reason);
    if (this.#items.some((item) => item.state === 'indexed')) return;
    // Ids and places differ from file to file; what is left of the words tells whether it is one and the same refusal.
    this.#lonely.push(
      reason.replaceAll(batch[0]?.imageId ?? '', '').replaceAll(batch[0]?.mediaRef ?? '', ''),
    );
    const same = this.#lonely.length >= SAME_REFUSALS && new Set(this.#lonely).size === 1;
    if (same) this.#stop(l10n.t('The service refuses every file for the same reason: {0}', reason));
  }

  /** Nothing was executed: the items are sent again later, in these parts. */
  async #giveBack(run: number, parts: readonly JobItem[][]): Promise<void> {
    for (const item of parts.flat()) item.state = 'uploaded';
    this.#parts.unshift(...parts);
    await this.parts.journal.append({ kind: 'answered', run, outcome: 'returned', at: Date.now() });
  }

  async #settle(
    run: number,
    batch: readonly JobItem[],
    outcome: 'indexed' | 'failed' | 'unknown',
    reason?: string,
    told: Pick<Extract<JobEntry, { kind: 'answered' }>, 'runId' | 'cost'> = {},
    failed: ReadonlyMap<JobItem, string> = new Map(),
  ): Promise<void> {
    const at = Date.now();
    await this.parts.journal.append({
      kind: 'answered',
      run,
      outcome,
      ...(reason !== undefined && { reason }),
      ...told,
      ...(failed.size > 0 && {
        failed: [...failed].map(([item, why]) => ({ item: item.index, reason: why })),
      }),
      at,
    });
    for (const item of batch) {
      const why = failed.get(item);
      Object.assign(item, { state: why === undefined ? outcome : 'failed', reason: why ?? reason, at });
      this.#texts.delete(item.index);
    }
    this.#meter.done(batch.length);
    await this.parts.ledger.record(batch.map((item) => this.#ledgerItem(item)));
  }

  #ledgerItem(item: JobItem): LedgerItem {
    return ledgerItemOf(this.head, item);
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

function asMember(item: JobItem) {
  return { imageId: item.imageId, mediaRef: item.mediaRef ?? '', item };
}

function messageOf(error: unknown): string {
  return error instanceof Error && error.message !== ''
    ? error.message
    : l10n.t('Something unexpected went wrong.');
}

function isServiceError(
  error: unknown,
): error is Error & { nextStep: NextStep; details: { status?: number; retryAtMs?: number } } {
  return error instanceof Error && error.name === 'ServiceError' && 'details' in error;
}

function retryAt(error: unknown): number | undefined {
  return isServiceError(error) ? error.details.retryAtMs : undefined;
}
