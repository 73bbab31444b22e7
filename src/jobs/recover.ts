import * as l10n from '@vscode/l10n';
import type { JobRecord } from './jobJournal';
import type { RecorderParts } from './jobRecorder';
import type { JobHead, JobItem, OutcomeStore } from './jobWork';

/**
 * Makes an interrupted job ready to continue, with its target's lock held. Items in flight in its journal are
 * unknown: no process waits for their responses. Outcomes go into the store if the host stopped in between, and
 * what another job has done since the plan is skipped.
 */
export async function recover<Head extends JobHead, Item>(parts: RecorderParts<Head, Item>): Promise<void> {
  const { kind, outcomes, journal, record } = parts;
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
  await recordMissing(record, outcomes);
  const skipped = items.filter(
    (item) => (item.state === 'planned' || item.state === 'ready') && outcomes.isDone(head, item),
  );
  await journal.appendAll(skipped.map((item) => ({ kind: 'left', item: item.index, outcome: 'skipped' })));
  for (const item of skipped) item.state = 'skipped';
  for (const item of items)
    if (item.state === 'ready' && kind.isReady?.(item) === false) item.state = 'planned';
}

/** Puts into the store what a journal that no process works on has and the store has not. */
export async function recordMissing<Head extends JobHead, Item>(
  { head, items }: JobRecord<Head, Item>,
  outcomes: OutcomeStore<Head, Item>,
): Promise<void> {
  const missing = items.flatMap((item): JobItem<Item>[] => {
    if (!['done', 'failed', 'unknown', 'inFlight'].includes(item.state)) return [];
    const recordedAt = outcomes.recordedAt(head, item);
    if (recordedAt !== undefined && recordedAt >= (item.at ?? head.at)) return [];
    return [item.state === 'inFlight' ? { ...item, state: 'unknown', reason: closedBeforeResponse() } : item];
  });
  await outcomes.record(head, missing);
}

function closedBeforeResponse(): string {
  return l10n.t('VS Code was closed before the response came.');
}
