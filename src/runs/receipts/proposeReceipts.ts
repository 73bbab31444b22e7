import type { RunRecord } from '../../domain/runRecord';
import type { ActivityEntry } from '../../readers/activity';
import { clockDifferenceMs, entryCharge } from './findReceipts';

type Unresolved = Pick<RunRecord, 'modelName' | 'startedAt' | 'sentAt' | 'finishedAt'> & {
  readonly draft: Pick<RunRecord['draft'], 'model'>;
};

/** A run may go on after its response was given up, and its charge is booked when it ends. */
const latestMs = 60 * 60_000;

/**
 * The charges that may be for a run with a lost response: of the same model, within the run's time, and not explained
 * by another run. The nearest in time is first. A proposal is no proof: the user confirms it.
 * @param isExplained whether a known run has the entry's identifier
 */
export function proposeReceipts(
  run: Unresolved,
  entries: readonly ActivityEntry[],
  isExplained: (entry: ActivityEntry) => boolean,
): readonly ActivityEntry[] {
  const from = run.sentAt ?? run.startedAt;
  const to = run.finishedAt ?? from;
  const distance = ({ at = Number.POSITIVE_INFINITY }: ActivityEntry) => Math.max(0, from - at, at - to);
  return entries
    .filter((entry) => {
      const { at, model } = entry;
      if (at === undefined || model === undefined || !entryCharge(entry)) return false;
      return (
        at >= from - clockDifferenceMs &&
        at <= to + latestMs &&
        isSameModel(run, model) &&
        !isExplained(entry)
      );
    })
    .toSorted((a, b) => distance(a) - distance(b));
}

function isSameModel({ draft, modelName }: Unresolved, model: string): boolean {
  const plain = (name: string) => name.normalize('NFC').trim().toLowerCase();
  return plain(model) === plain(draft.model) || plain(model) === plain(modelName);
}
