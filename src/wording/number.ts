import { numberFormat } from './numberFormat';

/**
 * A number for people, exact to six decimals: "12,345.6". One that is not whole never looks it: "0.9999999".
 *
 * @param value a number, or a decimal amount as a string, which loses no digit
 * @param locale BCP 47
 */
export function formatNumber(value: number | string, locale?: string): string {
  const number = Number(value);
  const whole = Math.round(number);
  // Most numbers are not looked at twice: a table shows thousands.
  const digits = Math.abs(number - whole) < 1e-6 ? digitsApart(number, [whole], 6) : 6;
  return numberFormat(locale, { maximumFractionDigits: digits }).format(value as Intl.StringNumericLiteral);
}

/** Digits after the point with which a number does not look equal to others, unless it is, at least `least`. */
export function digitsApart(value: number, others: readonly number[], least: number): number {
  const isOther = (other: number) =>
    Math.abs(value - other) > ROUNDING * Math.max(Math.abs(value), Math.abs(other));
  const unequal = others.filter((other) => Number.isFinite(other) && isOther(other));
  // As shown: `toFixed` rounds 0.8995 down, and the formats of languages up. Minus zero is zero.
  const shown = (one: number) => Number(formatDigits(one, digits, 'en'));
  let digits = least;
  while (digits < MOST_DIGITS && unequal.some((other) => shown(other) === shown(value))) digits += 1;
  return digits;
}

/** A smaller distance, as a part of the number, is one of binary rounding. */
export const ROUNDING = 1e-9;
/** Smaller values are nothing but rounding. */
export const MOST_DIGITS = 15;

/**
 * A number with a fixed number of digits after the point, like its neighbours: "0.500".
 * @param locale BCP 47
 */
export function formatDigits(value: number, digits: number, locale?: string): string {
  const exactly = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return numberFormat(locale, { ...exactly, useGrouping: false }).format(value);
}

/** A number too small or too large for plain digits: "1.0e-5". @param locale BCP 47 */
export function formatPower(value: number, digits: number, locale?: string): string {
  const [factor, exponent] = value.toExponential(digits).split('e');
  return `${formatDigits(Number(factor), digits, locale)}e${exponent}`;
}

/** A share of 1 as a percentage: "39.9%", and 99.97% where it is not all. @param locale BCP 47 */
export function formatShare(share: number, locale?: string): string {
  const digits = digitsApart(100 * share, [0, 100], 1);
  const exactly = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return numberFormat(locale, { style: 'percent', ...exactly }).format(share);
}

/** A difference with its sign and four significant digits: "+0.05", "−1,200". @param locale BCP 47 */
export function formatDifference(value: number, locale?: string): string {
  return numberFormat(locale, { signDisplay: 'exceptZero', maximumSignificantDigits: 4 }).format(value);
}
