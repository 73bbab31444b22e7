import * as z from 'zod/mini';
import { addAmounts, compareAmounts, readAmount, subtractAmounts } from '../../domain/amounts';
import type { BudgetName } from '../../domain/failure';
import { Listeners } from '../../domain/listeners';
import type { Money } from '../../domain/money';
import { ServiceError } from '../../service/errors';
import type { Estimates } from '../estimates/estimates';
import type { RunRecord } from '../history/record';
import { assessJob } from './assessJob';
import type { Admission, BudgetState, JobVerdict, PaidJob, PaidRun, Spending } from './budget';

/** The user's settings, canonical amounts; missing: no such budget. */
export interface Limits {
  readonly session?: string;
  readonly workspace?: string;
  /** A job of more runs than this asks first. */
  readonly confirmRuns: number;
}

export interface GuardPorts {
  /** Read at every decision, so that a changed setting applies at once, also for a running job. */
  limits(): Limits;
  readonly estimates: Pick<Estimates, 'of'>;
  /** Where the workspace's spending outlives the session. */
  readonly storage: { read(): unknown; write(value: unknown): void };
  /** BCP 47, for the texts. */
  readonly locale?: string;
}

const stored = z.object({ spent: z.record(z.string(), z.string()) });

/** Environments whose spending a workspace remembers: the sandbox has a new address every time. */
const rememberedEnvironments = 20;
/** Runs whose cost was assumed until a receipt has it. */
const rememberedAssumptions = 2000;

interface Account {
  session: string;
  workspace: string;
  unknownRuns: number;
  cannotPay: boolean;
  currency?: string;
  balance?: Money;
  readonly inFlight: Set<{ readonly reserved: string }>;
}

/**
 * Budgets per session (one extension host) and per workspace, each environment with its own: sandbox and staging
 * never use up production's. Kept in one place, and admitting is synchronous, so runs started together cannot pass a
 * budget together: what is charged is at most the budget plus what was in flight when it was reached.
 */
export class Guard {
  readonly #accounts = new Map<string, Account>();
  readonly #assumed = new Map<string, { readonly baseUrl: string; readonly amount: string }>();
  readonly #changed = new Listeners();
  readonly onDidChange = this.#changed.add;
  readonly #workspace: Record<string, string>;

  constructor(private readonly ports: GuardPorts) {
    this.#workspace = {};
    for (const [baseUrl, spent] of Object.entries(stored.safeParse(ports.storage.read()).data?.spent ?? {})) {
      const amount = readAmount(spent);
      if (amount !== undefined) this.#workspace[baseUrl] = amount;
    }
  }

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
    this.#rejectBeyondBudget('session', account, amount);
    this.#rejectBeyondBudget('workspace', account, amount);
    return this.#admission(run, account, amount);
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

  /** A run's cost became known after it was settled: what was assumed for it gives way. */
  noteReceipts(records: readonly Pick<RunRecord, 'id' | 'cost'>[]): void {
    for (const { id, cost } of records) {
      const assumed = this.#assumed.get(id);
      const amount = cost && readAmount(cost.amount);
      if (!assumed || amount === undefined) continue;
      this.#assumed.delete(id);
      this.#charge(assumed.baseUrl, subtractAmounts(amount, assumed.amount));
    }
  }

  spending(baseUrl: string): Spending {
    const account = this.#account(baseUrl);
    const limits = this.ports.limits();
    const reserved = reservedOf(account);
    const state = (name: BudgetName): BudgetState => {
      const budget = limits[name];
      return { spent: account[name], reserved, ...(budget !== undefined && { budget }) };
    };
    return {
      session: state('session'),
      workspace: state('workspace'),
      unknownRuns: account.unknownRuns,
      cannotPay: account.cannotPay,
      ...(account.currency !== undefined && { currency: account.currency }),
    };
  }

  /** Starts both budgets of an environment over. */
  reset(baseUrl: string): void {
    const account = this.#account(baseUrl);
    account.session = '0';
    account.unknownRuns = 0;
    account.workspace = '0';
    for (const [id, assumed] of this.#assumed) if (assumed.baseUrl === baseUrl) this.#assumed.delete(id);
    this.#store(baseUrl, '0');
    this.#changed.call();
  }

  #rejectBeyondBudget(name: BudgetName, account: Account, expected: string | undefined): void {
    const budget = this.ports.limits()[name];
    if (budget === undefined) return;
    const taken = addAmounts(account[name], reservedOf(account));
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

  #admission(run: PaidRun, account: Account, expected: string | undefined): Admission {
    const held = { reserved: expected ?? '0' };
    account.inFlight.add(held);
    this.#changed.call();
    const end = (): boolean => account.inFlight.delete(held);
    return {
      settle: (cost) => {
        if (!end()) return;
        const amount = cost && readAmount(cost.amount);
        if (cost?.currency !== undefined) account.currency = cost.currency;
        if (amount === undefined) this.#assume(run, account, expected);
        this.#charge(run.baseUrl, amount ?? expected ?? '0');
      },
      release: () => {
        if (end()) this.#changed.call();
      },
      cannotPay: () => {
        if (!end()) return;
        account.cannotPay = true;
        this.#changed.call();
      },
    };
  }

  #assume(run: PaidRun, account: Account, expected: string | undefined): void {
    if (expected === undefined) account.unknownRuns += 1;
    this.#assumed.set(run.id, { baseUrl: run.baseUrl, amount: expected ?? '0' });
    if (this.#assumed.size > rememberedAssumptions) {
      this.#assumed.delete(this.#assumed.keys().next().value as string);
    }
  }

  #charge(baseUrl: string, amount: string): void {
    const account = this.#account(baseUrl);
    account.session = addAmounts(account.session, amount);
    account.workspace = addAmounts(account.workspace, amount);
    this.#store(baseUrl, account.workspace);
    this.#changed.call();
  }

  #store(baseUrl: string, spent: string): void {
    // Last written, last in order: the oldest environments are the ones forgotten.
    delete this.#workspace[baseUrl];
    this.#workspace[baseUrl] = spent;
    for (const old of Object.keys(this.#workspace).slice(0, -rememberedEnvironments)) {
      delete this.#workspace[old];
    }
    this.ports.storage.write({ spent: { ...this.#workspace } });
  }

  #account(baseUrl: string): Account {
    let account = this.#accounts.get(baseUrl);
    if (!account) {
      account = {
        session: '0',
        workspace: this.#workspace[baseUrl] ?? '0',
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
