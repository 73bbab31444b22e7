import { readAmount } from '../../domain/amounts';
import {
  isSpending,
  nameWords,
  type UsageCell,
  type UsageFindings,
  type UsageTable,
} from '../../domain/usage';
import type { ModelUsage } from '../../protocol/usage';
import { failedNames, runNames } from './spent';

/**
 * The rows of the service's table by model, and the figures that are not in it.
 * @param nameOf the display name of a model, by its slug or identifier
 */
export function usageByModel(
  { tables }: UsageFindings,
  nameOf: (model: string) => string | undefined,
): readonly ModelUsage[] {
  for (const table of tables) {
    const model = table.columns.findIndex((column) => nameWords(column).includes('model'));
    if (model < 0) continue;
    const [cost, runs, failed, median] = [
      numberColumn(table, isSpending, 'money'),
      numberColumn(table, (name) => runNames.test(name)),
      numberColumn(table, (name) => failedNames.test(name)),
      numberColumn(table, (name) => millisecondsOf(name) !== undefined),
    ];
    if (cost === undefined && runs === undefined) continue;
    const textAt = (row: UsageTable['rows'][number], column: number) => {
      const cell = row[column];
      return cell?.kind === 'text' ? cell.text : undefined;
    };
    const mode = table.columns.findIndex((column) => nameWords(column).includes('mode'));
    const counts = Map.groupBy(table.rows, (row) => textAt(row, model));
    return table.rows.flatMap((row): ModelUsage[] => {
      const slug = textAt(row, model);
      if (slug === undefined) return [];
      const rowMode = counts.get(slug)!.length > 1 ? textAt(row, mode) : undefined;
      const name = nameOf(slug) ?? slug;
      const amountAt = (column: number | undefined) =>
        amountOf(column === undefined ? undefined : row[column]);
      const money = cost === undefined ? undefined : row[cost];
      const time = amountAt(median);
      return [
        {
          // A service may count each mode of a model for itself.
          name: rowMode === undefined ? name : `${name} · ${rowMode}`,
          ...(money?.kind === 'money' && { cost: money.money }),
          runs: amountAt(runs),
          failed: amountAt(failed),
          ...(time !== undefined && { medianMs: Number(time) * millisecondsOf(table.columns[median!]!)! }),
        },
      ];
    });
  }
  return [];
}

/** The one column of a name whose cells are numbers or money; undefined where several could be meant. */
function numberColumn(
  { columns, rows }: UsageTable,
  isNamed: (name: string) => boolean,
  kind: UsageCell['kind'] = 'number',
): number | undefined {
  const fitting = columns.flatMap((name, at) =>
    isNamed(name) && rows.some((row) => row[at]?.kind === kind) ? [at] : [],
  );
  return fitting.length === 1 ? fitting[0] : undefined;
}

/** Milliseconds in the unit of a column of median times; undefined: another column, or without a unit. */
function millisecondsOf(name: string): number | undefined {
  const words = nameWords(name);
  if (!words.some((word) => /^(median|p50)$/.test(word))) return undefined;
  if (words.some((word) => /^(ms|millis|milliseconds)$/.test(word))) return 1;
  return words.some((word) => /^(s|sec|secs|seconds)$/.test(word)) ? 1000 : undefined;
}

function amountOf(cell: UsageCell | undefined): string | undefined {
  return cell?.kind === 'number' ? readAmount(cell.amount) : undefined;
}
