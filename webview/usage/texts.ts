import * as l10n from '@vscode/l10n';
import type { Money } from '../../src/domain/money';
import type { UsageCell } from '../../src/domain/usage';
import { formatMoney } from '../../src/wording/money';
import { formatNumber } from '../../src/wording/number';
import { visibleText } from '../../src/wording/plainText';

/** The language of texts and numbers, and the wallet's currency for amounts that name none. */
export interface Units {
  readonly locale: string;
  readonly currency?: string | undefined;
}

export function moneyText(money: Money, { locale, currency }: Units): string {
  return formatMoney({ ...money, currency: money.currency ?? currency }, locale);
}

/** A name in a response as words: `by_model.cost` → "By model: cost". */
export function words(name: string): string {
  const parts = visibleText(name)
    .split('.')
    .map((part) =>
      part
        .replace(/([a-z\d])([A-Z])/g, '$1 $2')
        .replace(/[_-]+/g, ' ')
        .trim(),
    );
  const text = parts.filter(Boolean).join(': ');
  return text === '' ? l10n.t('Value') : text.charAt(0).toUpperCase() + text.slice(1);
}

export function timeText(at: number, locale: string): string {
  return new Date(at).toLocaleString(locale, { dateStyle: 'medium', timeStyle: 'short' });
}

/** In a row of the last months: without the year. */
export function rowTimeText(at: number, locale: string): string {
  const parts = { month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' } as const;
  return new Date(at).toLocaleString(locale, parts);
}

/** The time of a bucket. Buckets are UTC, so midnight stays midnight. */
export function bucketText(at: number, locale: string): string {
  const midnight = at % 86_400_000 === 0;
  return new Date(at).toLocaleString(locale, {
    dateStyle: 'medium',
    ...(midnight ? {} : { timeStyle: 'short' }),
    timeZone: 'UTC',
  });
}

/** A label of a time axis: the day where one begins, else the time of day. UTC, as the buckets are. */
export function axisTimeText(at: number, locale: string): string {
  const date = new Date(at);
  if (at % 86_400_000 !== 0) return date.toLocaleTimeString(locale, { timeStyle: 'short', timeZone: 'UTC' });
  const isYear = date.getUTCMonth() === 0 && date.getUTCDate() === 1;
  const day = isYear
    ? ({ day: 'numeric', month: 'short', year: 'numeric' } as const)
    : ({ day: 'numeric', month: 'short' } as const);
  return date.toLocaleDateString(locale, { ...day, timeZone: 'UTC' });
}

/** A large number beside an axis, abbreviated: "$2.5M". Undefined if there is room for all of it. */
export function axisNumberText(
  value: number,
  measure: { readonly isMoney: boolean; readonly currency?: string } | undefined,
  locale: string,
): string | undefined {
  if (Math.abs(value) < 100_000) return undefined;
  const currency = measure?.isMoney === true ? measure.currency?.trim() : undefined;
  return new Intl.NumberFormat(locale, {
    notation: 'compact',
    maximumSignificantDigits: 3,
    ...(currency !== undefined && /^[a-z]{3}$/i.test(currency) && { style: 'currency', currency }),
  }).format(value);
}

export function cellText(cell: UsageCell | undefined, units: Units): string {
  const { locale } = units;
  switch (cell?.kind) {
    case undefined:
      return '';
    case 'money':
      return moneyText(cell.money, units);
    case 'number':
      return formatNumber(cell.amount, locale);
    case 'time':
      return timeText(cell.at, locale);
    case 'text':
      return visibleText(cell.text);
  }
}
