import { formatNumber } from '../../../src/wording/number';

/** A metric's value, or a varied number: enough digits to compare columns. */
export function metricText(value: number): string {
  return formatNumber(Number(value.toPrecision(4)));
}
