import { numberFormat } from './numberFormat';

/**
 * A number for people, exact to six decimals: "12,345.6".
 *
 * @param value a number, or a decimal amount as a string, which loses no digit
 * @param locale BCP 47
 */
export function formatNumber(value: number | string, locale?: string): string {
  return numberFormat(locale, { maximumFractionDigits: 6 }).format(value as Intl.StringNumericLiteral);
}

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

/** A share of 1 as a percentage: "39.9%". @param locale BCP 47 */
export function formatShare(share: number, locale?: string): string {
  const digits = { minimumFractionDigits: 1, maximumFractionDigits: 1 };
  return numberFormat(locale, { style: 'percent', ...digits }).format(share);
}

/** A difference with its sign and four significant digits: "+0.05", "−1,200". @param locale BCP 47 */
export function formatDifference(value: number, locale?: string): string {
  return numberFormat(locale, { signDisplay: 'exceptZero', maximumSignificantDigits: 4 }).format(value);
}
