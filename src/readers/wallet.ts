import type { RawResponse, Wallet, WalletResponse } from '../domain/response';
import { isObject, type UnknownObject } from '../domain/value';
import { oneLine, words } from '../domain/words';
import { pickMoney, recordCurrency, withCurrency } from './money';
import { firstOf, inWords, pick, pickEntry, pickText } from './records';
import { saysFailure } from './stateWords';

// The wallet: "body: not shown". The spendable amount comes first, since users want to know it.

const BALANCES = words(
  'availablebalance availablecredits available balance currentbalance remaining credits amount',
);
/** A total is no balance where a part of it is spent. */
const SPENT = words('used spent consumed');
const WRAPPERS = words('wallet data account');
/** A status or a balance in words, for a status bar and its tooltip. */
const LONGEST_WORDS = 60;

/** The wallet in a body, or one envelope; else the balance in the service's own words. */
export function readWallet(raw: RawResponse): WalletResponse {
  // A balance of 0 beside an error is not the balance.
  if (saysFailure(raw.json)) return { raw };
  const body = isObject(raw.json) ? raw.json : {};
  const records = [body, ...WRAPPERS.map((name) => pick(body, name)).filter(isObject)];
  const read = firstOf(records, walletIn);
  return typeof read === 'object' ? { raw, wallet: read } : { raw, words: read };
}

function walletIn(json: UnknownObject): Wallet | string | undefined {
  const [name = '', value] = pickEntry(json, ...BALANCES) ?? [];
  const isSpent = isObject(value) && pick(value, ...SPENT) !== undefined;
  const inner = isObject(value) ? walletIn(withCurrency(value, recordCurrency(json))) : undefined;
  const own = isSpent ? undefined : pickMoney(json, ...BALANCES);
  const money = typeof inner === 'object' ? inner.balance : own;
  if (money !== undefined) {
    const balance = /credits$/i.test(name) ? { currency: 'credits', ...money } : money;
    return { balance, status: oneLine(pickText(json, 'status', 'state'), LONGEST_WORDS) };
  }
  return name === '' ? undefined : inWords(isObject(value) ? value : json, LONGEST_WORDS);
}
