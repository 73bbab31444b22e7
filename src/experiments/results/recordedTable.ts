import type { LoadedExperiment } from '../file/load';
import { withJudges } from '../judges/withJudges';
import type { Metric } from '../metrics/metrics';
import { withRuns } from '../plan/plan';
import { metricsWithJudged } from '../table/measureRun';
import { type PlacedPlan, placedPlan } from '../table/placedPlan';
import { ExperimentTable } from '../table/table';
import { readMeasured } from './comparedFiles';
import { comparingOf } from './measuredValue';
import type { ReadResults } from './results';
import { readResultsFile } from './resultsFile';

/** An experiment with the results of its file: the source of every figure. */
export interface RecordedTable {
  readonly table: ExperimentTable;
  /** The metrics that it asks for, and those that people have judged by. */
  readonly metrics: readonly Metric[];
  /** With the runs of judges that the results lead to. */
  readonly loaded: LoadedExperiment;
  /** Why some results cannot be judged by models, in sentences. */
  readonly problems: readonly string[];
  /** Results that no input has now. */
  readonly strays: PlacedPlan['strays'];
}

/**
 * @param file absolute path of the results file, beside which long results are
 * @param isMeasured false: long results are not read, since their hashes show which are equal
 */
export async function recordedTable(
  loaded: LoadedExperiment,
  file: string,
  { results, judging, judgements, costs }: Pick<ReadResults, 'results' | 'judging' | 'judgements' | 'costs'>,
  isMeasured = true,
): Promise<RecordedTable> {
  const { experiment, plan, inputs, metrics } = loaded;
  const lines = new Map(results.map((line) => [line.custom_id, line]));
  const comparing = comparingOf(experiment);
  const read = isMeasured ? results : results.filter((line) => line.result_sha256 === undefined);
  await readMeasured(file, read, comparing);
  const placed = placedPlan(plan, lines, inputs);
  const table = new ExperimentTable(placed.plan, lines, comparing, judgements, costs);
  const judged = await withJudges(withRuns(loaded, placed.planned), table, judging, file);
  return { ...judged, metrics: metricsWithJudged(metrics, judged.table), strays: placed.strays };
}

/** The experiment with the runs of judges that the results of its file lead to. */
export async function withRunsOfJudges(loaded: LoadedExperiment, file: string): Promise<LoadedExperiment> {
  if (loaded.judges.length === 0) return loaded;
  return (await recordedTable(loaded, file, await readResultsFile(file))).loaded;
}
