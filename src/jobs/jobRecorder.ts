import type { AcceptedRun } from '../domain/response';
import type { JobHead, JobItem } from '../store/jobKind';
import type { Jobs } from '../store/jobs';
import type { Unsaved } from '../store/unsaved';
import { type JobWork, type Prepared, type RunOutcome, requestOutcome } from './jobWork';
import type { Meter } from './progress';

/** Writes each step of a job into the store, then changes its items. */
export class JobRecorder<Head extends JobHead, Item, Payload = undefined> {
  constructor(
    private readonly jobs: Jobs<Head, Item, Payload>,
    private readonly head: Head,
    private readonly work: Pick<JobWork<Item>, 'settled'>,
    private readonly meter: Meter,
    private readonly unsaved: Unsaved,
  ) {}

  /** False: now that it is read, another job turns out to have done it. */
  async prepared(item: JobItem<Item>, { fields }: Prepared<Item>): Promise<boolean> {
    Object.assign(item, fields);
    Object.assign(item, this.jobs.outcomes.renamed?.(this.head, item));
    if (!this.jobs.outcomes.isDone(this.head, item)) {
      await this.jobs.prepared(this.head, item);
      return true;
    }
    await this.jobs.left(this.head, [item.index], 'skipped');
    item.state = 'skipped';
    return false;
  }

  /** Before a run's bytes leave. Resolves to the run's number. */
  sent(batch: readonly JobItem<Item>[], at: number): Promise<number> {
    return this.jobs.sent(this.head, batch.map(itemIndex), at);
  }

  /** Whether the run is still to be sent: another window that took over calls it unconfirmed. */
  mayLeave(run: number): boolean {
    try {
      return this.jobs.isInFlight(this.head, run);
    } catch {
      // A store that cannot be read does not say so.
      return false;
    }
  }

  /** The service has accepted the run: once it is on the disk, it is asked for. A damaged store does not keep that. */
  async accepted(
    run: number,
    batch: readonly JobItem<Item>[],
    sentAt: number,
    accepted: AcceptedRun,
  ): Promise<void> {
    const save = () => this.jobs.accepted(this.head, run, { items: batch, sentAt }, accepted);
    await this.unsaved.save(save).catch(() => undefined);
  }

  /** The run was not executed. */
  returned(run: number): Promise<void> {
    return this.unsaved.save(() => this.jobs.answered(this.head, run, { outcome: 'returned' }));
  }

  /** The run was not executed here, since another process has its items. */
  async skipped(run: number, batch: readonly JobItem<Item>[]): Promise<undefined> {
    await this.returned(run);
    return this.leftOut(batch);
  }

  /** Items that are not sent. */
  async leftOut(batch: readonly JobItem<Item>[]): Promise<undefined> {
    await this.jobs.left(this.head, batch.map(itemIndex), 'skipped');
    for (const item of batch) item.state = 'skipped';
    await this.#settled(batch);
  }

  /** An item that failed without a run; the others go on. */
  async failedAlone(item: JobItem<Item>, reason: string): Promise<void> {
    await this.jobs.left(this.head, [item.index], 'failed', reason);
    Object.assign(item, { state: 'failed', reason, at: Date.now() });
    await this.#settled([item]);
  }

  async settled(
    run: number,
    batch: readonly JobItem<Item>[],
    sentAt: number,
    result: RunOutcome<Item, Payload>,
  ): Promise<void> {
    const { outcome, reason, cost, failed, unconfirmed, payload } = result;
    if (cost) this.meter.spend([cost]);
    else if (outcome !== 'failed') this.meter.spendUnknown();
    const facts = requestOutcome(result);
    const late = { items: batch, sentAt };
    await this.unsaved.save(() => this.jobs.answered(this.head, run, facts, payload, late));
    const at = Date.now();
    for (const item of batch) {
      if (failed?.has(item)) Object.assign(item, { state: 'failed', reason: failed.get(item), at });
      else if (unconfirmed?.has(item))
        Object.assign(item, { state: 'unknown', reason: unconfirmed.get(item), at });
      else Object.assign(item, { state: outcome, reason, at });
    }
    await this.#settled(batch);
  }

  async #settled(items: readonly JobItem<Item>[]): Promise<void> {
    this.meter.done(items.length);
    await this.work.settled?.(items);
  }
}

const itemIndex = ({ index }: JobItem<unknown>) => index;
