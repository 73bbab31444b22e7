import { basename } from 'node:path';
import * as l10n from '@vscode/l10n';
import { leastOf } from '../../domain/many';
import type { LoadedExperiment } from '../file/load';
import { randomOrder } from '../file/sample';
import { SIGNIFICANT } from '../metrics/decision';
import type { PlannedRun } from '../plan/plan';
import { customIdOf } from '../plan/runId';
import { recordedTable } from '../results/recordedTable';
import { readResultsFile, resultPlaces } from '../results/resultsFile';
import type { OtherResults } from '../table/otherResults';
import type { ExperimentTable } from '../table/table';

/** Why no run was sent: a check goes on with the results of its day. @param results their file */
export function nothingSentText(results: string): string {
  return l10n.t(
    'No run was sent: these are the results of the check of today. Delete “{0}” to send the inputs again.',
    basename(results),
  );
}

/** The loss that a check of the default size sees. */
const SEEN_LOSS = 0.1;
/** Inputs that are sent twice where the file has no repeats: they show how much answers differ by themselves. */
const TWICE = 10;

/** The fewest rows that have to become wrong, and none right, for a sign test that counts among several. */
function rowsToTell(comparisons: number): number {
  return Math.ceil(1 - Math.log2(SIGNIFICANT / Math.max(1, comparisons)));
}

/** Inputs of each column that are sent again, where no number is given. */
function driftInputs({ plan, metrics }: Pick<LoadedExperiment, 'plan' | 'metrics'>): number {
  return Math.ceil(rowsToTell(plan.variations.length * metrics.length) / SEEN_LOSS);
}

/** Inputs of the column of a check that has fewest finished ones. */
export function checkedInputs(table: ExperimentTable): number {
  const counts = Array.from(
    { length: table.ownColumns },
    (_, column) => table.plan.items.filter((_item, row) => table.finished(row, column).length > 0).length,
  );
  return leastOf(counts);
}

/** The loss that a check of `inputs` inputs can see, as a sentence. @param comparisons columns × metrics */
export function seenLossText(inputs: number, comparisons: number): string {
  const points = Math.ceil((100 * rowsToTell(comparisons)) / Math.max(1, inputs));
  return points > 100
    ? l10n.t('{0} inputs are too few to see a loss of any size.', inputs)
    : l10n.t('{0} inputs show a loss of {1} points or more.', inputs, points);
}

/**
 * The experiment with only the runs that are sent again, and its results before.
 * @param path absolute path of the experiment
 * @param inputs of each column; missing: as many as see a loss of 10 points
 * @throws Error with a sentence when no results can be compared
 */
export async function openDrift(
  loaded: LoadedExperiment,
  path: string,
  inputs = driftInputs(loaded),
): Promise<{ readonly loaded: LoadedExperiment; readonly earlier: OtherResults }> {
  const { file } = resultPlaces(path);
  const read = await readResultsFile(file);
  const recorded = await recordedTable(loaded, file, read);
  const runs = driftRuns(recorded.loaded, recorded.table, inputs);
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
 * The runs of each column that are sent again: of the first inputs in the order of all runs, a fair sample. Some of them
 * twice, where the experiment has no repeats.
 * @param inputs of each column; only those that have finished
 */
function driftRuns(
  { plan, experiment }: LoadedExperiment,
  table: ExperimentTable,
  inputs: number,
): readonly PlannedRun[] {
  const runs = new Map<number, PlannedRun>();
  for (const run of plan.runs)
    if (run.repeat === 0 && table.results.get(run.customId)?.state === 'finished')
      for (const { variation, item } of run.serves) runs.set(item * table.columns + variation, run);
  const order = randomOrder(plan.items, experiment.seed ?? 0);
  const twice = (experiment.repeats ?? 1) > 1 ? 0 : TWICE;
  const chosen = new Map<string, PlannedRun>();
  for (const column of plan.variations.keys()) {
    const own = order.flatMap((row) => runs.get(row * table.columns + column) ?? []);
    for (const run of own.slice(0, inputs)) chosen.set(run.customId, run);
    for (const run of own.slice(0, Math.min(inputs, twice))) {
      const again = { ...run, customId: customIdOf(run.customId, 1), otherIds: [], repeat: 1 };
      chosen.set(again.customId, again);
    }
  }
  return [...chosen.values()];
}
