import type { ShownConfusion } from '../../protocol/experiment';
import { confusionMatrix } from '../metrics/labels';
import { rowPairs } from '../table/rowPairs';
import type { ExperimentTable } from '../table/table';

/** More labels are no longer readable in a chart. */
const MOST_LABELS = 20;

/** Expected and got labels of the runs of a column. An outcome that is no label counts as the label "". */
export function confusionOf(table: ExperimentTable, column: number): ShownConfusion {
  const pairs = table.plan.items.flatMap((_, row) => rowPairs(table, row, column));
  return confusionMatrix(pairs, MOST_LABELS);
}
