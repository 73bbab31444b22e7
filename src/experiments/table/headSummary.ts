import * as l10n from '@vscode/l10n';
import { formatDuration } from '../../wording/duration';
import { formatSums } from '../../wording/money';
import { formatNumber } from '../../wording/number';
import type { ColumnSummary } from '../figures/summary';
import type { Metric } from '../metrics/metrics';
import { type CorrectedComparison, comparisonText, figureTexts } from './figureTexts';

export interface HeadSummary {
  /** "48 of 50 finished, 2 failed". */
  readonly runs: string;
  /** "accuracy 0.920 (0.850 to 0.960), 50 rows", then the rows left out. */
  readonly metrics: readonly string[];
  /** How the column compares with the baseline, in words; one for each metric that can be compared. */
  readonly comparisons: readonly string[];
  readonly cost?: string;
  /** "median 120 ms, 95% within 310 ms, n 60". */
  readonly time?: string;
}

/** @param comparisons of this column, corrected for all that are shown: see `correctedComparisons` */
export function headSummary(
  summary: ColumnSummary,
  comparisons: readonly (CorrectedComparison | undefined)[],
  metrics: readonly Metric[],
  at: string,
  locale?: string,
): HeadSummary {
  const time = timeText(summary, locale);
  return {
    runs: runsText(summary, locale),
    metrics: figureTexts(metrics, summary.metrics, at, locale),
    comparisons: metrics.flatMap(({ name }, index) => comparisonText(name, comparisons[index], locale) ?? []),
    ...(summary.cost.length > 0 && { cost: costText(summary, locale) }),
    ...(time !== undefined && { time }),
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
export function costText(
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
