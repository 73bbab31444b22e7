import { mean } from '../metrics/statistics';
import { comparedText } from './lineReadings';
import type { ExperimentTable } from './table';

/**
 * The key by which a cell is compared: the outcomes of its finished repeats, or undefined while none has finished.
 * Where a place is compared (`expected.at`), only the value there counts: scores beside a label always differ.
 */
function comparedBy(table: ExperimentTable, row: number, column: number): string | undefined {
  const finished = table.finished(row, column);
  if (finished.length === 0) return undefined;
  if (finished.length === 1) return comparedText(finished[0]!, table.placeIn(finished[0]!.variation));
  return [...new Set(finished.map((line) => comparedText(line, table.placeIn(line.variation))))]
    .sort()
    .join('\n');
}

/** Whether all of these columns have finished with the same outcome in a row. Never true of a single column. */
export function isEqualRow(table: ExperimentTable, row: number, columns: readonly number[]): boolean {
  if (columns.length < 2) return false;
  const [first, ...others] = columns;
  const outcome = comparedBy(table, row, first!);
  return outcome !== undefined && others.every((column) => comparedBy(table, row, column) === outcome);
}

/** Whether a cell differs from that of the baseline; undefined while one of them has not finished. */
export function differsFrom(
  table: ExperimentTable,
  row: number,
  column: number,
  baseline: number,
): boolean | undefined {
  const [one, other] = [comparedBy(table, row, column), comparedBy(table, row, baseline)];
  return one === undefined || other === undefined ? undefined : one !== other;
}

/** How much more a number is than that of the baseline, of repeats the means; undefined where one is no number. */
export function differenceFrom(
  table: ExperimentTable,
  row: number,
  column: number,
  baseline: number,
): number | undefined {
  const [one, other] = [numberIn(table, row, column), numberIn(table, row, baseline)];
  return one === undefined || other === undefined ? undefined : one - other;
}

function numberIn(table: ExperimentTable, row: number, column: number): number | undefined {
  const finished = table.finished(row, column);
  const values = finished.flatMap((line) => table.outcome(line).value ?? []);
  return values.length === 0 || values.length < finished.length ? undefined : mean(values);
}
