/** Money is counted in whole millionths, so that sums are exact. */
export type Micros = number;

export const CURRENCY = 'USD';

/** "9.9980": at least four decimals, more where they are needed. */
export function formatAmount(micros: Micros): string {
  const [whole, fraction = ''] = (Math.abs(micros) / 1e6).toFixed(6).split('.');
  return `${micros < 0 ? '-' : ''}${whole}.${fraction.replace(/0{1,2}$/, '')}`;
}

/** @throws {RangeError} the text is not a decimal amount with at most six decimals */
export function parseAmount(text: string): Micros {
  if (!/^\d{1,9}(\.\d{1,6})?$/.test(text)) throw new RangeError(`"${text}" is not an amount of money`);
  return Math.round(Number(text) * 1e6);
}

export const asMoney = (micros: Micros) => ({ amount: formatAmount(micros), currency: CURRENCY });
