import { addAmounts, readAmount } from '../domain/amounts';
import type { Money } from '../domain/money';
import { isObject, ownOf, type UnknownObject } from '../domain/value';
import { words } from '../domain/words';
import { asText, firstOf, members, pick, pickText, plainName, scalarText } from './records';

// Money: an amount with a currency, in whole units unless its name or a unit beside it says cents or micros. An amount
// with a unit that is not understood is no money. Amounts stay decimal text: a binary float cannot hold 0.1.

/** The scale and the currency of an amount. */
export interface MoneyUnit {
  /** Places that the decimal point moves to the left. */
  readonly places?: number;
  /** ISO 4217, or the service's own word ("credits"). */
  readonly currency?: string;
}

const SYMBOLS: Readonly<Record<string, string>> = {
  '€': 'EUR',
  '£': 'GBP',
  '₹': 'INR',
  $: 'USD',
  US$: 'USD',
};
const SCALES: Readonly<Record<string, number>> = { cents: 2, cent: 2, micros: 6, micro: 6 };
/** Codes at the end of a name; others end words ("overall", "cup"). */
const CODES = 'usd|eur|gbp|chf|inr|jpy|cad|aud|cny';
const UNIT = new RegExp(`^(?:in)?(?<first>${CODES})?(?<scale>cents?|micros?)?(?<last>${CODES})?$`, 'i');
/** Members that change an amount beside them. */
const QUALIFIERS = words('unit denomination');
const SCALING =
  /^(?:currency|amount|minor)?(?:exponent|scale|precision|decimals|decimalplaces|divisor|factor|minorunit|subunit)/;
/** Things that are paid for: {cost: "0.1", unit: "image"}. */
const BASIS =
  /token|image|second|minute|hour|day|month|request|run|call|item|character|page|pixel|video|audio|word/i;

/** Sums of money have fewer digits, even with 18 decimal places; a status bar cannot show more. */
const MOST_DIGITS = 36;
const LONGEST_MONEY = 100;
const LONGEST_CURRENCY = 24;

/** The unit that a word, or the end of a name in plain form, spells; undefined for other words. */
export function readUnit(text: string): MoneyUnit | undefined {
  const { first, scale, last } = UNIT.exec(plainName(text))?.groups ?? {};
  const currency = (first ?? last)?.toUpperCase();
  const places = scale === undefined ? undefined : ownOf(SCALES, scale.toLowerCase());
  if (currency === undefined && places === undefined) return undefined;
  return { ...(places !== undefined && { places }), ...(currency !== undefined && { currency }) };
}

/**
 * The money under one of `names` (plain form), also with a unit or a currency at the end of the name (`balance_cents`,
 * `cost_eur`); the currency is taken from beside it when it has none of its own.
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
  const currency = recordCurrency(record);
  const entries = members(record).filter(([, value]) => value !== null && value !== undefined);
  return firstOf(names, (name) =>
    firstOf(entries, ([key, value]) => {
      const plain = plainName(key);
      const unit =
        plain === name
          ? unitBeside(record, name, inMoney)
          : plain.startsWith(name)
            ? readUnit(plain.slice(name.length))
            : undefined;
      return unit && readMoney(value, currency, unit);
    }),
  );
}

/** Undefined: a member beside the amount changes it in a way that is not understood. */
function unitBeside(record: UnknownObject, name: string, inMoney: boolean): MoneyUnit | undefined {
  const scaling = members(record).some(([key, value]) => {
    const whole = plainName(key);
    const plain = whole.startsWith(name) ? whole.slice(name.length) : whole;
    const isNumber = typeof value === 'number' || /^\d+$/.test(scalarText(value));
    return isNumber && SCALING.test(plain) && (inMoney || recordCurrency(record) !== undefined);
  });
  if (scaling) return undefined;
  const text = pickText(record, `${name}unit`, ...QUALIFIERS);
  return text === undefined || BASIS.test(text) ? {} : readUnit(text);
}

/** A member of a record (name in plain form) as money, with the unit or currency in which its name ends. */
export function readNamedMoney(record: UnknownObject, name: string, value: unknown): Money | undefined {
  const [ending] = new RegExp(`(?:${CODES}|cents?|micros?)+$`).exec(name) ?? [];
  const unit = ending === undefined || ending === name ? unitBeside(record, name, false) : readUnit(ending);
  return unit && readMoney(value, recordCurrency(record), unit);
}

/** A record without a currency takes that of the record around it. */
export function withCurrency(record: UnknownObject, currency: string | undefined): UnknownObject {
  return currency === undefined || recordCurrency(record) !== undefined ? record : { ...record, currency };
}

/**
 * One value as money: decimal text (with a symbol, a code, thousands separators), a number, or an object with
 * amount and currency. A bare integer is taken as whole units: only a name or a unit makes it cents.
 */
export function readMoney(value: unknown, currency?: string, unit: MoneyUnit = {}): Money | undefined {
  if (typeof value === 'number') return inUnit(readAmount(value), currency, unit);
  if (typeof value === 'string') {
    const parsed = moneyText(value);
    return inUnit(parsed?.amount, parsed?.currency ?? currency, unit);
  }
  if (!isObject(value)) return undefined;
  const own = recordCurrency(value) ?? currency;
  if (pick(value, 'nanos') !== undefined) return unitsAndNanos(value, own);
  return (
    pickFrom(withCurrency(value, own), words('amount value total price'), true) ??
    firstOf(words('cents micros'), (name) => readMoney(pick(value, name), own, readUnit(name)))
  );
}

/** A record's currency, as an ISO code where it looks like one, else in the service's own word ("credits"). */
export function recordCurrency(record: UnknownObject): string | undefined {
  const value = pick(record, 'currency', 'currencycode', 'pricecurrency');
  const text = isObject(value) ? pickText(value, 'code', 'id', 'name', 'symbol') : asText(value);
  return text === undefined ? undefined : currencyName(text);
}

function currencyName(text: string): string | undefined {
  const trimmed = text.trim();
  if (trimmed.length > LONGEST_CURRENCY || /\p{Cc}/u.test(trimmed)) return undefined;
  return ownOf(SYMBOLS, trimmed) ?? (/^[a-z]{3}$/i.test(trimmed) ? trimmed.toUpperCase() : trimmed);
}

const KNOWN = new Set(Intl.supportedValuesOf('currency'));
const WORD = String.raw`US\$|[$€£₹]|[A-Za-z]{3}|credits?`;
const DIGITS = String.raw`(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?|\.\d+`;
const MONEY = new RegExp(
  `^(?<sign>[-+\u2212])?\\s*(?<before>${WORD})?\\s*(?<inner>[-+\u2212])?\\s*(?<symbol>[$€£₹])?(?<digits>${DIGITS})(?<power>e[+-]?\\d{1,3})?\\s*(?<after>${WORD})?$`,
  'i',
);

/** "12.50", "-3", "$1,234.50", "12.50 USD". "EUR 12,50" and "1,234" are not read: a lone comma is ambiguous. */
function moneyText(text: string): { amount: string; currency?: string | undefined } | undefined {
  const match = text.length > LONGEST_MONEY ? undefined : MONEY.exec(text.trim())?.groups;
  if (match === undefined) return undefined;
  const { sign, before, inner, symbol, digits = '', power = '', after } = match;
  // "max 0.01"
  if (before !== undefined && /^[a-z]{3}$/i.test(before) && !KNOWN.has(before.toUpperCase()))
    return undefined;
  if (/^[^,]*,[^,.]*$/.test(digits) || (sign !== undefined && inner !== undefined)) return undefined;
  const isNegative = /^[-\u2212]$/.test(sign ?? inner ?? '');
  const written = (isNegative ? '-' : '') + digits.replaceAll(',', '').replace(/^\./, '0.');
  const amount = power === '' ? written : readAmount(written + power);
  const names = [before, symbol, after].filter((word) => word !== undefined).map(currencyName);
  // A code says which of the dollars it is.
  const codes = new Set(names.filter((name) => name !== undefined));
  const isDollar =
    codes.size === 2 &&
    codes.has('USD') &&
    /^\$/.test(before ?? symbol ?? '') &&
    /^[A-Z]{2}D$/.test(currencyName(after ?? '') ?? '');
  if (amount === undefined || (codes.size > 1 && !isDollar)) return undefined;
  return { amount, currency: isDollar ? currencyName(after ?? '') : names[0] };
}

/** The amount as money; undefined when it has too many digits, or its currency is a scale that is not understood. */
function inUnit(
  amount: string | undefined,
  currency: string | undefined,
  unit: MoneyUnit,
): Money | undefined {
  if (amount === undefined || amount.replace(/\D/g, '').length > MOST_DIGITS) return undefined;
  const named: MoneyUnit = currency === undefined ? {} : (readUnit(currency) ?? { currency });
  if (named.places === undefined && /milli|micro|nano|cent|minor/i.test(currency ?? '')) return undefined;
  if (named.places !== undefined && unit.places !== undefined && named.places !== unit.places)
    return undefined;
  const places = named.places ?? unit.places;
  const code = unit.currency ?? named.currency;
  const whole = places === undefined ? amount : inWholeUnits(amount, places);
  return code === undefined ? { amount: whole } : { amount: whole, currency: code };
}

/** The amount with its decimal point moved; two places are kept ("12.50"), which is how such amounts are written. */
function inWholeUnits(amount: string, places: number): string {
  const moved = readAmount(`${readAmount(amount) ?? '0'}e-${places}`) ?? amount;
  if (places !== 2) return moved;
  const [whole, fraction = ''] = moved.split('.');
  return `${whole}.${fraction.padEnd(2, '0')}`;
}

/** {units: "1", nanos: 750000000, currencyCode}: whole units and billionths. */
function unitsAndNanos(value: UnknownObject, currency: string | undefined): Money | undefined {
  const whole = asText(pick(value, 'units') ?? 0)?.trim() ?? '';
  const billionths = Number(asText(pick(value, 'nanos')));
  if (!/^-?\d{1,20}$/.test(whole)) return undefined;
  if (!Number.isInteger(billionths) || Math.abs(billionths) >= 1e9) return undefined;
  return inUnit(addAmounts(whole, readAmount(`${billionths}e-9`) ?? '0'), currency, {});
}
