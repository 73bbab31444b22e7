import { readCharge } from '../domain/amounts';
import type { Money } from '../domain/money';
import { isObject, type UnknownObject } from '../domain/value';
import { words } from '../domain/words';
import { pickMoney, recordCurrency, withCurrency } from './money';
import { firstOf, members, pick, plainName } from './records';

// The cost of a run, where its response has it.

const CHARGES = words('cost totalcost charge charged');
const COSTS = [...CHARGES, 'price'];
/** Names of an amount in a record that is about money. */
const AMOUNTS = [...COSTS, 'amount', 'total', 'fee'];
/** Records in which the cost may be, and the names it may have there: `usage.total` counts tokens. */
const PLACES: readonly (readonly [place: string, names: readonly string[]])[] = [
  ['billing', AMOUNTS],
  ['usage', CHARGES],
  ['cost', AMOUNTS],
  ['receipt', AMOUNTS],
  ['charge', AMOUNTS],
  ...words('pricing meta metadata metrics').map((place) => [place, CHARGES] as const),
];

/** Names that the result of a model may have as well: the price of a house, the charge of an ion. */
const RESULTS = new Set(words('price charge'));

/**
 * The cost of a run.
 * @param isBare nothing says that the record is an envelope: it may be the result itself
 */
export function readCost(record: UnknownObject, isBare = false): Money | undefined {
  const money = readSignedCost(isBare ? withoutResults(record) : record);
  return money && readCharge(money.amount) === undefined ? undefined : money;
}

function withoutResults(record: UnknownObject): UnknownObject {
  return Object.fromEntries(members(record).filter(([key]) => !RESULTS.has(plainName(key))));
}

/** The cost in a record: under the usual names, or one level inside `billing` and the like. Entries of debits have a minus. */
export function readSignedCost(record: UnknownObject): Money | undefined {
  const own = pickMoney(record, ...COSTS);
  if (own !== undefined) return own;
  return firstOf(PLACES, ([place, names]) => {
    const inner = pick(record, place);
    if (!isObject(inner)) return undefined;
    const billing = pick(inner, 'billing', 'cost', 'receipt');
    return (
      pickMoney(withCurrency(inner, recordCurrency(record)), ...names) ??
      (isObject(billing) ? pickMoney(billing, ...AMOUNTS) : undefined)
    );
  });
}
