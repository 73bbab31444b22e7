import type { Journal } from '../journal/journal';
import type { JobLine, JobRecord } from './jobJournal';
import type { JobHead, JobItem, JobKind, OutcomeStore, Prepared, RunOutcome } from './jobWork';
import type { Meter } from './progress';

export interface RecorderParts<Head extends JobHead, Item> {
  readonly kind: JobKind<Head, Item>;
  readonly journal: Journal<JobLine<Head, Item>>;
  readonly record: JobRecord<Head, Item>;
  readonly outcomes: OutcomeStore<Head, Item>;
}

/** Writes each step of a job into its journal, then changes its items, then writes outcomes into the store. */
export class JobRecorder<Head extends JobHead, Item> {
  constructor(
    private readonly parts: RecorderParts<Head, Item>,
    private readonly meter: Meter,
  ) {}

  async prepared(item: JobItem<Item>, { fields }: Prepared<Item>): Promise<void> {
    const { kind, journal } = this.parts;
    Object.assign(item, fields);
    const line = { kind: 'uploaded' as const, item: item.index, ...(kind.prepared(fields) ?? {}) };
    await journal.append(line as JobLine<Head, Item>);
  }

  /** Before a run's bytes leave. Resolves to the run's number. */
  async sent(batch: readonly JobItem<Item>[]): Promise<number> {
    const run = this.parts.record.nextRun++;
    await this.parts.journal.append({ kind: 'sent', run, items: batch.map((item) => item.index) });
    return run;
  }

  /** The run was not executed. */
  async returned(run: number): Promise<void> {
    await this.parts.journal.append({ kind: 'answered', run, outcome: 'returned', at: Date.now() });
  }

  /** An item that failed without a run; the others go on. */
  async failedAlone(item: JobItem<Item>, reason: string): Promise<void> {
    const at = Date.now();
    await this.parts.journal.append({ kind: 'left', item: item.index, outcome: 'failed', reason });
    Object.assign(item, { state: 'failed', reason, at });
    await this.#record([item]);
  }

  async settled(run: number, batch: readonly JobItem<Item>[], result: RunOutcome<Item>): Promise<void> {
    const { outcome, reason, runId, cost, failed = new Map<JobItem<Item>, string>() } = result;
    const at = Date.now();
    if (cost) this.meter.spend([cost]);
    await this.parts.journal.append({
      kind: 'answered',
      run,
      outcome: outcome === 'done' ? 'indexed' : outcome,
      ...(reason !== undefined && { reason }),
      ...(runId !== undefined && { runId }),
      ...(cost && { cost }),
      ...(failed.size > 0 && {
        failed: [...failed].map(([item, itemReason]) => ({ item: item.index, reason: itemReason })),
      }),
      at,
    });
    for (const item of batch) {
      const itemReason = failed.get(item);
      const state = itemReason === undefined ? outcome : 'failed';
      Object.assign(item, { state, reason: itemReason ?? reason, at });
    }
    await this.#record(batch);
  }

  async #record(items: readonly JobItem<Item>[]): Promise<void> {
    this.meter.done(items.length);
    await this.parts.outcomes.record(this.parts.record.head, items);
  }
}
