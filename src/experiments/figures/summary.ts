import { type ColumnComparison, type ColumnFigure, compareColumns, measureColumn } from '../metrics/columns';
import { type Interval, medianInterval } from '../metrics/intervals';
import { isGiven, isOfLabels, isOfRightAndWrong, type Metric } from '../metrics/metrics';
import { quantile } from '../metrics/statistics';
import type { Variation } from '../plan/grid';
import type { ResultLine } from '../results/resultLine';
import { measuredItems } from '../table/comparedItems';
import { type LabelCounts, labelCounts } from '../table/groups';
import { type PaidForColumn, paidByColumn } from '../table/paid';
import type { ExperimentTable } from '../table/table';
import { agreements, type RatersAgreement } from './agreements';

/** The head row of a column: the outcomes of a variation's runs. */
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
  /** How many have one. */
  readonly timed: number;
  /** The shortest within which at least 95% of them ended: of fewer than 20 the longest. */
  readonly percentile95?: number;
  /** 95% interval of the median; missing where there are too few runs for one. */
  readonly medianInterval?: Interval;
  /** When the runs of the median began: the quartiles, in milliseconds since the epoch. */
  readonly began?: readonly [first: number, half: number, last: number];
  /** Where labels are expected, for the share that the most frequent one alone would have. */
  readonly labels?: LabelCounts;
}

export interface Summary {
  readonly columns: readonly ColumnSummary[];
  /** Each column against its other results or the baseline, metric by metric; empty for the baseline itself. */
  readonly comparisons: readonly (readonly (ColumnComparison | undefined)[])[];
  /** How far judges and people agree, over all columns. */
  readonly agreements?: readonly RatersAgreement[];
  /** The column that each is compared with. */
  readonly against: readonly (number | undefined)[];
  /** Any two columns by a metric, each pair computed once. */
  readonly compare: (metric: Metric, one: number, other: number) => Promise<ColumnComparison | undefined>;
}

/**
 * Sums up results by column. A run counts once in every column that asks for it, and as a row in every row that does.
 * @param baseline the column that the others are compared with
 */
export async function summarise(
  table: ExperimentTable,
  metrics: readonly Metric[],
  baseline = 0,
): Promise<Summary> {
  const { plan, results } = table;
  const measured = (column: number) => (metric: Metric) => measuredItems(table, column, metric);
  const paid = paidByColumn(table);
  const columns: ColumnSummary[] = [];
  const comparisons: (ColumnComparison | undefined)[][] = [];
  const against: (number | undefined)[] = [];
  const compared = new Map<string, Promise<ColumnComparison | undefined>>();
  const compare: Summary['compare'] = (metric, one, other) => {
    const key = `${metric.name} ${one} ${other}`;
    const known = compared.get(key) ?? compareColumns(metric, measured(one)(metric), measured(other)(metric));
    compared.set(key, known);
    return known;
  };
  for (const [index, variation] of plan.variations.entries()) {
    const items = measured(index);
    const lines = plan.runs
      .filter(({ serves }) => serves.some((place) => place.variation === index))
      .map(({ customId }) => results.get(customId));
    const values = await eachOf(metrics, (metric) => measureColumn(metric, items(metric)));
    const ofLabels = metrics.find((metric) => isOfLabels(metric) || isOfRightAndWrong(metric));
    const labels = ofLabels && !isGiven(ofLabels) ? labelCounts(table, index, ofLabels) : undefined;
    columns.push({ ...columnOf(variation, lines, values, paid[index]!), ...(labels && { labels }) });
    const other = table.against(index, baseline);
    against.push(other);
    comparisons.push(
      other === undefined ? [] : await eachOf(metrics, (metric) => compare(metric, index, other)),
    );
  }
  return { columns, comparisons, agreements: agreements(table, metrics), against, compare };
}

/** One after another: each is heavy. */
async function eachOf<T>(metrics: readonly Metric[], compute: (metric: Metric) => Promise<T>): Promise<T[]> {
  const values: T[] = [];
  for (const metric of metrics) values.push(await compute(metric));
  return values;
}

function columnOf(
  variation: Variation,
  lines: readonly (ResultLine | undefined)[],
  metrics: readonly ColumnFigure[],
  paid: PaidForColumn,
): ColumnSummary {
  const known = lines.filter((line) => line !== undefined);
  const countOf = (state: ResultLine['state']) => known.filter((line) => line.state === state).length;
  // Of finished runs, as in charts: a run that fails at once says nothing of how long an answer takes.
  const timed = known.filter(({ state, duration_ms: ms }) => state === 'finished' && ms !== undefined);
  const durations = timed.map(({ duration_ms: ms }) => ms!).sort((a, b) => a - b);
  const began = timed
    .map(({ started_at: at }) => Date.parse(at ?? ''))
    .filter((at) => !Number.isNaN(at))
    .sort((a, b) => a - b);
  const ends = medianInterval(durations);
  return {
    variation,
    finished: countOf('finished'),
    failed: countOf('failed'),
    unconfirmed: countOf('unconfirmed'),
    missing: lines.length - known.length,
    metrics,
    ...paid,
    timed: durations.length,
    ...(durations.length > 0 && {
      median: quantile(durations, 0.5),
      percentile95: durations[Math.ceil((19 * durations.length) / 20) - 1]!,
    }),
    ...(ends && { medianInterval: ends }),
    ...(began.length > 0 && {
      began: [quantile(began, 0.25), quantile(began, 0.5), quantile(began, 0.75)] as const,
    }),
  };
}
