import * as l10n from '@vscode/l10n';
import { type ColumnFigure, compareColumns, itemValue } from '../metrics/columns';
import { type MeasuredItem, type Metric, setupFault } from '../metrics/metrics';
import type { RecordedTable } from '../results/recordedTable';
import { becameText, changedRows } from '../table/changedRows';
import { measuredItems } from '../table/comparedItems';
import {
  type CorrectedComparison,
  comparisonText,
  correctedComparisons,
  figureText,
} from '../table/figureTexts';
import type { ExperimentTable } from '../table/table';
import type { GateCheck } from './thresholds';

interface EarlierPair {
  readonly own: (metric: Metric) => readonly MeasuredItem[];
  readonly before: (metric: Metric) => readonly MeasuredItem[];
}

/** The demands of a comparison with earlier results. */
interface EarlierDemand {
  readonly demand?: 'notWorse' | 'unchanged';
  readonly allowsNew?: boolean | undefined;
  /** A difference that does not matter. */
  readonly margin?: number | undefined;
}

/** Results of another form than before: no result has a value that can be compared, while earlier ones had. */
function lostFigure(metric: Metric, { own, before }: EarlierPair): ColumnFigure | undefined {
  const items = own(metric);
  const fault = setupFault(metric, items);
  const earlier = before(metric);
  if (!fault || setupFault(metric, earlier)) return undefined;
  const wasMeasured = earlier.some((item) => itemValue(metric, item) !== undefined);
  return wasMeasured ? { fault, items: items.length, blank: 0, unreadable: 0 } : undefined;
}

/**
 * Whether a column is worse than before by a metric: a paired test over the rows that both have, corrected for all
 * comparisons that are made. One that can no longer be measured fails, and so does one that cannot be compared.
 * @param table with the earlier results as further columns: see `tableWith`
 * @param names of the columns of the experiment
 * @param demand `unchanged`: a column that is better has failed too
 * @param allowsNew columns without earlier results pass: the default where all must be unchanged
 */
export async function checkAgainstEarlier(
  table: ExperimentTable,
  metrics: RecordedTable['metrics'],
  names: readonly string[],
  locale: string,
  { demand = 'notWorse', allowsNew = demand === 'unchanged', margin }: EarlierDemand = {},
): Promise<GateCheck[]> {
  if (metrics.length === 0) return [];
  const pairs = [...names.keys()].map((column): EarlierPair => {
    const before = table.plan.others?.pairs.get(column);
    return {
      own: (metric) => measuredItems(table, column, metric),
      before: (metric) => (before === undefined ? [] : measuredItems(table, before, metric)),
    };
  });
  const comparisons = [];
  for (const { own, before } of pairs) {
    const ofColumn = [];
    for (const metric of metrics) ofColumn.push(await compareColumns(metric, own(metric), before(metric)));
    comparisons.push(ofColumn);
  }
  const corrected = correctedComparisons(comparisons, { metrics, margin });
  return names.flatMap((column, at) => {
    if (!table.plan.others?.pairs.has(at)) return [newColumn(column, allowsNew)];
    const checks = metrics.flatMap((metric, index): GateCheck[] => {
      const comparison = corrected[at]?.[index];
      const title =
        demand === 'unchanged'
          ? l10n.t('{0} as before', metric.name)
          : l10n.t('{0} not worse than before', metric.name);
      const lost = lostFigure(metric, pairs[at]!);
      const place = table.placeIn(table.plan.variations[at]!);
      const lostText = lost && figureText(metric, lost, place, locale);
      if (lostText !== undefined) return [{ title, column, passed: false, message: lostText }];
      const text = comparisonText(metric.name, comparison, locale);
      if (!comparison || text === undefined) return [];
      const { own, before } = pairs[at]!;
      const changed = becameText(changedRows(metric, own(metric), before(metric)));
      return [
        {
          title,
          column,
          passed: comparison.sign !== 'worse' && !(demand === 'unchanged' && comparison.sign === 'better'),
          figures: earlierFigures(comparison),
          message: changed === undefined ? text : `${text}. ${changed}`,
        },
      ];
    });
    return checks.length > 0 ? checks : [incomparable(column)];
  });
}

/** A column that is left out in silence would look as one that is not worse. */
function newColumn(column: string, passed: boolean): GateCheck {
  const message = l10n.t('There are no earlier results of the requests of this column.');
  return { title: l10n.t('has earlier results'), column, passed, message, isCompared: false };
}

function incomparable(column: string): GateCheck {
  const message = l10n.t('No row can be compared with before by any metric.');
  return { title: l10n.t('comparable with before'), column, passed: false, message, isCompared: false };
}

function earlierFigures({
  difference,
  interval,
  count,
  corrected,
}: CorrectedComparison): Record<string, number> {
  return {
    difference,
    n: count,
    p: corrected,
    ...(typeof interval === 'object' && { low: interval.low, high: interval.high }),
  };
}
