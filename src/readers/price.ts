import { readCharge } from '../domain/amounts';
import type { Price } from '../domain/model';
import { isObject, type UnknownObject } from '../domain/value';
import { words } from '../domain/words';
import { pickMoney, readMoney, recordCurrency } from './money';
import { readEnding, readUnit, unitQualifier } from './moneyUnits';
import { asText, firstOf, members, oneLine, pick, pickEntry, pickText, plainName } from './records';

// Published prices: an amount with its unit, or the service's own words.

const PRICES = words('price pricing cost unitprice');

const MAY_BE_PRICE = /pric|cost/i;

/** The published price. One below zero is only words: no run gives a budget money back. */
export function readPrice(record: UnknownObject): Price | undefined {
  const price = pricedIn(record);
  if (!price?.money || readCharge(price.money.amount) !== undefined) return price;
  const { amount, currency } = price.money;
  return { text: price.text ?? [amount, currency].join(' ').trim() };
}

function pricedIn(record: UnknownObject): Price | undefined {
  // Asked of every record of a body, and dear to look for.
  if (!members(record).some(([key]) => MAY_BE_PRICE.test(key))) return undefined;
  return perUnit(record) ?? firstOf(PRICES, (name) => priceUnder(record, name));
}

function priceUnder(record: UnknownObject, name: string): Price | undefined {
  const value = pick(record, name);
  const money = pickMoney(
    isObject(value) ? { ...withoutBasis(record), [name]: withoutBasis(value) } : withoutBasis(record),
    name,
  );
  const per = isObject(value)
    ? pickText(value, 'per', 'unit', 'billingunit', 'unitname', 'basis')
    : pickText(record, 'per', 'priceunit', 'pricingunit', 'billingunit');
  if (money !== undefined) return { money, per };
  if (isObject(value)) {
    const inner = readPrice(value) ?? perUnit(value, /^per/);
    return inner ? { ...inner, per: inner.per ?? per } : pricesInWords(value);
  }
  if (Array.isArray(value))
    return value.length === 1 ? readPrice({ [name]: value[0] as unknown }) : undefined;
  return typeof value === 'string' && value.trim() !== '' ? priceText(value.trim()) : undefined;
}

/** price_per_1k_tokens, costPerImageUsd; of several the one of a run. */
function perUnit(
  record: UnknownObject,
  named = /^(?:unit)?(?:price|cost|rate|fee|charge)per/,
): Price | undefined {
  const prices = members(record).flatMap(([key, value]) => {
    if (!named.test(plainName(key))) return [];
    const parts = key
      .replace(/([a-z\d])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .split(/[^a-z\d]+/);
    const unit = parts.slice(parts.indexOf('per') + 1);
    const from = unit.findIndex((_, at) => at > 0 && readEnding(unit.slice(at).join('')) !== undefined);
    const ending = from < 0 ? undefined : readEnding(unit.slice(from).join(''));
    const per = unit.slice(0, from < 0 ? undefined : from).join(' ');
    const money = readMoney(
      value,
      recordCurrency(record),
      ending ?? unitQualifier(record, plainName(key), { inMoney: false, isWhole: Number.isInteger(value) }),
    );
    return money === undefined ? [] : [{ money, per: per === 'call' ? 'run' : per }];
  });
  return prices.find(({ per }) => per === 'run') ?? prices[0];
}

/** Longer words do not fit into a row of the catalog. */
const LONGEST_WORDS = 80;

/** Several prices, in the service's words: {prompt: "0.000001", completion: "0.000002"}. */
function pricesInWords(prices: UnknownObject): Price | undefined {
  const written = members(prices).flatMap(([name, value]) => {
    const text = asText(value);
    return text === undefined ? [] : [`${name} ${text}`];
  });
  const text = written.some((each) => /\d/.test(each))
    ? oneLine(written.join(', '), LONGEST_WORDS)
    : undefined;
  return text === undefined ? undefined : { text };
}

/** A unit that is not a currency is the basis of the price: {amount: 1, unit: "widget"}. */
function withoutBasis(record: UnknownObject): UnknownObject {
  const unit = pickEntry(record, 'unit');
  if (typeof unit?.[1] !== 'string' || readUnit(unit[1]) !== undefined) return record;
  return { ...record, [unit[0]]: undefined };
}

/** "0.01 USD / image", "$0.02 per second", or words alone ("free while in preview"). */
function priceText(text: string): Price {
  const sign = /\/|\bper\b/i.exec(text);
  const money = sign === null ? undefined : readMoney(text.slice(0, sign.index).trim());
  if (sign === null || money === undefined) return { text };
  const per = text.slice(sign.index + sign[0].length).trim();
  return per === '' ? { text } : { money, per, text };
}
