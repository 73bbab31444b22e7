import { readCharge } from '../domain/amounts';
import type { Price } from '../domain/model';
import { isObject, type UnknownObject } from '../domain/value';
import { words } from '../domain/words';
import { pickMoney, readMoney } from './money';
import { readUnit } from './moneyUnits';
import { firstOf, members, pick, pickEntry, pickText } from './records';

// Published prices: an amount with its unit, or the service's own words.

const PRICES: readonly (readonly [name: string, per?: string])[] = [
  ...words('priceperrun costperrun pricepercall').map((name) => [name, 'run'] as const),
  ...words('request image second').map((per) => [`priceper${per}`, per] as const),
  ...words('price pricing cost unitprice').map((name) => [name] as const),
];

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
  return firstOf(PRICES, ([name, per]) => {
    const value = pick(record, name);
    const money = pickMoney(
      isObject(value) ? { ...withoutBasis(record), [name]: withoutBasis(value) } : withoutBasis(record),
      name,
    );
    const unit =
      per ??
      (isObject(value)
        ? pickText(value, 'per', 'unit', 'billingunit', 'unitname', 'basis')
        : pickText(record, 'per', 'priceunit', 'pricingunit', 'billingunit'));
    if (money !== undefined) return { money, per: unit };
    if (isObject(value)) {
      const inner = readPrice(value) ?? namedPer(value);
      return inner && { ...inner, per: inner.per ?? unit };
    }
    return typeof value === 'string' && value.trim() !== '' ? priceText(value.trim()) : undefined;
  });
}

/** A unit that is not a currency is the basis of the price: {amount: 1, unit: "widget"}. */
function withoutBasis(record: UnknownObject): UnknownObject {
  const unit = pickEntry(record, 'unit');
  if (typeof unit?.[1] !== 'string' || readUnit(unit[1]) !== undefined) return record;
  return { ...record, [unit[0]]: undefined };
}

/** {per_run: "0.01"}: the unit is in the name. */
function namedPer(record: UnknownObject): Price | undefined {
  return firstOf(words('run request image second item call'), (per) => {
    const money = pickMoney(record, `per${per}`, per);
    return money && { money, per };
  });
}

/** "0.01 USD / image", "$0.02 per second", or words alone ("free while in preview"). */
function priceText(text: string): Price {
  const sign = /\/|\bper\b/i.exec(text);
  const money = sign === null ? undefined : readMoney(text.slice(0, sign.index).trim());
  if (sign === null || money === undefined) return { text };
  const per = text.slice(sign.index + sign[0].length).trim();
  return per === '' ? { text } : { money, per, text };
}
