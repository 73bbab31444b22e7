import { formatDigits, formatNumber, formatPower } from '../../../src/wording/number';

/** A number at an axis, or a varied one. */
export function numberText(value: number): string {
  const size = Math.abs(value);
  if (size > 0 && size < 1e-3) return formatPower(value, 3);
  // As many digits as ticks have.
  return formatNumber(Number(value.toPrecision(12)));
}

/** A metric's value, or an end of its interval, as the table shows it. @param locale BCP 47 */
export function metricText(value: number, { digits }: { readonly digits: number }, locale?: string): string {
  return formatDigits(value, digits, locale);
}

/** An amount that was computed as a binary number, without its rounding. */
export function amountOf(value: number): string {
  return String(Number(value.toPrecision(6)));
}
