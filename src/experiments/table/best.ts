import type { ColumnSummary, Summary } from '../figures/summary';
import { itemValue } from '../metrics/columns';
import { decide } from '../metrics/decision';
import { betterOf, type Metric } from '../metrics/metrics';
import { differenceOf } from '../metrics/statistics';
import { measuredItems } from './comparedItems';
import { type CorrectedComparison, correctedComparisons } from './figureTexts';
import type { ExperimentTable } from './table';

/** The differences that are shown together, with their signs, and the columns to mark. */
export interface Decided {
  readonly comparisons: readonly (readonly (CorrectedComparison | undefined)[])[];
  /**
   * By metric: the columns that are not beaten by the best one, that one first, of those that were measured on the same
   * rows, as many as any column was. Empty where fewer than two were.
   */
  readonly unbeaten: readonly (readonly number[])[];
}

type ComparedColumns = Pick<Summary, 'comparisons' | 'compare' | 'against'> & {
  readonly columns: readonly Pick<ColumnSummary, 'metrics'>[];
};

/** @param shown columns; missing: all */
export async function decided(
  table: ExperimentTable,
  metrics: readonly Metric[],
  { columns, compare, against, ...summary }: ComparedColumns,
  {
    margin,
    shown = [...columns.keys()],
  }: { readonly margin: number | undefined; readonly shown?: readonly number[] | undefined },
): Promise<Decided> {
  const comparisons = correctedComparisons(summary.comparisons, { metrics, margin, shown });
  const all = comparisons.flat().filter((one) => one !== undefined).length;
  /** Whether a column is worse than another by more than chance and the margin. @param others how many are compared so */
  const isWorse = async (index: number, one: number, other: number, others: number) => {
    // A difference that is shown has one sign.
    if (against[one] === other) return comparisons[one]?.[index]?.sign === 'worse';
    if (against[other] === one) return comparisons[other]?.[index]?.sign === 'better';
    const metric = metrics[index]!;
    const comparison = await compare(metric, one, other);
    if (!comparison) return true;
    const together = Math.max(all, others);
    // Corrected by Bonferroni's method.
    const corrected = Math.min(1, together * comparison.p);
    return decide(metric, comparison, { margin, together, corrected }).sign === 'worse';
  };
  const unbeaten: number[][] = [];
  for (const [index, metric] of metrics.entries()) {
    const measured = (column: number) => columns[column]!.metrics[index]?.measured;
    const same = columnsOfSameRows(table, metric, shown, (column) => measured(column)?.count ?? 0);
    const sign = betterOf(metric) === 'higher' ? 1 : -1;
    const isBetter = (one: number, other: number) =>
      sign * differenceOf(measured(one)!.value, measured(other)!.value) > 0;
    const best: number[] = [];
    unbeaten.push(best);
    if (same.length < 2) continue;
    const leader = same.reduce((first, one) => (isBetter(one, first) ? one : first));
    best.push(leader);
    for (const column of same)
      if (column !== leader && !(await isWorse(index, column, leader, same.length - 1))) best.push(column);
  }
  return { comparisons, unbeaten };
}

/** A column of 10 rows that were all right says nothing beside one of 60. */
function columnsOfSameRows(
  table: ExperimentTable,
  metric: Metric,
  shown: readonly number[],
  countOf: (column: number) => number,
): number[] {
  const most = Math.max(0, ...shown.map(countOf));
  const [fullest, ...others] = shown.filter((column) => most > 0 && countOf(column) === most);
  if (fullest === undefined || others.length === 0) return [];
  const rowsOf = (column: number) =>
    measuredItems(table, column, metric).flatMap((one) =>
      itemValue(metric, one) === undefined ? [] : one.item,
    );
  const rows = new Set(rowsOf(fullest));
  return [fullest, ...others.filter((column) => rowsOf(column).every((row) => rows.has(row)))];
}
