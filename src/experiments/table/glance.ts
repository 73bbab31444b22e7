import * as l10n from '@vscode/l10n';
import { compareAmounts } from '../../domain/amounts';
import { formatDuration } from '../../wording/duration';
import { formatSums } from '../../wording/money';
import { digitsApart, formatDigits, formatNumber } from '../../wording/number';
import { agreementText, kappaText, type RatersAgreement } from '../agreements';
import type { ColumnFigure } from '../metrics/columns';
import { betterOf, type Metric, metricRange } from '../metrics/metrics';
import { differenceOf } from '../metrics/statistics';
import type { ColumnSummary, Summary } from '../summary';
import {
  type CorrectedComparison,
  comparisonText,
  figureDigits,
  figureText,
  pairCountsText,
  SIGNIFICANT,
} from './figureTexts';
import { costText, timeText } from './headSummary';

/** One figure of one column, as short as it can be read beside those of the other columns. */
export interface GlanceCell {
  /** "0.917", in each cell of a row with the same digits. */
  readonly text: string;
  /** "n 60", "n 57 of 60", "1 run without a cost". */
  readonly note?: string;
  /** "45 different", of rows that share runs; where there is little room only the words say it. */
  readonly different?: string;
  /** The 95% interval: "0.819 to 0.964", and its ends and the value as shares of the row's scale. */
  readonly interval?: {
    readonly text: string;
    readonly low: number;
    readonly high: number;
    readonly at: number;
    /** Where there is no difference: half of all pairs are won. */
    readonly even?: number;
  };
  readonly difference?: GlanceDifference;
  readonly isBest?: boolean;
  /** The same as sentences. */
  readonly words: readonly string[];
}

/** How a figure differs from that of the baseline. */
interface GlanceDifference {
  /** `alike`: the difference may be chance, or there are too few rows to tell. */
  readonly mark: 'up' | 'down' | 'alike';
  /** "+0.067". */
  readonly text: string;
  /** Missing where the difference may be chance. */
  readonly isBetter?: boolean;
}

/** The signs of differences. */
export const MARKS: Readonly<Record<GlanceDifference['mark'], string>> = { up: '▲', down: '▼', alike: '≈' };

/** A row of the summary: one kind of figure of all columns. */
export interface GlanceRow {
  readonly kind: 'metric' | 'agreement' | 'runs' | 'failed' | 'cost' | 'time';
  readonly name: string;
  /** By column; undefined: it has no such figure. */
  readonly cells: readonly (GlanceCell | undefined)[];
}

/** The options for showing a summary. */
export interface GlanceOptions {
  readonly metrics: readonly Metric[];
  /** By column and metric, corrected for all that are shown. */
  readonly comparisons: readonly (readonly (CorrectedComparison | undefined)[])[];
  /** JSON pointer to the compared part in the results of a column. */
  readonly placeOf: (column: number) => string;
  /** The columns that are shown; the best is the best of them. */
  readonly shown: readonly number[];
  /** Why columns have ended early, by column. */
  readonly ended?: ReadonlyMap<number, string>;
  /** BCP 47. */
  readonly locale: string;
}

/** The summary of all columns as aligned rows: metrics, runs, failures, cost, time. */
export function glanceRows(
  { columns, agreements = [] }: Pick<Summary, 'columns' | 'agreements'>,
  options: GlanceOptions,
): GlanceRow[] {
  const { metrics, shown, locale } = options;
  const isPartial = shown.some((at) => columns[at]!.missing + columns[at]!.unconfirmed > 0);
  const rows: GlanceRow[] = [
    ...metrics.map((_, metric) => metricRow(columns, metric, options)),
    ...agreements.map((one) => agreementRow(one, locale)),
    ...(isPartial
      ? [
          {
            kind: 'runs',
            name: l10n.t('finished'),
            cells: columns.map(runsCell(locale, options.ended)),
          } as const,
        ]
      : []),
    { kind: 'failed', name: l10n.t('failed'), cells: failedCells(columns, locale) },
    { kind: 'cost', name: l10n.t('cost'), cells: columns.map((column) => costCell(column, locale)) },
    { kind: 'time', name: l10n.t('median time'), cells: columns.map((column) => timeCell(column, locale)) },
  ];
  const withFigures = rows.filter(({ cells }) => shown.some((at) => cells[at] !== undefined));
  return withFigures.map((row) => withBest(row, columns, options));
}

/** Cohen's kappa of each column; the words also say it of all columns together. */
function agreementRow(all: RatersAgreement, locale: string): GlanceRow {
  const name = l10n.t('{0} and {1}', all.first, all.second);
  const cells = all.columns.map((own): GlanceCell | undefined =>
    own.count === 0
      ? undefined
      : {
          text: own.kappa === undefined ? '–' : `κ ${kappaText(own.kappa, 2, locale)}`,
          note: l10n.t('n {0}', own.count),
          words: [
            agreementText(all, own, locale),
            l10n.t('All columns: {0}', agreementText(all, all, locale)),
          ],
        },
  );
  return { kind: 'agreement', name, cells };
}

function metricRow(columns: readonly ColumnSummary[], index: number, options: GlanceOptions): GlanceRow {
  const { metrics, comparisons, placeOf, shown, locale } = options;
  const metric = metrics[index]!;
  const figures = columns.map((column) => column.metrics[index]);
  const measuredIn = shown.flatMap((at) => figures[at]?.measured ?? []);
  const digits = Math.max(...measuredIn.map((measured) => figureDigits(metric, measured)), 0);
  const scale = scaleOf(
    metric,
    shown.flatMap((at) => figures[at] ?? []),
  );
  const cells = figures.map((figure, column): GlanceCell | undefined => {
    if (!figure) return undefined;
    const comparison = comparisons[column]?.[index];
    const words = [
      figureText(metric, figure, placeOf(column), locale),
      comparisonText(metric.name, comparison, locale),
    ].filter((text) => text !== undefined);
    const { measured, fault, items } = figure;
    if (!measured) return fault ? { text: '–', words } : undefined;
    const { value, interval, count, different, failed } = measured;
    const difference = comparison && shownDifference(metric, comparison, digits, locale);
    return {
      text: formatDigits(value, digits, locale),
      note: [
        count < items ? l10n.t('n {0} of {1}', count, items) : l10n.t('n {0}', count),
        ...(measured.pairs ? [pairCountsText(measured.pairs)] : []),
      ].join(': '),
      ...(different < count && { different: l10n.t('{0} different', different) }),
      ...(typeof interval === 'object' && {
        interval: {
          text: l10n.t(
            '{0} to {1}',
            ...[interval.low, interval.high].map((end) => formatDigits(end, digits, locale)),
          ),
          ...{ low: scale(interval.low), high: scale(interval.high), at: scale(value) },
          ...(measured.pairs && { even: scale(0.5) }),
        },
      }),
      ...(difference && { difference }),
      words: failed > 0 ? [...words, failedText(failed, true)] : words,
    };
  });
  return { kind: 'metric', name: metric.name, cells };
}

/** A value as a share of the scale that all columns have: that of the metric, or up to the largest value. */
function scaleOf(metric: Metric, figures: readonly ColumnFigure[]): (value: number) => number {
  const { low, high } = metricRange(metric);
  const highs = figures.flatMap(({ measured }) => {
    if (!measured) return [];
    return typeof measured.interval === 'object'
      ? [measured.value, measured.interval.high]
      : [measured.value];
  });
  const most = Number.isFinite(high) ? high : Math.max(low, ...highs);
  return (value) => (most <= low ? 0 : Math.min(1, Math.max(0, (value - low) / (most - low))));
}

function shownDifference(
  metric: Metric,
  { difference, corrected }: CorrectedComparison,
  digits: number,
  locale: string,
): GlanceDifference {
  const sign = difference > 0 ? '+' : difference < 0 ? '−' : '±';
  const size = Math.abs(difference);
  const text = `${sign}${formatDigits(size, digitsApart(size, [0], digits), locale)}`;
  if (corrected >= SIGNIFICANT || difference === 0) return { mark: 'alike', text };
  const isUp = difference > 0;
  return { mark: isUp ? 'up' : 'down', text, isBetter: isUp === (betterOf(metric) === 'higher') };
}

function runsCell(
  locale: string,
  ended: GlanceOptions['ended'],
): (column: ColumnSummary, at: number) => GlanceCell {
  return ({ finished, failed, unconfirmed, missing }, at) => ({
    text: l10n.t(
      '{0} of {1}',
      ...[finished, finished + failed + unconfirmed + missing].map((count) => formatNumber(count, locale)),
    ),
    ...(unconfirmed > 0 && { note: l10n.t('{0} unconfirmed', unconfirmed) }),
    ...(ended?.has(at) && { note: l10n.t('ended early') }),
    words: [
      ...(ended?.has(at) ? [ended.get(at)!] : []),
      ...(missing > 0 ? [l10n.t('{0} not run', missing)] : []),
      ...(unconfirmed > 0 ? [l10n.t('{0} unconfirmed', unconfirmed)] : []),
    ],
  });
}

/** Failures of each column; whether they count as wrong is said once, where some failed. */
function failedCells(columns: readonly ColumnSummary[], locale: string): GlanceCell[] {
  return columns.map(({ failed, metrics }) => {
    const isWrong = metrics.some(({ measured }) => (measured?.failed ?? 0) > 0);
    return {
      text: formatNumber(failed, locale),
      ...(isWrong && { note: failed === 1 ? l10n.t('counts as wrong') : l10n.t('count as wrong') }),
      words: failed === 0 ? [] : [failedText(failed, isWrong)],
    };
  });
}

function failedText(failed: number, isWrong: boolean): string {
  if (isWrong)
    return failed === 1
      ? l10n.t('1 failed run counts as wrong')
      : l10n.t('{0} failed runs count as wrong', failed);
  return failed === 1 ? l10n.t('1 run failed') : l10n.t('{0} runs failed', failed);
}

function costCell(column: ColumnSummary, locale: string): GlanceCell | undefined {
  if (column.cost.length === 0) return undefined;
  return {
    text: formatSums(column.cost, locale),
    ...(column.unpriced > 0 && { note: l10n.t('{0} without', column.unpriced) }),
    words: [costText(column, locale)],
  };
}

function timeCell(column: ColumnSummary, locale: string): GlanceCell | undefined {
  const { median } = column;
  const words = timeText(column, locale);
  return median === undefined || words === undefined
    ? undefined
    : { text: formatDuration(median, locale), note: l10n.t('n {0}', column.timed), words: [words] };
}

/** The best of the shown columns, marked; undefined when all are alike. */
function withBest(
  row: GlanceRow,
  columns: readonly ColumnSummary[],
  { metrics, shown }: GlanceOptions,
): GlanceRow {
  const better = rankOf(row, columns, metrics, shown);
  const present = shown.filter((at) => row.cells[at] !== undefined);
  if (!better || present.length < 2) return row;
  const isBest = (at: number) => present.every((other) => better(at, other) >= 0);
  if (present.every(isBest)) return row;
  const cells = row.cells.map((cell, at) =>
    cell && present.includes(at) && isBest(at) ? { ...cell, isBest: true } : cell,
  );
  return { ...row, cells };
}

/** How much better the first column is than the second; undefined: one cannot be better by this row. */
function rankOf(
  { kind, name }: GlanceRow,
  columns: readonly ColumnSummary[],
  metrics: readonly Metric[],
  shown: readonly number[],
): ((one: number, other: number) => number) | undefined {
  if (kind === 'metric') {
    const index = metrics.findIndex((metric) => metric.name === name);
    const sign = betterOf(metrics[index]!) === 'higher' ? 1 : -1;
    const value = (at: number) => columns[at]!.metrics[index]?.measured?.value ?? -sign * Infinity;
    return (one, other) => sign * differenceOf(value(one), value(other));
  }
  if (kind === 'time')
    return (one, other) => (columns[other]!.median ?? Infinity) - (columns[one]!.median ?? Infinity);
  // Costs of runs that others share, of unknown size or in several currencies cannot be compared.
  const costs = columns.map(({ cost, unpriced, missing }) =>
    cost.length === 1 && unpriced + missing === 0 ? cost[0] : undefined,
  );
  const own = shown.map((at) => costs[at]);
  const currencies = new Set(own.map((cost) => cost?.currency));
  if (kind !== 'cost' || currencies.size !== 1 || own.includes(undefined)) return undefined;
  return (one, other) => compareAmounts(costs[other]!.amount, costs[one]!.amount);
}
