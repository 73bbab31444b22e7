import * as l10n from '@vscode/l10n';
import { sumByCurrency } from '../../domain/amounts';
import type { Money } from '../../domain/money';
import { formatDigits, formatNumber } from '../../wording/number';
import { type ColumnFigure, measureColumn } from '../metrics/columns';
import { betterOf, type Metric } from '../metrics/metrics';
import { differenceOf } from '../metrics/statistics';
import type { ResultLine } from '../resultLine';
import type { ReadResults } from '../results';
import { measuredItems } from './comparedItems';
import { figureDigits } from './figureTexts';
import { paidInAll } from './paid';
import type { ExperimentTable } from './table';

/** An experiment in one line: its progress, its best column, its cost. */
export interface ExperimentOverview {
  /** Runs of the grid; undefined: the inputs were not read, and all results of the file are counted. */
  readonly total?: number;
  readonly finished: number;
  readonly failed: number;
  readonly unconfirmed: number;
  /** By the first metric: "accuracy 0.917, n 60", and the name of the column. */
  readonly best?: { readonly figure: string; readonly column: string };
  readonly cost: readonly Money[];
  /** RFC 3339, UTC: when the last run began. */
  readonly lastRun?: string;
}

/** Of the results alone, without inputs. */
export function resultsOverview({
  results,
  costs,
}: Pick<ReadResults, 'results' | 'costs'>): ExperimentOverview {
  return { ...statesOf(results), ...lastRunOf(results), cost: sumByCurrency([...costs.values()].flat()) };
}

/** @param names of the columns */
export async function tableOverview(
  table: ExperimentTable,
  metrics: readonly Metric[],
  names: readonly string[],
  locale: string,
): Promise<ExperimentOverview> {
  const { plan, results } = table;
  const lines = plan.runs.flatMap(({ customId }) => results.get(customId) ?? []);
  const best = metrics[0] && (await bestColumn(table, metrics[0]));
  return {
    ...statesOf(lines),
    ...lastRunOf([...results.values()]),
    ...{ total: plan.runs.length, cost: paidInAll(table) },
    ...(best && {
      best: {
        figure: l10n.t(
          '{0} {1}, n {2}',
          metrics[0]!.name,
          formatDigits(best.measured.value, figureDigits(metrics[0]!, best.measured), locale),
          formatNumber(best.measured.count, locale),
        ),
        column: names[best.column] ?? '',
      },
    }),
  };
}

async function bestColumn(table: ExperimentTable, metric: Metric) {
  const sign = betterOf(metric) === 'higher' ? 1 : -1;
  let best: { readonly column: number; readonly measured: NonNullable<ColumnFigure['measured']> } | undefined;
  for (let column = 0; column < table.columns; column += 1) {
    const { measured } = await measureColumn(metric, measuredItems(table, column, metric));
    if (measured && (!best || sign * differenceOf(measured.value, best.measured.value) > 0))
      best = { column, measured };
  }
  return best;
}

function statesOf(
  lines: readonly ResultLine[],
): Pick<ExperimentOverview, 'finished' | 'failed' | 'unconfirmed'> {
  const counts = { finished: 0, failed: 0, unconfirmed: 0 };
  for (const { state } of lines) counts[state] += 1;
  return counts;
}

function lastRunOf(lines: readonly ResultLine[]): Pick<ExperimentOverview, 'lastRun'> {
  let last: string | undefined;
  for (const { started_at: at } of lines)
    if (at !== undefined && (last === undefined || at > last)) last = at;
  return last === undefined ? {} : { lastRun: last };
}
