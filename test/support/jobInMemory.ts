import { setImmediate as nextTurn } from 'node:timers/promises';
import { Job } from '../../src/jobs/job';
import type { JobWork, Prepared, RunOutcome } from '../../src/jobs/jobWork';
import type { BulkThrottle } from '../../src/service/client';
import type { JobHead, JobItem } from '../../src/store/jobKind';
import type { Jobs } from '../../src/store/jobs';

type Item = JobItem<object>;
type Step = 'takeOver' | 'sent' | 'answered' | 'left' | 'prepared' | 'end' | 'release';

/** A sent run that waits for its outcome. */
interface HeldRun {
  readonly batch: readonly number[];
  readonly turn: AbortSignal;
  readonly abandon: AbortSignal;
  respond(outcome?: RunOutcome<object>): Promise<void>;
  fail(error: unknown): Promise<void>;
}

/** A job over a stand-in store: a test gives its content, and whether it can be written. */
export class JobInMemory {
  readonly head: JobHead = { id: 'job', at: 1 };
  readonly written: string[] = [];
  readonly runs: HeldRun[] = [];
  readonly preparing: {
    readonly place: number;
    readonly signal: AbortSignal;
    end(error?: unknown): Promise<void>;
  }[] = [];
  /** Another one works on the target. */
  isTaken = false;
  /** The store's items of the job; undefined after it has ended. */
  rows: Item[] | undefined;
  costs = [{ amount: '0.5', currency: 'USD' }];
  concurrency = 2;
  /** Called while the store is read. */
  whileReading: (() => Promise<void> | void) | undefined;
  /** Called while an outcome is written. */
  whileWriting: (() => Promise<void>) | undefined;
  throttle: BulkThrottle | undefined;
  readonly doneElsewhere = new Set<number>();
  readonly #failing = new Map<Step, unknown>();
  #requests = 3;

  readonly #store = {
    outcomes: { isDone: (_: JobHead, { index }: Item) => this.doneElsewhere.has(index) },
    isWorkedOn: () => this.isTaken,
    claim: async () => true,
    takeOver: () => this.#write('takeOver', '', !this.isTaken),
    get: () => (this.rows ? this.head : undefined),
    allItems: async () => {
      await this.whileReading?.();
      return (this.rows ?? []).map((row) => ({ ...row }));
    },
    costs: () => this.costs,
    unpriced: () => 0,
    requests: () => this.#requests,
    sent: (_: JobHead, places: readonly number[]) => this.#write('sent', places, ++this.#requests),
    answered: async (_: JobHead, request: number, { outcome }: { outcome: string }) => {
      await this.whileWriting?.();
      return this.#write('answered', [request, outcome]);
    },
    prepared: (_: JobHead, { index }: Item) => this.#write('prepared', index),
    left: (_: JobHead, places: readonly number[], outcome: string) =>
      this.#write('left', [...places, outcome]),
    end: () => this.#write('end', ''),
    release: () => this.#write('release', ''),
  };

  readonly work: JobWork<object> = {
    run: (batch, turn, abandon) =>
      new Promise<RunOutcome<object>>((resolve, reject) => {
        this.runs.push({
          batch: batch.map(({ index }) => index),
          ...{ turn, abandon },
          respond: (outcome = { outcome: 'done' }) => ended(resolve(outcome)),
          fail: (error) => ended(reject(error)),
        });
      }),
    batchSize: () => 1,
    concurrency: () => this.concurrency,
    throttle: () => this.throttle,
  };

  job(count: number, isNew = true): Job<JobHead, object> {
    const items = Array.from({ length: count }, (_, index): Item => ({ index, state: 'planned' }));
    this.rows ??= items.map((item) => ({ ...item }));
    const jobs = this.#store as unknown as Jobs<JobHead, object>;
    return new Job({ jobs, head: this.head, items, work: this.work, isNew });
  }

  /** Its items need to be prepared before they are sent. */
  prepares(): this {
    this.work.prepare = ({ index }, signal) =>
      new Promise<Prepared<object>>((resolve, reject) => {
        this.preparing.push({
          ...{ place: index, signal },
          end: (error) => ended(error === undefined ? resolve({ fields: {} }) : reject(error)),
        });
      });
    return this;
  }

  /** From now on this cannot be written. */
  refuse(step: Step, error: unknown): void {
    this.#failing.set(step, error);
  }

  accept(step: Step): void {
    this.#failing.delete(step);
  }

  async #write<T>(step: Step, of: unknown, result?: T): Promise<T> {
    if (this.#failing.has(step)) throw this.#failing.get(step);
    if (step !== 'takeOver' || result === true) this.written.push(`${step} ${of}`.trim());
    return result as T;
  }
}

/** Lets all pending work continue. */
export const turns = async (count = 3) => {
  for (let n = 0; n < count; n++) await nextTurn();
};

function ended(_: void): Promise<void> {
  return turns();
}
