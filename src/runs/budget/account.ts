import { addAmounts, compareAmounts } from '../../domain/amounts';
import type { Money } from '../../domain/money';
import { addSpent, NOTHING_SPENT, negative, type Spent } from '../../store/spending';

/** Runs without a known cost that a receipt may still resolve in this session. */
const rememberedRuns = 2000;
/** Spending of a session at one service. */
export interface Account {
  admitted: number;
  /** Of those, the ones that had been admitted when the service last responded with 402. */
  admittedAtRefusal: number;
  /** The known costs of this session, and the open runs' estimates. */
  sums: Spent;
  /** Charges above their reserves, by `priceKey`, until the estimates include them. */
  readonly raised: Map<string, Money>;
  /** A run was charged more than it reserved: those in flight end before the next starts. */
  isDearer: boolean;
  /** A cost that no budget can count: jobs stop, until the user starts one again. */
  foreign?: Money;
  /** Runs that wait for those in flight. */
  readonly waiting: Set<() => void>;
  unknownRuns: number;
  cannotPay: boolean;
  /** When the service last responded with 402, in milliseconds since the epoch. */
  refusedAt?: number;
  balance?: Money;
  /** Runs of this session without a known cost, by id. */
  readonly open: Map<string, OpenRun>;
}

/** A run without a known cost. */
export interface OpenRun {
  /** The highest expected cost; zero where it is not known. */
  amount: Money;
  /** The run has no estimate. */
  isUnknown: boolean;
  readonly order: number;
  isInFlight: boolean;
  readonly isOfAgent: boolean;
  /** It no longer waits for other runs. */
  isSent: boolean;
}

export function newAccount(): Account {
  return {
    admitted: 0,
    admittedAtRefusal: 0,
    sums: NOTHING_SPENT,
    raised: new Map(),
    isDearer: false,
    waiting: new Set(),
    unknownRuns: 0,
    cannotPay: false,
    open: new Map(),
  };
}

/** A run that was admitted after the last 402, and charged: the wallet can pay again. */
export function provePayment(account: Account, order: number, amount: string): void {
  if (order > account.admittedAtRefusal && compareAmounts(amount, '0') > 0) account.cannotPay = false;
}

export function openRun(account: Account, id: string, open: OpenRun): void {
  account.open.set(id, open);
  account.sums = addSpent(account.sums, { spent: [], reserved: [open.amount] });
}

export function closeRun(account: Account, id: string, open: OpenRun): void {
  if (account.open.get(id) === open) account.open.delete(id);
  account.sums = addSpent(account.sums, { spent: [], reserved: [negative(open.amount)] });
}

/** The cost of a run is not known when it ends. Of many such runs the oldest count as spent from now on. */
export function forgetOldest(account: Account, ended: OpenRun): void {
  if (ended.isUnknown) account.unknownRuns += 1;
  if (account.open.size <= rememberedRuns) return;
  for (const [id, open] of account.open) {
    if (open.isInFlight) continue;
    closeRun(account, id, open);
    account.sums = addSpent(account.sums, { spent: [open.amount], reserved: [] });
    return;
  }
}

/** Amounts without a currency are in the wallet's. */
export function isIn(currency: string | undefined, money: Money): boolean {
  return isSame({ amount: '0', currency }, money);
}

export function isSame(a: Money, b: Money): boolean {
  return a.currency === undefined || b.currency === undefined || a.currency === b.currency;
}

/** The sum of those in a currency: the others are unknown to it. */
export function sumIn(currency: string | undefined, all: readonly Money[]): string {
  return all.filter((one) => isIn(currency, one)).reduce((sum, { amount }) => addAmounts(sum, amount), '0');
}

export function amountIn(currency: string | undefined, money: Money | undefined): string | undefined {
  return money && isIn(currency, money) ? money.amount : undefined;
}
