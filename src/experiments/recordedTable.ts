import { readMeasured } from './comparedFiles';
import type { LoadedExperiment } from './load';
import { comparingOf } from './measuredValue';
import type { Metric } from './metrics/metrics';
import type { ReadResults } from './results';
import { metricsWithJudged } from './table/measureRun';
import { placedPlan } from './table/placedPlan';
import { ExperimentTable } from './table/table';

/** An experiment with the results of its file: the source of every figure. */
export interface RecordedTable {
  readonly table: ExperimentTable;
  /** The metrics that it asks for, and those that people have judged by. */
  readonly metrics: readonly Metric[];
}

/** @param file absolute path of the results file, beside which long results are */
export async function recordedTable(
  { experiment, plan, inputs, metrics }: LoadedExperiment,
  file: string,
  { results, judgements, costs }: Pick<ReadResults, 'results' | 'judgements' | 'costs'>,
): Promise<RecordedTable> {
  const lines = new Map(results.map((line) => [line.custom_id, line]));
  const comparing = comparingOf(experiment);
  await readMeasured(file, lines.values(), comparing);
  const placed = placedPlan(plan, lines, inputs);
  const table = new ExperimentTable(placed.plan, lines, comparing, judgements, costs);
  return { table, metrics: metricsWithJudged(metrics, table) };
}
