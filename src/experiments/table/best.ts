import type { Summary } from '../figures/summary';
import { type ColumnComparison, type ColumnFigure, itemValue } from '../metrics/columns';
import { type Deciding, decide } from '../metrics/decision';
import { betterOf, type Metric } from '../metrics/metrics';
import { differenceOf } from '../metrics/statistics';
import { measuredItems } from './comparedItems';
import { type CorrectedComparison, correctedComparisons } from './figureTexts';
import type { ExperimentTable } from './table';

/** The columns that are looked at for one metric. */
interface Candidates {
  readonly shown: readonly number[];
  /** The figure of a column. */
  readonly figure: (column: number) => ColumnFigure | undefined;
  /** Whether the first column is worse than the second by more than chance and the margin. */
  readonly isWorse: (one: number, other: number, together: number) => Promise<boolean>;
}

/**
 * The columns that are not beaten by the best one, that one first: of those that were measured on the same rows, as many as any
 * column was. Empty where fewer than two were.
 */
export async function unbeatenColumns(
  table: ExperimentTable,
  metric: Metric,
  { shown, figure, isWorse }: Candidates,
): Promise<readonly number[]> {
  const value = (column: number) => figure(column)!.measured!.value;
  const same = columnsOfSameRows(table, metric, shown, figure);
  if (same.length < 2) return [];
  const sign = betterOf(metric) === 'higher' ? 1 : -1;
  const leader = same.reduce((best, one) => (sign * differenceOf(value(one), value(best)) > 0 ? one : best));
  const unbeaten = [leader];
  for (const column of same)
    if (column !== leader && !(await isWorse(column, leader, same.length - 1))) unbeaten.push(column);
  return unbeaten;
}

/** Whether a difference says "worse", corrected for as many comparisons (Bonferroni). */
export function saysWorse(
  metric: Metric,
  comparison: ColumnComparison | undefined,
  { together, margin }: Pick<Deciding, 'together' | 'margin'>,
): boolean {
  if (!comparison) return true;
  const corrected = Math.min(1, together * comparison.p);
  return decide(metric, comparison, { margin, together, corrected }).sign === 'worse';
}

/** A column of 10 rows that were all right says nothing beside one of 60. */
function columnsOfSameRows(
  table: ExperimentTable,
  metric: Metric,
  shown: readonly number[],
  figure: Candidates['figure'],
): number[] {
  const countOf = (column: number) => figure(column)?.measured?.count ?? 0;
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

/** The differences that are shown together, with their signs, and the columns to mark. */
export interface Decided {
  readonly comparisons: readonly (readonly (CorrectedComparison | undefined)[])[];
  /** By metric: the columns of the same rows that none beats. */
  readonly unbeaten: readonly (readonly number[])[];
}

/** @param shown columns; missing: all */
export async function decided(
  table: ExperimentTable,
  metrics: readonly Metric[],
  { columns, compare, against, ...summary }: Summary,
  {
    margin,
    shown = [...columns.keys()],
  }: { readonly margin: number | undefined; readonly shown?: readonly number[] | undefined },
): Promise<Decided> {
  const comparisons = correctedComparisons(summary.comparisons, { metrics, margin, shown });
  const all = comparisons.flat().filter((one) => one !== undefined).length;
  const unbeaten: (readonly number[])[] = [];
  for (const [index, metric] of metrics.entries())
    unbeaten.push(
      await unbeatenColumns(table, metric, {
        shown,
        figure: (column) => columns[column]!.metrics[index],
        isWorse: async (one, other, together) => {
          // A difference that is shown has one sign.
          if (against[one] === other) return comparisons[one]?.[index]?.sign === 'worse';
          if (against[other] === one) return comparisons[other]?.[index]?.sign === 'better';
          const count = Math.max(all, together);
          return saysWorse(metric, await compare(metric, one, other), { together: count, margin });
        },
      }),
    );
  return { comparisons, unbeaten };
}
