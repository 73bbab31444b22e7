import { greatestOf } from '../domain/many';
import { isObject, ownOf, type UnknownObject } from '../domain/value';
import { words } from '../domain/words';
import { asText, members, pick, plainName } from './records';

// Units of money: a word read by its parts ("micro" + "dollars"), and numbers that move the point.

/** The parts of a unit that are known: where the point moves to, and the currency. */
export interface MoneyUnit {
  /** Places that the point moves to the left; `minor`: as many as the currency has. */
  readonly places?: number | 'minor';
  /** ISO 4217, or "credits". */
  readonly currency?: string;
}

const SCALES: Readonly<Record<string, number | 'minor'>> = {
  ...{ cents: 2, cent: 2, centi: 2, pennies: 2, penny: 2, pence: 2, hundredths: 2 },
  ...{ millis: 3, milli: 3, thousandths: 3, micros: 6, micro: 6, millionths: 6, nanos: 9, nano: 9 },
  ...{ minor: 'minor', smallest: 'minor', subunits: 'minor', subunit: 'minor' },
};
const CURRENCIES: Readonly<Record<string, string>> = {
  ...{ dollars: 'USD', dollar: 'USD', euros: 'EUR', euro: 'EUR', pounds: 'GBP', pound: 'GBP', yen: 'JPY' },
  ...{ 元: 'CNY', rmb: 'CNY', 円: 'JPY', 원: 'KRW' },
  ...{ rupees: 'INR', rupee: 'INR', francs: 'CHF', franc: 'CHF', credits: 'credits', credit: 'credits' },
};
/** Words that change nothing. */
const NEUTRAL = words('currency amount money units unit whole major in value');
const CODES = new Set(Intl.supportedValuesOf('currency').map((code) => code.toLowerCase()));
/** Codes at the end of a name; others end words ("overall", "cup"). */
const USUAL_CODES = new Set(words('usd eur gbp chf inr jpy cad aud cny'));

/** Characters of the longest part: longer ones are not looked up. */
const LONGEST_PART = greatestOf(
  [...Object.keys(SCALES), ...Object.keys(CURRENCIES), ...NEUTRAL, 'usd'].map(({ length }) => length),
);

/** The parts of a unit in a word or in several; undefined where a part is not known. */
export function readUnit(text: string): MoneyUnit | undefined {
  // "0.0001 USD" is a scale of its own.
  if (text.length > 60 || /\d/.test(text)) return undefined;
  // mUSD, µUSD, nEUR: a prefix of SI before a code.
  const [, prefix, code = ''] = /^\s*([munµμ])([A-Z]{3})\s*$/.exec(text) ?? [];
  if (prefix !== undefined && CODES.has(code.toLowerCase()))
    return { places: { m: 3, n: 9 }[prefix] ?? 6, currency: code };
  return unitWithin(plainName(text).replace(/[^\p{L}]/gu, ''), CODES);
}

/** As `readUnit`, of the end of a member's name in plain form; undefined where it names neither a scale nor a currency. */
export function readEnding(ending: string): MoneyUnit | undefined {
  const unit = unitWithin(ending, USUAL_CODES);
  return unit?.places === undefined && unit?.currency === undefined ? undefined : unit;
}

/** Whether the last letters of a name are a part of a unit. Most names end otherwise, and have no ending to read. */
export function endsInUnit(name: string): boolean {
  for (let length = Math.min(name.length, LONGEST_PART); length > 0; length--)
    if (partOf(name.slice(-length), USUAL_CODES)) return true;
  return false;
}

/** Every way to part a word is tried: "inr" is no "in" with a rest. */
function unitWithin(rest: string, codes: ReadonlySet<string>): MoneyUnit | undefined {
  if (rest === '') return {};
  for (let end = Math.min(rest.length, LONGEST_PART); end > 0; end--) {
    const part = rest.slice(0, end);
    const own = partOf(part, codes);
    const others = own && unitWithin(rest.slice(end), codes);
    const both = own && others && together(own, others);
    if (both) return both;
  }
  return undefined;
}

function partOf(part: string, codes: ReadonlySet<string>): MoneyUnit | undefined {
  const places = ownOf(SCALES, part);
  if (places !== undefined) return { places };
  const currency = ownOf(CURRENCIES, part) ?? (codes.has(part) ? part.toUpperCase() : undefined);
  if (currency !== undefined) return { currency };
  return NEUTRAL.includes(part) ? {} : undefined;
}

/** Undefined: two currencies, or scales that do not multiply. */
function together(a: MoneyUnit, b: MoneyUnit): MoneyUnit | undefined {
  if (a.currency !== undefined && b.currency !== undefined && a.currency !== b.currency) return undefined;
  const currency = a.currency ?? b.currency;
  const places =
    a.places === undefined || b.places === undefined
      ? (a.places ?? b.places)
      : typeof a.places === 'number' && typeof b.places === 'number'
        ? a.places + b.places
        : 'conflict';
  if (places === 'conflict') return undefined;
  return { ...(places !== undefined && { places }), ...(currency !== undefined && { currency }) };
}

/** Names that are about money where a currency is beside them; `scale` or `precision` may be a model's. */
const OF_CURRENCY =
  /^(?:exponent|decimals|decimalplaces|fractiondigits|fractionaldigits|minorunits?|minorunitdigits|subunittounit|divisor)$/;

/** The members of a record that may qualify an amount; listed once, for a record may have many amounts. */
function qualifiers(record: UnknownObject): readonly (readonly [name: string, value: unknown])[] {
  const known =
    knownQualifiers.get(record) ??
    members(record).flatMap(([key, value]) => {
      const name = plainName(key);
      return value !== null && value !== undefined && UNIT_END.test(name) ? [[name, value] as const] : [];
    });
  knownQualifiers.set(record, known);
  return known;
}

const knownQualifiers = new WeakMap<UnknownObject, readonly (readonly [name: string, value: unknown])[]>();

/** Things that are paid for: {cost: "0.1", unit: "image"}. */
const BASIS =
  /token|image|second|minute|hour|day|week|month|year|request|run|call|item|char|page|step|pixel|video|audio|word|sample|frame|byte|quer|document|^[kmg]b$/;
const UNIT =
  '(?:unit|units|denomination|scale|precision|exponent|decimals|decimalplaces|decimaldigits|fractiondigits|fractionaldigits|digits|minorunit|minorunits|minorunitdigits|subunit|subunits|subunittounit|divisor|divideby|factor|multiplier|power|base|places|magnitude)$';
const UNIT_END = new RegExp(UNIT);
const UNIT_NAME = new RegExp(
  `^(?:currency|amount|money|cost|price|balance|charge)?(?:minor|sub|conversion|scaling|unit)*${UNIT}`,
);
const EXPONENT =
  /(?:scale|precision|exponent|decimals|decimalplaces|decimaldigits|fractiondigits|fractionaldigits|digits|minorunits?|minorunitdigits|places)$/;
const DIVISOR = /(?:subunittounit|divisor|divideby)$/;

/** Whether a name in plain form is that of a unit or a scale beside an amount. */
export function isQualifier(name: string): boolean {
  return UNIT_NAME.test(name);
}

/**
 * The unit that the members beside an amount name; `unknown` where one of them is not understood.
 * @param name of the amount: members that begin with it are about it
 * @param inMoney the record is about this amount alone, so that every qualifier in it is the amount's
 * @param isWhole whether the amount is an integer: a precision beside 12.50 says how it is written
 */
export function unitQualifier(
  record: UnknownObject,
  name: string,
  { inMoney, isWhole }: { readonly inMoney: boolean; readonly isWhole: boolean },
): MoneyUnit | 'unknown' {
  let unit: MoneyUnit = {};
  for (const [plain, value] of qualifiers(record)) {
    const own = plain.startsWith(name) && plain !== name ? plain.slice(name.length) : plain;
    const isOwn =
      own !== plain ||
      inMoney ||
      /^(?:currency|amount)/.test(plain) ||
      (OF_CURRENCY.test(plain) && pick(record, 'currency', 'currencycode') !== undefined);
    if (!UNIT_NAME.test(own)) continue;
    const isNumber = typeof value === 'number' || /^\s*-?\d+\s*$/.test(asText(value) ?? '');
    // In a run's response, a precision or a scale is one of its results.
    if (!isOwn && (isNumber || !/units?$/.test(own))) continue;
    const read = isNumber ? numberOf(own, Number(value), isWhole) : wordOf(value);
    const both = read === 'unknown' ? undefined : together(unit, read);
    if (both === undefined) return 'unknown';
    unit = both;
  }
  return unit.places === undefined && isWhole ? { ...unit, ...placesOfCurrency(record) } : unit;
}

/** {amount: 1250, currency: {code: "USD", exponent: 2}} */
function placesOfCurrency(record: UnknownObject): MoneyUnit {
  const currency = pick(record, 'currency');
  const [, places] = isObject(currency)
    ? (qualifiers(currency).find(([name]) => EXPONENT.test(name)) ?? [])
    : [];
  return typeof places === 'number' && Number.isInteger(places) && places >= 0 && places <= 18
    ? { places }
    : {};
}

function numberOf(name: string, value: number, isWhole: boolean): MoneyUnit | 'unknown' {
  if (DIVISOR.test(name)) {
    const places = Math.log10(value);
    return Number.isInteger(places) && places >= 0 && places <= 18 ? { places } : 'unknown';
  }
  if (!EXPONENT.test(name) || !Number.isInteger(value) || Math.abs(value) > 18) return 'unknown';
  return isWhole ? { places: Math.abs(value) } : {};
}

function wordOf(value: unknown): MoneyUnit | 'unknown' {
  const text = asText(isObject(value) ? undefined : value);
  if (text === undefined) return 'unknown';
  if (BASIS.test(text.toLowerCase())) return {};
  return readUnit(text) ?? 'unknown';
}
