import type { JobParts } from './jobParts';
import { closedBeforeResponse, unsaid } from './outcomes';

/**
 * Makes a job that was left ready to go on. What is in flight in its journal has nobody left who waits for it:
 * unknown. What has an outcome is put into the ledger if the host died in between. What another window has
 * indexed since the plan is left out. Called with the dataset's lock held.
 */
export async function recover({
  ledger,
  journal,
  record,
}: Pick<JobParts, 'ledger' | 'journal' | 'record'>): Promise<void> {
  const { head, items } = record;
  const lost = items.filter((item) => item.state === 'inFlight');
  if (lost.length > 0) {
    const reason = closedBeforeResponse();
    const run = record.nextRun++;
    const at = Date.now();
    await journal.appendAll([
      { kind: 'sent', run, items: lost.map((item) => item.index) },
      { kind: 'answered', run, outcome: 'unknown', reason, at },
    ]);
    for (const item of lost) Object.assign(item, { state: 'unknown', reason, at });
  }
  await ledger.record(unsaid(record, ledger));
  const skipped = items.filter((item) => {
    if (item.state !== 'planned' && item.state !== 'uploaded') return false;
    const known = ledger.find(head, item.imageId);
    const isDone = known?.outcome === 'indexed' || (known?.outcome === 'unknown' && known.at > head.at);
    return (
      isDone &&
      known.file === item.uri &&
      known.sizeBytes === item.sizeBytes &&
      known.modifiedMs === item.modifiedMs
    );
  });
  await journal.appendAll(skipped.map((item) => ({ kind: 'left', item: item.index, outcome: 'skipped' })));
  for (const item of skipped) item.state = 'skipped';
  // Text is not kept in the journal: it is read again.
  for (const item of items)
    if (item.state === 'uploaded' && item.mediaRef === undefined) item.state = 'planned';
}
