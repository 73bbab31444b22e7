import type { LoadedExperiment } from '../file/load';
import { gridRuns, withRuns } from '../plan/plan';
import type { ResultLine } from '../results/resultLine';
import { ExperimentTable } from '../table/table';
import { judgeRuns } from './judgeRuns';
import { verdictsOf } from './verdicts';

/**
 * Adds the runs of judges to the plan: they follow from the results so far, and are sent, paid and kept as all others.
 * @param judging lines of judges' runs
 * @param results absolute path of the results file
 * @returns with problems: why some results cannot be judged, in sentences
 */
export async function withJudges(
  loaded: LoadedExperiment,
  table: ExperimentTable,
  judging: readonly ResultLine[],
  results: string,
) {
  if (loaded.judges.length === 0) return { loaded, table, problems: [] };
  const runs = await judgeRuns(loaded, table, results);
  const lines = new Map(judging.map((line) => [line.custom_id, line]));
  const verdicts = await verdictsOf(loaded.judges, runs, lines, results);
  const { plan, comparing, judgements, paid } = table;
  return {
    loaded: {
      ...withRuns(loaded, [...gridRuns(loaded.plan), ...runs.runs]),
      files: new Map([...loaded.files, ...runs.files]),
    },
    table: new ExperimentTable(plan, table.results, comparing, judgements, paid, { lines, verdicts }),
    problems: runs.problems,
  };
}
