import type { Json } from '../domain/json';
import type { Variation } from './grid';
import type { JudgementKind } from './judgements';
import { measuredValue, UNREADABLE } from './measuredValue';
import { type ColumnFigure, type Comparison, compareColumns, measureColumn } from './metrics/columns';
import { isJudged, type MeasuredItem, type Metric } from './metrics/metrics';
import { quantile } from './metrics/statistics';
import type { ResultLine } from './results';
import { type PaidForColumn, paidByColumn } from './table/paid';
import { kindsOf } from './table/rowPairs';
import type { ExperimentTable, TablePlan } from './table/table';

/** The head row of a column: what became of the runs of a variation. */
export interface ColumnSummary extends PaidForColumn {
  readonly variation: Variation;
  readonly finished: number;
  readonly failed: number;
  readonly unconfirmed: number;
  /** Not run yet. */
  readonly missing: number;
  /** In the order of the experiment's metrics. */
  readonly metrics: readonly ColumnFigure[];
  /** Milliseconds, of finished runs; undefined when none has a duration. */
  readonly median?: number;
  readonly percentile95?: number;
}

export interface Summary {
  readonly columns: readonly ColumnSummary[];
  /** Each column against the baseline, metric by metric; none of the baseline itself. */
  readonly comparisons: readonly (readonly (Comparison | undefined)[])[];
}

/**
 * Sums up results by column. A run counts in every column and row that asks for it.
 * @param baseline the column that the others are compared with
 */
export async function summarise(
  table: ExperimentTable,
  metrics: readonly Metric[],
  baseline = 0,
): Promise<Summary> {
  const { plan, results } = table;
  const places = placesOf(plan);
  const measured = (variation: number) => {
    const compared = comparedItems(table, places[variation] ?? []);
    return (metric: Metric) =>
      isJudged(metric) ? judgedItems(table, places[variation] ?? [], metric.name) : compared;
  };
  const against = measured(baseline);
  const paid = paidByColumn(table);
  const columns: ColumnSummary[] = [];
  const comparisons: (Comparison | undefined)[][] = [];
  for (const [index, variation] of plan.variations.entries()) {
    const items = measured(index);
    const lines = places[index]!.map(({ id }) => results.get(id));
    const values = await eachOf(metrics, (metric) => measureColumn(metric, items(metric)));
    columns.push(columnOf(variation, lines, values, paid[index]!));
    comparisons.push(
      index === baseline
        ? []
        : await eachOf(metrics, (metric) => compareColumns(metric, items(metric), against(metric))),
    );
  }
  return { columns, comparisons };
}

/** One after another: each is heavy. */
async function eachOf<T>(metrics: readonly Metric[], compute: (metric: Metric) => Promise<T>): Promise<T[]> {
  const values: T[] = [];
  for (const metric of metrics) values.push(await compute(metric));
  return values;
}

interface Place {
  readonly id: string;
  readonly item: number;
}

/** The runs of each column, those that it shares with others too. */
function placesOf({ cells, variations }: TablePlan): Place[][] {
  const places: Place[][] = variations.map(() => []);
  for (const { serves, customId } of cells)
    for (const { variation, item } of serves) places[variation]!.push({ id: customId, item });
  return places;
}

/** All items of a column, with what their runs gave. */
function comparedItems(table: ExperimentTable, places: readonly Place[]): MeasuredItem[] {
  const { plan, results, comparing } = table;
  const { items } = plan;
  const found = new Map<number, { readonly got: (Json | undefined)[]; failed: number; unreadable: number }>();
  for (const { id, item } of places) {
    const line = results.get(id);
    const of = found.get(item) ?? { got: [], failed: 0, unreadable: 0 };
    found.set(item, of);
    if (line?.state === 'finished') {
      const value = measuredValue(line, comparing.at);
      if (value === UNREADABLE) of.unreadable += 1;
      else of.got.push(value);
    }
    if (line?.state === 'failed' && comparing.failedIsWrong) of.failed += 1;
  }
  const shared = { isText: comparing.isText, kinds: kindsOf(table) };
  return [...found].map(([item, counts]) => {
    const { name, expected } = items[item]!;
    return { item: `${item} ${name}`, expected, ...counts, ...shared };
  });
}

/** Runs that people have judged by this. */
function judgedItems(table: ExperimentTable, places: readonly Place[], kind: JudgementKind): MeasuredItem[] {
  const found = new Map<number, Json[]>();
  for (const { id, item } of places) {
    const got = table.judged(id)[kind];
    found.set(item, [...(found.get(item) ?? []), ...(got === undefined ? [] : [got])]);
  }
  return [...found].map(([item, got]) => ({ item: String(item), expected: undefined, got }));
}

function columnOf(
  variation: Variation,
  lines: readonly (ResultLine | undefined)[],
  metrics: readonly ColumnFigure[],
  paid: PaidForColumn,
): ColumnSummary {
  const known = lines.filter((line) => line !== undefined);
  const countOf = (state: ResultLine['state']) => known.filter((line) => line.state === state).length;
  // Of finished runs, each once, as in charts: a run that fails at once says nothing of how long an answer takes.
  const durations = [...new Set(known)]
    .filter(({ state }) => state === 'finished')
    .flatMap(({ duration_ms: ms }) => (ms === undefined ? [] : [ms]))
    .sort((a, b) => a - b);
  return {
    variation,
    finished: countOf('finished'),
    failed: countOf('failed'),
    unconfirmed: countOf('unconfirmed'),
    missing: lines.length - known.length,
    metrics,
    ...paid,
    ...(durations.length > 0 && {
      median: quantile(durations, 0.5),
      percentile95: quantile(durations, 0.95),
    }),
  };
}
