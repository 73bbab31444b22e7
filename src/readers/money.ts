import { addAmounts, readAmount } from '../domain/amounts';
import type { Money } from '../domain/money';
import { isObject, ownOf, type UnknownObject } from '../domain/value';
import { asText, firstOf, members, pick, pickText, plainName, scalarText } from './records';

// Money: an amount with a currency, in whole units unless its name or a unit beside it says cents or micros. An amount
// with a unit that is not understood is no money. Amounts stay decimal text: a binary float cannot hold 0.1.

/** The scale and the currency of an amount. */
export interface MoneyUnit {
  /** Places that the decimal point moves to the left. */
  readonly places?: number | undefined;
  /** ISO 4217, or the service's own word ("credits"). */
  readonly currency?: string | undefined;
}

const SYMBOLS: Readonly<Record<string, string>> = { '€': 'EUR', '£': 'GBP', $: 'USD', US$: 'USD' };
/** Codes at the end of a name; others end words ("overall", "cup"). */
const CODES = 'usd|eur|gbp|chf|jpy|cad|aud|cny|inr';
const UNIT = new RegExp(`^(?:in)?(?<first>${CODES})?(?:(?<scale>cent|micro)s?)?(?<last>${CODES})?$`, 'i');
/** Numbers beside an amount that change it. */
const SCALING = /exponent|scale|precision|decimals|decimalplaces|divisor|factor|minorunit|subunit/;
const PART_OF_CURRENCY = /minor|milli|micro|nano|cent/i;
/** Things that are paid for: {cost: "0.1", unit: "image"}. */
const BASIS = /^$|token|image|second|minute|hour|day|month|request|run|call|item|page|video|audio/i;

/** Sums of money have fewer digits, even with 18 decimal places; a status bar cannot show more. */
const MOST_DIGITS = 36;
const LONGEST_MONEY = 100;

/** The unit that a word, or the end of a name in plain form, spells; undefined for other words. */
export function readUnit(text: string): MoneyUnit | undefined {
  const { first, scale, last } = UNIT.exec(plainName(text))?.groups ?? {};
  const currency = (first ?? last)?.toUpperCase();
  const places = scale === undefined ? undefined : /cent/i.test(scale) ? 2 : 6;
  return currency === undefined && places === undefined ? undefined : { places, currency };
}

/**
 * The money under one of `names` (plain form), also with a unit or a currency at the end of the name (`balance_cents`,
 * `cost_eur`); the currency is taken from beside it when it has none of its own.
 */
export function pickMoney(record: UnknownObject, ...names: readonly string[]): Money | undefined {
  const entries = members(record).filter(([, value]) => value !== null && value !== undefined);
  return firstOf(names, (name) =>
    firstOf(entries, ([key, value]) =>
      plainName(key).startsWith(name)
        ? namedMoney(record, plainName(key).slice(name.length), value)
        : undefined,
    ),
  );
}

/** @param ending of its name, in plain form: empty, or a unit */
function namedMoney(record: UnknownObject, ending: string, value: unknown): Money | undefined {
  const unit = ending === '' ? unitBeside(record) : readUnit(ending);
  return unit && readMoney(value, recordCurrency(record), unit);
}

/** Undefined: a member beside the amount changes it in a way that is not understood. */
function unitBeside(record: UnknownObject): MoneyUnit | undefined {
  const isScaled = ([key, value]: readonly [string, unknown]) =>
    SCALING.test(plainName(key)) && /^\d+$/.test(scalarText(value));
  if (members(record).some(isScaled)) return undefined;
  const text = pickText(record, 'unit', 'denomination') ?? '';
  return readUnit(text) ?? (BASIS.test(text) ? {} : undefined);
}

/** A member of a record (name in plain form) as money, with the unit or currency in which its name ends. */
export function readNamedMoney(record: UnknownObject, name: string, value: unknown): Money | undefined {
  const [ending = ''] = new RegExp(`(?:${CODES}|cents?|micros?)+$`).exec(name) ?? [];
  return namedMoney(record, ending === name ? '' : ending, value);
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
  if (isObject(value)) {
    const record = withCurrency(value, currency);
    const nanos = pick(value, 'nanos');
    if (nanos !== undefined) {
      // Whole units and billionths, which are both digits alone.
      const parts = [pick(value, 'units') ?? 0, nanos].map(scalarText);
      if (!/^-?\d{1,20} -?\d{1,9}$/.test(parts.join(' '))) return undefined;
      return inUnit(addAmounts(parts[0]!, readAmount(`${parts[1]}e-9`)!), recordCurrency(record), {});
    }
    return pickMoney(record, 'amount', 'value', 'total', 'price') ?? pickMoney(record, '');
  }
  if (typeof value === 'number') return inUnit(readAmount(value), currency, unit);
  const parsed = typeof value === 'string' ? moneyText(value) : undefined;
  return inUnit(parsed?.amount, parsed?.currency ?? currency, unit);
}

/** A record's currency, as an ISO code where it looks like one, else in the service's own word ("credits"). */
export function recordCurrency(record: UnknownObject): string | undefined {
  const value = pick(record, 'currency', 'currencycode');
  const text = isObject(value) ? pickText(value, 'code', 'id', 'name') : asText(value);
  return text === undefined ? undefined : currencyName(text);
}

function currencyName(text: string): string | undefined {
  const trimmed = text.trim();
  if (!/^\P{Cc}{1,24}$/u.test(trimmed)) return undefined;
  return ownOf(SYMBOLS, trimmed) ?? (/^[a-z]{3}$/i.test(trimmed) ? trimmed.toUpperCase() : trimmed);
}

const KNOWN = new Set(Intl.supportedValuesOf('currency'));
const MONEY =
  /^([-+]?)(US\$|[$€£]|[a-z]{3}\s|)\s*((?:\d{1,3}(?:,\d{3})+(?=\.)|\d+)(?:\.\d+)?|\.\d+)\s*([a-z]{3}|credits?|)$/i;

/** "12.50", "-3", "$1,234.50", "12.50 USD". "EUR 12,50" and "1,234" are not read: a lone comma is ambiguous. */
function moneyText(text: string): { amount: string; currency?: string | undefined } | undefined {
  const match = text.length > LONGEST_MONEY ? null : MONEY.exec(text.trim());
  if (match === null) return undefined;
  const [, sign = '', before = '', digits = '', after = ''] = match;
  const [currency = '', ...others] = new Set([before, after].flatMap((word) => currencyName(word) ?? []));
  // "max 0.01", "5 or"
  const isUnknown = /^[A-Z]{3}$/.test(currency) && !KNOWN.has(currency);
  if (isUnknown || others.length > 0) return undefined;
  const amount = sign.replace('+', '') + digits.replaceAll(',', '').replace(/^\./, '0.');
  return { amount, currency: currency || undefined };
}

/** The amount as money; undefined when it has too many digits, or its currency is a scale that is not understood. */
function inUnit(
  amount: string | undefined,
  currency: string | undefined,
  unit: MoneyUnit,
): Money | undefined {
  if (amount === undefined || amount.replace(/\D/g, '').length > MOST_DIGITS) return undefined;
  const named: MoneyUnit = readUnit(currency ?? '') ?? { currency };
  if (named.places === undefined && PART_OF_CURRENCY.test(currency ?? '')) return undefined;
  const places = named.places ?? unit.places;
  if (unit.places !== undefined && unit.places !== places) return undefined;
  const code = unit.currency ?? named.currency;
  const whole = places === undefined ? amount : inWholeUnits(amount, places);
  return code === undefined ? { amount: whole } : { amount: whole, currency: code };
}

/** The amount with its decimal point moved; two places are kept ("12.50"), which is how such amounts are written. */
function inWholeUnits(amount: string, places: number): string {
  const moved = readAmount(`${readAmount(amount) ?? '0'}e-${places}`) ?? amount;
  const [whole, fraction = ''] = moved.split('.');
  return places === 2 ? `${whole}.${fraction.padEnd(2, '0')}` : moved;
}
