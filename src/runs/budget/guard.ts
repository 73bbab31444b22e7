import { addAmounts, compareAmounts, readAmount, readCharge, subtractAmounts } from '../../domain/amounts';
import type { BudgetName } from '../../domain/failure';
import { Listeners } from '../../domain/listeners';
import type { Money } from '../../domain/money';
import type { RunRecord } from '../../domain/runRecord';
import { ServiceError } from '../../service/errors';
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

/** The money spent in this workspace at each service, canonical amounts; it outlives the session. */
export interface SpentOfWorkspace {
  of(baseUrl: string): string;
  /** Counts at once; an amount that begins with a minus is taken away. */
  add(baseUrl: string, amount: string): void;
  reset(baseUrl: string): void;
}

export interface GuardPorts {
  /** Read at every decision, so that a changed setting applies at once, also for a running job. */
  limits(): Limits;
  readonly estimates: Pick<Estimates, 'of'>;
  readonly spent: SpentOfWorkspace;
  /** BCP 47, for the texts. */
  readonly locale?: string;
}

/** Runs with an assumed cost until a receipt has it. */
const rememberedAssumptions = 2000;

interface Account {
  /** Runs admitted so far. */
  admitted: number;
  /** Of those, the ones that had been admitted when the service last responded with 402. */
  admittedAtRefusal: number;
  session: string;
  unknownRuns: number;
  cannotPay: boolean;
  /** When the service last responded with 402, in milliseconds since the epoch. */
  refusedAt?: number;
  currency?: string;
  balance?: Money;
  readonly inFlight: Set<{ readonly reserved: string }>;
}

/** The estimate that was charged for a run of unknown cost. */
interface Assumed {
  readonly baseUrl: string;
  readonly amount: string;
  /** The run had no estimate, and counts among those of unknown cost. */
  readonly isUnknown: boolean;
  readonly order: number;
}

/**
 * Budgets per session (one extension host) and per workspace, each environment with its own: sandbox and staging
 * never use up production's. Kept in one place, and admitting is synchronous, so runs started together cannot pass a
 * budget together: charges are at most the budget plus the requests in flight when it was reached.
 */
export class Guard {
  readonly #accounts = new Map<string, Account>();
  readonly #assumed = new Map<string, Assumed>();
  readonly #changed = new Listeners();
  readonly onDidChange = this.#changed.add;

  constructor(private readonly ports: GuardPorts) {}

  /**
   * Called right before a run's bytes leave.
   * @throws ServiceError `budgetReached` when a budget does not allow another run, or a job's run cannot be paid
   */
  admit(run: PaidRun): Admission {
    const account = this.#account(run.baseUrl);
    if (account.cannotPay && run.ofJob)
      throw new ServiceError('budgetReached', { why: { reason: 'jobCannotPay' } });
    const { medianCost, published } = this.ports.estimates.of(run);
    const expected = medianCost ?? published;
    const amount = (expected && readAmount(expected.amount)) ?? undefined;
    this.#rejectBeyondBudget('session', run.baseUrl, account, amount);
    this.#rejectBeyondBudget('workspace', run.baseUrl, account, amount);
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

  /** Another window of this workspace has spent something. */
  noteSpent(): void {
    this.#changed.call();
  }

  /**
   * The cost of a run became known after it was settled, "0" where it was not billed: it replaces the estimate that was
   * charged, also by an earlier window of this workspace.
   */
  resolve(run: Pick<RunRecord, 'id' | 'baseUrl' | 'reserved'>, amount: string): void {
    const assumed = this.#forget(run.id);
    if (assumed) {
      this.#provePayment(this.#account(assumed.baseUrl), assumed.order, amount);
      this.#charge(assumed.baseUrl, subtractAmounts(amount, assumed.amount));
    } else if (run.reserved !== undefined) {
      this.ports.spent.add(run.baseUrl, subtractAmounts(amount, run.reserved));
      this.#changed.call();
    }
  }

  /** Another window has resolved runs of this one: the sum of the workspace is right, that of this session is not. */
  noteResolved(records: readonly Pick<RunRecord, 'id' | 'cost' | 'reserved'>[]): void {
    for (const { id, cost, reserved } of records) {
      if (reserved !== undefined || !this.#assumed.has(id)) continue;
      const { baseUrl, amount, order } = this.#forget(id)!;
      const known = (cost && readCharge(cost.amount)) ?? '0';
      const account = this.#account(baseUrl);
      this.#provePayment(account, order, known);
      account.session = addAmounts(account.session, subtractAmounts(known, amount));
      this.#changed.call();
    }
  }

  #forget(id: string): Assumed | undefined {
    const assumed = this.#assumed.get(id);
    this.#assumed.delete(id);
    if (assumed?.isUnknown) this.#account(assumed.baseUrl).unknownRuns--;
    return assumed;
  }

  spending(baseUrl: string): Spending {
    const account = this.#account(baseUrl);
    const limits = this.ports.limits();
    const reserved = reservedOf(account);
    const state = (name: BudgetName): BudgetState => {
      const budget = limits[name];
      return { spent: this.#spent(name, baseUrl), reserved, ...(budget !== undefined && { budget }) };
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

  /** Starts both budgets of an environment over. */
  reset(baseUrl: string): void {
    const account = this.#account(baseUrl);
    account.session = '0';
    account.unknownRuns = 0;
    for (const [id, assumed] of this.#assumed) if (assumed.baseUrl === baseUrl) this.#assumed.delete(id);
    this.ports.spent.reset(baseUrl);
    this.#changed.call();
  }

  #rejectBeyondBudget(
    name: BudgetName,
    baseUrl: string,
    account: Account,
    expected: string | undefined,
  ): void {
    const budget = this.ports.limits()[name];
    if (budget === undefined) return;
    const taken = addAmounts(this.#spent(name, baseUrl), reservedOf(account));
    // A run of unknown cost can be held back only once the budget is used up.
    const reached =
      expected === undefined
        ? compareAmounts(taken, budget) >= 0
        : compareAmounts(addAmounts(taken, expected), budget) > 0;
    if (!reached) return;
    const money = (amount: string): Money => ({ amount, currency: account.currency });
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
    run: PaidRun,
    account: Account,
    expected: string | undefined,
    ofAgent: HeldAmount | undefined,
  ): Admission {
    const held = { reserved: expected ?? '0' };
    const order = ++account.admitted;
    account.inFlight.add(held);
    this.#changed.call();
    const end = (): boolean => account.inFlight.delete(held);
    return {
      reserved: held.reserved,
      confirm: () => {
        ofAgent?.confirm();
        account.inFlight.delete(held);
        try {
          this.#rejectBeyondBudget('session', run.baseUrl, account, expected);
          this.#rejectBeyondBudget('workspace', run.baseUrl, account, expected);
        } finally {
          account.inFlight.add(held);
        }
      },
      settle: (cost) => {
        if (!end()) return;
        const amount = cost && readCharge(cost.amount);
        ofAgent?.settle(amount);
        if (cost?.currency !== undefined) account.currency = cost.currency;
        if (amount === undefined) this.#assume(run, account, expected, order);
        else this.#provePayment(account, order, amount);
        this.#charge(run.baseUrl, amount ?? expected ?? '0');
      },
      release: () => {
        if (!end()) return;
        ofAgent?.release();
        this.#changed.call();
      },
      cannotPay: () => {
        if (!end()) return;
        ofAgent?.release();
        account.cannotPay = true;
        account.refusedAt = Date.now();
        account.admittedAtRefusal = account.admitted;
        this.#changed.call();
      },
    };
  }

  /** A run that was admitted after the last 402, and charged: the wallet can pay again. */
  #provePayment(account: Account, order: number, amount: string): void {
    if (order > account.admittedAtRefusal && compareAmounts(amount, '0') > 0) account.cannotPay = false;
  }

  #assume(run: PaidRun, account: Account, expected: string | undefined, order: number): void {
    if (expected === undefined) account.unknownRuns += 1;
    this.#assumed.set(run.id, {
      ...{ baseUrl: run.baseUrl, amount: expected ?? '0' },
      ...{ isUnknown: expected === undefined, order },
    });
    if (this.#assumed.size > rememberedAssumptions) {
      this.#assumed.delete(this.#assumed.keys().next().value as string);
    }
  }

  #charge(baseUrl: string, amount: string): void {
    const account = this.#account(baseUrl);
    account.session = addAmounts(account.session, amount);
    this.ports.spent.add(baseUrl, amount);
    this.#changed.call();
  }

  #spent(name: BudgetName, baseUrl: string): string {
    return name === 'session' ? this.#account(baseUrl).session : this.ports.spent.of(baseUrl);
  }

  #account(baseUrl: string): Account {
    let account = this.#accounts.get(baseUrl);
    if (!account) {
      account = {
        admitted: 0,
        admittedAtRefusal: 0,
        session: '0',
        unknownRuns: 0,
        cannotPay: false,
        inFlight: new Set(),
      };
      this.#accounts.set(baseUrl, account);
    }
    return account;
  }
}

function reservedOf({ inFlight }: Account): string {
  return [...inFlight].reduce((sum, { reserved }) => addAmounts(sum, reserved), '0');
}
