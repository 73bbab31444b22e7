import { addAmounts, readAmount, scaleAmount } from '../../domain/amounts';
import type { Money } from '../../domain/money';
import { isObject, ownOf, type UnknownObject } from '../../domain/value';
import { words } from '../../domain/words';
import { asText, firstOf, pick, pickEntry, pickText, plainName } from './records';

// Money: "a balance may be a decimal string, a number or integer cents" and comes with or without a currency.
// Amounts stay decimal text: a binary float cannot hold 0.1.

const SYMBOLS: Readonly<Record<string, string>> = {
  '€': 'EUR',
  '£': 'GBP',
  '₹': 'INR',
  $: 'USD',
  US$: 'USD',
};

type Unit = 'cents' | 'minor' | 'micros';

interface Ending {
  readonly ending: string;
  /** What an integer counts: hundredths, the currency's smallest unit, or millionths. */
  readonly unit?: Unit;
  readonly currency?: string;
}

/** How names end that have the unit (`balance_cents`) or the currency (`cost_eur`) of their amount in them. */
const ENDINGS: readonly Ending[] = [
  ...endings('incents cents', () => ({ unit: 'cents' })),
  ...endings('inminorunits minorunits minorunit minor', () => ({ unit: 'minor' })),
  ...endings('inmicros micros inmicrounits microunits', () => ({ unit: 'micros' })),
  ...endings('usd eur gbp chf inr jpy cad aud cny', (code) => ({ currency: code.toUpperCase() })),
];

function endings(names: string, meaning: (ending: string) => Omit<Ending, 'ending'>): Ending[] {
  return words(names).map((ending) => ({ ending, ...meaning(ending) }));
}

/** No sum of money has more digits, even with 18 decimal places; a status bar has no room for more. */
const MOST_DIGITS = 36;
/** Longer text is no amount. */
const LONGEST_MONEY = 100;
/** Longer words are not currencies. */
const LONGEST_CURRENCY = 24;

/**
 * The money under one of `names` (plain form), also with a unit in the name (`balance_cents`); the currency is taken
 * from beside it when it has none of its own.
 */
export function pickMoney(record: UnknownObject, ...names: readonly string[]): Money | undefined {
  const currency = currencyOf(record);
  const unit = unitOf(asText(pick(record, 'unit', 'units', 'amountunit', 'currencyunit')));
  return firstOf(
    names,
    (name) =>
      readMoney(pick(record, name), currency, unit) ??
      firstOf(ENDINGS, ({ ending, ...own }) =>
        readMoney(pick(record, name + ending), own.currency ?? currency, own.unit),
      ),
  );
}

/** A value as money, with the unit or currency in which its name (plain form) ends. */
export function readNamedMoney(name: string, value: unknown, currency?: string): Money | undefined {
  const own = ENDINGS.find(({ ending }) => name.endsWith(ending));
  return readMoney(value, own?.currency ?? currency, own?.unit);
}

/** A record without a currency takes that of the record around it. */
export function withCurrency(record: UnknownObject, currency: string | undefined): UnknownObject {
  return currency === undefined || currencyOf(record) !== undefined ? record : { ...record, currency };
}

/**
 * One value as money: decimal text (with a symbol, a code, thousands separators), a number, or an object with
 * amount and currency. A bare integer is taken as whole units: only a name or a `unit` makes it cents.
 */
export function readMoney(value: unknown, currency?: string, unit?: Unit): Money | undefined {
  if (typeof value === 'number') return inUnit(readAmount(value), currency, unit);
  if (typeof value === 'string') {
    const parsed = moneyText(value);
    return inUnit(parsed?.amount, parsed?.currency ?? currency, unit);
  }
  if (!isObject(value)) return undefined;
  const own = currencyOf(value) ?? currency;
  return (
    unitsAndNanos(value, own) ??
    pickMoney(withCurrency(value, own), 'amount', 'value', 'total', 'price', 'decimal') ??
    firstOf(ENDINGS, ({ ending, unit }) => unit && readMoney(pick(value, ending), own, unit))
  );
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
  return ownOf(SYMBOLS, trimmed) ?? (/^[a-z]{3}$/i.test(trimmed) ? trimmed.toUpperCase() : trimmed);
}

function unitOf(text: string | undefined): Unit | undefined {
  const plain = plainName(text ?? '');
  if (plain === 'cent') return 'cents';
  return ENDINGS.find(({ ending }) => plain === ending || plain === `${ending}s`)?.unit;
}

const WORD = String.raw`[\p{L}\p{Sc}]`;
/** Minus signs: ASCII, U+2212, and the small and full-width ones. */
const MINUS = '\\-\u2212\ufe63\uff0d';
/** Thousands are separated throughout by one of these. A lone comma may as well be a decimal point: see `moneyText`. */
const WHOLE = String.raw`(?:\d{1,3}(?<separator>[,'’_ \u00a0\u202f])\d{3}(?:\k<separator>\d{3})*|\d+)`;
const DECIMAL = String.raw`(?<digits>${WHOLE}(?:\.\d+)?|\.\d+)`;
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
  const { before, open, symbol, digits = '', inside, after } = match;
  if (/^[^,]*,[^,.]*$/.test(digits)) return undefined;
  const signs = [match.first, match.sign, open].filter((sign) => sign !== undefined);
  if (signs.length > 1) return undefined;
  const isNegative = signs.length === 1 && signs[0] !== '+';
  const amount = (isNegative ? '-' : '') + digits.replace(/[^\d.]/g, '').replace(/^\./, '0.');
  const word = before ?? symbol ?? inside ?? after;
  return { amount, currency: word === undefined ? undefined : currencyName(word) };
}

/** The amount as money; undefined when it has too many digits. */
function inUnit(
  amount: string | undefined,
  currency: string | undefined,
  unit: Unit | undefined,
): Money | undefined {
  if (amount === undefined || amount.replace(/\D/g, '').length > MOST_DIGITS) return undefined;
  const whole = unit === undefined ? amount : inWholeUnits(amount, placesOf(unit, currency));
  return currency === undefined ? { amount: whole } : { amount: whole, currency };
}

/** The amount with its decimal point moved; two places are kept ("12.50"), which is how such amounts are written. */
function inWholeUnits(amount: string, places: number): string {
  const moved = scaleAmount(readAmount(amount) ?? '0', 1, 10 ** places);
  if (places !== 2) return moved;
  const [whole, fraction = ''] = moved.split('.');
  return `${whole}.${fraction.padEnd(2, '0')}`;
}

function placesOf(unit: Unit, currency: string | undefined): number {
  if (unit === 'micros') return 6;
  if (unit === 'cents' || currency === undefined || !/^[A-Z]{3}$/.test(currency)) return 2;
  try {
    const format = new Intl.NumberFormat('en', { style: 'currency', currency });
    return format.resolvedOptions().maximumFractionDigits ?? 2;
  } catch {
    return 2;
  }
}

/** {units: "1", nanos: 750000000, currencyCode}. */
function unitsAndNanos(value: UnknownObject, currency: string | undefined): Money | undefined {
  const [units, nanos] = [pick(value, 'units'), pick(value, 'nanos')];
  const isPair =
    nanos !== undefined || (units !== undefined && pickEntry(value, 'currencycode') !== undefined);
  const whole = asText(units ?? 0)?.trim() ?? '';
  const billionths = Number(nanos ?? 0);
  if (!isPair || !/^-?\d{1,20}$/.test(whole)) return undefined;
  if (!Number.isInteger(billionths) || Math.abs(billionths) >= 1e9) return undefined;
  const amount = addAmounts(whole, readAmount(`${billionths}e-9`) ?? '0');
  return inUnit(amount, currency, undefined);
}
