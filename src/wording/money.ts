import * as l10n from '@vscode/l10n';
import { readAmount } from '../domain/amounts';
import type { Price } from '../domain/model';
import type { Money } from '../domain/money';
import { numberFormat } from './numberFormat';

/** Beyond this many decimals a price is cut for display, unless nothing but zeros would be left. */
const shownDecimals = 6;

/** Decimals that show the exact amount: 0.0125 stays 0.0125, 0.00000042 shows its first two digits. */
function decimalsOf(amount: string, about: boolean): number {
  const fraction = amount.split('.')[1] ?? '';
  const firstDigit = fraction.search(/[1-9]/);
  const wholeIsZero = /^-?0(\.|$)/.test(amount);
  // 9.9999996 of a budget of 10 is not all of it.
  const nines = about ? 0 : fraction.search(/[^9]|$/) + 1;
  const wanted = about ? 2 : Math.max(shownDecimals, nines);
  return Math.min(fraction.length, wholeIsZero ? Math.max(wanted, firstDigit + 2) : wanted);
}

/**
 * An amount for people: "$102.34", "1.234,50 €", "12.5 credits", "4.10". Only three-letter codes go to Intl; any
 * other currency is a word after the number, and an amount without a currency is a plain number.
 *
 * @param locale BCP 47; the machine's own when missing or not one.
 * @param options.about an estimate: two decimals, or two digits when it is smaller
 */
export function formatMoney(
  money: Money,
  locale?: string,
  options: { readonly about?: boolean } = {},
): string {
  const amount = readAmount(money.amount);
  if (amount === undefined) return [money.amount, money.currency].filter(Boolean).join(' ');
  const decimals = decimalsOf(amount, options.about === true);
  const currency = money.currency?.trim() ?? '';
  if (/^[a-z]{3}$/i.test(currency)) {
    const style = { style: 'currency', currency } as const;
    const least = numberFormat(locale, style).resolvedOptions().minimumFractionDigits ?? 2;
    const digits = { minimumFractionDigits: least, maximumFractionDigits: Math.max(least, decimals) };
    return numberFormat(locale, { ...style, ...digits }).format(amount as Intl.StringNumericLiteral);
  }
  const least = decimals === 0 ? 0 : 2;
  const digits = { minimumFractionDigits: least, maximumFractionDigits: Math.max(least, decimals) };
  const number = numberFormat(locale, digits).format(amount as Intl.StringNumericLiteral);
  return currency === '' ? number : `${number} ${currency}`;
}

/** Decimals of a balance without an ISO currency. */
const BALANCE_DECIMALS = 2;

/**
 * A balance for people, always with the decimals of its currency: "$9.98". Rounded down, since a balance must not seem to
 * pay for more than it does.
 *
 * @param locale BCP 47
 */
export function formatBalance(money: Money, locale?: string): string {
  const amount = readAmount(money.amount);
  if (amount === undefined) return formatMoney(money, locale);
  const currency = money.currency?.trim() ?? '';
  const rounding = { roundingMode: 'floor' } as Intl.NumberFormatOptions;
  if (/^[a-z]{3}$/i.test(currency))
    return numberFormat(locale, { ...rounding, style: 'currency', currency }).format(
      amount as Intl.StringNumericLiteral,
    );
  const digits = { minimumFractionDigits: BALANCE_DECIMALS, maximumFractionDigits: BALANCE_DECIMALS };
  const number = numberFormat(locale, { ...rounding, ...digits }).format(amount as Intl.StringNumericLiteral);
  return currency === '' ? number : `${number} ${currency}`;
}

/** Sums of several currencies for people: "$0.30 + 1,00 €"; empty without one. */
export function formatSums(
  sums: readonly Money[],
  locale?: string,
  options?: { readonly about?: boolean },
): string {
  return sums.map((sum) => formatMoney(sum, locale, options)).join(' + ');
}

/** A published price for people: "$0.002 per image", or the service's own words; undefined when it has neither. */
export function formatPrice(price: Price | undefined, locale?: string): string | undefined {
  if (!price?.money) return price?.text;
  const money = formatMoney(price.money, locale);
  const per = price.per?.trim().replace(/^per\s+/i, '');
  return per ? l10n.t('{0} per {1}', money, unitText(per)) : money;
}

/** The customary units in the user's language; another one is the service's own word. */
function unitText(unit: string): string {
  switch (unit.toLowerCase()) {
    case 'run':
      return l10n.t('run');
    case 'image':
      return l10n.t('image');
    case 'item':
      return l10n.t('item');
    case 'request':
      return l10n.t('request');
    default:
      return unit;
  }
}
