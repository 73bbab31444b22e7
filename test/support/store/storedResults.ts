import assert from 'node:assert/strict';
import { ResultsWriter } from '../../../src/experiments/results/resultsWriter';
import type { StoredResult } from '../../../src/store/experimentResults';
import type { Store } from '../../../src/store/store';

/** Records results in the store only, as in the moment before they are written into their file. */
export function recordResults(
  { database, experimentResults }: Store,
  file: string,
  results: readonly StoredResult[],
): Promise<void> {
  return database.write(() => experimentResults.recordNow(file, results));
}

export function flushResults({ experimentResults }: Store, file: string): Promise<void> {
  return new ResultsWriter(experimentResults, file, (error) => assert.fail(String(error))).flush();
}

/** Results in the store and in their file. */
export async function writeResults(...order: Parameters<typeof recordResults>): Promise<void> {
  await recordResults(...order);
  const [store, file] = order;
  await flushResults(store, file);
}
