import { readCharge } from '../domain/amounts';
import type { Price } from '../domain/model';
import { isObject, type UnknownObject } from '../domain/value';
import { oneLine } from '../domain/words';
import { pickMoney, readMoney } from './money';
import { firstOf, inWords, pick, pickText } from './records';

// Published prices: an amount with its unit, or the service's own words.

/** Longer words do not fit into a row of the catalog. */
const LONGEST_WORDS = 80;

/** The published price. One below zero is only words: no run gives a budget money back. */
export function readPrice(record: UnknownObject): Price | undefined {
  const price = firstOf(['price', 'pricing', 'cost'], (name) => priceUnder(record, name));
  if (!price?.money || readCharge(price.money.amount) !== undefined) return price;
  const { amount, currency } = price.money;
  return { text: price.text ?? [amount, currency].join(' ').trim() };
}

function priceUnder(record: UnknownObject, name: string): Price | undefined {
  const value = pick(record, name);
  const money = pickMoney(record, name);
  const per = pickText(isObject(value) ? value : record, 'per', 'unit', 'priceunit');
  if (money !== undefined) return { money, per };
  if (isObject(value)) {
    const text = inWords(value, LONGEST_WORDS);
    return readPrice(value) ?? (text !== undefined && /\d/.test(text) ? { text } : undefined);
  }
  return typeof value === 'string' && value.trim() !== '' ? priceText(value.trim()) : undefined;
}

/** "0.01 USD / image", "$0.02 per second", or words alone ("free while in preview"). */
function priceText(written: string): Price {
  const text = oneLine(written, LONGEST_WORDS) ?? written;
  const [amount = '', per = ''] = text.split(/\/|\bper\b/i).map((part) => part.trim());
  const money = readMoney(amount);
  return money === undefined || per === '' ? { text } : { money, per, text };
}
