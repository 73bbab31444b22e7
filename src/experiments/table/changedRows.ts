import * as l10n from '@vscode/l10n';
import { itemValue } from '../metrics/columns';
import { isJudged, isShare, type MeasuredItem, type Metric } from '../metrics/metrics';
import { measuredItems } from './comparedItems';
import type { ExperimentTable } from './table';

/** Rows that are right in one column and wrong in the other. */
export interface ChangedRows {
  readonly becameWrong: readonly number[];
  readonly becameRight: readonly number[];
}

/** Undefined: by this metric a row is neither right nor wrong. @param before the column that it is compared with */
export function changedRows(
  metric: Metric,
  now: readonly MeasuredItem[],
  before: readonly MeasuredItem[],
): ChangedRows | undefined {
  if (!isShare(metric)) return undefined;
  const others = new Map(before.map((item) => [item.item, item]));
  const becameWrong: number[] = [];
  const becameRight: number[] = [];
  for (const item of now) {
    const other = others.get(item.item);
    const [own, then] = [itemValue(metric, item), other && itemValue(metric, other)];
    if (own === undefined || then === undefined) continue;
    // The key begins with the row.
    const row = Number.parseInt(item.item, 10);
    if (own < 1 && then === 1) becameWrong.push(row);
    if (own === 1 && then < 1) becameRight.push(row);
  }
  return { becameWrong, becameRight };
}

/**
 * The same of two columns, by the first metric of right and wrong; undefined: there is none.
 * @param other an earlier column, unless the table knows its runs to be later
 */
export function changedBetween(
  table: ExperimentTable,
  metrics: readonly Metric[],
  [own, other]: readonly [own: number, other: number],
): ChangedRows | undefined {
  const [now, before] = table.plan.others?.later.has(other) ? [other, own] : [own, other];
  const metric = metrics.find((one) => !isJudged(one) && isShare(one));
  return (
    metric && changedRows(metric, measuredItems(table, now, metric), measuredItems(table, before, metric))
  );
}

/** "7 became wrong, 2 became right"; undefined where no row did. */
export function becameText(changed: ChangedRows | undefined): string | undefined {
  const [wrong, right] = [changed?.becameWrong.length ?? 0, changed?.becameRight.length ?? 0];
  if (wrong + right === 0) return undefined;
  return l10n.t('{0} became wrong, {1} became right', wrong, right);
}
