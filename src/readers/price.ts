import { readCharge } from '../domain/amounts';
import type { Price } from '../domain/model';
import { isObject, type UnknownObject } from '../domain/value';
import { words } from '../domain/words';
import { pickMoney, readMoney, readUnit, recordCurrency } from './money';
import { asText, firstOf, members, oneLine, pick, pickText, plainName } from './records';

// Published prices: an amount with its unit, or the service's own words.

const PRICES = words('price pricing cost');
const MAY_BE_PRICE = /pric|cost/i;
/** Longer words do not fit into a row of the catalog. */
const LONGEST_WORDS = 80;

/** The published price. One below zero is only words: no run gives a budget money back. */
export function readPrice(record: UnknownObject): Price | undefined {
  // Asked of every record of a body.
  if (!members(record).some(([key]) => MAY_BE_PRICE.test(key))) return undefined;
  const price = perUnit(record) ?? firstOf(PRICES, (name) => priceUnder(record, name));
  if (!price?.money || readCharge(price.money.amount) !== undefined) return price;
  const { amount, currency } = price.money;
  return { text: price.text ?? [amount, currency].join(' ').trim() };
}

function priceUnder(record: UnknownObject, name: string): Price | undefined {
  const value = pick(record, name);
  const per = pickText(isObject(value) ? value : record, 'per', 'unit', 'priceunit', 'billingunit');
  const money = pickMoney(record, name);
  if (money !== undefined) return { money, per };
  if (isObject(value)) return perUnit(value) ?? readPrice(value) ?? pricesInWords(value);
  return typeof value === 'string' && value.trim() !== '' ? priceText(value.trim()) : undefined;
}

/** price_per_image, per_minute, cost_per_run_cents; of several the one of a run. */
function perUnit(record: UnknownObject): Price | undefined {
  const prices = members(record).flatMap(([key, value]) => {
    const words = key
      .replace(/([a-z\d])([A-Z])/g, '$1_$2')
      .toLowerCase()
      .split(/[^a-z\d]+/);
    const at = words.indexOf('per');
    if (at < 0 || !/^(?:(?:unit)?(?:price|cost|rate)|)$/.test(words.slice(0, at).join(''))) return [];
    const last = words.length > at + 2 ? readUnit(words.at(-1)!) : undefined;
    const per = words.slice(at + 1, last === undefined ? undefined : -1).join(' ');
    const money = readMoney(value, recordCurrency(record), last ?? {});
    return money === undefined ? [] : [{ money, per: per === 'call' ? 'run' : per }];
  });
  return prices.find(({ per }) => per === 'run') ?? prices[0];
}

/** Several prices, in the service's words: {prompt: "0.000001", completion: "0.000002"}. */
function pricesInWords(prices: UnknownObject): Price | undefined {
  const written = members(prices).flatMap(([name, value]) => {
    const text = asText(value);
    return text === undefined || plainName(name) === 'currency' ? [] : [`${name} ${text}`];
  });
  const text = written.some((each) => /\d/.test(each))
    ? oneLine(written.join(', '), LONGEST_WORDS)
    : undefined;
  return text === undefined ? undefined : { text };
}

/** "0.01 USD / image", "$0.02 per second", or words alone ("free while in preview"). */
function priceText(text: string): Price {
  const sign = /\/|\bper\b/i.exec(text);
  const money = sign === null ? undefined : readMoney(text.slice(0, sign.index).trim());
  const per = sign === null ? '' : text.slice(sign.index + sign[0].length).trim();
  return money === undefined || per === '' ? { text } : { money, per, text };
}
