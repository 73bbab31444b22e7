import type { OutcomeState } from './resultLine';
import type { PlacedRun } from './table/table';

type Identified = Pick<PlacedRun, 'customId' | 'earlierIds' | 'serves'>;

/**
 * Runs under the IDs of their results, which may be others: see `earlierIds`. Of several results, one that has finished
 * is taken.
 * @param recorded states by ID
 * @param requests IDs of results by those that earlier versions would have made of their requests; needed for runs
 * without a contract: it is not known which of them lead to one request
 */
export function withRecordedIds<R extends Identified>(
  runs: readonly R[],
  recorded: ReadonlyMap<string, OutcomeState>,
  requests: ReadonlyMap<string, string> = new Map(),
): readonly R[] {
  const planned = new Set(runs.map(({ customId }) => customId));
  const strays = new Set([...recorded.keys()].filter((id) => !planned.has(id)));
  if (strays.size === 0 && requests.size === 0) return runs;
  const byId = new Map<string, R>();
  for (const run of runs) {
    const ids = recorded.has(run.customId) ? [] : (run.earlierIds?.() ?? []);
    const matches = ids.flatMap((id) => (strays.has(id) ? id : (requests.get(id) ?? [])));
    const customId = matches.find((id) => recorded.get(id) === 'finished') ?? matches[0] ?? run.customId;
    const known = byId.get(customId);
    const own = customId === run.customId ? run : { ...run, customId };
    byId.set(customId, known ? { ...known, serves: [...known.serves, ...run.serves] } : own);
  }
  return [...byId.values()];
}
