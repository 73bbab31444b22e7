import * as l10n from '@vscode/l10n';
import type { Money, Price } from './model';

/**
 * Exact arithmetic on amounts, which are decimal strings ("0.0125"): no binary float ever holds money. Every
 * function takes and returns the canonical form that `readAmount` makes: an optional minus, digits, and a
 * fraction only where there is one.
 */

interface Decimal {
  /** The amount times 10^scale. */
  readonly units: bigint;
  readonly scale: number;
}

/** More digits than any currency has; keeps "1e999999999" from filling memory. */
const mostDigits = 60;
const decimalPattern = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,4}))?$/;

function parse(text: string): Decimal | undefined {
  const match = decimalPattern.exec(text);
  if (!match) return undefined;
  const [, sign, whole = '', fraction = '', exponent = '0'] = match;
  const digits = whole + fraction;
  if (digits === '' || digits.length > mostDigits) return undefined;
  const scale = fraction.length - Number(exponent);
  if (Math.abs(scale) > mostDigits) return undefined;
  const units = BigInt(`${sign === '-' ? '-' : ''}${digits}`);
  return scale < 0 ? { units: units * 10n ** BigInt(-scale), scale: 0 } : { units, scale };
}

function print({ units, scale }: Decimal): string {
  const negative = units < 0n;
  const digits = (negative ? -units : units).toString().padStart(scale + 1, '0');
  const whole = digits.slice(0, digits.length - scale);
  const fraction = digits.slice(digits.length - scale).replace(/0+$/, '');
  const text = fraction === '' || scale === 0 ? whole : `${whole}.${fraction}`;
  return negative && text !== '0' ? `-${text}` : text;
}

function decimal(amount: string): Decimal {
  const parsed = parse(amount);
  if (!parsed) throw new RangeError(`"${amount}" is no decimal amount.`);
  return parsed;
}

function align(a: Decimal, b: Decimal): readonly [a: bigint, b: bigint, scale: number] {
  const scale = Math.max(a.scale, b.scale);
  return [a.units * 10n ** BigInt(scale - a.scale), b.units * 10n ** BigInt(scale - b.scale), scale];
}

/**
 * The canonical amount of a decimal string or a JSON number, or undefined when it is neither. A number is taken
 * at its shortest decimal form, which is what its sender wrote.
 */
export function readAmount(value: unknown): string | undefined {
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : '';
  const parsed = text === '' ? undefined : parse(text);
  return parsed && print(parsed);
}

export function addAmounts(a: string, b: string): string {
  const [left, right, scale] = align(decimal(a), decimal(b));
  return print({ units: left + right, scale });
}

export function subtractAmounts(a: string, b: string): string {
  const [left, right, scale] = align(decimal(a), decimal(b));
  return print({ units: left - right, scale });
}

/** Negative, zero or positive, as for `Array.prototype.sort`. */
export function compareAmounts(a: string, b: string): number {
  const [left, right] = align(decimal(a), decimal(b));
  return left < right ? -1 : left > right ? 1 : 0;
}

export function timesAmount(amount: string, times: number): string {
  const { units, scale } = decimal(amount);
  return print({ units: units * BigInt(times), scale });
}

/** `amount` × `by` / `of`, to six digits more than it has. `of` is above zero. */
export function scaleAmount(amount: string, by: number, of: number): string {
  const { units, scale } = decimal(amount);
  return print({ units: (units * BigInt(by) * 1_000_000n) / BigInt(of), scale: scale + 6 });
}

/** How often `part` fits wholly into `amount`; undefined when `part` is not above zero. */
export function timesThatFit(amount: string, part: string): number | undefined {
  const [whole, one] = align(decimal(amount), decimal(part));
  if (one <= 0n) return undefined;
  return whole <= 0n ? 0 : Number(whole / one);
}

/** The exact median, the mean of the two middle ones when they are even in number; undefined of none. */
export function medianAmount(amounts: readonly string[]): string | undefined {
  if (amounts.length === 0) return undefined;
  const sorted = [...amounts].sort(compareAmounts);
  const upper = sorted[Math.floor(sorted.length / 2)]!;
  if (sorted.length % 2 === 1) return upper;
  const { units, scale } = decimal(addAmounts(sorted[sorted.length / 2 - 1]!, upper));
  return print({ units: units * 5n, scale: scale + 1 });
}

/** Totals by currency (the empty string: none was told), in the order the currencies first came. */
export function sumByCurrency(amounts: Iterable<Money>): readonly Money[] {
  const totals = new Map<string, string>();
  for (const { amount, currency = '' } of amounts) {
    totals.set(currency, addAmounts(totals.get(currency) ?? '0', amount));
  }
  return [...totals].map(([currency, amount]) => (currency === '' ? { amount } : { amount, currency }));
}

/** Beyond this many decimals a price is cut for display, unless nothing but zeros would be left. */
const shownDecimals = 6;

/** Decimals that show the amount as it is: 0.0125 stays 0.0125, 0.00000042 shows its first two digits. */
function decimalsOf(amount: string, about: boolean): number {
  const fraction = amount.split('.')[1] ?? '';
  const firstDigit = fraction.search(/[1-9]/);
  const wholeIsZero = /^-?0(\.|$)/.test(amount);
  const wanted = about ? 2 : shownDecimals;
  return Math.min(fraction.length, wholeIsZero ? Math.max(wanted, firstDigit + 2) : wanted);
}

function numberFormat(locale: string | undefined, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  try {
    return new Intl.NumberFormat(locale, options);
  } catch (error) {
    // An unknown locale tag: the machine's own is better than none. A bad currency is the caller's to handle.
    if (locale === undefined || options.style === 'currency') throw error;
    return new Intl.NumberFormat(undefined, options);
  }
}

function isLocale(locale: string): boolean {
  try {
    return Intl.getCanonicalLocales(locale).length > 0;
  } catch {
    return false;
  }
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
  const known = locale !== undefined && isLocale(locale) ? locale : undefined;
  const decimals = decimalsOf(amount, options.about === true);
  const currency = money.currency?.trim() ?? '';
  if (/^[a-z]{3}$/i.test(currency)) {
    const style = { style: 'currency', currency } as const;
    const least = numberFormat(known, style).resolvedOptions().minimumFractionDigits ?? 2;
    const digits = { minimumFractionDigits: least, maximumFractionDigits: Math.max(least, decimals) };
    return numberFormat(known, { ...style, ...digits }).format(amount as Intl.StringNumericLiteral);
  }
  const least = decimals === 0 ? 0 : 2;
  const digits = { minimumFractionDigits: least, maximumFractionDigits: Math.max(least, decimals) };
  const number = numberFormat(known, digits).format(amount as Intl.StringNumericLiteral);
  return currency === '' ? number : `${number} ${currency}`;
}

/** A published price for people: "$0.002 per image", or the service's own words; undefined when it says nothing. */
export function formatPrice(price: Price | undefined, locale?: string): string | undefined {
  if (!price?.money) return price?.text;
  const money = formatMoney(price.money, locale);
  const per = price.per?.trim().replace(/^per\s+/i, '');
  return per ? l10n.t('{0} per {1}', money, per) : money;
}
