import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';
import { sumByCurrency } from '../../domain/amounts';
import { money } from '../../domain/money';
import { formatDigits, formatNumber } from '../../wording/number';
import { type ColumnFigure, compareColumns, measureColumn } from '../metrics/columns';
import type { Metric } from '../metrics/metrics';
import type { ResultLine } from '../results/resultLine';
import type { ReadResults } from '../results/results';
import { decided } from './best';
import { measuredItems } from './comparedItems';
import { figureDigits } from './figureTexts';
import { paidInAll } from './paid';
import type { ExperimentTable } from './table';

/** An experiment in one line: its progress, its best column, its cost. */
export const experimentOverview = z.object({
  /** Runs of the grid; undefined: the inputs were not read, and all results of the file are counted. */
  total: z.optional(z.number()),
  finished: z.number(),
  failed: z.number(),
  unconfirmed: z.number(),
  /** By the first metric: "accuracy 0.917, n 60", and the names of the columns that none beats. */
  best: z.optional(z.object({ figure: z.string(), column: z.string() })),
  cost: z.readonly(z.array(money)),
  /** RFC 3339, UTC: when the last run began. */
  lastRun: z.optional(z.string()),
});
export type ExperimentOverview = z.infer<typeof experimentOverview>;

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
  { locale, margin }: { readonly locale: string; readonly margin?: number | undefined },
): Promise<ExperimentOverview> {
  const { plan, results } = table;
  const lines = plan.runs.flatMap(({ customId }) => results.get(customId) ?? []);
  const best = metrics[0] && (await bestColumns(table, metrics[0], margin));
  return {
    ...statesOf(lines),
    ...lastRunOf([...results.values()]),
    total: plan.runs.length,
    cost: paidInAll(table),
    ...(best && {
      best: {
        figure: l10n.t(
          '{0} {1}, n {2}',
          metrics[0]!.name,
          formatDigits(best.measured.value, figureDigits(metrics[0]!, best.measured), locale),
          formatNumber(best.measured.count, locale),
        ),
        column: best.columns.map((column) => names[column]).join(', '),
      },
    }),
  };
}

/** The best columns of the same rows that none beats; a column alone is the best of itself. */
async function bestColumns(table: ExperimentTable, metric: Metric, margin: number | undefined) {
  const items = Array.from({ length: table.columns }, (_, column) => measuredItems(table, column, metric));
  const columns: { readonly metrics: readonly [ColumnFigure] }[] = [];
  for (const own of items) columns.push({ metrics: [await measureColumn(metric, own)] });
  const compare = (_: Metric, one: number, other: number) =>
    compareColumns(metric, items[one]!, items[other]!);
  const compared = { columns, compare, comparisons: items.map(() => []), against: [] };
  const [unbeaten = []] = (await decided(table, [metric], compared, { margin })).unbeaten;
  const measured = [...columns.keys()].filter((column) => columns[column]!.metrics[0].measured);
  const best = unbeaten.length > 0 || measured.length > 1 ? unbeaten : measured;
  const [first] = best;
  return first === undefined ? undefined : { columns: best, measured: columns[first]!.metrics[0].measured! };
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
