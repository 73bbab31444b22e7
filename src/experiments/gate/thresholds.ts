import * as l10n from '@vscode/l10n';
import { valueText } from '../../domain/words';
import { ROUNDING } from '../../wording/number';
import type { TableFigures } from '../figures/tableFigures';
import type { ExperimentFile } from '../file/format';
import { THRESHOLD } from '../file/format';
import { type Metric, metricRange } from '../metrics/metrics';
import { sentValue } from '../plan/grid';
import { figureText } from '../table/figureTexts';
import { partText } from '../table/glance';
import type { TablePlan } from '../table/table';

/** The required value of a metric in every column, or in some. */
export interface Threshold {
  readonly metric: string;
  /** Place in the request → the text of its value in the columns that it is about. */
  readonly columns?: Readonly<Record<string, string>>;
  readonly operator: '>=' | '>' | '<=' | '<';
  readonly value: number;
  /** All of the interval must reach it. */
  readonly byInterval?: boolean;
  readonly leastRows?: number;
}

/** @param thresholds as the file has them, which its schema has checked */
export function thresholdsIn(thresholds: ExperimentFile['thresholds'] = {}): Threshold[] {
  return Object.entries(thresholds).flatMap(([name, asked]) => {
    const {
      value: text,
      interval = false,
      rows,
    } = typeof asked === 'object' ? asked : { value: asked ?? '' };
    const [, operator, value] = THRESHOLD.exec(text) ?? [];
    if (operator === undefined) return [];
    return {
      ...measuredColumns(name),
      operator: operator as Threshold['operator'],
      value: Number(value),
      byInterval: interval,
      ...(rows !== undefined && { leastRows: rows }),
    };
  });
}

/** "accuracy of /model=x, /params/k=2": a metric in the columns that send these values; without them, in all. */
export function measuredColumns(name: string): Pick<Threshold, 'metric' | 'columns'> {
  const [, metric, places] = /^(.*?) of (\/[^=]+=.*)$/.exec(name) ?? [];
  if (metric === undefined || places === undefined) return { metric: name };
  const columns = places.split(/,\s*(?=\/[^=,]+=)/).map((one) => {
    const at = one.indexOf('=');
    return [one.slice(0, at), one.slice(at + 1)] as const;
  });
  return { metric, columns: Object.fromEntries(columns) };
}

/** "accuracy >= 0.9". */
function thresholdText({ metric, operator, value, byInterval, leastRows }: Threshold): string {
  const text = `${metric} ${operator} ${value}`;
  const withInterval = byInterval ? l10n.t('{0} by its interval', text) : text;
  return leastRows === undefined ? withInterval : l10n.t('{0}, at least {1} rows', withInterval, leastRows);
}

/** Whether one thing that a gate asks for is met. */
export interface GateCheck {
  /** "accuracy >= 0.9". */
  readonly title: string;
  readonly column: string;
  readonly passed: boolean;
  /** The figure, or why there is none, as a sentence. */
  readonly message: string;
  /** The numbers in it by their names, unrounded. */
  readonly figures?: Readonly<Record<string, number>>;
  /** False: the column could not be compared with before. */
  readonly isCompared?: false;
  /** It has not passed, since only some rows are measured. */
  readonly isUndecided?: true;
}

type GatedFigures = Pick<TableFigures, 'metrics' | 'names' | 'placeOf' | 'locale'> & {
  readonly summary: Pick<TableFigures['summary'], 'columns'>;
  readonly table: { readonly plan: Pick<TablePlan, 'base'> };
};

/**
 * Each threshold in each of its columns. A column without that figure fails, and so does a threshold without a column:
 * a threshold is only met by a measured figure.
 */
export function checkThresholds(thresholds: readonly Threshold[], figures: GatedFigures): GateCheck[] {
  const { summary, table } = figures;
  return thresholds.flatMap((threshold) => {
    const wanted = Object.entries(threshold.columns ?? {});
    const own = [...summary.columns.entries()].filter(([, { variation }]) =>
      wanted.every(([place, text]) => {
        const sent = sentValue(table.plan.base, variation, place);
        return sent !== undefined && valueText(sent) === text;
      }),
    );
    if (own.length === 0) {
      const column = wanted.map(([place, text]) => `${place}=${text}`).join(', ') || '–';
      const message = l10n.t('There is no such column.');
      return [{ title: thresholdText(threshold), column, passed: false, message }];
    }
    return own.map(([column]) => checkThreshold(threshold, column, figures));
  });
}

function checkThreshold(
  threshold: Threshold,
  column: number,
  { metrics, names, placeOf, summary: { columns }, locale }: GatedFigures,
): GateCheck {
  const summary = columns[column]!;
  const [name, at] = [names[column]!, placeOf(column)];
  const index = metrics.findIndex((one) => one.name === threshold.metric);
  const [metric, figure] = [metrics[index], summary.metrics[index]];
  const measured = figure?.measured;
  const title = thresholdText(threshold);
  if (!metric || !figure || !measured) {
    const text = metric && figure && figureText(metric, figure, at, locale);
    const message = text ?? l10n.t('{0} has not been measured.', threshold.metric);
    return { title, column: name, passed: false, message };
  }
  const { value, interval, count } = measured;
  const range = typeof interval === 'object' ? interval : undefined;
  const isFloor = threshold.operator === '>=' || threshold.operator === '>';
  const decided = threshold.byInterval ? (isFloor ? range?.low : range?.high) : value;
  const hasRows = count >= (threshold.leastRows ?? 0);
  const text = figureText(metric, figure, at, locale, [threshold.value]) ?? '';
  // The rest of the rows may differ: those that have run say nothing of them.
  const part = partText(summary, locale);
  return {
    title,
    column: name,
    passed: part === undefined && hasRows && decided !== undefined && meets(decided, threshold, metric),
    ...(part === undefined
      ? { message: text }
      : {
          message: l10n.t('Not decided, since {0} runs have an outcome. {1}', part, text),
          isUndecided: true as const,
        }),
    figures: { value, ...(range && { low: range.low, high: range.high }), n: count },
  };
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
export function failedCheckText({ title, column, message, isUndecided }: GateCheck): string {
  if (isUndecided) return `${column}: ${title}. ${message}`;
  return l10n.t('{0}: {1} is not met. {2}', column, title, message);
}
