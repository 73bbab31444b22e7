import { JUDGEMENT_KINDS, type JudgementKind } from '../judgements';
import { isJudged, type Metric, measureItem } from '../metrics/metrics';
import type { ResultLine } from '../results';
import { measuredValue } from '../summary';
import type { ExperimentTable } from './table';

/** One run of a row by a metric; undefined when it has not finished, or cannot be measured by it. */
export function measureRun(
  table: ExperimentTable,
  row: number,
  line: ResultLine,
  metric: Metric,
): number | undefined {
  if (line.state !== 'finished') return undefined;
  if (isJudged(metric)) return table.judged(line.custom_id)[metric.name];
  const { expected } = table.plan.items[row]!;
  return expected === undefined ? undefined : measureItem(metric, measuredValue(line, table.at), expected);
}

/** The metrics of a table: those that its experiment asks for, and those that people have judged by. */
export function metricsWithJudged(asked: readonly Metric[], table: ExperimentTable): Metric[] {
  const ids = table.plan.cells.map(({ customId }) => customId);
  const used = new Set(ids.flatMap((id) => Object.keys(table.judged(id))));
  const names: JudgementKind[] = JUDGEMENT_KINDS.filter((name) => used.has(name));
  return [...asked.filter((metric) => !isJudged(metric)), ...names.map((name) => ({ name, tolerance: 0 }))];
}
