import type { Money } from './money';

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

/** More digits than any currency has; an amount from outside with more is unknown. */
const mostDigits = 60;
const decimalPattern = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,4}))?$/;

function parse(text: string): Decimal | undefined {
  const match = decimalPattern.exec(text);
  if (!match) return undefined;
  const [, sign, whole = '', fraction = '', exponent = '0'] = match;
  const digits = whole + fraction;
  if (digits === '') return undefined;
  const scale = fraction.length - Number(exponent);
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
 * The canonical amount of a decimal string or a JSON number, or undefined when it is neither. A number is taken at
 * its shortest decimal form: the form that its sender wrote.
 */
export function readAmount(value: unknown): string | undefined {
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : '';
  const parsed = text === '' || text.length > 4 * mostDigits ? undefined : parse(text);
  const amount = parsed && print(parsed);
  return amount === undefined || amount.replace(/\D/g, '').length > mostDigits ? undefined : amount;
}

/** A limit of spending, "10" or "10 USD"; without a currency it is in the wallet's. Undefined: it is neither. */
export function readLimit(value: unknown): Money | undefined {
  const [, number, currency = ''] = /^\s*(\S+)(?:\s+(\p{L}\S*))?\s*$/u.exec(String(value ?? '')) ?? [];
  const amount = readCharge(number);
  if (amount === undefined) return undefined;
  const code = /^[a-z]{3}$/i.test(currency) ? currency.toUpperCase() : currency;
  return code === '' ? { amount } : { amount, currency: code };
}

/** "10 USD", as `readLimit` takes it. */
export function limitText({ amount, currency }: Money): string {
  return [amount, currency].filter(Boolean).join(' ');
}

/** The canonical amount of a cost. One below zero is unknown: no run gives a budget money back. */
export function readCharge(value: unknown): string | undefined {
  const amount = readAmount(value);
  return amount?.startsWith('-') ? undefined : amount;
}

/** Whether a cost was charged: one of zero says the opposite. */
export function isCharged(cost: Money | undefined): boolean {
  const amount = cost && readCharge(cost.amount);
  return amount !== undefined && compareAmounts(amount, '0') > 0;
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

/** Totals by currency (the empty string: without a currency), in the order the currencies first came. */
export function sumByCurrency(amounts: Iterable<Money>): readonly Money[] {
  const totals = new Map<string, string>();
  for (const { amount, currency = '' } of amounts) {
    totals.set(currency, addAmounts(totals.get(currency) ?? '0', amount));
  }
  return [...totals].map(([currency, amount]) => (currency === '' ? { amount } : { amount, currency }));
}
