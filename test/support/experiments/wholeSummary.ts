import { summarise } from '../../../src/experiments/figures/summary';
import type { Metric } from '../../../src/experiments/metrics/metrics';
import type { ExperimentTable } from '../../../src/experiments/table/table';

/** A summary that can be compared with another: each pair of columns by each metric instead of the function for them. */
export async function wholeSummary(table: ExperimentTable, metrics: readonly Metric[]) {
  const { compare, ...summary } = await summarise(table, metrics);
  const columns = [...summary.columns.keys()];
  const pairs = columns.flatMap((one) => columns.map((other) => [one, other] as const));
  const compared = await Promise.all(
    metrics.flatMap((metric) => pairs.map(([one, other]) => compare(metric, one, other))),
  );
  return { ...summary, compared };
}
