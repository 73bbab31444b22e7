import { readAmount } from '../../domain/amounts';
import type { Money } from '../../domain/money';
import type { RunRecord } from '../../domain/runRecord';
import type { ActivityEntry } from '../../readers/activity';

/** Entries that move money and are not the price of a run. */
const notACharge =
  /refund|credit|top.?up|deposit|grant|hold|reserv|authori[sz]|pending|void|revers|invoice|payment/i;

/** The history's run of an activity entry: only by the service's identifier. */
function runWithId<T extends Pick<RunRecord, 'runId'>>(
  entry: ActivityEntry,
  byRunId: ReadonlyMap<string, T>,
): T | undefined {
  for (const id of entry.ids) {
    const run = byRunId.get(id);
    if (run) return run;
  }
  return undefined;
}

/** The runs of one service by the identifier it gave them. */
function runsByRunId<T extends Pick<RunRecord, 'runId' | 'baseUrl'>>(
  runs: readonly T[],
  baseUrl: string,
): ReadonlyMap<string, T> {
  return new Map(
    runs.flatMap((run): [string, T][] =>
      run.runId !== undefined && run.baseUrl === baseUrl ? [[run.runId, run]] : [],
    ),
  );
}

/** Milliseconds by which the service's clock may be behind ours. */
export const clockDifferenceMs = 5 * 60_000;

/** The charge of an entry for its run: a debit may be written as a negative amount. */
export function entryCharge(entry: ActivityEntry): Money | undefined {
  const amount = entry.money && readAmount(entry.money.amount);
  if (amount === undefined || notACharge.test(entry.kind ?? '')) return undefined;
  return { ...entry.money, amount: amount.replace(/^-/, '') };
}

/**
 * The runs without a cost for which the activity has one, with it. A run that several entries charge is left
 * unknown: they may add up or repeat one another.
 */
export function findReceipts<T extends Pick<RunRecord, 'runId' | 'baseUrl' | 'cost'>>(
  entries: readonly ActivityEntry[],
  runs: readonly T[],
  baseUrl: string,
): readonly T[] {
  const byRunId = runsByRunId(runs, baseUrl);
  const charges = new Map<T, Money[]>();
  for (const entry of entries) {
    const run = runWithId(entry, byRunId);
    const charge = run && run.cost === undefined ? entryCharge(entry) : undefined;
    if (run && charge) charges.set(run, [...(charges.get(run) ?? []), charge]);
  }
  return [...charges].flatMap(([run, [cost, ...more]]) =>
    cost && more.length === 0 ? [{ ...run, cost }] : [],
  );
}
