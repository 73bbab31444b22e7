import * as l10n from '@vscode/l10n';
import type { Json } from '../../domain/json';
import { type ColumnFigure, compareColumns, itemValue } from '../metrics/columns';
import { SIGNIFICANT } from '../metrics/decision';
import { isClose } from '../metrics/equality';
import { type MeasuredItem, type Metric, setupFault } from '../metrics/metrics';
import { fisherGreater, holm } from '../metrics/tests';
import { measuredValue, UNREADABLE } from '../results/measuredValue';
import type { RecordedTable } from '../results/recordedTable';
import { becameText, changedRows } from '../table/changedRows';
import { measuredItems } from '../table/comparedItems';
import {
  type CorrectedComparison,
  comparisonText,
  correctedComparisons,
  figureText,
  pText,
} from '../table/figureTexts';
import type { ExperimentTable } from '../table/table';
import type { GateCheck } from './thresholds';

/** The demands of a comparison with earlier results. */
interface EarlierDemand {
  readonly demand?: 'notWorse' | 'unchanged';
  readonly allowsNew?: boolean | undefined;
  /** A difference that does not matter. */
  readonly margin?: number | undefined;
}

/** Results of another form than before: no result has a value that can be compared, while earlier ones had. */
function lostFigure(
  metric: Metric,
  items: readonly MeasuredItem[],
  earlier: readonly MeasuredItem[],
): ColumnFigure | undefined {
  const fault = setupFault(metric, items);
  if (!fault || setupFault(metric, earlier)) return undefined;
  const wasMeasured = earlier.some((item) => itemValue(metric, item) !== undefined);
  return wasMeasured ? { fault, items: items.length, blank: 0, unreadable: 0 } : undefined;
}

/**
 * Whether a column is worse than before by a metric: a paired test over the rows that both have, corrected for all
 * comparisons that are made. One that can no longer be measured fails, and so does one that cannot be compared.
 * @param table with the earlier results as further columns: see `tableWith`
 * @param names of the columns of the experiment
 * @param demand `unchanged`: the answers are compared, too, and a column that is better has failed
 * @param allowsNew columns without earlier results pass: the default where all must be unchanged
 */
export async function checkAgainstEarlier(
  table: ExperimentTable,
  metrics: RecordedTable['metrics'],
  names: readonly string[],
  locale: string,
  { demand = 'notWorse', allowsNew = demand === 'unchanged', margin }: EarlierDemand = {},
): Promise<GateCheck[]> {
  const answers = demand === 'unchanged' ? checkAnswers(table, names, locale) : [];
  if (metrics.length === 0) return answers;
  const itemsOf = (column: number, metric: Metric) => {
    const before = table.plan.others?.pairs.get(column);
    const earlier = before === undefined ? [] : measuredItems(table, before, metric);
    return [measuredItems(table, column, metric), earlier] as const;
  };
  const comparisons = [];
  for (const column of names.keys()) {
    const ofColumn = [];
    for (const metric of metrics) ofColumn.push(await compareColumns(metric, ...itemsOf(column, metric)));
    comparisons.push(ofColumn);
  }
  const corrected = correctedComparisons(comparisons, { metrics, margin });
  const ofColumns = names.flatMap((column, at) => {
    if (!table.plan.others?.pairs.has(at)) return [newColumn(column, allowsNew)];
    const checks = metrics.flatMap((metric, index): GateCheck[] => {
      const comparison = corrected[at]?.[index];
      const title =
        demand === 'unchanged'
          ? l10n.t('{0} as before', metric.name)
          : l10n.t('{0} not worse than before', metric.name);
      const items = itemsOf(at, metric);
      const lost = lostFigure(metric, ...items);
      const place = table.placeIn(table.plan.variations[at]!);
      const lostText = lost && figureText(metric, lost, place, locale);
      if (lostText !== undefined) return [{ title, column, passed: false, message: lostText }];
      const text = comparisonText(metric.name, comparison, locale);
      if (!comparison || text === undefined) return [];
      const changed = becameText(changedRows(metric, ...items));
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
  return [...answers, ...ofColumns];
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

type Answer = Json | undefined;

/** Answers that differ, of those that can be compared. */
interface Differing {
  readonly differ: number;
  readonly of: number;
}

/**
 * Whether a model's answers are others than before, more often than its answers to one request differ by themselves:
 * first the answers, then whether they are right. Exact tests, corrected for all columns.
 * @param table with the earlier results as further columns: see `tableWith`
 */
function checkAnswers(table: ExperimentTable, names: readonly string[], locale: string): GateCheck[] {
  const columns = names.flatMap((column, at) => {
    const before = table.plan.others?.pairs.get(at);
    return before === undefined ? [] : { column, ...answersOf(table, at, before) };
  });
  const compared = columns.filter(({ since }) => since.of > 0);
  const values = holm(
    compared.map(({ since, alone }) => fisherGreater([since.differ, since.of], [alone.differ, alone.of])),
  );
  return compared.map(({ column, since, alone }, index) => {
    const p = values[index]!;
    const facts = l10n.t('{0} of {1} answers are equal to those before', since.of - since.differ, since.of);
    const noise =
      alone.of === 0
        ? l10n.t('nothing was sent twice to compare with')
        : l10n.t('sent twice, {0} of {1} are', alone.of - alone.differ, alone.of);
    const passed = p >= SIGNIFICANT;
    return {
      title: l10n.t('answers as before'),
      column,
      passed,
      message: passed
        ? l10n.t('{0}; {1}: no sign of a change ({2})', facts, noise, pText(p, locale))
        : l10n.t('{0}; {1}: unlikely to be chance ({2})', facts, noise, pText(p, locale)),
      figures: { differ: since.differ, n: since.of, differ_alone: alone.differ, n_alone: alone.of, p },
    };
  });
}

/** Answers now against those before, and repeats against the first one of the same time. */
function answersOf(table: ExperimentTable, now: number, before: number) {
  const [since, alone] = [
    { differ: 0, of: 0 },
    { differ: 0, of: 0 },
  ];
  const count = (into: { differ: number; of: number }, pairs: readonly (readonly [Answer, Answer])[]) => {
    into.of += pairs.length;
    into.differ += pairs.filter(([one, other]) => !isSameAnswer(one, other)).length;
  };
  for (let row = 0; row < table.rows; row++) {
    const [own, earlier] = [answersIn(table, row, now), answersIn(table, row, before)];
    if (own.length === 0 || earlier.length === 0) continue;
    count(since, [[own[0], earlier[0]]]);
    for (const [first, ...others] of [own, earlier])
      count(
        alone,
        others.map((other) => [first, other] as const),
      );
  }
  return { since, alone } satisfies Record<string, Differing>;
}

function answersIn(table: ExperimentTable, row: number, column: number): Answer[] {
  return table
    .finished(row, column)
    .map((line) => measuredValue(line, table.at))
    .filter((value) => value !== UNREADABLE);
}

function isSameAnswer(one: Answer, other: Answer): boolean {
  if (one === undefined || other === undefined) return one === other;
  return isClose(one, other, 0);
}
