import { readCharge } from '../domain/amounts';
import type { Money } from '../domain/money';
import { isObject, type UnknownObject } from '../domain/value';
import { words } from '../domain/words';
import { pickMoney, recordCurrency, withCurrency } from './money';
import { firstOf, pick } from './records';

// The cost of a run, where its response has it.

const COSTS = words('cost totalcost charged');
/** The same, as a model's result may have them too: the price of a house, the charge of an ion. */
const DOUBTFUL = words('charge price');
const AMOUNTS = [...COSTS, ...DOUBTFUL, ...words('amount total')];
/** Records in which the cost may be. */
const ABOUT_MONEY = words('billing cost charge');

/** The cost of a run. @param isBare nothing says that the record is an envelope: it may be the result itself */
export function readCost(record: UnknownObject, isBare = false): Money | undefined {
  const money = readSignedCost(record, isBare);
  return money && readCharge(money.amount) === undefined ? undefined : money;
}

/** The cost in a record: under the usual names, or inside `billing` and the like. Entries of debits have a minus. */
export function readSignedCost(record: UnknownObject, isBare = false): Money | undefined {
  const inner = (name: string) => {
    const value = pick(record, name);
    return isObject(value) ? pickMoney(withCurrency(value, recordCurrency(record)), ...AMOUNTS) : undefined;
  };
  return pickMoney(record, ...COSTS, ...(isBare ? [] : DOUBTFUL)) ?? firstOf(ABOUT_MONEY, inner);
}
