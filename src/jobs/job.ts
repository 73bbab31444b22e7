import * as l10n from '@vscode/l10n';
import type { BulkThrottle } from '../service/client';
import type { JobHead, JobItem } from '../store/jobKind';
import type { Jobs } from '../store/jobs';
import { StoreProblem } from '../store/storeProblem';
import { Unsaved } from '../store/unsaved';
import { closedBeforeResponse } from '../wording/runStates';
import { unsavedText } from '../wording/unsaved';
import { errorStopReason, type StopReason } from './consequence';
import { JobRecorder } from './jobRecorder';
import { JobRequests } from './jobRequests';
import type { JobWork } from './jobWork';
import { type JobProgress, type JobState, jobProgress, Meter } from './progress';
import { reread, skipDone } from './recover';
import { WorkQueue } from './workQueue';

/** Between two looks whether the target is free. */
const LOOK_EVERY_MS = 400;
/** Looks after which a lease that is still taken is that of a job at work. */
const HELD_UP_AFTER_LOOKS = 5;

export interface JobParts<Head extends JobHead, Item, Payload = undefined> {
  readonly jobs: Jobs<Head, Item, Payload>;
  readonly head: Head;
  readonly items: readonly JobItem<Item>[];
  readonly work: JobWork<Item, Payload>;
  /** This window has just planned it, so other windows have not worked on it. */
  readonly isNew: boolean;
}

/**
 * Preparations and runs of one plan, overlapping, as many at once as the throttle allows, each step in the store
 * before and after. A killed job is opened again from the store and continues where it was. Little is held in
 * memory: a few batches at most wait between preparation and run.
 */
export class Job<Head extends JobHead, Item, Payload = undefined> {
  readonly head: Head;
  readonly items: readonly JobItem<Item>[];
  readonly #queue: WorkQueue<Item>;
  readonly #requests: JobRequests<Head, Item, Payload>;
  readonly #meter = new Meter();
  /**
   * While a response is held, sending waits: a further response could not be saved either, and would be lost with the
   * process.
   */
  readonly #unsaved = new Unsaved(() => this.#notify());
  readonly #listeners = new Set<() => void>();
  #preparations = new AbortController();
  #turns = new AbortController();
  #state: JobState = 'queued';
  #isHeldUp = false;
  #stopped: StopReason | undefined;
  /** Ends the job as soon as nothing that it has sent is open. */
  #broken: { readonly error: unknown } | undefined;
  #ending: 'finished' | 'cancelled' | undefined;
  #isDetached = false;
  /** Holds the lease of the target, as far as this window knows. */
  #isOwner = false;
  /** A planned job is claimed already. */
  #mayHoldLeases = true;
  /** Another window may have worked on the job since its items were read. */
  #isStale: boolean;
  #runs = 0;
  /** Requests without a response, or with one that is not recorded yet. */
  #unsettled = 0;
  #throttle: BulkThrottle | undefined;
  #unsubscribe: (() => void) | undefined;
  #resolve: (() => void) | undefined;
  #reject: ((error: unknown) => void) | undefined;

  /** Resolves when the job has ended, finished or cancelled; rejects when the store cannot be written. */
  readonly done = new Promise<void>((resolve, reject) => {
    this.#resolve = resolve;
    this.#reject = reject;
  });

  constructor(private readonly parts: JobParts<Head, Item, Payload>) {
    const { jobs, head, items, work, isNew } = parts;
    this.head = head;
    this.items = items;
    this.#isStale = !isNew;
    this.#queue = new WorkQueue(items, () => work.batchSize(), work.prepare !== undefined);
    const recorder = new JobRecorder(jobs, head, work, this.#meter, this.#unsaved);
    this.#requests = new JobRequests(work, items, this.#queue, recorder, () => this.#pump());
    this.#countSpent();
    this.done.catch(() => undefined);
  }

  get state(): JobState {
    return this.#state;
  }

  /** Counts all items: for display a few times a second, not after each change. */
  get progress(): JobProgress {
    return jobProgress(this.items, this.#meter, {
      state: this.#state,
      isHeldUp: this.#state === 'queued' && this.#isHeldUp,
      stopped: this.#stopped,
      preparing: this.#queue.preparing,
      leftOut: this.#leftOut,
      runs: this.#runs,
      waiting: this.parts.work.throttle?.()?.pause,
      unsaved: this.#unsaved.held && unsavedText(this.#unsaved.held),
    });
  }

  get #leftOut(): number {
    const { work } = this.parts;
    return this.items.filter((item) => item.state === 'skipped' && work.isWanted?.(item) === false).length;
  }

  onDidChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Starts, or waits for the job that works on the same target. */
  start(): void {
    void this.#begin().catch((error: unknown) => this.#break(error));
  }

  /** Stops sending: requests in flight are awaited, waiting ones stay here. */
  pause(): void {
    if (this.#state === 'running') this.#stop(undefined);
  }

  resume(): void {
    if ((this.#state !== 'paused' && this.#state !== 'stopping') || this.#ending || this.#broken) return;
    this.#stopped = undefined;
    this.#preparations = new AbortController();
    this.#turns = new AbortController();
    this.#requests.resetFailures();
    this.#meter.restart();
    if (!this.#isOwner) {
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
    // An interrupted job has unknown outcomes to record first: that needs the target's lease.
    const isFresh = !this.items.some((item) => item.state === 'inFlight');
    if (this.#state === 'queued' && isFresh) this.#finish();
    else if (this.#state !== 'queued') {
      this.#change('stopping');
      this.#pump();
    }
  }

  /**
   * Stops a stopping job's wait for responses; the outcome of sent requests is then unknown. Only the user may decide
   * that, since they may have been executed and paid.
   */
  stopWaiting(): void {
    if (this.#state === 'stopping') this.#requests.stopWaiting();
  }

  /** The extension host has stopped it; the next window resumes it. */
  get isDetached(): boolean {
    return this.#isDetached;
  }

  /**
   * The extension host stops: sending stops, and later failures do not count against an item. The job stays in the
   * store, for the next window to resume. The lease is free with the last request, or with the process.
   */
  detach(): void {
    if (this.#state === 'ended') return;
    this.#isDetached = true;
    this.#abortAll();
    // Without notifying: the job neither ended nor paused, and no window is left to show it.
    this.#state = 'stopping';
    this.#unsubscribe?.();
    if (this.#unsettled === 0) void this.#release();
  }

  async #begin(): Promise<void> {
    if (!(await this.#takeOver())) return;
    // While the target was free, another window may have resumed this very job, and ended it.
    if (!this.parts.jobs.get(this.head.id))
      throw new Error(l10n.t('Another window has resumed this job and shows its progress.'));
    if (this.#isStale) await reread(this.parts);
    this.#countSpent();
    await skipDone(this.parts);
    this.#isStale = true;
    this.#queue.restart();
    if (this.#isDetached) return this.#release();
    if (this.#ending) return this.#finish();
    this.#meter.restart();
    this.#change('running');
    this.#pump();
  }

  /** Waits for the lease of the target; false when the job ended meanwhile. */
  async #takeOver(): Promise<boolean> {
    const { jobs } = this.parts;
    let looks = 0;
    while (!this.#isDetached && this.#state !== 'ended') {
      this.#isOwner =
        (await jobs.claim(this.head)) &&
        // This window's requests in flight end first.
        this.#unsettled === 0 &&
        !jobs.isWorkedOn(this.head) &&
        (await jobs.takeOver(this.head, closedBeforeResponse()));
      // After each wait: a job that was closed meanwhile has released its earlier leases.
      this.#mayHoldLeases = true;
      if (this.#isOwner) break;
      // A killed window keeps its lease for a moment, although it does not work.
      if (this.#unsettled === 0 && !this.#isHeldUp && ++looks >= HELD_UP_AFTER_LOOKS) {
        this.#isHeldUp = true;
        this.#notify();
      }
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    }
    this.#isHeldUp = false;
    if (!this.#isDetached && this.#state !== 'ended') return true;
    await this.#release();
    return false;
  }

  #countSpent(): void {
    const { jobs, head } = this.parts;
    this.#meter.startFrom(jobs.costs(head.id), jobs.unpriced(head.id));
    this.#runs = jobs.requests(head.id);
  }

  /** Lets the next job of the target begin, and another window resume this one. */
  async #release(): Promise<void> {
    if (!this.#mayHoldLeases) return;
    this.#isOwner = this.#mayHoldLeases = false;
    // A store that is closed or gone has released the lease itself, or shows other windows that its owner is gone.
    await this.parts.jobs.release(this.head).catch(() => undefined);
  }

  /** Starts all work that may start. Called after every change. */
  #pump(): void {
    this.#followThrottle();
    if (this.#state === 'running' && this.#unsaved.isEmpty) while (this.#startOne());
    if (this.#unsettled > 0) return;
    if (this.#isDetached) void this.#release();
    else if (this.#broken) this.#endBroken(this.#broken.error);
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
    // A kill loses responses that wait for the disk as well: a request after them waits for the same write.
    const due = this.#unsettled - this.#requests.recording < limit ? this.#queue.next(limit) : undefined;
    if (!due) return false;
    const item = due === 'prepare' ? this.#queue.takeUnprepared() : undefined;
    if (item)
      this.#track(this.#requests.prepare(item, this.#preparations.signal), () =>
        this.#queue.preparationEnded(item),
      );
    else {
      const batch = this.#requests.ready(this.#queue.takeBatch());
      if (batch.length === 0) return true;
      this.#runs++;
      this.#track(this.#requests.run(batch, this.#turns.signal));
    }
    return true;
  }

  #track(request: Promise<StopReason | undefined>, ended?: () => void): void {
    this.#unsettled++;
    request
      .then((stop) => stop && this.#stop(stop))
      .catch((error: unknown) => this.#failedToRecord(error))
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
    if (!stopped?.sparesAdmitted) this.#turns.abort();
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
    try {
      await this.parts.jobs.end(this.head);
    } finally {
      // Its end could not be written: another window that finds it interrupted may end it.
      await this.#release();
    }
  }

  #failedToRecord(error: unknown): void {
    const isOwnerNoMore = error instanceof StoreProblem && error.kind === 'notOwner';
    if (!isOwnerNoMore) {
      this.#break(error);
      return;
    }
    if (!this.parts.jobs.get(this.head.id)) {
      // Its leases may still be ours: a paused job would hold up every other one of its target.
      this.#break(new Error(l10n.t('Another window has ended this job.'), { cause: error }));
      return;
    }
    this.#isOwner = false;
    const reason = l10n.t(
      'Another window took over, because this one did not respond (the computer slept or was overloaded). Resume to continue.',
    );
    this.#stop({ reason });
  }

  /**
   * The store cannot be written. Requests in flight end first: their responses are saved once that works again.
   */
  #break(error: unknown): void {
    if (this.#state === 'ended') return;
    this.#broken ??= { error };
    this.#stopped ??= errorStopReason(error);
    this.#abortAll();
    if (this.#unsettled === 0) this.#endBroken(error);
    else this.#change('stopping');
  }

  #endBroken(error: unknown): void {
    this.#unsubscribe?.();
    this.#change('ended');
    void this.#release();
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
