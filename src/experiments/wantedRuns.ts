import type { Store } from '../store/store';
import { endInterrupted } from './experimentJobs';
import type { LoadedExperiment } from './load';
import type { Cell } from './plan';
import { readResultsFile } from './resultsFile';
import { ResultsWriter } from './resultsWriter';

/** The planned runs by what became of them so far. */
export interface SortedRuns {
  readonly missing: readonly Cell[];
  readonly failed: readonly Cell[];
  /** Sent without a response: they may have been charged. */
  readonly unconfirmed: readonly Cell[];
  readonly finished: number;
  /** Of those that are missing: ids of results that stood in the file, and that the store still has. */
  readonly lost: readonly string[];
  /** When the results were read. */
  readonly since: number;
}

/**
 * Compares the plan with the results file, after what an interrupted window has left was settled and written there.
 * @param results absolute path of the results file
 * @param cells missing: all of the plan
 */
export async function sortRuns(
  store: Store,
  { plan }: LoadedExperiment,
  results: string,
  cells: readonly Cell[] = plan.cells,
): Promise<SortedRuns> {
  await endInterrupted(store, results);
  await new ResultsWriter(store.experimentResults, results, () => undefined).flush();
  const since = Date.now();
  const known = new Map((await readResultsFile(results)).results.map((line) => [line.custom_id, line.state]));
  const of = (state: 'finished' | 'failed' | 'unconfirmed' | undefined) =>
    cells.filter(({ customId }) => known.get(customId) === state);
  const missing = of(undefined);
  const wanted = new Set(missing.map(({ customId }) => customId));
  const lost = store.experimentResults
    .written(results)
    .flatMap(({ customId }) => (wanted.has(customId) ? [customId] : []));
  return {
    ...{ missing, lost, since },
    ...{ failed: of('failed'), unconfirmed: of('unconfirmed'), finished: of('finished').length },
  };
}

/** Writes results that were lost into their file again: nothing is paid. */
export async function restoreResults(store: Store, results: string, lost: readonly string[]): Promise<void> {
  await store.experimentResults.writeAgain(results, lost);
  await new ResultsWriter(store.experimentResults, results, () => undefined).flush();
}
