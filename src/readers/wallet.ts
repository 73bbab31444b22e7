import type { RawResponse, Wallet, WalletResponse } from '../domain/response';
import { isObject } from '../domain/value';
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
const WRAPPERS = words('wallet data account result attributes balances');
/** A status or a balance in words, for a status bar and its tooltip. */
const LONGEST_WORDS = 60;

/** The wallet in a body, or in an array of one; else the balance in the service's own words. */
export function readWallet(raw: RawResponse): WalletResponse {
  // A balance of 0 beside an error is not the balance.
  if (saysFailure(raw.json)) return { raw };
  const read = walletIn(raw.json, 0);
  return typeof read === 'object' ? { raw, wallet: read } : { raw, words: read };
}

function walletIn(json: unknown, depth: number): Wallet | string | undefined {
  if (Array.isArray(json)) return json.length === 1 ? walletIn(json[0], depth + 1) : undefined;
  if (!isObject(json) || depth > 3) return undefined;
  const [name = '', value] = pickEntry(json, ...BALANCES) ?? [];
  const isSpent = isObject(value) && pick(value, ...SPENT) !== undefined;
  const inner = isObject(value) ? walletIn(withCurrency(value, recordCurrency(json)), depth + 1) : undefined;
  const own = isSpent ? undefined : pickMoney(json, ...BALANCES);
  const money = typeof inner === 'object' ? inner.balance : own;
  if (money !== undefined) {
    const balance = /credits$/i.test(name) ? { currency: 'credits', ...money } : money;
    return { balance, status: oneLine(pickText(json, 'status', 'state'), LONGEST_WORDS) };
  }
  const wrapped = firstOf(WRAPPERS, (each) => walletIn(pick(json, each), depth + 1));
  return wrapped ?? (name === '' ? undefined : inWords(isObject(value) ? value : json, LONGEST_WORDS));
}
