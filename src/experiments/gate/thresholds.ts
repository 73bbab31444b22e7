import * as l10n from '@vscode/l10n';
import { ROUNDING } from '../../wording/number';
import { THRESHOLD } from '../format';
import { type Metric, metricRange } from '../metrics/metrics';
import type { ColumnSummary } from '../summary';
import { figureText } from '../table/figureTexts';

/** The required value of a metric in every column. */
export interface Threshold {
  readonly metric: string;
  readonly operator: '>=' | '>' | '<=' | '<';
  readonly value: number;
}

/** @param thresholds as the file has them, which its schema has checked */
export function thresholdsIn(thresholds: Readonly<Record<string, string | undefined>> = {}): Threshold[] {
  return Object.entries(thresholds).flatMap(([metric, text]) => {
    const [, operator, value] = THRESHOLD.exec(text ?? '') ?? [];
    return operator === undefined
      ? []
      : [{ metric, operator: operator as Threshold['operator'], value: Number(value) }];
  });
}

/** "accuracy >= 0.9". */
function thresholdText({ metric, operator, value }: Threshold): string {
  return `${metric} ${operator} ${value}`;
}

/** Whether one thing that a gate asks for is met. */
export interface GateCheck {
  /** "accuracy >= 0.9". */
  readonly title: string;
  /** The column that it is about. */
  readonly column: string;
  readonly passed: boolean;
  /** The figure, or why there is none, as a sentence. */
  readonly message: string;
  /** False: the column could not be compared with before. */
  readonly isCompared?: false;
}

/** Each threshold in each column. A column without that figure fails: an unmeasured threshold is not met. */
export function checkThresholds(
  thresholds: readonly Threshold[],
  columns: readonly { readonly name: string; readonly at: string; readonly summary: ColumnSummary }[],
  metrics: readonly Metric[],
  locale: string,
): GateCheck[] {
  return thresholds.flatMap((threshold) => {
    const index = metrics.findIndex(({ name }) => name === threshold.metric);
    return columns.map(({ name, at, summary }): GateCheck => {
      const figure = summary.metrics[index];
      const value = figure?.measured?.value;
      const text = figure && figureText(metrics[index]!, figure, at, locale, [threshold.value]);
      return {
        title: thresholdText(threshold),
        column: name,
        passed: value !== undefined && meets(value, threshold, metrics[index]!),
        message: text ?? l10n.t('{0} has not been measured.', threshold.metric),
      };
    });
  });
}

/** A sum of rounded numbers counts as equal to its printed value. Errors may be of any size: 1e-12 is no rounding of these. */
function meets(value: number, { operator, value: wanted }: Threshold, metric: Metric): boolean {
  const apart = value - wanted;
  const { low, high } = metricRange(metric);
  const [one, other] = Number.isFinite(high) ? [low, high] : [value, wanted];
  const rounding = ROUNDING * Math.max(Math.abs(one), Math.abs(other));
  if (operator === '>=') return apart >= -rounding;
  if (operator === '<=') return apart <= rounding;
  return operator === '>' ? apart > rounding : apart < -rounding;
}

/** A failed check in a sentence. */
export function failedCheckText({ title, column, message }: GateCheck): string {
  return l10n.t('{0}: {1} is not met. {2}', column, title, message);
}
