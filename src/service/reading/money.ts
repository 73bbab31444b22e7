import type { Price } from '../../domain/model';
import type { Money } from '../../domain/money';
import { isObject, type UnknownObject } from '../../domain/value';
import { asText, pick, pickEntry, pickText, plainName } from './records';

// Money: "a balance may be a decimal string, a number or integer cents" and comes with or without a currency.
// Amounts stay decimal text: a binary float cannot hold 0.1.

const SYMBOLS: Readonly<Record<string, string>> = {
  '€': 'EUR',
  '£': 'GBP',
  '₹': 'INR',
  $: 'USD',
  US$: 'USD',
};

/** Name endings that say that an integer counts hundredths or the currency's smallest unit, or millionths. */
const UNITS: readonly (readonly [string, 'cents' | 'minor' | 'micros'])[] = [
  ['incents', 'cents'],
  ['cents', 'cents'],
  ['inminorunits', 'minor'],
  ['minorunits', 'minor'],
  ['minor', 'minor'],
  ['micros', 'micros'],
  ['microunits', 'micros'],
];

/** Currencies that names end in. */
const NAMED_CURRENCIES = ['usd', 'eur', 'gbp', 'chf', 'inr', 'jpy', 'cad', 'aud', 'cny'];
/** No sum of money has more digits, even where it is told to 18 decimal places; a status bar has no room for more. */
const MOST_DIGITS = 36;
/** A longer word is no currency's. */
const LONGEST_CURRENCY = 24;

/**
 * The money under one of `names` (plain form), also with a unit in the name (`balance_cents`), its currency
 * beside it when it has none of its own.
 */
export function pickMoney(record: UnknownObject, ...names: readonly string[]): Money | undefined {
  const currency = currencyOf(record);
  const unit = unitOf(asText(pick(record, 'unit', 'units', 'amountunit', 'currencyunit')));
  for (const name of names) {
    const plain = readMoney(pick(record, name), currency, unit);
    if (plain !== undefined) return plain;
    for (const [ending, unitOfName] of UNITS) {
      const money = readMoney(pick(record, name + ending), currency, unitOfName);
      if (money !== undefined) return money;
    }
    // `balance_usd`, `cost_eur`: the currency is part of the name.
    for (const code of NAMED_CURRENCIES) {
      const money = readMoney(pick(record, name + code), code.toUpperCase());
      if (money !== undefined) return money;
    }
  }
  return undefined;
}

/**
 * One value as money: decimal text (with a symbol, a code, thousands separators), a number, or an object with
 * amount and currency. A bare integer is taken as whole units: only a name or a `unit` makes it cents.
 */
export function readMoney(
  value: unknown,
  currency?: string,
  unit?: 'cents' | 'minor' | 'micros',
): Money | undefined {
  if (typeof value === 'number') {
    const amount = decimalOfNumber(value);
    return amount === undefined || isAbsurd(amount) ? undefined : inUnit(amount, currency, unit);
  }
  if (typeof value === 'string') {
    const parsed = moneyText(value);
    return parsed === undefined || isAbsurd(parsed.amount)
      ? undefined
      : inUnit(parsed.amount, parsed.currency ?? currency, unit);
  }
  if (!isObject(value)) return undefined;
  const own = currencyOf(value) ?? currency;
  const units = pick(value, 'units');
  if (
    pick(value, 'nanos') !== undefined ||
    (units !== undefined && pickEntry(value, 'currencycode') !== undefined)
  ) {
    const nanos = nanosMoney(units, pick(value, 'nanos'), own);
    if (nanos !== undefined) return nanos;
  }
  return (
    pickMoney({ ...value, currency: own ?? null }, 'amount', 'value', 'total', 'price', 'decimal') ??
    readMoney(pick(value, 'cents'), own, 'cents') ??
    readMoney(pick(value, 'minor', 'minorunits'), own, 'minor') ??
    readMoney(pick(value, 'micros'), own, 'micros')
  );
}

function isAbsurd(amount: string): boolean {
  return amount.replace(/\D/g, '').length > MOST_DIGITS;
}

/** A record's currency, as an ISO code where it looks like one, else in the service's own word ("credits"). */
export function currencyOf(record: UnknownObject): string | undefined {
  const value = pick(record, 'currency', 'currencycode', 'ccy', 'currencyiso');
  const text = isObject(value)
    ? pickText(value, 'code', 'iso', 'isocode', 'id', 'name', 'symbol')
    : asText(value);
  return text === undefined ? undefined : currencyName(text);
}

function currencyName(text: string): string | undefined {
  const trimmed = text.trim();
  if (trimmed.length > LONGEST_CURRENCY || /\p{Cc}/u.test(trimmed)) return undefined;
  return SYMBOLS[trimmed] ?? (/^[a-z]{3}$/i.test(trimmed) ? trimmed.toUpperCase() : trimmed);
}

function unitOf(text: string | undefined): 'cents' | 'minor' | 'micros' | undefined {
  const plain = plainName(text ?? '');
  return (
    UNITS.find(([ending]) => plain === ending || plain === `${ending}s`)?.[1] ??
    (plain === 'cent' ? 'cents' : undefined)
  );
}

/** "12.50", "-3", "$1,234.50", "12.50 USD", "EUR 12,50" is not read: a lone comma may mean either. */
function moneyText(text: string): { amount: string; currency?: string } | undefined {
  const match =
    /^\s*([^\d\s.,+-]{1,8})?\s*([+-]?)\s*(\$|€|£|₹)?\s*((?:\d{1,3}(?:[,' _]\d{3})+|\d+)(?:\.\d+)?|\.\d+)\s*([^\d\s.,+-]{1,12})?\s*$/u.exec(
      text,
    );
  if (match === null) return undefined;
  const [, before, sign, symbol, digits, after] = match;
  const word = before ?? symbol ?? after;
  const amount = (sign === '-' ? '-' : '') + (digits as string).replace(/[,' _]/g, '').replace(/^\./, '0.');
  return { amount, currency: word === undefined ? undefined : currencyName(word) };
}

/** A number as plain decimal text, its exponent written out. */
export function decimalOfNumber(value: number): string | undefined {
  if (!Number.isFinite(value)) return undefined;
  const text = String(value);
  const match = /^(-?)(\d+)(?:\.(\d+))?e([+-]\d+)$/.exec(text);
  if (match === null) return text;
  const [, sign, whole = '', fraction = '', exponent] = match;
  return sign + shifted(whole + fraction, fraction.length - Number(exponent));
}

/** Digits with the decimal point put before the last `places` of them; exact, whatever their number. */
function shifted(digits: string, places: number): string {
  if (places <= 0) return (digits + '0'.repeat(-places)).replace(/^0+(?=\d)/, '');
  const padded = digits.padStart(places + 1, '0');
  const fraction = padded.slice(-places).replace(/0+$/, '');
  const whole = padded.slice(0, -places).replace(/^0+(?=\d)/, '');
  return fraction === '' ? whole : `${whole}.${fraction}`;
}

function inUnit(
  amount: string,
  currency: string | undefined,
  unit: 'cents' | 'minor' | 'micros' | undefined,
): Money {
  if (unit === undefined) return currency === undefined ? { amount } : { amount, currency };
  const places = unit === 'cents' ? 2 : unit === 'micros' ? 6 : minorDigits(currency);
  const [, sign = '', whole = '0', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(amount) ?? [];
  const cents = sign + padCents(shifted(whole + fraction, fraction.length + places), places);
  return currency === undefined ? { amount: cents } : { amount: cents, currency };
}

/** Cents keep their two places ("12.50"): that is how such amounts are written. */
function padCents(amount: string, places: number): string {
  if (places !== 2) return amount;
  const [whole, fraction = ''] = amount.split('.');
  return `${whole}.${fraction.padEnd(2, '0')}`;
}

function minorDigits(currency: string | undefined): number {
  if (currency === undefined || !/^[A-Z]{3}$/.test(currency)) return 2;
  try {
    return (
      new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ??
      2
    );
  } catch {
    return 2;
  }
}

/** {units: "1", nanos: 750000000, currencyCode}. */
function nanosMoney(units: unknown, nanos: unknown, currency: string | undefined): Money | undefined {
  const whole = Number(units ?? 0);
  const parts = Number(nanos ?? 0);
  if (!Number.isSafeInteger(whole) || !Number.isInteger(parts) || Math.abs(parts) >= 1e9) return undefined;
  const sign = whole < 0 || parts < 0 ? '-' : '';
  const amount = sign + shifted(`${Math.abs(whole)}${String(Math.abs(parts)).padStart(9, '0')}`, 9);
  return currency === undefined ? { amount } : { amount, currency };
}

const COSTS = [
  'cost',
  'totalcost',
  'price',
  'charge',
  'charged',
  'chargedamount',
  'amountcharged',
  'amount',
  'total',
  'fee',
];

/** What a run cost, when its response says so: under the usual names, or one level inside `billing` and the like. */
export function readCost(record: UnknownObject): Money | undefined {
  const own = pickMoney(
    record,
    'cost',
    'totalcost',
    'price',
    'charge',
    'charged',
    'chargedamount',
    'amountcharged',
  );
  if (own !== undefined) return own;
  for (const name of [
    'billing',
    'usage',
    'cost',
    'receipt',
    'charge',
    'pricing',
    'meta',
    'metadata',
    'metrics',
  ]) {
    const inner = pick(record, name);
    if (!isObject(inner)) continue;
    // "amount" and "total" mean money only where the record is about money: `usage.total` counts tokens.
    const money = /billing|cost|receipt|charge/.test(name)
      ? pickMoney({ currency: currencyOf(record) ?? null, ...inner }, ...COSTS)
      : pickMoney(
          { currency: currencyOf(record) ?? null, ...inner },
          'cost',
          'totalcost',
          'charge',
          'charged',
          'amountcharged',
        );
    if (money !== undefined) return money;
    const billing = pick(inner, 'billing', 'cost', 'receipt');
    const deeper = isObject(billing) ? pickMoney(billing, ...COSTS) : undefined;
    if (deeper !== undefined) return deeper;
  }
  return undefined;
}

/** A published price: money with what it buys, or the service's own words. */
export function readPrice(record: UnknownObject): Price | undefined {
  for (const [name, per] of [
    ['priceperrun', 'run'],
    ['costperrun', 'run'],
    ['pricepercall', 'run'],
    ['priceperrequest', 'request'],
    ['priceperimage', 'image'],
    ['pricepersecond', 'second'],
    ['price', undefined],
    ['pricing', undefined],
    ['cost', undefined],
    ['unitprice', undefined],
  ] as const) {
    const value = pick(record, name);
    const money = pickMoney(record, name);
    const unit = per ?? perOf(isObject(value) ? value : record, isObject(value));
    if (money !== undefined) return { money, per: unit };
    if (isObject(value)) {
      const inner = readPrice(value) ?? namedPer(value);
      if (inner !== undefined) return { ...inner, per: inner.per ?? unit };
    }
    if (typeof value === 'string' && value.trim() !== '') return priceText(value.trim());
  }
  return undefined;
}

/** {per_run: "0.01"}: the name says what it buys. */
function namedPer(record: UnknownObject): Price | undefined {
  for (const per of ['run', 'request', 'image', 'second', 'item', 'call']) {
    const money = pickMoney(record, `per${per}`, per);
    if (money !== undefined) return { money, per };
  }
  return undefined;
}

function perOf(record: UnknownObject, own: boolean): string | undefined {
  return own
    ? pickText(record, 'per', 'unit', 'billingunit', 'unitname', 'basis')
    : pickText(record, 'per', 'priceunit', 'pricingunit', 'billingunit');
}

/** "0.01 USD / image", "$0.02 per second", or words alone ("free while in preview"). */
function priceText(text: string): Price {
  const [, amount, per] = /^(.*?)\s*(?:\/|\bper\b)\s*(.+)$/i.exec(text) ?? [];
  const money = amount === undefined ? undefined : readMoney(amount);
  return money === undefined ? { text } : { money, per, text };
}
