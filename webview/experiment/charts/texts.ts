import { formatNumber, formatPower } from '../../../src/wording/number';

/** A metric's value, or a varied number: enough digits to compare columns. */
export function metricText(value: number): string {
  const size = Math.abs(value);
  if (size > 0 && size < 1e-3) return formatPower(value, 3);
  return formatNumber(Number(value.toPrecision(4)));
}
