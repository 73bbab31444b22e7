import { addAmounts, compareAmounts, readAmount, readCharge, subtractAmounts } from '../../domain/amounts';
import type { BudgetName } from '../../domain/failure';
import { Listeners } from '../../domain/listeners';
import type { Money } from '../../domain/money';
import type { RunRecord } from '../../domain/runRecord';
import { ServiceError } from '../../service/errors';
import type { ResolvedRun, Spent } from '../../store/spending';
import type { Estimates } from '../estimates/estimates';
import type { HeldAmount } from './agentPurse';
import { assessJob, assessTotal, type TotalCost } from './assessJob';
import type { Admission, BudgetState, JobVerdict, PaidJob, PaidRun, Spending } from './budget';

/** The user's settings, canonical amounts; missing: no such budget. */
export interface Limits {
  readonly session?: string;
  readonly workspace?: string;
  /** A job of more runs than this asks first. */
  readonly confirmRuns: number;
}

/**
 * The money spent in this workspace at each service, canonical amounts; it outlives the session. A run that may be
 * charged reserves its estimate from its admission until its cost is known, even if its window is gone.
 */
export interface SpentOfWorkspace {
  of(baseUrl: string): Spent;
  /** A run of this window is admitted: its estimate counts at once. */
  hold(baseUrl: string, id: string, amount: string): void;
  /**
   * Before a held run leaves: all windows count it from now on. A kill of this one does not change that.
   * @param check called when the sums of all windows are known and none of them can change one
   * @throws the error of `check`
   */
  reserve(baseUrl: string, id: string, check: () => void): Promise<void>;
  /** This window knows the cost of a held run; zero: it was not billed. Counts at once. */
  settle(baseUrl: string, id: string, cost: string): void;
  /** The cost of a run of any window became known later. False: it was known, or the run does not count. */
  resolve(baseUrl: string, id: string, cost: string): boolean;
  /** Runs with a cost that became known later. */
  resolved(): readonly ResolvedRun[];
  /** @param kept runs of this window that are in flight */
  reset(baseUrl: string, kept: ReadonlySet<string>): void;
}

export interface GuardPorts {
  /** Read at every decision, so that a changed setting applies at once, also for a running job. */
  limits(): Limits;
  readonly estimates: Pick<Estimates, 'of'>;
  /** Missing: there is no budget but the session's. */
  readonly spent?: SpentOfWorkspace;
  /** BCP 47, for the texts. */
  readonly locale?: string;
}

/** Runs without a known cost that a receipt may still resolve in this session. */
const rememberedRuns = 2000;

interface Account {
  /** Runs admitted so far. */
  admitted: number;
  /** Of those, the ones that had been admitted when the service last responded with 402. */
  admittedAtRefusal: number;
  /** The known costs of this session. */
  spent: string;
  /** The sum of the open runs' estimates. */
  reserved: string;
  unknownRuns: number;
  cannotPay: boolean;
  /** When the service last responded with 402, in milliseconds since the epoch. */
  refusedAt?: number;
  currency?: string;
  balance?: Money;
  /** Runs of this session without a known cost, by id. */
  readonly open: Map<string, OpenRun>;
}

interface OpenRun {
  /** The estimate; "0" where there is none. */
  readonly amount: string;
  /** The run has no estimate. */
  readonly isUnknown: boolean;
  readonly order: number;
  isInFlight: boolean;
}

/**
 * Budgets per session (one extension host) and per workspace, each environment with its own: sandbox and staging
 * never use up production's. Kept in one place, and admitting is synchronous, so runs started together cannot pass a
 * budget together: charges are at most the budget plus the requests in flight when it was reached.
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
    if (account.cannotPay && run.ofJob)
      throw new ServiceError('budgetReached', { why: { reason: 'jobCannotPay' } });
    const { medianCost, published } = this.ports.estimates.of(run);
    const expected = medianCost ?? published;
    const amount = expected && readCharge(expected.amount);
    this.#rejectBeyondBudget('session', run.baseUrl, amount);
    this.#rejectBeyondBudget('workspace', run.baseUrl, amount);
    return this.#admission(run, account, amount, run.agent?.hold(amount));
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
    this.#account(baseUrl).cannotPay = false;
    this.#changed.call();
  }

  /** The wallet was read. */
  noteBalance(baseUrl: string, balance: Money): void {
    const account = this.#account(baseUrl);
    const amount = readAmount(balance.amount);
    if (amount === undefined) return;
    const before = account.balance?.amount;
    account.balance = { ...balance, amount };
    account.currency ??= balance.currency;
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
  resolve({ baseUrl, id }: Pick<RunRecord, 'id' | 'baseUrl'>, amount: string): void {
    const isOurs = this.#learn(baseUrl, id, amount);
    const counted = this.ports.spent?.resolve(baseUrl, id, amount);
    if (isOurs || counted) this.#changed.call();
  }

  /** False: it is no run of this session, or its cost is known. */
  #learn(baseUrl: string, id: string, amount: string): boolean {
    const account = this.#account(baseUrl);
    const open = account.open.get(id);
    if (!open || open.isInFlight) return false;
    closeRun(account, id, open);
    if (open.isUnknown) account.unknownRuns--;
    account.spent = addAmounts(account.spent, amount);
    provePayment(account, open.order, amount);
    return true;
  }

  spending(baseUrl: string): Spending {
    const account = this.#account(baseUrl);
    const limits = this.ports.limits();
    const state = (name: BudgetName): BudgetState => {
      const budget = limits[name];
      return { ...this.#sums(name, baseUrl), ...(budget !== undefined && { budget }) };
    };
    return {
      session: state('session'),
      workspace: state('workspace'),
      unknownRuns: account.unknownRuns,
      cannotPay: account.cannotPay,
      ...(account.refusedAt !== undefined && { refusedAt: account.refusedAt }),
      ...(account.currency !== undefined && { currency: account.currency }),
    };
  }

  /** Starts both budgets of an environment over. Runs in flight still count. */
  reset(baseUrl: string): void {
    const account = this.#account(baseUrl);
    account.spent = '0';
    account.unknownRuns = 0;
    for (const [id, open] of account.open) if (!open.isInFlight) closeRun(account, id, open);
    this.ports.spent?.reset(baseUrl, new Set(account.open.keys()));
    this.#changed.call();
  }

  /** @param own the estimate of the run itself, where it is counted already */
  #rejectBeyondBudget(name: BudgetName, baseUrl: string, expected: string | undefined, own = '0'): void {
    const budget = this.ports.limits()[name];
    if (budget === undefined) return;
    const { spent, reserved } = this.#sums(name, baseUrl);
    const taken = subtractAmounts(addAmounts(spent, reserved), own);
    // A run of unknown cost can be held back only once the budget is used up.
    const reached =
      expected === undefined
        ? compareAmounts(taken, budget) >= 0
        : compareAmounts(addAmounts(taken, expected), budget) > 0;
    if (!reached) return;
    const { currency } = this.#account(baseUrl);
    const money = (amount: string): Money => ({ amount, currency });
    throw new ServiceError('budgetReached', {
      why: {
        reason: 'budget',
        budget: name,
        limit: money(budget),
        taken: money(taken),
        ...(expected !== undefined && { expected: money(expected) }),
      },
    });
  }

  #admission(
    { id, baseUrl }: PaidRun,
    account: Account,
    expected: string | undefined,
    ofAgent: HeldAmount | undefined,
  ): Admission {
    const { spent: ofWorkspace } = this.ports;
    const amount = expected ?? '0';
    const order = ++account.admitted;
    const open: OpenRun = { amount, isUnknown: expected === undefined, order, isInFlight: true };
    openRun(account, id, open);
    ofWorkspace?.hold(baseUrl, id, amount);
    this.#changed.call();
    const check = (name: BudgetName) => this.#rejectBeyondBudget(name, baseUrl, expected, amount);
    let isEnded = false;
    /** @param cost undefined: not known, and the run stays open */
    const end = (cost: string | undefined): boolean => {
      if (isEnded) return false;
      isEnded = true;
      open.isInFlight = false;
      if (cost === undefined) return true;
      closeRun(account, id, open);
      ofWorkspace?.settle(baseUrl, id, cost);
      return true;
    };
    return {
      reserve: async () => ofWorkspace?.reserve(baseUrl, id, () => check('workspace')),
      confirm: () => {
        ofAgent?.confirm();
        check('session');
        check('workspace');
      },
      settle: (cost) => {
        const charge = cost && readCharge(cost.amount);
        if (!end(charge)) return;
        ofAgent?.settle(charge);
        if (cost?.currency !== undefined) account.currency = cost.currency;
        if (charge === undefined) forgetOldest(account, open);
        else {
          provePayment(account, order, charge);
          account.spent = addAmounts(account.spent, charge);
        }
        this.#changed.call();
      },
      release: () => {
        if (!end('0')) return;
        ofAgent?.release();
        this.#changed.call();
      },
      cannotPay: () => {
        if (!end('0')) return;
        ofAgent?.release();
        account.cannotPay = true;
        account.refusedAt = Date.now();
        account.admittedAtRefusal = account.admitted;
        this.#changed.call();
      },
    };
  }

  #sums(name: BudgetName, baseUrl: string): Spent {
    const { spent, reserved } = this.#account(baseUrl);
    return name === 'session' || !this.ports.spent ? { spent, reserved } : this.ports.spent.of(baseUrl);
  }

  #account(baseUrl: string): Account {
    let account = this.#accounts.get(baseUrl);
    if (!account) {
      account = {
        ...{ admitted: 0, admittedAtRefusal: 0, spent: '0', reserved: '0', unknownRuns: 0 },
        ...{ cannotPay: false, open: new Map() },
      };
      this.#accounts.set(baseUrl, account);
    }
    return account;
  }
}

/** A run that was admitted after the last 402, and charged: the wallet can pay again. */
function provePayment(account: Account, order: number, amount: string): void {
  if (order > account.admittedAtRefusal && compareAmounts(amount, '0') > 0) account.cannotPay = false;
}

function openRun(account: Account, id: string, open: OpenRun): void {
  account.open.set(id, open);
  account.reserved = addAmounts(account.reserved, open.amount);
}

function closeRun(account: Account, id: string, open: OpenRun): void {
  if (account.open.get(id) === open) account.open.delete(id);
  account.reserved = subtractAmounts(account.reserved, open.amount);
}

/** The cost of a run is not known when it ends. Of many such runs the oldest count as spent from now on. */
function forgetOldest(account: Account, ended: OpenRun): void {
  if (ended.isUnknown) account.unknownRuns += 1;
  if (account.open.size <= rememberedRuns) return;
  for (const [id, open] of account.open) {
    if (open.isInFlight) continue;
    closeRun(account, id, open);
    account.spent = addAmounts(account.spent, open.amount);
    return;
  }
}
