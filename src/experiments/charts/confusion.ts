import { type ConfusionMatrix, confusionMatrix } from '../metrics/labels';
import { rowPairs } from '../table/rowPairs';
import type { ExperimentTable } from '../table/table';

/** More labels are no longer readable in a chart. */
const MOST_LABELS = 20;

/** A confusion matrix of the labels that occur most, and how many there are in all. */
export interface ShownConfusion extends ConfusionMatrix {
  readonly total: number;
}

/** Expected and got labels of the runs of a column. An outcome that is no label counts as the label "". */
export function confusionOf(table: ExperimentTable, column: number): ShownConfusion {
  const pairs = table.plan.items.flatMap((_, row) => rowPairs(table, row, column));
  const { labels, counts } = confusionMatrix(pairs);
  const weights = labels.map((_, at) =>
    counts.reduce(
      (sum, row, other) => sum + row[at]! + (other === at ? row.reduce((a, b) => a + b, 0) : 0),
      0,
    ),
  );
  const kept = labels
    .map((_, at) => at)
    .sort((a, b) => weights[b]! - weights[a]! || a - b)
    .slice(0, MOST_LABELS)
    .sort((a, b) => a - b);
  return {
    labels: kept.map((at) => labels[at]!),
    counts: kept.map((row) => kept.map((at) => counts[row]![at]!)),
    total: labels.length,
  };
}
