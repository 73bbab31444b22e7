import * as l10n from '@vscode/l10n';
import { itemValue } from '../metrics/columns';
import { isShare, type MeasuredItem, type Metric } from '../metrics/metrics';

/** Rows that are right in one column and wrong in the other, by their keys in `MeasuredItem`. */
export interface ChangedRows {
  readonly becameWrong: readonly string[];
  readonly becameRight: readonly string[];
}

/** Undefined: by this metric a row is neither right nor wrong. @param before the column that it is compared with */
export function changedRows(
  metric: Metric,
  now: readonly MeasuredItem[],
  before: readonly MeasuredItem[],
): ChangedRows | undefined {
  if (!isShare(metric)) return undefined;
  const others = new Map(before.map((item) => [item.item, item]));
  const becameWrong: string[] = [];
  const becameRight: string[] = [];
  for (const item of now) {
    const other = others.get(item.item);
    const [own, then] = [itemValue(metric, item), other && itemValue(metric, other)];
    if (own === undefined || then === undefined) continue;
    if (own < 1 && then === 1) becameWrong.push(item.item);
    if (own === 1 && then < 1) becameRight.push(item.item);
  }
  return { becameWrong, becameRight };
}

/** "7 became wrong, 2 became right"; undefined where no row did. */
export function becameText(changed: ChangedRows | undefined): string | undefined {
  const [wrong, right] = [changed?.becameWrong.length ?? 0, changed?.becameRight.length ?? 0];
  if (wrong + right === 0) return undefined;
  return l10n.t('{0} became wrong, {1} became right', wrong, right);
}
