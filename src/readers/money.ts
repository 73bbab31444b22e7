import { addAmounts, readAmount } from '../domain/amounts';
import type { Money } from '../domain/money';
import { isObject, ownOf, type UnknownObject } from '../domain/value';
import { endsInUnit, type MoneyUnit, readEnding, readUnit, unitQualifier } from './moneyUnits';
import { asText, firstOf, members, pick, pickEntry, pickText, plainName } from './records';

// Money: "a balance may be a decimal string, a number or integer cents" and comes with or without a currency.
// Amounts stay decimal text: a binary float cannot hold 0.1.

const SYMBOLS: Readonly<Record<string, string>> = {
  '€': 'EUR',
  '£': 'GBP',
  '₹': 'INR',
  $: 'USD',
  US$: 'USD',
};

/** Sums of money have fewer digits, even with 18 decimal places; a status bar cannot show more. */
const MOST_DIGITS = 36;
/** Longer text is no amount. */
const LONGEST_MONEY = 100;
/** Longer names are not looked through for a unit. */
const LONGEST_NAME = 60;
/** Longer words are not currencies. */
const LONGEST_CURRENCY = 24;

/**
 * The money under one of `names` (plain form), also with a unit or a currency at the end of the name (`balance_cents`,
 * `cost_eur`); the currency is taken from beside it when it has none of its own. An amount beside which a unit is not
 * understood is not read.
 */
export function pickMoney(record: UnknownObject, ...names: readonly string[]): Money | undefined {
  return pickFrom(record, names, false);
}

/** As `pickMoney`. @param inMoney the record is about money alone, so that every unit in it is the amount's */
export function pickFrom(
  record: UnknownObject,
  names: readonly string[],
  inMoney: boolean,
): Money | undefined {
  const shared = recordCurrency(record);
  const entries = members(record).map(([key, value]) => [plainName(key), value] as const);
  return firstOf(names, (name) => {
    // {price_cents, price_currency} of Rails.
    const named = pickText(record, `${name}currency`);
    const currency = named === undefined ? shared : currencyName(named);
    const exact = entries.find(([key, value]) => key === name && value !== null && value !== undefined);
    const own = exact && readMoney(exact[1], currency, unitBeside(record, name, exact[1], inMoney));
    if (own !== undefined) return own;
    return firstOf(entries, ([key, value]) => {
      if (key === name || !key.startsWith(name) || value === null || value === undefined) return undefined;
      const ending = readEnding(key.slice(name.length));
      return ending && readMoney(value, currency, ending);
    });
  });
}

function unitBeside(
  record: UnknownObject,
  name: string,
  value: unknown,
  inMoney: boolean,
): MoneyUnit | 'unknown' {
  return unitQualifier(record, name, { inMoney, isWhole: /^\s*-?\d+\s*$/.test(asText(value) ?? '') });
}

/** A member of a record (name in plain form) as money, with the unit or currency in which its name ends. */
export function readNamedMoney(record: UnknownObject, name: string, value: unknown): Money | undefined {
  const places = endsInUnit(name)
    ? Array.from({ length: Math.min(name.length, LONGEST_NAME) }, (_, at) => at)
    : [];
  const ending = firstOf(places.slice(1), (at) => readEnding(name.slice(at)));
  return readMoney(value, recordCurrency(record), ending ?? unitBeside(record, name, value, false));
}

/** A record without a currency takes that of the record around it. */
export function withCurrency(record: UnknownObject, currency: string | undefined): UnknownObject {
  return currency === undefined || recordCurrency(record) !== undefined ? record : { ...record, currency };
}

/**
 * One value as money: decimal text (with a symbol, a code, thousands separators), a number, or an object with
 * amount and currency. A bare integer is taken as whole units: only a name, a unit or an exponent makes it cents.
 */
export function readMoney(
  value: unknown,
  currency?: string,
  unit: MoneyUnit | 'unknown' = {},
): Money | undefined {
  if (typeof value === 'number') return inUnit(readAmount(value), currency, unit);
  if (typeof value === 'string') {
    const parsed = moneyText(value);
    return inUnit(parsed?.amount, parsed?.currency ?? currency, unit);
  }
  if (!isObject(value)) return undefined;
  const own = recordCurrency(value) ?? currency;
  if (isPair(value)) return unitsAndNanos(value, own);
  return (
    pickFrom(
      withCurrency(value, own),
      ['amount', 'value', 'total', 'price', 'decimal', '$numberdecimal'],
      true,
    ) ??
    firstOf(members(value), ([key, member]) => {
      const ending = readEnding(plainName(key));
      return ending?.places === undefined ? undefined : readMoney(member, own, ending);
    })
  );
}

/** A record's currency, as an ISO code where it looks like one, else in the service's own word ("credits"). */
export function recordCurrency(record: UnknownObject): string | undefined {
  const value = pick(record, 'currency', 'currencycode', 'ccy', 'currencyiso');
  const text = isObject(value)
    ? pickText(value, 'code', 'iso', 'isocode', 'id', 'name', 'symbol')
    : asText(value);
  return text === undefined ? undefined : currencyName(text);
}

function currencyName(text: string): string | undefined {
  const trimmed = text.trim();
  if (trimmed.length > LONGEST_CURRENCY || /\p{Cc}/u.test(trimmed)) return undefined;
  return ownOf(SYMBOLS, trimmed) ?? (/^[a-z]{3}$/i.test(trimmed) ? trimmed.toUpperCase() : trimmed);
}

const WORD = String.raw`[\p{L}\p{Sc}]`;
/** Minus signs: ASCII, U+2212, and the small and full-width ones. */
const MINUS = '\\-\u2212\ufe63\uff0d';
/** Thousands are separated throughout by one of these. A lone comma may as well be a decimal point: see `moneyText`. */
const WHOLE = String.raw`(?:\d{1,3}(?<separator>[,'’_ \u00a0\u202f])\d{3}(?:\k<separator>\d{3})*|\d+)`;
const DECIMAL = String.raw`(?<digits>${WHOLE}(?:\.\d+)?|\.\d+)(?<power>[eE][+-]?\d{1,3})?`;
const SIGN = `[+${MINUS}]`;
const MONEY = new RegExp(
  String.raw`^(?<first>${SIGN})?\s*(?<before>${WORD}{1,8})?\s*(?<open>\()?\s*(?<sign>${SIGN})?\s*(?<symbol>${WORD}{1,8})?\s*` +
    String.raw`${DECIMAL}(?:\s*(?<inside>${WORD}{1,12})?\s*(?<close>\)))?\s*(?<after>${WORD}{1,12})?$`,
  'u',
);

/**
 * "12.50", "-3", "−3", "(3)" (as books have it, minus 3), "$1,234.50", "12.50 USD". "EUR 12,50" and "1,234" are not
 * read: a lone comma is ambiguous.
 */
function moneyText(text: string): { amount: string; currency?: string } | undefined {
  const match = text.length > LONGEST_MONEY ? undefined : MONEY.exec(text.trim())?.groups;
  if (match === undefined || (match.open === undefined) !== (match.close === undefined)) return undefined;
  const { before, open, symbol, digits = '', power, inside, after } = match;
  if (/^[^,]*,[^,.]*$/.test(digits)) return undefined;
  const signs = [match.first, match.sign, open].filter((sign) => sign !== undefined);
  if (signs.length > 1) return undefined;
  const isNegative = signs.length === 1 && signs[0] !== '+';
  const written = (isNegative ? '-' : '') + digits.replace(/[^\d.]/g, '').replace(/^\./, '0.');
  const amount = power === undefined ? written : readAmount(written + power);
  if (amount === undefined) return undefined;
  // "from $5", "about 5": a word before an amount that is no currency says that it is another one.
  const ahead = [before, symbol].filter((word) => word !== undefined);
  const words = [...ahead, ...[inside, after].filter((word) => word !== undefined)];
  if (!ahead.every(isMoneyWord) || (words.length > 1 && !isOneCurrency(words))) return undefined;
  const word = words.find(isCode) ?? words[0];
  return { amount, currency: word === undefined ? undefined : currencyName(word) };
}

function isMoneyWord(word: string): boolean {
  const unit = readUnit(word);
  return unit?.currency !== undefined || unit?.places !== undefined || isSymbol(word);
}

const isCode = (word: string): boolean => /^[a-z]{3}$/i.test(word);
const isSymbol = (word: string): boolean => /\p{Sc}/u.test(word);

/** "$5 CAD" is Canadian, "$5 EUR" is neither. */
function isOneCurrency(words: readonly string[]): boolean {
  const codes = new Set(words.filter(isCode).map((code) => code.toUpperCase()));
  const [code] = codes;
  if (codes.size !== 1 || code === undefined) return false;
  return words.every((word) => isCode(word) || word === symbolOf(code));
}

function symbolOf(currency: string): string | undefined {
  const format = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
  });
  return format.formatToParts(0).find(({ type }) => type === 'currency')?.value;
}

/** The amount as money; undefined when it has too many digits, or its unit or currency is not understood. */
function inUnit(
  amount: string | undefined,
  currency: string | undefined,
  unit: MoneyUnit | 'unknown',
): Money | undefined {
  if (amount === undefined || unit === 'unknown') return undefined;
  if (amount.replace(/\D/g, '').length > MOST_DIGITS) return undefined;
  const named = currency === undefined ? {} : currencyUnit(currency);
  const places = samePlaces(named?.places, unit.places);
  if (named === undefined || places === 'conflict') return undefined;
  const code = unit.currency ?? named.currency;
  const whole = places === undefined ? amount : inWholeUnits(amount, decimalPlaces(places, code));
  return code === undefined ? { amount: whole } : { amount: whole, currency: code };
}

/** "USD_CENTS", "mUSD", "cents": a currency and its scale; undefined for a scale of something that is not known. */
function currencyUnit(currency: string): MoneyUnit | undefined {
  const unit = readUnit(currency);
  if (unit?.places !== undefined || unit?.currency !== undefined) return unit;
  return SCALED.test(currency) ? undefined : { currency };
}

const SCALED = /milli|micro|nano|cent|minor/i;

/** A currency in cents and a name in cents are one scale. */
function samePlaces(a: MoneyUnit['places'], b: MoneyUnit['places']): MoneyUnit['places'] | 'conflict' {
  return a === undefined || b === undefined || a === b ? (a ?? b) : 'conflict';
}

/** The amount with its decimal point moved; two places are kept ("12.50"), which is how such amounts are written. */
function inWholeUnits(amount: string, places: number): string {
  const moved = readAmount(`${readAmount(amount) ?? '0'}e-${places}`) ?? amount;
  if (places !== 2) return moved;
  const [whole, fraction = ''] = moved.split('.');
  return `${whole}.${fraction.padEnd(2, '0')}`;
}

function decimalPlaces(places: number | 'minor', currency: string | undefined): number {
  if (places !== 'minor') return places;
  if (currency === undefined || !/^[A-Z]{3}$/.test(currency)) return 2;
  try {
    const format = new Intl.NumberFormat('en', { style: 'currency', currency });
    return format.resolvedOptions().maximumFractionDigits ?? 2;
  } catch {
    return 2;
  }
}

/** {units: "1", nanos: 750000000, currencyCode} of google.type.Money. */
function isPair(value: UnknownObject): boolean {
  if (pick(value, 'nanos') !== undefined) return pick(value, 'amount', 'value', 'total') === undefined;
  return pick(value, 'units') !== undefined && pickEntry(value, 'currencycode') !== undefined;
}

function unitsAndNanos(value: UnknownObject, currency: string | undefined): Money | undefined {
  const whole = asText(pick(value, 'units') ?? 0)?.trim() ?? '';
  const billionths = Number(pick(value, 'nanos') ?? 0);
  if (!/^-?\d{1,20}$/.test(whole)) return undefined;
  if (!Number.isInteger(billionths) || Math.abs(billionths) >= 1e9) return undefined;
  const amount = addAmounts(whole, readAmount(`${billionths}e-9`) ?? '0');
  return inUnit(amount, currency, {});
}
