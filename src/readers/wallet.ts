import type { Money } from '../domain/money';
import type { RawResponse, Wallet, WalletResponse } from '../domain/response';
import { isObject, type UnknownObject } from '../domain/value';
import { words } from '../domain/words';
import { pickFrom, recordCurrency, withCurrency } from './money';
import { asText, firstOf, members, oneLine, pick, pickEntry, pickText, plainName } from './records';
import { saysFailure } from './stateWords';

// The wallet: "body: not shown". The spendable amount comes first, since users want to know it.

const BALANCES = words(`
  availablebalance availablecredits available balance currentbalance remaining remainingbalance remainingcredits
  creditsremaining accountbalance walletbalance creditbalance totalbalance credit credits amount funds
`);
/** A status is a word or two, for a tooltip. */
const LONGEST_STATUS = 60;
const WRAPPERS = words(
  'wallet data attributes result workspace account billing response payload body wallets balances',
);

/** The wallet in a body or in an array of one; undefined for several. */
export function readWallet(raw: RawResponse): WalletResponse {
  // A balance of 0 beside an error is not the balance.
  if (saysFailure(raw.json)) return { raw };
  const wallet = walletIn(raw.json, 0);
  if (wallet !== undefined) return { wallet, raw };
  const words = oneLine(wordsOfBalance(raw.json, 0), LONGEST_WORDS);
  return { raw, ...(words !== undefined && { words }) };
}

/** In a status bar. */
const LONGEST_WORDS = 60;

/** A balance that is not understood, in the service's own words: "amount 1250, unit widgets". */
function wordsOfBalance(json: unknown, depth: number): string | undefined {
  if (Array.isArray(json)) return json.length === 1 ? wordsOfBalance(json[0], depth + 1) : undefined;
  if (!isObject(json) || depth > 3) return undefined;
  const balance = pickEntry(json, ...BALANCES);
  if (balance === undefined) return firstOf(WRAPPERS, (name) => wordsOfBalance(pick(json, name), depth + 1));
  const isRecord = isObject(balance[1]);
  const about = members(isRecord ? (balance[1] as UnknownObject) : json).filter(
    ([key]) =>
      isRecord || key === balance[0] || /unit|currency|scale|exponent|precision|decimals|factor/i.test(key),
  );
  const words = about.flatMap(([key, value]) => {
    const text = asText(value);
    return text === undefined ? [] : [`${key} ${text}`];
  });
  return words.length === 0 ? undefined : words.join(', ');
}

function walletIn(json: unknown, depth: number): Wallet | undefined {
  if (Array.isArray(json)) return json.length === 1 ? walletIn(json[0], depth + 1) : undefined;
  if (!isObject(json) || depth > 3) return undefined;
  const balance = firstOf(BALANCES, (name) => balanceUnder(name, json, depth));
  if (balance !== undefined) {
    const currency = balance.currency ?? (creditsOnly(json) ? 'credits' : undefined);
    return { balance: currency === undefined ? balance : { ...balance, currency }, status: statusOf(json) };
  }
  const wallet = firstOf([...WRAPPERS, ...ofBalances(json)], (name) => {
    const inner = pick(json, name);
    return walletIn(isObject(inner) ? withCurrency(inner, recordCurrency(json)) : inner, depth + 1);
  });
  return wallet && { ...wallet, status: wallet.status ?? statusOf(json) };
}

/** balance_infos: names of records or lists about balances. */
function ofBalances(record: UnknownObject): readonly string[] {
  const names = members(record).map(([name]) => plainName(name));
  return names.filter((name) => /(?:balances?|wallets?)(?:infos?|details?|data|list)$/.test(name));
}

/** {credits: {total, used, remaining}}: the spendable amount within, and no total of which a part is spent. */
function balanceUnder(name: string, record: UnknownObject, depth: number): Money | undefined {
  const value = pick(record, name);
  if (!isObject(value)) return pickFrom(record, [name], true);
  const inner = walletIn(withCurrency(value, recordCurrency(record)), depth + 1)?.balance;
  const isSpent = pick(value, 'used', 'spent', 'consumed') !== undefined;
  return inner ?? (isSpent ? undefined : pickFrom(record, [name], true));
}

/** A balance under `credits` alone counts credits, not money. */
function creditsOnly(record: UnknownObject): boolean {
  return pick(record, 'credits') !== undefined && pick(record, 'balance') === undefined;
}

function statusOf(record: UnknownObject): string | undefined {
  const status = oneLine(pickText(record, 'status', 'state'), LONGEST_STATUS);
  if (status !== undefined) return status;
  if (pick(record, 'suspended', 'issuspended', 'frozen', 'blocked') === true) return 'suspended';
  return undefined;
}
