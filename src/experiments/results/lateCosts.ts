import { stat } from 'node:fs/promises';
import type { Json } from '../../domain/json';
import type { JobRun } from '../../domain/runRecord';
import { isObject } from '../../domain/value';
import type { Store } from '../../store/store';
import { ResultsWriter } from './resultsWriter';

/** Between a run's response and the record of its outcome, at most. */
const RECORDED_MS = 3_600_000;

/**
 * Brings costs that became known after the runs had ended, by receipts, into the results of experiments: into the store,
 * and as a further line into each results file that is still there.
 * @param runs with their costs; those of no experiment change nothing
 */
export async function noteLateCosts(
  { experimentResults }: Pick<Store, 'experimentResults'>,
  runs: readonly Pick<JobRun, 'runId' | 'cost' | 'sentAt' | 'finishedAt'>[],
): Promise<void> {
  const files = new Set<string>();
  for (const { runId, cost, sentAt, finishedAt } of runs) {
    if (runId === undefined || !cost) continue;
    const times = { from: sentAt, to: finishedAt + RECORDED_MS };
    const changed = await experimentResults.changeLines(runId, times, (line) => withCost(line, cost));
    for (const file of changed) files.add(file);
  }
  for (const file of files) await writeCosts(experimentResults, file);
}

/**
 * Brings the cost of an unconfirmed run, which the user has recognized in the service's activity, into its results.
 * @param run by its id; `sentAt` in milliseconds since the epoch
 */
export async function noteRecognizedCost(
  { experimentResults }: Pick<Store, 'experimentResults'>,
  results: string,
  run: { readonly customId: string; readonly sentAt: number },
  cost: NonNullable<JobRun['cost']>,
): Promise<void> {
  const startedAt = new Date(run.sentAt).toISOString();
  await experimentResults.changeLine(results, run.customId, (line) => {
    const value = JSON.parse(line) as Json;
    return isObject(value) && value.started_at === startedAt ? withCost(line, cost) : undefined;
  });
  await writeCosts(experimentResults, results);
}

/** Costs that cannot be written now are written when the experiment is run or resumed. */
async function writeCosts(experimentResults: Store['experimentResults'], file: string): Promise<void> {
  if (!(await stat(file).catch(() => undefined))) return;
  await new ResultsWriter(experimentResults, file, () => undefined).flush().catch(() => undefined);
}

/** Undefined: it has a cost, or is no line. */
function withCost(line: string, { amount, currency }: NonNullable<JobRun['cost']>): string | undefined {
  const value = JSON.parse(line) as Json;
  if (!isObject(value) || value.cost !== undefined) return undefined;
  return JSON.stringify({ ...value, cost: { amount, ...(currency !== undefined && { currency }) } });
}
