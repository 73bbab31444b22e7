import type { RunRecord } from '../domain/runRecord';
import type { Guard } from './budget/guard';
import type { History } from './history/history';
import { keptResponse } from './history/keptResponse';
import { outcomeOf } from './outcomeOf';

/** Unclear runs that are looked at. */
const MOST_RUNS = 1000;

/**
 * Reads the kept responses of a service's unclear runs again, by its present mapping, without a request. Amounts that
 * become known replace the reserved ones.
 * @param shown a run that is read again in any state
 * @returns the former records of those that read otherwise now
 */
export async function readAgain(
  { history, guard }: { readonly history: History; readonly guard: Guard },
  baseUrl: string,
  shown?: string,
): Promise<readonly RunRecord[]> {
  const one = shown === undefined ? undefined : history.get(shown);
  const unclear = history.runs
    .unsettled(MOST_RUNS)
    .filter((record) => record.state === 'unclear' && record.baseUrl === baseUrl && record.id !== shown);
  const before: RunRecord[] = [];
  for (const record of [...(one ? [one] : []), ...unclear]) {
    const bytes = record.result?.truncated === true ? undefined : await history.runs.result(record.id);
    if (bytes === undefined || record.settledByUser === true) continue;
    const response = keptResponse(record, bytes);
    const { state, cost } = response;
    if (state === 'unclear' && record.id !== shown) continue;
    if (state !== 'accepted' && cost) guard.resolve(record, cost);
    await history.put({ ...record, ...outcomeOf(response) });
    before.push(record);
  }
  return before;
}
