import type { Json } from '../../domain/json';
import { isBlank } from '../metrics/equality';
import { failureValue, isGiven, isJudged, type Metric, measureItem } from '../metrics/metrics';
import { JUDGEMENT_KINDS, type JudgementKind } from '../results/judgements';
import { type Comparing, comparedValue, UNREADABLE } from '../results/measuredValue';
import type { ResultLine } from '../results/resultLine';
import { columnFault, givenValue } from './comparedItems';
import type { ExperimentTable } from './table';

/**
 * One run of a cell by a metric; undefined when it has no outcome, or cannot be measured by it, as where its column has a
 * fault of the set-up. A failed run is wrong where the experiment says so.
 */
export function measureRun(
  table: ExperimentTable,
  { row, column }: { readonly row: number; readonly column: number },
  line: ResultLine,
  metric: Metric,
): number | undefined {
  if (columnFault(table, column, metric)) return undefined;
  if (isGiven(metric)) {
    const value = givenValue(table, line, metric, row);
    return value === UNREADABLE ? undefined : value;
  }
  return measureOutcome(line, table.plan.items[row]!.expected, table.comparing, metric);
}

/** The same of an outcome by itself, where its column can be measured. */
export function measureOutcome(
  line: ResultLine,
  expected: Json | undefined,
  { at, isText, failedIsWrong }: Comparing,
  metric: Metric,
): number | undefined {
  if (line.state === 'failed' && failedIsWrong && !isBlank(expected)) return failureValue(metric);
  if (line.state !== 'finished') return undefined;
  const value = comparedValue(line, at);
  return value === UNREADABLE ? undefined : measureItem(metric, value, expected, isText);
}

/** The metrics of a table: those that its experiment asks for, and those that people have judged by. */
export function metricsWithJudged(asked: readonly Metric[], table: ExperimentTable): Metric[] {
  const ids = table.plan.runs.map(({ customId }) => customId);
  const used = new Set(ids.flatMap((id) => Object.keys(table.judged(id))));
  const names: JudgementKind[] = JUDGEMENT_KINDS.filter((name) => used.has(name));
  return [...asked.filter((metric) => !isJudged(metric)), ...names.map((name) => ({ name, tolerance: 0 }))];
}
