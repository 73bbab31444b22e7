import * as l10n from '@vscode/l10n';
import { numberFormat } from './numberFormat';

/**
 * A time span for people: "850 ms", "1.3 s", "12 s", "2 min 5 s", "1 h 20 min". Our own few lines instead of
 * pretty-ms, which knows no language but English, and Intl.DurationFormat, which Node has only since 23.
 *
 * @param locale BCP 47, for the numbers
 */
export function formatDuration(ms: number, locale?: string): string {
  const number = numbers(locale);
  if (ms < 999.5) return l10n.t('{0} ms', number(ms));
  if (ms < 59_500) return l10n.t('{0} s', number(ms / 1000, ms < 9_950 ? 1 : 0));
  const seconds = Math.round(ms / 1000);
  if (seconds < 3_600) return l10n.t('{0} min {1} s', number(Math.floor(seconds / 60)), number(seconds % 60));
  const minutes = Math.round(seconds / 60);
  return l10n.t('{0} h {1} min', number(Math.floor(minutes / 60)), number(minutes % 60));
}

/** A time span where its order of magnitude is enough, such as the rest of a job: "40 s", "3 min", "1.5 h". */
export function formatRoughDuration(ms: number, locale?: string): string {
  const number = numbers(locale);
  const seconds = Math.max(1, Math.round(ms / 1000));
  if (seconds < 90) return l10n.t('{0} s', number(seconds));
  const minutes = Math.round(seconds / 60);
  return minutes < 90 ? l10n.t('{0} min', number(minutes)) : l10n.t('{0} h', number(minutes / 60, 1));
}

function numbers(locale: string | undefined): (value: number, digits?: number) => string {
  return (value, digits = 0) => numberFormat(locale, { maximumFractionDigits: digits }).format(value);
}
