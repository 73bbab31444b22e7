import { addAmounts, compareAmounts, readAmount, readCharge, timesAmount } from '../../domain/amounts';
import type { BudgetName } from '../../domain/failure';
import { Listeners } from '../../domain/listeners';
import type { Money } from '../../domain/money';
import type { RunRecord } from '../../domain/runRecord';
import { ServiceError } from '../../service/errors';
import { addSpent, negative, type Spent } from '../../store/spending';
import { highestCost } from '../estimates/estimate';
import type { Estimates } from '../estimates/estimates';
import {
  type Account,
  amountIn,
  closeRun,
  forgetOldest,
  isIn,
  isSame,
  newAccount,
  type OpenRun,
  openRun,
  provePayment,
  sumIn,
} from './account';
import type { HeldAmount } from './agentPurse';
import { assessJob, assessTotal, type TotalCost } from './assessJob';
import type { Admission, BudgetState, JobVerdict, PaidJob, PaidRun, Spending } from './budget';
import type { WorkspaceSpending } from './workspaceSpending';

/** The user's settings, of canonical amounts; missing: no such budget. Without a currency it is in the wallet's. */
export interface Limits {
  readonly session?: Money;
  readonly workspace?: Money;
  /** A job of more runs than this asks first. */
  readonly confirmRuns: number;
}

export interface GuardPorts {
  /** Read at every decision, so that a changed setting applies at once, also for a running job. */
  limits(): Limits;
  readonly estimates: Pick<Estimates, 'of'>;
  /** Missing: there is no budget but the session's. */
  readonly spent?: Omit<WorkspaceSpending, 'close'>;
  readonly locale?: string;
}

/**
 * Runs of a job or an agent are sent together only while the budget, and the permission, would bear them at this many
 * times the highest cost of the last runs. Beyond that each waits for those before it: a price that rises exceeds it by
 * one run, not by all in flight. Without such a number only one run at a time could promise that.
 */
const LARGEST_RISE = 50;
const BUDGETS: readonly BudgetName[] = ['session', 'workspace'];
const NO_COST: Money = { amount: '0' };

/**
 * Budgets per session (one extension host) and per workspace, each environment with its own: sandbox and staging
 * never use up production's. Each sum is by currency, and a budget has one. Kept in one place, and admitting is
 * synchronous, so runs started together cannot pass a budget together: see `LARGEST_RISE` for the cost that may exceed it.
 */
export class Guard {
  readonly #accounts = new Map<string, Account>();
  readonly #changed = new Listeners();
  readonly onDidChange = this.#changed.add;

  constructor(private readonly ports: GuardPorts) {}

  /**
   * Before a run is sent; see `Admission` for its end.
   * @throws ServiceError `budgetReached` when a budget does not allow another run, or a job's run cannot be paid
   */
  admit(run: PaidRun): Admission {
    const account = this.#account(run.baseUrl);
    this.#rejectStopped(run, account);
    const expected = this.#expected(run, account);
    for (const name of BUDGETS) this.#rejectBeyondBudget(name, run.baseUrl, expected);
    return this.#admission(run, account, expected, run.agent?.hold(expected));
  }

  /** The highest of the last runs' costs, of a canonical amount; undefined: none is known. */
  #expected(run: PaidRun, account: Account): Money | undefined {
    const highest = highestCost(this.ports.estimates.of(run));
    const amount = highest && readCharge(highest.amount);
    const known = amount === undefined ? undefined : { ...highest, amount };
    const raised = account.raised.get(priceKey(run));
    if (!raised) return known;
    if (!known || (isSame(known, raised) && compareAmounts(known.amount, raised.amount) < 0)) return raised;
    account.raised.delete(priceKey(run));
    return known;
  }

  /** What to show and ask before a job. */
  assess(job: PaidJob): JobVerdict {
    const { items, allItems } = job;
    const inLast = items !== undefined && allItems !== undefined ? allItems - items * (job.runs - 1) : items;
    return assessJob(job, {
      estimate: this.ports.estimates.of(job),
      ...(inLast !== items && { lastRun: this.ports.estimates.of({ ...job, items: inLast }) }),
      spending: this.spending(job.baseUrl),
      balance: this.#account(job.baseUrl).balance,
      confirmRuns: this.ports.limits().confirmRuns,
      locale: this.ports.locale,
    });
  }

  /** The same for runs with a sum of their estimated costs. */
  assessTotal(baseUrl: string, cost: TotalCost): JobVerdict {
    return assessTotal(cost, {
      spending: this.spending(baseUrl),
      balance: this.#account(baseUrl).balance,
      confirmRuns: this.ports.limits().confirmRuns,
      locale: this.ports.locale,
    });
  }

  /** The user said yes to a job: runs may be tried again after a 402. */
  approve(baseUrl: string): void {
    const account = this.#account(baseUrl);
    account.cannotPay = false;
    account.foreign = undefined;
    this.#changed.call();
  }

  /** The wallet was read. */
  noteBalance(baseUrl: string, balance: Money): void {
    const account = this.#account(baseUrl);
    const amount = readAmount(balance.amount);
    if (amount === undefined) return;
    const before = account.balance?.amount;
    account.balance = { ...balance, amount };
    // Only a balance that has grown since the 402 proves that runs can be paid again: the balance that could not pay may
    // well be above zero.
    if (before !== undefined && compareAmounts(amount, before) > 0) account.cannotPay = false;
    this.#changed.call();
  }

  /** The sums of the workspace have changed, perhaps as another window has learned the cost of a run of this one. */
  noteSpent(): void {
    for (const { baseUrl, id, cost } of this.ports.spent?.resolved() ?? []) this.#learn(baseUrl, id, cost);
    this.#changed.call();
  }

  /**
   * The cost of a run became known after it was settled, "0" where it was not billed: it replaces the estimate that
   * counted, also of another window.
   */
  resolve({ baseUrl, id }: Pick<RunRecord, 'id' | 'baseUrl'>, cost: Money): void {
    const isOurs = this.#learn(baseUrl, id, cost);
    const counted = this.ports.spent?.resolve(baseUrl, id, cost);
    if (isOurs || counted) this.#changed.call();
  }

  /** False: it is no run of this session, or its cost is known. */
  #learn(baseUrl: string, id: string, cost: Money): boolean {
    const account = this.#account(baseUrl);
    const open = account.open.get(id);
    if (!open || open.isInFlight) return false;
    closeRun(account, id, open);
    if (open.isUnknown) account.unknownRuns--;
    account.sums = addSpent(account.sums, { spent: [cost], reserved: [] });
    provePayment(account, open.order, cost.amount);
    return true;
  }

  spending(baseUrl: string): Spending {
    const account = this.#account(baseUrl);
    const limits = this.ports.limits();
    const state = (name: BudgetName): BudgetState => {
      const { spent, reserved } = this.#sums(name, baseUrl);
      const currency = this.#currency(name, baseUrl);
      const budget = limits[name]?.amount;
      return {
        spent: sumIn(currency, spent),
        reserved: sumIn(currency, reserved),
        others: spent.filter((one) => !isIn(currency, one)),
        ...(currency !== undefined && { currency }),
        ...(budget !== undefined && { budget }),
      };
    };
    return {
      session: state('session'),
      workspace: state('workspace'),
      unknownRuns: account.unknownRuns,
      cannotPay: account.cannotPay,
      ...(account.refusedAt !== undefined && { refusedAt: account.refusedAt }),
    };
  }

  /** Starts both budgets of an environment over. Runs in flight still count. */
  reset(baseUrl: string): void {
    const account = this.#account(baseUrl);
    account.sums = { ...account.sums, spent: [] };
    account.unknownRuns = 0;
    for (const [id, open] of account.open) if (!open.isInFlight) closeRun(account, id, open);
    this.ports.spent?.reset(baseUrl, new Set(account.open.keys()));
    this.#changed.call();
  }

  /** @param own the estimate of the run itself, where it is counted already */
  #rejectBeyondBudget(name: BudgetName, baseUrl: string, expected: Money | undefined, own?: Money): void {
    const limit = this.ports.limits()[name];
    if (limit === undefined) return;
    const currency = this.#currency(name, baseUrl);
    const { spent, reserved } = this.#sums(name, baseUrl);
    const taken = sumIn(currency, [...spent, ...reserved, ...(own ? [negative(own)] : [])]);
    const amount = amountIn(currency, expected);
    // A run of unknown cost can be held back only once the budget is used up.
    const reached =
      amount === undefined
        ? compareAmounts(taken, limit.amount) >= 0
        : compareAmounts(addAmounts(taken, amount), limit.amount) > 0;
    if (!reached) return;
    const money = (of: string): Money => ({ amount: of, currency });
    throw new ServiceError('budgetReached', {
      why: {
        reason: 'budget',
        budget: name,
        limit: money(limit.amount),
        taken: money(taken),
        ...(amount !== undefined && { expected: money(amount) }),
      },
    });
  }

  /** A job sends no further run after one that could not be paid, or that a budget cannot count. */
  #rejectStopped({ baseUrl, ofJob }: PaidRun, { cannotPay, foreign: cost }: Account): void {
    if (!ofJob) return;
    if (cannotPay) throw new ServiceError('budgetReached', { why: { reason: 'jobCannotPay' } });
    const limit = cost && this.#budgetOfOtherCurrency(baseUrl, cost);
    if (limit) throw new ServiceError('budgetReached', { why: { reason: 'otherCurrency', cost, limit } });
  }

  /** A budget that cannot count a cost. */
  #budgetOfOtherCurrency(baseUrl: string, cost: Money): Money | undefined {
    const limits = this.ports.limits();
    for (const name of BUDGETS) {
      const currency = this.#currency(name, baseUrl);
      const limit = limits[name];
      if (limit !== undefined && !isIn(currency, cost)) return { ...limit, currency };
    }
    return undefined;
  }

  /** Whether a run of a job or an agent has to wait until those in flight have ended: see `LARGEST_RISE`. */
  #hasToWait(account: Account, open: OpenRun, { baseUrl, agent }: PaidRun, expected?: Money): boolean {
    const isUnderWay = ({ isSent, isInFlight }: OpenRun) => isSent && isInFlight;
    const all = [...account.open.values()];
    if (!all.some(isUnderWay)) return false;
    const isBeside = (one: OpenRun) => one === open || isUnderWay(one);
    const ofAgents = all.filter((one) => one.isOfAgent && isBeside(one)).map(({ amount }) => amount);
    const dearestOfAgents = timesAmount(sumIn(expected?.currency, ofAgents), LARGEST_RISE);
    if (agent && (account.isDearer || !agent.mayCost(dearestOfAgents))) return true;
    const others = all.filter((one) => !isBeside(one)).map(({ amount }) => negative(amount));
    return BUDGETS.some((name) => {
      const limit = this.ports.limits()[name];
      if (limit === undefined) return false;
      const currency = this.#currency(name, baseUrl);
      if (account.isDearer) return true;
      // The first run shows the cost of one. A service that names no cost cannot be bounded: its runs go on together.
      if (amountIn(currency, expected) === undefined) return account.unknownRuns === 0;
      const { spent, reserved } = this.#sums(name, baseUrl);
      const underWay = sumIn(currency, [...reserved, ...others]);
      const dearest = addAmounts(sumIn(currency, spent), timesAmount(underWay, LARGEST_RISE));
      return compareAmounts(dearest, limit.amount) > 0;
    });
  }

  #admission(
    run: PaidRun,
    account: Account,
    expected: Money | undefined,
    ofAgent: HeldAmount | undefined,
  ): Admission {
    const { id, baseUrl } = run;
    const { spent: ofWorkspace } = this.ports;
    const order = ++account.admitted;
    const isOfAgent = run.agent !== undefined;
    const open: OpenRun = {
      amount: expected ?? NO_COST,
      isUnknown: expected === undefined,
      order,
      isInFlight: true,
      isOfAgent,
      isSent: !run.ofJob && !isOfAgent,
    };
    openRun(account, id, open);
    ofWorkspace?.hold(baseUrl, id, open.amount);
    this.#changed.call();
    const check = (name: BudgetName) =>
      this.#rejectBeyondBudget(name, baseUrl, open.isUnknown ? undefined : open.amount, open.amount);
    let isEnded = false;
    /** @param cost undefined: not known, and the run stays open */
    const end = (cost: Money | undefined): boolean => {
      if (isEnded) return false;
      isEnded = true;
      open.isInFlight = false;
      if (cost !== undefined) {
        closeRun(account, id, open);
        ofWorkspace?.settle(baseUrl, id, cost);
      }
      if (![...account.open.values()].some(({ isInFlight }) => isInFlight)) account.isDearer = false;
      for (const wake of account.waiting) wake();
      account.waiting.clear();
      return true;
    };
    return {
      reserve: async () => {
        while (!open.isSent && this.#hasToWait(account, open, run, this.#expected(run, account))) {
          await new Promise<void>((resolve) => account.waiting.add(resolve));
          // Another job has sent it.
          if (isEnded) return;
        }
        open.isSent = true;
        const now = this.#expected(run, account);
        if (now && compareAmounts(now.amount, open.amount.amount) > 0) {
          closeRun(account, id, open);
          open.amount = now;
          open.isUnknown = false;
          openRun(account, id, open);
          ofWorkspace?.hold(baseUrl, id, now);
        }
        await ofWorkspace?.reserve(baseUrl, id, () => check('workspace'));
      },
      confirm: () => {
        this.#rejectStopped(run, account);
        ofAgent?.confirm();
        for (const name of BUDGETS) check(name);
      },
      settle: (cost) => {
        const amount = cost && readCharge(cost.amount);
        const charge = amount === undefined ? undefined : { ...cost, amount };
        const isDearer =
          charge && (!isSame(charge, open.amount) || compareAmounts(charge.amount, open.amount.amount) > 0);
        if (!isEnded && isDearer) {
          account.isDearer = true;
          account.raised.set(priceKey(run), charge);
        }
        if (!end(charge)) return;
        ofAgent?.settle(charge);
        if (charge === undefined) forgetOldest(account, open);
        else {
          provePayment(account, order, charge.amount);
          account.sums = addSpent(account.sums, { spent: [charge], reserved: [] });
          if (this.#budgetOfOtherCurrency(baseUrl, charge)) account.foreign = charge;
        }
        this.#changed.call();
      },
      release: () => {
        if (!end(NO_COST)) return;
        ofAgent?.release();
        this.#changed.call();
      },
      cannotPay: () => {
        if (!end(NO_COST)) return;
        ofAgent?.release();
        account.cannotPay = true;
        account.refusedAt = Date.now();
        account.admittedAtRefusal = account.admitted;
        this.#changed.call();
      },
    };
  }

  /** A budget's: the one that it names, else the wallet's, else that of the first known cost. */
  #currency(name: BudgetName, baseUrl: string): string | undefined {
    const { balance } = this.#account(baseUrl);
    const { spent, reserved } = this.#sums(name, baseUrl);
    return (
      this.ports.limits()[name]?.currency ??
      balance?.currency ??
      [...spent, ...reserved].find(({ currency }) => currency !== undefined)?.currency
    );
  }

  #sums(name: BudgetName, baseUrl: string): Spent {
    const { sums } = this.#account(baseUrl);
    return name === 'session' || !this.ports.spent ? sums : this.ports.spent.of(baseUrl);
  }

  #account(baseUrl: string): Account {
    let account = this.#accounts.get(baseUrl);
    if (!account) {
      account = newAccount();
      this.#accounts.set(baseUrl, account);
    }
    return account;
  }
}

/** Runs of one price: of a model's mode. */
function priceKey({ model, mode }: PaidRun): string {
  return JSON.stringify([model, mode]);
}
