import * as l10n from '@vscode/l10n';
import { compareAmounts } from '../../domain/amounts';
import type { GlanceCell, GlanceDifference, GlanceRow } from '../../protocol/experimentFigures';
import { formatDuration } from '../../wording/duration';
import { formatSums } from '../../wording/money';
import { formatDigits, formatNumber } from '../../wording/number';
import { visibleText } from '../../wording/plainText';
import { agreementText, kappaText, type RatersAgreement } from '../figures/agreements';
import type { ColumnSummary, Summary } from '../figures/summary';
import type { ColumnFigure } from '../metrics/columns';
import { isOfPairs, type Metric, metricRange } from '../metrics/metrics';
import {
  type CorrectedComparison,
  comparisonText,
  differenceText,
  failedText,
  figureDigits,
  figureWords,
  pairCountsText,
  signText,
} from './figureTexts';
import { countsText, groupedMetric, type groupFigures } from './groups';

export interface GlanceOptions {
  readonly metrics: readonly Metric[];
  /** By column and metric, corrected for all that are shown. */
  readonly comparisons: readonly (readonly (CorrectedComparison | undefined)[])[];
  /** JSON pointer to the compared part in the results of a column. */
  readonly placeOf: (column: number) => string;
  readonly shown: readonly number[];
  /** By metric: the columns of the same rows that none beats. */
  readonly unbeaten: readonly (readonly number[])[];
  /** Why columns have ended early, by column. */
  readonly ended?: ReadonlyMap<number, string>;
  /** Figures over parts of the rows, below that of all. */
  readonly grouped?: Awaited<ReturnType<typeof groupFigures>>;
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
    ...metrics.flatMap((metric, index) => [
      {
        ...metricRow(columns, index, options),
        ...(metric === groupedMetric(metrics) && columns.some(({ labels }) => labels) && { hasLabels: true }),
      },
      ...(options.grouped?.metric === metric ? groupRows(columns, options.grouped, options) : []),
    ]),
    ...referenceRow(columns, options),
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
  const withFigures = rows.filter(({ cells }) => shown.some((at) => cells[at]));
  return withFigures.map((row) => withPart(withBest(row, columns, options), columns, locale));
}

/** Figures of a part of the runs say of how many: "10 of 60". */
function withPart(row: GlanceRow, columns: readonly ColumnSummary[], locale: string): GlanceRow {
  if (!['agreement', 'failed', 'cost', 'time'].includes(row.kind)) return row;
  const cells = row.cells.map((cell, at) => {
    const part = partText(columns[at]!, locale);
    return cell && part !== undefined
      ? { ...cell, note: [part, cell.note].filter(Boolean).join(', ') }
      : cell;
  });
  return { ...row, cells };
}

/** "10 of 60", of runs with an outcome; undefined of all. */
export function partText(column: ColumnSummary, locale: string | undefined): string | undefined {
  const { finished, failed, unconfirmed, missing } = column;
  if (unconfirmed + missing === 0) return undefined;
  const ended = finished + failed;
  return l10n.t(
    '{0} of {1}',
    ...[ended, ended + unconfirmed + missing].map((count) => formatNumber(count, locale)),
  );
}

/** Cohen's kappa of each column; the words also say it of all columns together. */
function agreementRow(all: RatersAgreement, locale: string): GlanceRow {
  const name = l10n.t('{0} and {1}', all.first, all.second);
  const cells = all.columns.map((own): GlanceCell | null =>
    own.count === 0
      ? null
      : {
          text: own.kappa === undefined ? '–' : `κ ${kappaText(own.kappa, 2, locale)}`,
          note: l10n.t('n {0}', own.count),
          words: [
            agreementText(all, own, locale),
            l10n.t('All columns: {0}', agreementText(all, all, locale)),
          ].map(visibleText),
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
  const size = largestOf(shown.flatMap((at) => comparisons[at]?.[index] ?? []));
  const cells = figures.map((figure, column): GlanceCell | null => {
    if (!figure) return null;
    const comparison = comparisons[column]?.[index];
    const [first, ...others] = figureWords(metric, figure, placeOf(column), locale);
    const words = [first, comparisonText(metric.name, comparison, locale), ...others]
      .filter((text) => text !== undefined)
      .map(visibleText);
    const { measured, fault, items } = figure;
    if (!measured) return fault ? { text: '–', words } : null;
    const { value, interval, count, different } = measured;
    const difference = comparison && shownDifference(comparison, { digits, size, count, locale });
    return {
      text: formatDigits(value, digits, locale),
      note: [
        count < items
          ? l10n.t('n {0} of {1}', ...[count, items].map((rows) => formatNumber(rows, locale)))
          : l10n.t('n {0}', formatNumber(count, locale)),
        ...(measured.pairs ? [pairCountsText(measured.pairs)] : []),
      ].join(': '),
      ...(different < count && { different: l10n.t('{0} different', formatNumber(different, locale)) }),
      ...(typeof interval === 'object' && {
        interval: {
          text: l10n.t(
            '{0} to {1}',
            ...[interval.low, interval.high].map((end) => formatDigits(end, digits, locale)),
          ),
          low: scale(interval.low),
          high: scale(interval.high),
          at: scale(value),
          ...(measured.pairs && { even: scale(0.5) }),
        },
      }),
      ...(difference && { difference }),
      words,
    };
  });
  return {
    kind: 'metric',
    name: metric.name,
    ...(isOfPairs(metric) && { isOfPairs: true }),
    cells,
  };
}

function groupRows(
  columns: readonly ColumnSummary[],
  { metric, groups }: NonNullable<GlanceOptions['grouped']>,
  options: GlanceOptions,
): GlanceRow[] {
  return groups.map(({ name, figures }) => {
    const own = columns.map((column, at) => ({ ...column, metrics: [figures[at]!] }));
    return { ...metricRow(own, 0, { ...options, metrics: [metric], comparisons: [] }), kind: 'group', name };
  });
}

/** The share of right answers of who always names the most frequent label; once where it is the same in all columns. */
function referenceRow(columns: readonly ColumnSummary[], { shown, locale }: GlanceOptions): GlanceRow[] {
  const seen = new Set<string>();
  const cells = columns.map(({ labels }, at): GlanceCell | null => {
    const words = labels && countsText(labels);
    if (!labels || words === undefined || !shown.includes(at) || seen.has(words)) return null;
    seen.add(words);
    const [label, rows] = labels.labels[0]!;
    return {
      text: formatDigits(rows / labels.rows, 3, locale),
      note: l10n.t(
        '{0}, {1} of {2}',
        visibleText(label),
        ...[rows, labels.rows].map((count) => formatNumber(count, locale)),
      ),
      words: [visibleText(words)],
    };
  });
  return [{ kind: 'reference', name: l10n.t('most frequent label'), cells }];
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

/** The end of the scale of differences: the largest end of an interval. */
function largestOf(comparisons: readonly CorrectedComparison[]): number {
  const ends = comparisons.flatMap(({ difference, interval }) =>
    typeof interval === 'object' ? [interval.low, interval.high] : [difference],
  );
  return Math.max(0, ...ends.map(Math.abs).filter(Number.isFinite));
}

function shownDifference(
  comparison: CorrectedComparison,
  scale: { readonly digits: number; readonly size: number; readonly count: number; readonly locale: string },
): GlanceDifference {
  const { sign, interval, difference, count, pairs } = comparison;
  const { digits, size, locale } = scale;
  const { text, ends } = differenceText(comparison, locale, digits);
  const place = (value: number) => (size === 0 ? 0.5 : Math.min(1, Math.max(0, 0.5 + value / size / 2)));
  return {
    sign,
    text,
    word: signText(comparison, locale),
    ...(count < scale.count && { note: l10n.t('on {0} rows', formatNumber(count, locale)) }),
    ...(pairs && { note: pairCountsText(pairs) }),
    ...(ends &&
      typeof interval === 'object' && {
        interval: {
          text: l10n.t('{0} to {1}', ...ends),
          low: place(interval.low),
          high: place(interval.high),
          at: place(difference),
          even: 0.5,
        },
      }),
  };
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
      ...(ended?.has(at) ? [visibleText(ended.get(at)!)] : []),
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

function costCell(column: ColumnSummary, locale: string): GlanceCell | null {
  if (column.cost.length === 0) return null;
  return {
    text: formatSums(column.cost, locale),
    ...(column.unpriced > 0 && { note: l10n.t('{0} without', column.unpriced) }),
    words: [costText(column, locale)],
  };
}

function timeCell(column: ColumnSummary, locale: string): GlanceCell | null {
  const { median } = column;
  const words = timeText(column, locale);
  return median === undefined || words === undefined
    ? null
    : {
        text: formatDuration(median, locale),
        note: l10n.t('n {0}', formatNumber(column.timed, locale)),
        words: [words],
      };
}

/** "median 120 ms, 95% within 310 ms, n 60"; of few runs "median 120 ms, all within 330 ms, n 6". */
export function timeText(
  { median, percentile95, timed }: Pick<ColumnSummary, 'median' | 'percentile95' | 'timed'>,
  locale?: string,
): string | undefined {
  if (median === undefined || percentile95 === undefined) return undefined;
  const facts = [
    ...[median, percentile95].map((ms) => formatDuration(ms, locale)),
    formatNumber(timed, locale),
  ];
  // One of twenty is 5%.
  return timed < 20
    ? l10n.t('median {0}, all within {1}, n {2}', ...facts)
    : l10n.t('median {0}, 95% within {1}, n {2}', ...facts);
}

/** "48 of 50 finished, 2 failed". */
export function runsText(
  { finished, failed, unconfirmed, missing }: ColumnSummary,
  locale: string | undefined,
): string {
  const all = finished + failed + unconfirmed + missing;
  const [done, total] = [finished, all].map((count) => formatNumber(count, locale));
  const parts = [
    finished === all ? l10n.t('{0} finished', done!) : l10n.t('{0} of {1} finished', done!, total!),
    ...(failed > 0 ? [l10n.t('{0} failed', failed)] : []),
    ...(unconfirmed > 0 ? [l10n.t('{0} unconfirmed', unconfirmed)] : []),
  ];
  return parts.join(', ');
}

/** "$0.09, 1 run without a cost, 3 runs shared with other columns". */
function costText(
  { cost, unpriced, shared }: Pick<ColumnSummary, 'cost' | 'unpriced' | 'shared'>,
  locale: string | undefined,
): string {
  const parts = [
    formatSums(cost, locale),
    unpriced === 1 ? l10n.t('1 run without a cost') : '',
    unpriced > 1 ? l10n.t('{0} runs without a cost', unpriced) : '',
    shared === 1 ? l10n.t('1 run shared with other columns') : '',
    shared > 1 ? l10n.t('{0} runs shared with other columns', shared) : '',
  ];
  return parts.filter((part) => part !== '').join(', ');
}

/** The columns that no other one beats, marked. */
function withBest(row: GlanceRow, columns: readonly ColumnSummary[], options: GlanceOptions): GlanceRow {
  const best = bestOf(row, columns, options);
  const cells = row.cells.map((cell, at) => (cell && best.includes(at) ? { ...cell, isBest: true } : cell));
  return { ...row, cells };
}

function bestOf(
  { kind, name, cells }: GlanceRow,
  columns: readonly ColumnSummary[],
  { metrics, shown, unbeaten }: GlanceOptions,
): readonly number[] {
  const present = shown.filter((at) => cells[at]);
  if (kind === 'metric') return unbeaten[metrics.findIndex((metric) => metric.name === name)] ?? [];
  if (present.length < 2) return [];
  if (kind === 'time') return fastest(columns, present);
  return kind === 'cost' ? cheapest(columns, present) : [];
}

/**
 * Times depend on the load of the service and of this computer. A column is slower only where its interval is apart from
 * that of the fastest one, and only if all ran at the same time.
 */
function fastest(columns: readonly ColumnSummary[], present: readonly number[]): readonly number[] {
  const leader = present.reduce((best, at) => (columns[at]!.median! < columns[best]!.median! ? at : best));
  const most = columns[leader]!.medianInterval?.high;
  if (most === undefined || !present.every((at) => ranTogether(columns[at]!, columns[leader]!))) return [];
  const isSlower = (at: number) => (columns[at]!.medianInterval?.low ?? Number.NEGATIVE_INFINITY) > most;
  return present.some(isSlower) ? present.filter((at) => !isSlower(at)) : [];
}

/** Half of the runs of each began between the first and the last quarter of the other's. */
function ranTogether({ began: one }: ColumnSummary, { began: other }: ColumnSummary): boolean {
  if (!one || !other) return false;
  return other[0] <= one[1] && one[1] <= other[2] && one[0] <= other[1] && other[1] <= one[2];
}

/** Costs of a part of the runs, of unknown size or in several currencies cannot be compared. */
function cheapest(columns: readonly ColumnSummary[], present: readonly number[]): readonly number[] {
  const costs = present.map((at) => {
    const { cost, unpriced, missing, unconfirmed } = columns[at]!;
    return cost.length === 1 && unpriced + missing + unconfirmed === 0 ? cost[0]! : undefined;
  });
  const [first] = costs;
  if (costs.some((cost) => cost?.currency !== first?.currency || cost === undefined)) return [];
  const least = costs.reduce((a, b) => (compareAmounts(b!.amount, a!.amount) < 0 ? b : a))!;
  const best = present.filter((_, at) => compareAmounts(costs[at]!.amount, least.amount) === 0);
  return best.length === present.length ? [] : best;
}
