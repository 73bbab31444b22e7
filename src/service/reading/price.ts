import type { Price } from '../../domain/model';
import { isObject, type UnknownObject } from '../../domain/value';
import { pickMoney, readMoney } from './money';
import { pick, pickText } from './records';

// Published prices: an amount with its unit, or the service's own words.

const PRICES: readonly (readonly [name: string, per?: string])[] = [
  ['priceperrun', 'run'],
  ['costperrun', 'run'],
  ['pricepercall', 'run'],
  ['priceperrequest', 'request'],
  ['priceperimage', 'image'],
  ['pricepersecond', 'second'],
  ['price'],
  ['pricing'],
  ['cost'],
  ['unitprice'],
];

export function readPrice(record: UnknownObject): Price | undefined {
  for (const [name, per] of PRICES) {
    const value = pick(record, name);
    const money = pickMoney(record, name);
    const unit = per ?? (isObject(value) ? unitIn(value) : unitBeside(record));
    if (money !== undefined) return { money, per: unit };
    if (isObject(value)) {
      const inner = readPrice(value) ?? namedPer(value);
      if (inner !== undefined) return { ...inner, per: inner.per ?? unit };
    }
    if (typeof value === 'string' && value.trim() !== '') return priceText(value.trim());
  }
  return undefined;
}

/** {per_run: "0.01"}: the unit is in the name. */
function namedPer(record: UnknownObject): Price | undefined {
  for (const per of ['run', 'request', 'image', 'second', 'item', 'call']) {
    const money = pickMoney(record, `per${per}`, per);
    if (money !== undefined) return { money, per };
  }
  return undefined;
}

function unitIn(price: UnknownObject): string | undefined {
  return pickText(price, 'per', 'unit', 'billingunit', 'unitname', 'basis');
}

function unitBeside(record: UnknownObject): string | undefined {
  return pickText(record, 'per', 'priceunit', 'pricingunit', 'billingunit');
}

/** "0.01 USD / image", "$0.02 per second", or words alone ("free while in preview"). */
function priceText(text: string): Price {
  const [, amount, per] = /^(.*?)\s*(?:\/|\bper\b)\s*(.+)$/i.exec(text) ?? [];
  const money = amount === undefined ? undefined : readMoney(amount);
  return money === undefined ? { text } : { money, per, text };
}
