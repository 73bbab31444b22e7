import type { Money } from '../../domain/money';
import { isObject, type UnknownObject } from '../../domain/value';
import { currencyOf, pickMoney } from './money';
import { pick } from './records';

// What a run cost, where its response has it.

const CHARGES = ['cost', 'totalcost', 'charge', 'charged', 'chargedamount', 'amountcharged'];
const COSTS = [...CHARGES, 'price'];
/** Records in which the cost may be, and whether they are about money: `usage.total` counts tokens. */
const PLACES: readonly (readonly [name: string, aboutMoney: boolean])[] = [
  ['billing', true],
  ['usage', false],
  ['cost', true],
  ['receipt', true],
  ['charge', true],
  ['pricing', false],
  ['meta', false],
  ['metadata', false],
  ['metrics', false],
];

/** The cost in a record: under the usual names, or one level inside `billing` and the like. */
export function readCost(record: UnknownObject): Money | undefined {
  const own = pickMoney(record, ...COSTS);
  if (own !== undefined) return own;
  for (const [name, aboutMoney] of PLACES) {
    const inner = pick(record, name);
    if (!isObject(inner)) continue;
    const withCurrency = { currency: currencyOf(record) ?? null, ...inner };
    const billing = pick(inner, 'billing', 'cost', 'receipt');
    const money =
      (aboutMoney ? amountIn(withCurrency) : pickMoney(withCurrency, ...CHARGES)) ??
      (isObject(billing) ? amountIn(billing) : undefined);
    if (money !== undefined) return money;
  }
  return undefined;
}

/** The amount in a record that is about money. */
function amountIn(record: UnknownObject): Money | undefined {
  return pickMoney(record, ...COSTS, 'amount', 'total', 'fee');
}
