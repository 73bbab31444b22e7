import { countEach } from '../../domain/many';
import type { ShownConfusion, ShownFigures } from '../../protocol/experiment';
import type { Summary } from '../figures/summary';
import { medianInterval } from '../metrics/intervals';
import { confusionMatrix } from '../metrics/labels';
import { betterOf, type Metric } from '../metrics/metrics';
import { quantile } from '../metrics/statistics';
import { figureDigits } from '../table/figureTexts';
import { partText } from '../table/glance';
import { rowPairs } from '../table/rowPairs';
import type { ExperimentTable } from '../table/table';

/** More labels are no longer readable in a chart. */
const MOST_LABELS = 20;

/** The data of charts: floats, for pixels; the table has the exact amounts. */
export function figuresOf(
  table: ExperimentTable,
  metrics: readonly Metric[],
  summary: Summary,
  locale?: string,
): ShownFigures {
  const lines = Array.from({ length: table.columns }, (_, column) => columnLines(table, column));
  // A run that several columns share is one run.
  const all = [...new Set(lines.flat())].flatMap(({ cost }) => cost ?? []);
  const currency = mostFrequent(all.map(({ currency = '' }) => currency));
  return {
    metrics: metrics.map((metric) => ({ name: metric.name, better: betterOf(metric) })),
    columns: lines.map((own, column) => {
      const costs = own.flatMap(({ cost }) =>
        cost && (cost.currency ?? '') === currency ? Number(cost.amount) : [],
      );
      const times = own.flatMap(({ duration_ms: ms }) => ms ?? []);
      const part = partText(summary.columns[column]!, locale);
      return {
        metrics: summary.columns[column]!.metrics.map(({ measured }, at) => {
          // A page takes no infinite number, which the error of very large ones is.
          if (!measured || !Number.isFinite(measured.value)) return null;
          const { value, interval, count } = measured;
          return {
            value,
            digits: figureDigits(metrics[at]!, measured),
            count,
            isAlike: interval === 'alike',
            ...(typeof interval === 'object' && interval),
          };
        }),
        ...(part !== undefined && { part }),
        ...(costs.length > 0 && { costs: distributionOf(costs) }),
        ...(times.length > 0 && { times: distributionOf(times) }),
        numbers: numbersIn(table.plan.variations[column]!),
      };
    }),
    ...(currency !== undefined && currency !== '' && { currency }),
    otherCurrencies: all.filter((cost) => (cost.currency ?? '') !== currency).length,
  };
}

/** Expected and got labels of the runs of a column. An outcome that is no label counts as the label "". */
export function confusionOf(table: ExperimentTable, column: number): ShownConfusion {
  const pairs = table.plan.items.flatMap((_, row) => rowPairs(table, row, column));
  return confusionMatrix(pairs, MOST_LABELS);
}

function columnLines(table: ExperimentTable, column: number) {
  const lines = table.plan.items.flatMap(({ isGone }, row) => (isGone ? [] : table.finished(row, column)));
  // A run that serves several rows is one run.
  return [...new Set(lines)];
}

function distributionOf(values: readonly number[]): ShownFigures['columns'][number]['costs'] {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) => quantile(sorted, share);
  return {
    count: values.length,
    ...medianInterval(sorted),
    quantiles: [at(0.05), at(0.25), at(0.5), at(0.75), at(0.95)],
  };
}

function numbersIn(variation: ExperimentTable['plan']['variations'][number]): Record<string, number> {
  return Object.fromEntries(
    Object.entries(variation).filter((entry): entry is [string, number] => typeof entry[1] === 'number'),
  );
}

function mostFrequent(values: readonly string[]): string | undefined {
  return [...countEach(values)].sort(([, a], [, b]) => b - a)[0]?.[0];
}
