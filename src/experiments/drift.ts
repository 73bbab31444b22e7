import type { LoadedExperiment } from './load';
import type { Metric } from './metrics/metrics';
import type { PlannedRun } from './plan';
import { randomOrder } from './sample';
import { measureRun } from './table/measureRun';
import type { ExperimentTable } from './table/table';

/** Inputs of each column that are sent again, where no number is given. */
export const DRIFT_INPUTS = 20;

/** The experiment with only the runs that are sent again. */
export function driftExperiment(
  loaded: LoadedExperiment,
  table: ExperimentTable,
  metric: Metric,
  inputs: number,
): LoadedExperiment {
  const { stop: _stop, ...experiment } = loaded.experiment;
  const runs = driftRuns(loaded, table, metric, inputs);
  return { ...loaded, experiment, plan: { ...loaded.plan, runs, unsent: [] } };
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
