import type { Json } from '../domain/json';
import { getAt } from '../domain/value';
import type { Expected } from './format';
import type { Variation } from './grid';
import type { JudgementKind } from './judgements';
import {
  type Comparison,
  compareColumns,
  isJudged,
  type Measured,
  type MeasuredItem,
  type Metric,
  measureColumn,
} from './metrics/metrics';
import { quantile } from './metrics/statistics';
import type { ResultLine } from './results';
import { type PaidForColumn, paidByColumn } from './table/paid';
import type { ExperimentTable, TablePlan } from './table/table';

/** The head row of a column: what became of the runs of a variation. */
export interface ColumnSummary extends PaidForColumn {
  readonly variation: Variation;
  readonly finished: number;
  readonly failed: number;
  readonly unconfirmed: number;
  /** Not run yet. */
  readonly missing: number;
  /** In the order of the experiment's metrics; undefined where nothing could be measured. */
  readonly metrics: readonly (Measured | undefined)[];
  /** Milliseconds; undefined when no run has a duration. */
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

/** Where the value to compare stands in a result. */
export function expectedAt(expected: Expected | undefined): string {
  return expected && 'at' in expected ? (expected.at ?? '') : '';
}

/** What is measured of a finished run. */
export function measuredValue({ result }: ResultLine, at: string): Json | undefined {
  return getAt(result, at);
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

/** Finished runs of items of which something is expected. */
function comparedItems(
  { plan: { items }, results, at }: ExperimentTable,
  places: readonly Place[],
): MeasuredItem[] {
  const lines = places.map(({ id, item }) => ({ item, line: results.get(id) }));
  const found = lines.flatMap(({ item, line }) =>
    line?.state === 'finished' ? [{ item, got: measuredValue(line, at) }] : [],
  );
  return byItem(found).flatMap(({ item, got }) => {
    const { name, expected } = items[item]!;
    return expected === undefined ? [] : [{ item: `${item} ${name}`, expected, got }];
  });
}

/** Runs that people have judged by this. */
function judgedItems(table: ExperimentTable, places: readonly Place[], kind: JudgementKind): MeasuredItem[] {
  const found = places.flatMap(({ id, item }) => {
    const got = table.judged(id)[kind];
    return got === undefined ? [] : [{ item, got }];
  });
  return byItem(found).map(({ item, got }) => ({ item: String(item), expected: null, got }));
}

/** The repeats of an item together. */
function byItem(found: readonly { readonly item: number; readonly got: Json | undefined }[]) {
  const items = new Map<number, (Json | undefined)[]>();
  for (const { item, got } of found) items.set(item, [...(items.get(item) ?? []), got]);
  return [...items].map(([item, got]) => ({ item, got }));
}

function columnOf(
  variation: Variation,
  lines: readonly (ResultLine | undefined)[],
  metrics: readonly (Measured | undefined)[],
  paid: PaidForColumn,
): ColumnSummary {
  const known = lines.filter((line) => line !== undefined);
  const countOf = (state: ResultLine['state']) => known.filter((line) => line.state === state).length;
  const durations = known
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
