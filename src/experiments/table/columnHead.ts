import * as l10n from '@vscode/l10n';
import type { Json } from '../../domain/json';
import { segmentsOf } from '../../domain/pointer';
import { sameJson } from '../../domain/value';
import { formatDuration } from '../../wording/duration';
import { formatMoney } from '../../wording/money';
import { formatDigits } from '../../wording/number';
import type { Variation } from '../grid';
import type { Comparison, Measured, Metric } from '../metrics/metrics';
import type { ColumnSummary } from '../summary';
import { shortened } from './outcome';

/** A varied place of a column: its short name and its value. */
export interface HeadPlace {
  readonly pointer: string;
  readonly name: string;
  readonly value: string;
}

/** What distinguishes a column, and what all have in common. */
export interface ColumnTitles {
  /** By column: only places whose values differ somewhere; all of them where none differs. */
  readonly columns: readonly (readonly HeadPlace[])[];
  /** Places with the same value in every column. */
  readonly common: readonly HeadPlace[];
}

export function columnTitles(variations: readonly Variation[]): ColumnTitles {
  const pointers = [...new Set(variations.flatMap((variation) => Object.keys(variation)))];
  const isCommon = (pointer: string) =>
    variations.every((variation) => sameJson(variation[pointer], variations[0]![pointer]));
  const common = variations.length > 1 ? pointers.filter(isCommon) : [];
  const placesOf = (variation: Variation, of: readonly string[]) =>
    of.flatMap((pointer) =>
      variation[pointer] === undefined ? [] : [headPlace(pointer, variation[pointer]!)],
    );
  const own = pointers.filter((pointer) => !common.includes(pointer));
  return {
    columns: variations.map((variation) => placesOf(variation, own)),
    common: placesOf(variations[0] ?? {}, common),
  };
}

function headPlace(pointer: string, value: Json): HeadPlace {
  const segments = segmentsOf(pointer);
  const name = segments.slice(segments.length > 1 ? 1 : 0).join(' › ');
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return { pointer, name, value: shortened(text, 80) };
}

/** The name of a column in a sentence or a file: "language-id, top_k 1". */
export function columnName(places: readonly HeadPlace[], index: number): string {
  if (places.length === 0) return l10n.t('Result');
  const parts = places.map(({ pointer, name, value }) => (pointer === '/model' ? value : `${name} ${value}`));
  return parts.join(', ') || l10n.t('Column {0}', index + 1);
}

/** The summary of a column in texts. */
export interface HeadSummary {
  /** "48 of 50 finished, 2 failed". */
  readonly runs: string;
  /** "accuracy 0.92 (0.85 to 0.96)". */
  readonly metrics: readonly string[];
  /** How the column compares with the baseline, in words; one for each metric that can be compared. */
  readonly comparisons: readonly string[];
  readonly cost?: string;
  /** "median 120 ms, 95% within 310 ms". */
  readonly time?: string;
}

export function headSummary(
  summary: ColumnSummary,
  comparisons: readonly (Comparison | undefined)[],
  metrics: readonly Metric[],
  locale?: string,
): HeadSummary {
  const { median, percentile95 } = summary;
  return {
    runs: runsText(summary),
    metrics: metrics.flatMap(({ name }, at) => measuredText(name, summary.metrics[at], locale) ?? []),
    comparisons: metrics.flatMap(({ name }, at) => comparisonText(name, comparisons[at], locale) ?? []),
    ...(summary.cost.length > 0 && { cost: costText(summary, locale) }),
    ...(median !== undefined &&
      percentile95 !== undefined && {
        time: l10n.t(
          'median {0}, 95% within {1}',
          formatDuration(median, locale),
          formatDuration(percentile95, locale),
        ),
      }),
  };
}

function runsText({ finished, failed, unconfirmed, missing }: ColumnSummary): string {
  const all = finished + failed + unconfirmed + missing;
  const parts = [
    finished === all ? l10n.t('{0} finished', finished) : l10n.t('{0} of {1} finished', finished, all),
    ...(failed > 0 ? [l10n.t('{0} failed', failed)] : []),
    ...(unconfirmed > 0 ? [l10n.t('{0} unconfirmed', unconfirmed)] : []),
  ];
  return parts.join(', ');
}

function measuredText(
  name: string,
  measured: Measured | undefined,
  locale: string | undefined,
): string | undefined {
  if (!measured) return undefined;
  const { value, interval } = measured;
  return l10n.t(
    '{0} {1} ({2} to {3})',
    name,
    metricNumber(value, locale),
    metricNumber(interval.low, locale),
    metricNumber(interval.high, locale),
  );
}

/** A metric's value with enough digits to compare columns. */
function metricNumber(value: number, locale: string | undefined): string {
  return formatDigits(value, Math.abs(value) >= 100 ? 1 : 3, locale);
}

/** Below it a difference is said not to be explained by chance. */
const SIGNIFICANT = 0.05;

function comparisonText(
  name: string,
  comparison: Comparison | undefined,
  locale: string | undefined,
): string | undefined {
  if (!comparison) return undefined;
  const { difference, p } = comparison;
  const sign = difference > 0 ? '+' : difference < 0 ? '−' : '±';
  const size = `${sign}${metricNumber(Math.abs(difference), locale)}`;
  const chance = p < 0.001 ? `p < ${formatDigits(0.001, 3, locale)}` : `p = ${formatDigits(p, 3, locale)}`;
  return p < SIGNIFICANT
    ? l10n.t('{0} {1}: unlikely to be chance ({2})', name, size, chance)
    : l10n.t('{0} {1}: may be chance ({2})', name, size, chance);
}

/** "$0.09, 1 run without a cost, 3 runs shared with other columns". */
function costText({ cost, unpriced, shared }: ColumnSummary, locale: string | undefined): string {
  const parts = [
    cost.map((one) => formatMoney(one, locale)).join(' + '),
    unpriced === 1 ? l10n.t('1 run without a cost') : '',
    unpriced > 1 ? l10n.t('{0} runs without a cost', unpriced) : '',
    shared === 1 ? l10n.t('1 run shared with other columns') : '',
    shared > 1 ? l10n.t('{0} runs shared with other columns', shared) : '',
  ];
  return parts.filter((part) => part !== '').join(', ');
}
