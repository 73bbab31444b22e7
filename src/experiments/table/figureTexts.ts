import * as l10n from '@vscode/l10n';
import {
  digitsApart,
  formatDigits,
  formatNumber,
  formatShare,
  MOST_DIGITS,
  ROUNDING,
} from '../../wording/number';
import type { ColumnComparison, ColumnFigure, PairCounts } from '../metrics/columns';
import { type Decision, decide, SIGNIFICANT } from '../metrics/decision';
import type { Ignored, NearMisses } from '../metrics/ignoring';
import type { NoInterval } from '../metrics/intervals';
import {
  type BoxDoubts,
  isOfRightAndWrong,
  type Metric,
  metricRange,
  type SetupFault,
} from '../metrics/metrics';
import { holm } from '../metrics/tests';

/** A comparison with the p-value that counts among all that are shown, and the sign of its difference. */
export interface CorrectedComparison extends ColumnComparison, Decision {
  /** Corrected by Holm's method. */
  readonly corrected: number;
  /** How many comparisons are shown together. */
  readonly together: number;
  readonly margin?: number | undefined;
}

/** Comparisons of several columns and metrics, corrected for being shown together, and decided. */
export function correctedComparisons(
  comparisons: readonly (readonly (ColumnComparison | undefined)[])[],
  {
    metrics,
    margin,
    shown = comparisons.map((_, column) => column),
  }: {
    readonly metrics: readonly Metric[];
    readonly margin: number | undefined;
    /** Columns. */
    readonly shown?: readonly number[] | undefined;
  },
): (CorrectedComparison | undefined)[][] {
  const all = shown.flatMap((column) => (comparisons[column] ?? []).flatMap((one) => one ?? []));
  const corrected = new Map(holm(all.map(({ p }) => p)).map((p, at) => [all[at], p]));
  return comparisons.map((own, column) =>
    own.map((one, metric) => {
      if (!one || !shown.includes(column)) return undefined;
      const deciding = { corrected: corrected.get(one)!, together: all.length, margin };
      return { ...one, ...deciding, ...decide(metrics[metric]!, one, deciding) };
    }),
  );
}

/** A figure with its rows, how else its values might be read, then the rows left out or counted as wrong. */
export function figureWords(metric: Metric, figure: ColumnFigure, at: string, locale?: string): string[] {
  const { blank, unreadable, measured } = figure;
  const { failed = 0, unexpected = 0 } = measured ?? {};
  const text = figureText(metric, figure, at, locale);
  return [
    ...(text === undefined ? [] : [text]),
    ...readingTexts(metric, figure, locale),
    ...(measured?.hits ? hitTexts(measured.hits, locale) : []),
    ...(failed > 0 ? [failedText(failed, true)] : []),
    ...(blank === 1 ? [l10n.t('1 row has no expected value')] : []),
    ...(blank > 1 ? [l10n.t('{0} rows have no expected value', blank)] : []),
    ...(unreadable === 1 ? [l10n.t('1 result is in a file that cannot be read')] : []),
    ...(unreadable > 1 ? [l10n.t('{0} results are in files that cannot be read', unreadable)] : []),
    ...(unexpected === 1 ? [l10n.t('1 result has a label that is never expected')] : []),
    ...(unexpected > 1 ? [l10n.t('{0} results have a label that is never expected', unexpected)] : []),
  ];
}

export function failedText(failed: number, isWrong: boolean): string {
  if (isWrong)
    return failed === 1
      ? l10n.t('1 failed run counts as wrong')
      : l10n.t('{0} failed runs count as wrong', failed);
  return failed === 1 ? l10n.t('1 run failed') : l10n.t('{0} runs failed', failed);
}

/** How else values might be read: in another spelling, or as boxes of another form. */
export function readingTexts(metric: Metric, { near, boxes }: ColumnFigure, locale?: string): string[] {
  return [...(near ? [nearText(metric, near, locale)] : []), ...boxTexts(metric.name, boxes)];
}

function boxTexts(
  name: string,
  { guessed, unclear, fitting }: BoxDoubts = { guessed: 0, unclear: 0 },
): string[] {
  return [
    ...(guessed > 0
      ? [
          l10n.t(
            '{0}: lists are read as two corners (x1, y1, x2, y2) in {1} rows. Name their form with "boxes" if they are not',
            name,
            guessed,
          ),
        ]
      : []),
    ...(unclear > 0
      ? [
          l10n.t(
            '{0}: {1} rows are not measured, since numbers cannot be boxes of their form, or are shares beside pixels. Name the form with "boxes"',
            name,
            unclear,
          ),
        ]
      : []),
    ...(fitting
      ? [l10n.t('{0}: the boxes overlap more with "boxes": {1}', name, JSON.stringify(fitting))]
      : []),
  ];
}

/**
 * A figure in words: "accuracy 0.920 (0.850 to 0.960), 50 rows". Undefined before the first measured row.
 * @param besides values that the figure must not look equal to, unless it is
 */
export function figureText(
  metric: Metric,
  { measured, fault, items }: ColumnFigure,
  at: string,
  locale: string | undefined,
  besides: readonly number[] = [],
): string | undefined {
  const { name } = metric;
  const place = 'check' in metric ? (metric.check.at ?? at) : at;
  if (fault) return l10n.t('{0}: {1}', name, faultText(fault, place));
  if (!measured) return undefined;
  const { value, interval, count, different } = measured;
  const rows = rowsText(count, different, items);
  const digits = figureDigits(metric, measured, besides);
  const own = formatDigits(value, digits, locale);
  if (measured.pairs) return l10n.t('{0} {1}, {2}: {3}', name, own, rows, pairsText(measured.pairs, locale));
  if (typeof interval === 'string')
    return l10n.t('{0} {1}, {2} ({3})', name, own, rows, noIntervalText(interval, measured.rarest));
  const [low, high] = [interval.low, interval.high].map((one) => formatDigits(one, digits, locale));
  return l10n.t('{0} {1} ({2} to {3}), {4}', name, own, low!, high!, rows);
}

/** Facts beside a figure of hits: "without the query itself", "measured to 9 of 10". */
function hitTexts(
  { k, deepest, judged, repeated, withoutQuery }: NonNullable<NonNullable<ColumnFigure['measured']>['hits']>,
  locale: string | undefined,
): string[] {
  return [
    ...(withoutQuery > 0 ? [l10n.t('without the query itself')] : []),
    ...(k !== undefined && deepest < k ? [l10n.t('measured to {0} of {1} hits', deepest, k)] : []),
    ...(judged < 1 ? [l10n.t('{0} of the hits are judged', formatShare(judged, locale))] : []),
    ...(repeated === 1 ? [l10n.t('The service returned a hit twice in 1 result')] : []),
    ...(repeated > 1 ? [l10n.t('The service returned a hit twice in {0} results', repeated)] : []),
  ];
}

/** "accuracy: 12 more would be right but for case, punctuation". */
export function nearText(metric: Metric, { rows, ignored }: NearMisses, locale?: string): string {
  const words = [metric.name, formatNumber(rows, locale), ignored.map(ignoredText).join(', ')];
  return isOfRightAndWrong(metric)
    ? l10n.t('{0}: {1} more would be right but for {2}', ...words)
    : l10n.t('{0}: {1} more could be measured but for {2}', ...words);
}

function ignoredText(ignored: Ignored): string {
  switch (ignored) {
    case 'case':
      return l10n.t('case');
    case 'punctuation':
      return l10n.t('punctuation');
    case 'width':
      return l10n.t('width and unseen characters');
    case 'number':
      return l10n.t('the spelling of numbers');
  }
}

/** "20 won, 5 lost, 3 tied, 2 contradictory". */
export function pairCountsText({ won, lost, tied, contradicted }: PairCounts): string {
  return [
    l10n.t('{0} won', won),
    l10n.t('{0} lost', lost),
    l10n.t('{0} tied', tied),
    ...(contradicted > 0 ? [l10n.t('{0} contradictory', contradicted)] : []),
  ].join(', ');
}

/** "20 won, 5 lost, 3 tied; unlikely to be chance (p = 0.004, sign test)". */
export function pairsText(pairs: PairCounts, locale: string | undefined): string {
  const counts = pairCountsText(pairs);
  const { p } = pairs;
  return p < SIGNIFICANT
    ? l10n.t('{0}; unlikely to be chance ({1}, sign test)', counts, pText(p, locale))
    : l10n.t('{0}; may be chance ({1}, sign test)', counts, pText(p, locale));
}

/** Why a figure has no interval. @param rarest the label that fewest rows expect */
function noIntervalText(reason: NoInterval, rarest?: string): string {
  switch (reason) {
    case 'tooFew':
      return l10n.t('too few rows to tell how exact');
    case 'fewDiffer':
      return l10n.t('too few rows that differ to tell how exact');
    case 'fewOfLabel':
      return l10n.t('too few rows of “{0}” to tell how exact', rarest ?? '');
    case 'alike':
      return l10n.t('no interval: all rows are alike');
  }
}

/**
 * "60 rows", "57 of 60 rows" where others could not be measured, "60 rows (45 different)" where some ask for the same run.
 */
function rowsText(count: number, different: number, of = count): string {
  const all = count === 1 ? l10n.t('1 row') : l10n.t('{0} rows', count);
  const rows = count < of ? l10n.t('{0} of {1} rows', count, of) : all;
  return different < count ? l10n.t('{0} ({1} different)', rows, different) : rows;
}

/** A wrong `at` is no fault of the model: no figure, but the values found there. */
function faultText({ kind, results }: SetupFault, at: string): string {
  const place = at === '' ? l10n.t('the result') : at;
  switch (kind) {
    case 'expected':
      return l10n.t(
        'not measured, since it can compare with none of the expected values ({0} results). Correct "expected".',
        results,
      );
    case 'missing':
      return l10n.t(
        'not measured, since no result has a value at {0} ({1} results). Correct "at".',
        place,
        results,
      );
    case 'null':
      return l10n.t('not measured, since {0} is null in all {1} results. Correct "at".', place, results);
    case 'object':
      return l10n.t('not measured, since {0} is an object in all {1} results. Correct "at".', place, results);
    case 'list':
      return l10n.t('not measured, since {0} is a list in all {1} results. Correct "at".', place, results);
    case 'noHits':
      return l10n.t(
        'not measured, since {0} has no list of hits in all {1} results. Correct "at", or remove it.',
        place,
        results,
      );
    case 'label':
    case 'several':
      return l10n.t(
        'not measured, since {0} has no value that can be compared in all {1} results. Correct "at".',
        place,
        results,
      );
  }
}

/** A metric's value with enough digits to compare columns. */
export function metricNumber(value: number, locale?: string, besides: readonly number[] = []): string {
  return formatDigits(value, digitsApart(value, besides, digitsFor(value)), locale);
}

/**
 * Digits after the point of a figure and its interval. Neither the figure nor an end looks perfect unless it is: 2,999 right
 * of 3,000 are 0.9997.
 */
export function figureDigits(
  metric: Metric,
  { value, interval }: NonNullable<ColumnFigure['measured']>,
  besides: readonly number[] = [],
): number {
  const { low, high } = metricRange(metric);
  if (typeof interval === 'string') return digitsApart(value, [low, high, ...besides], digitsFor(value));
  const digits = digitsApart(value, [low, high, ...besides], digitsFor(value, interval.high - interval.low));
  return [interval.low, interval.high].reduce((most, end) => digitsApart(end, [low, high], most), digits);
}

/** Digits after the point that show three of the smallest of these sizes; three for shares, one for large numbers. */
function digitsFor(...sizes: readonly number[]): number {
  const largest = Math.max(...sizes.map(Math.abs));
  const nonZero = sizes.map(Math.abs).filter((size) => size > largest * ROUNDING);
  if (nonZero.length === 0) return 3;
  const smallest = Math.floor(Math.log10(Math.min(...nonZero)));
  if (largest >= 100) return Math.min(MOST_DIGITS, Math.max(1, 1 - smallest));
  return Math.min(MOST_DIGITS, Math.max(3, smallest < -2 ? 2 - smallest : 3));
}

/** "+0.033", and the ends of its interval in as many digits. @param least digits */
export function differenceText(
  { difference, interval }: Pick<ColumnComparison, 'difference' | 'interval'>,
  locale: string | undefined,
  least?: number,
): { readonly text: string; readonly ends?: readonly [low: string, high: string] } {
  const known = typeof interval === 'object' ? interval : undefined;
  const size = Math.abs(difference);
  const digits = digitsApart(
    size,
    [0],
    least ?? (known ? digitsFor(size, known.high - known.low) : digitsFor(size)),
  );
  const signed = (value: number) => {
    const sign = value > 0 ? '+' : value < 0 ? '−' : '±';
    return `${sign}${formatDigits(Math.abs(value), digits, locale)}`;
  };
  return {
    text: signed(difference),
    ...(known && { ends: [signed(known.low), signed(known.high)] as const }),
  };
}

/** "cannot tell yet, about 240 more rows". */
export function signText({ sign, moreRows }: Decision, locale: string | undefined): string {
  switch (sign) {
    case 'better':
      return l10n.t('better');
    case 'worse':
      return l10n.t('worse');
    case 'alike':
      return l10n.t('alike');
    case 'unknown':
      if (moreRows === undefined) return l10n.t('cannot tell yet');
      return moreRows === 1
        ? l10n.t('cannot tell yet, about 1 more row')
        : l10n.t('cannot tell yet, about {0} more rows', formatNumber(moreRows, locale));
  }
}

/** A difference over other rows than those of the figures beside it names the figures of its own rows. */
export function comparisonText(
  name: string,
  comparison: CorrectedComparison | undefined,
  locale: string | undefined,
): string | undefined {
  if (!comparison) return undefined;
  const { corrected, together, count, different, sign, margin } = comparison;
  const { text, ends } = differenceText(comparison, locale);
  const size = ends ? l10n.t('{0} ({1} to {2})', text, ...ends) : text;
  const rows = comparison.isOfAllItems
    ? rowsText(count, different)
    : l10n.t(
        '{0} against {1} in {2} that both have',
        metricNumber(comparison.first, locale, [comparison.second]),
        metricNumber(comparison.second, locale, [comparison.first]),
        rowsText(count, different),
      );
  const ofTest = comparison.pairs
    ? l10n.t('{0}, sign test', pText(corrected, locale))
    : pText(corrected, locale);
  const chance = together > 1 ? l10n.t('{0}, corrected for {1} comparisons', ofTest, together) : ofTest;
  const verdict =
    sign === 'alike' && margin !== undefined
      ? l10n.t('alike within {0}', formatNumber(margin, locale))
      : signText(comparison, locale);
  const counts = comparison.pairs ? `${rows}, ${pairCountsText(comparison.pairs)}` : rows;
  return l10n.t('{0} {1}, {2}: {3} ({4})', name, size, counts, verdict, chance);
}

/** Smaller p-values are shown as "p < 0.001". */
const LEAST_SHOWN = 0.001;

export function pText(p: number, locale: string | undefined): string {
  if (p < LEAST_SHOWN) return `p < ${formatDigits(LEAST_SHOWN, 3, locale)}`;
  return `p = ${formatDigits(p, digitsApart(p, [SIGNIFICANT], 3), locale)}`;
}
