import { dirname, resolve } from 'node:path';
import * as l10n from '@vscode/l10n';
import { countEach } from '../../domain/many';
import { valueText } from '../../domain/words';
import { visibleText } from '../../wording/plainText';
import type { ExperimentFile } from '../file/format';
import { tableAt } from '../file/tableFile';
import { type ColumnFigure, measureColumn } from '../metrics/columns';
import { isBlank, isLabel } from '../metrics/equality';
import { isOfLabels, type MeasuredItem, type Metric } from '../metrics/metrics';
import { measuredItems } from './comparedItems';
import { expectedText } from './itemTexts';
import type { ExperimentTable, TablePlan } from './table';

/** Rows with one value, and the figure of each column over them. */
export interface FigureGroup {
  readonly name: string;
  readonly figures: readonly ColumnFigure[];
}

/** The group of a row; undefined: it is in none. */
export type GroupOf = (row: number) => string | undefined;

/** More groups are no overview; the most frequent ones are shown. */
const MOST_GROUPS = 30;

/** The expected labels of a column's rows, the most frequent first. */
export interface LabelCounts {
  readonly labels: readonly (readonly [label: string, rows: number])[];
  readonly rows: number;
}

/** Undefined where no label is expected, or none of two rows: the most frequent label is no reference there. */
export function labelCounts(table: ExperimentTable, column: number, metric: Metric): LabelCounts | undefined {
  const { items } = table.plan;
  const expected = measuredItems(table, column, metric).flatMap(({ item, got, failed = [] }) => {
    const { expected: wanted } = items[rowOf(item)]!;
    const isMeasured = got.length + failed.length > 0 && !isBlank(wanted) && isLabel(wanted);
    return isMeasured ? (expectedText(wanted).expected ?? []) : [];
  });
  const labels = [...countEach(expected)].sort(([a, most], [b, other]) => other - most || (a < b ? -1 : 1));
  return (labels[0]?.[1] ?? 0) < 2 ? undefined : { labels, rows: expected.length };
}

/** The row of a measured item, which begins its name. */
function rowOf(item: string): number {
  return Number.parseInt(item, 10);
}

/** The metric of groups, the first one of rows: F1 of labels is of all labels together. */
export function groupedMetric(metrics: readonly Metric[]): Metric | undefined {
  return metrics.find((one) => !isOfLabels(one)) ?? metrics[0];
}

/** Figures over the rows of each group, by `groupedMetric`. */
export async function groupFigures(
  table: ExperimentTable,
  metrics: readonly Metric[],
  groupOf: GroupOf,
): Promise<{ readonly metric: Metric; readonly groups: readonly FigureGroup[] } | undefined> {
  const metric = groupedMetric(metrics);
  if (!metric) return undefined;
  const rows = table.plan.items.flatMap((_, row) => groupOf(row) ?? []);
  const names = [...countEach(rows)].sort(([, one], [, other]) => other - one).slice(0, MOST_GROUPS);
  const byColumn = Array.from({ length: table.columns }, (_, column) => {
    const byGroup = new Map(names.map(([name]) => [name, [] as MeasuredItem[]]));
    for (const one of measuredItems(table, column, metric))
      byGroup.get(groupOf(rowOf(one.item)) ?? '')?.push(one);
    return byGroup;
  });
  const groups: FigureGroup[] = [];
  for (const [name] of names.sort(([a], [b]) => (a < b ? -1 : 1))) {
    const figures: ColumnFigure[] = [];
    for (const column of byColumn) figures.push(await measureColumn(metric, column.get(name) ?? []));
    groups.push({ name, figures });
  }
  return { metric, groups };
}

/**
 * The groups of rows: by a column of the experiment's table, or by the expected label. Undefined: there is no such column.
 * @param path absolute path of the experiment
 * @param by the name of a column; '' for the expected label, which an experiment without that column calls "label", too
 */
export async function groupsBy(
  path: string,
  { over }: Pick<ExperimentFile, 'over'>,
  { items }: Pick<TablePlan, 'items'>,
  by: string,
): Promise<GroupOf | undefined> {
  const name = by.normalize('NFC');
  const table =
    name !== '' && over && 'rows' in over
      ? await tableAt(resolve(dirname(path), over.rows), undefined, { columns: new Set([name]) })
      : undefined;
  if (table?.columns.includes(name)) {
    const values = new Map(table.rows.map(({ line, values }) => [`row ${line}`, values[name]]));
    return (row) => {
      const value = values.get(items[row]!.name);
      return isBlank(value) ? undefined : visibleText(valueText(value));
    };
  }
  if (name !== '' && name !== 'label') return undefined;
  return (row) => expectedText(items[row]!.expected).expected;
}

/** The columns of an experiment's table; none where its inputs are files. */
export async function groupColumns(
  path: string,
  { over }: Pick<ExperimentFile, 'over'>,
): Promise<readonly string[]> {
  if (!over || !('rows' in over)) return [];
  return (await tableAt(resolve(dirname(path), over.rows), undefined, { mostRows: 1 })).columns;
}

/** "eng 20, fra 20, deu 15". */
export function countsText({ labels }: LabelCounts): string {
  const shown = labels.slice(0, MOST_GROUPS).map(([label, rows]) => l10n.t('{0} {1}', label, rows));
  const more = labels.length - shown.length;
  return [...shown, ...(more > 0 ? [l10n.t('{0} more labels', more)] : [])].join(', ');
}
