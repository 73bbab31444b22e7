import { readCompared } from '../experiments/comparedFiles';
import type { LoadedExperiment } from '../experiments/load';
import { comparingOf } from '../experiments/measuredValue';
import { readResultsFile } from '../experiments/resultsFile';
import { summarise } from '../experiments/summary';
import { columnName, columnTitles } from '../experiments/table/columnHead';
import { correctedComparisons } from '../experiments/table/figureTexts';
import { headSummary } from '../experiments/table/headSummary';
import { metricsWithJudged } from '../experiments/table/measureRun';
import { placedPlan } from '../experiments/table/placedPlan';
import { ExperimentTable } from '../experiments/table/table';
import type { Terminal } from './terminal';

/**
 * Prints the figures of an experiment's results, column by column, as the table's head has them; nothing where no metric
 * is asked for. The first column is the baseline.
 * @param results absolute path of the results file
 */
export async function printFigures(
  { experiment, plan, inputs, metrics }: LoadedExperiment,
  results: string,
  terminal: Terminal,
): Promise<void> {
  const read = await readResultsFile(results);
  const lines = new Map(read.results.map((line) => [line.custom_id, line]));
  const comparing = comparingOf(experiment);
  await readCompared(results, lines.values(), comparing.at);
  const placed = placedPlan(plan, lines, inputs);
  const table = new ExperimentTable(placed.plan, lines, comparing, read.judgements, read.costs);
  const measured = metricsWithJudged(metrics, table);
  if (measured.length === 0) return;
  const { columns, comparisons } = await summarise(table, measured);
  const corrected = correctedComparisons(comparisons);
  const titles = columnTitles(table.plan.variations).columns;
  for (const [at, column] of columns.entries()) {
    const place = table.placeIn(table.plan.variations[at]!);
    const texts = headSummary(column, corrected[at] ?? [], measured, place, 'en');
    terminal.print(`${columnName(titles[at]!, at)}:`);
    for (const text of [texts.runs, ...texts.metrics, ...texts.comparisons, texts.cost, texts.time])
      if (text !== undefined) terminal.print(`  ${text}`);
  }
}
