import * as l10n from '@vscode/l10n';
import type { RunResponse } from '../service/client';
import { failedMembers } from './failedItems';
import type { JobEntry, JobItem } from './jobJournal';
import type { JobParts, TakenFile } from './jobParts';
import { ledgerItemOf } from './outcomes';
import type { Meter } from './progress';
import { asMember } from './rejectedBatch';

type Told = Pick<Extract<JobEntry, { kind: 'answered' }>, 'runId' | 'cost'>;

/** Writes each step of a job into its journal, and each outcome into the ledger. */
export class JobSteps {
  constructor(
    private readonly parts: Pick<JobParts, 'journal' | 'ledger' | 'record'>,
    private readonly meter: Meter,
  ) {}

  async uploaded(item: JobItem, { sha256, sizeBytes, modifiedMs, mediaRef, text }: TakenFile): Promise<void> {
    Object.assign(item, { sha256, sizeBytes, modifiedMs, mediaRef, text });
    await this.parts.journal.append({
      kind: 'uploaded',
      item: item.index,
      sha256,
      sizeBytes,
      modifiedMs,
      ...(mediaRef !== undefined && { mediaRef }),
    });
  }

  /** Before a run's bytes leave. Resolves to the run's number. */
  async sent(batch: readonly JobItem[]): Promise<number> {
    const run = this.parts.record.nextRun++;
    await this.parts.journal.append({ kind: 'sent', run, items: batch.map((item) => item.index) });
    return run;
  }

  /** The run was not executed. */
  async returned(run: number): Promise<void> {
    await this.parts.journal.append({ kind: 'answered', run, outcome: 'returned', at: Date.now() });
  }

  /** A file that fails before any run: its own fault, its neighbours go on. */
  async failed(item: JobItem, reason: string): Promise<void> {
    const at = Date.now();
    await this.parts.journal.append({ kind: 'left', item: item.index, outcome: 'failed', reason });
    Object.assign(item, { state: 'failed', reason, at });
    this.meter.done(1);
    await this.parts.ledger.record([ledgerItemOf(this.parts.record.head, item)]);
  }

  async answered(run: number, batch: readonly JobItem[], response: RunResponse): Promise<void> {
    const told = {
      ...(response.runId !== undefined && { runId: response.runId }),
      ...(response.cost && { cost: response.cost }),
    };
    if (response.cost) this.meter.spend([response.cost]);
    switch (response.state) {
      case 'finished': {
        const failed = failedMembers(response, batch.map(asMember));
        const reasons = new Map([...failed].map(([member, reason]) => [member.item, reason]));
        return this.settled(run, batch, 'indexed', undefined, told, reasons);
      }
      case 'failed': {
        const silent = l10n.t('The service says that the run failed, and gives no reason.');
        return this.settled(run, batch, 'failed', response.message ?? silent, told);
      }
      case 'accepted': {
        const later = l10n.t('The service took it for later and has not said that it was done.');
        return this.settled(run, batch, 'unknown', later, told);
      }
    }
  }

  async settled(
    run: number,
    batch: readonly JobItem[],
    outcome: 'indexed' | 'failed' | 'unknown',
    reason?: string,
    told: Told = {},
    failed: ReadonlyMap<JobItem, string> = new Map(),
  ): Promise<void> {
    const { journal, ledger, record } = this.parts;
    const at = Date.now();
    await journal.append({
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
      const state = why === undefined ? outcome : 'failed';
      Object.assign(item, { state, reason: why ?? reason, at, text: undefined });
    }
    this.meter.done(batch.length);
    await ledger.record(batch.map((item) => ledgerItemOf(record.head, item)));
  }
}
