import { basename } from 'node:path';
import * as l10n from '@vscode/l10n';
import type { LoadedExperiment } from './load';
import type { Metric } from './metrics/metrics';
import type { PlannedRun } from './plan';
import { recordedTable } from './recordedTable';
import { readResultsFile, resultPlaces } from './resultsFile';
import { randomOrder } from './sample';
import { measureRun } from './table/measureRun';
import type { OtherResults } from './table/otherResults';
import type { ExperimentTable } from './table/table';

/** Why no run was sent: a check goes on with the results of its day. */
export function nothingSentText(): string {
  return l10n.t(
    'No run was sent: these are the results of the check of today. Delete its results file to check again.',
  );
}

/** Inputs of each column that are sent again, where no number is given. */
export const DRIFT_INPUTS = 20;

/**
 * The experiment with only the runs that are sent again, and its results before.
 * @param path absolute path of the experiment
 * @param inputs of each column
 * @throws Error with a sentence when no results can be compared
 */
export async function openDrift(
  loaded: LoadedExperiment,
  path: string,
  inputs: number,
): Promise<{ readonly loaded: LoadedExperiment; readonly earlier: OtherResults }> {
  const [metric] = loaded.metrics;
  if (!metric)
    throw new Error(l10n.t('The experiment has no "metrics" by which it could have changed. Add one.'));
  const { file } = resultPlaces(path);
  const read = await readResultsFile(file);
  const recorded = await recordedTable(loaded, file, read);
  const runs = driftRuns(recorded.loaded, recorded.table, metric, inputs);
  if (runs.length === 0)
    throw new Error(
      l10n.t('No run has finished: there is nothing to compare with. Run the experiment first.'),
    );
  const { stop: _stop, ...experiment } = loaded.experiment;
  return {
    loaded: { ...loaded, experiment, plan: { ...loaded.plan, runs, unsent: [] } },
    earlier: { label: basename(file), file, read },
  };
}

/**
 * Runs that show soonest whether a model has changed: of each column the first repeats of some inputs on which the other
 * columns are most at odds by the metric, since inputs that are right or wrong for everyone hardly ever change. A column's
 * own outcomes do not decide: chosen by them, a model that is right by chance would seem to get worse. Ties are in random
 * order, from the seed.
 * @param inputs of each column; only those that have finished
 */
function driftRuns(
  { plan, experiment }: LoadedExperiment,
  table: ExperimentTable,
  metric: Metric,
  inputs: number,
): readonly PlannedRun[] {
  const runs = new Map<number, PlannedRun>();
  for (const run of plan.runs)
    if (run.repeat === 0 && table.results.get(run.customId)?.state === 'finished')
      for (const { variation, item } of run.serves) runs.set(item * table.columns + variation, run);
  const values = (row: number) =>
    plan.variations.map((_, column) => {
      const line = table.results.get(runs.get(row * table.columns + column)?.customId ?? '');
      return line && measureRun(table, { row, column }, line, metric);
    });
  const measured = plan.items.map((_, row) => values(row));
  const order = randomOrder(plan.items, experiment.seed ?? 0);
  const chosen = new Set<PlannedRun>();
  for (const column of plan.variations.keys()) {
    const rows = order.filter((row) => runs.has(row * table.columns + column));
    const odds = new Map(rows.map((row) => [row, spread(measured[row]!.filter((_, at) => at !== column))]));
    rows.sort((a, b) => odds.get(b)! - odds.get(a)!);
    for (const row of rows.slice(0, inputs)) chosen.add(runs.get(row * table.columns + column)!);
  }
  return plan.runs.filter((cell) => chosen.has(cell));
}

/** The variance of values; 0 of fewer than two. */
function spread(values: readonly (number | undefined)[]): number {
  const known = values.filter((value) => value !== undefined);
  if (known.length < 2) return 0;
  const mean = known.reduce((sum, value) => sum + value, 0) / known.length;
  return known.reduce((sum, value) => sum + (value - mean) ** 2, 0) / known.length;
}
