import type { BudgetName } from '../../domain/failure';
import type { Money } from '../../domain/money';
import type { EstimateOf } from '../estimates/estimate';
import type { AgentPurse } from './agentPurse';

export interface PaidRun extends EstimateOf {
  /** The record's id, by which a receipt that comes later finds the amount that was assumed. */
  readonly id: string;
  /** Part of a job: rejected after payment failed, while a run that a user starts by hand may always try again. */
  readonly ofJob?: boolean;
  /** The reserve of the agent's call that it is part of; missing: the user started it. */
  readonly agent?: AgentPurse;
}

/** A job of several runs that is about to start. */
export interface PaidJob extends EstimateOf {
  readonly runs: number;
  /** Media in all its runs; `items` are those of a full run. */
  readonly allItems?: number;
}

/** The estimated cost of a job, before it starts. */
export interface JobVerdict {
  /** Ask before starting: it is long, may exceed a budget or the balance, or a payment failed before. */
  readonly ask: boolean;
  /** "180 runs, about 4.10 from your last 20 runs of this model; leaves 2.30 of the budget of this window". */
  readonly text: string;
  /** Its estimated cost; missing when no price is known. */
  readonly total?: Money;
  /** The budget it is estimated to exceed; runs stop there. */
  readonly passes?: BudgetName;
  /** About how many runs the budget still allows, when it is exceeded. */
  readonly allowedRuns?: number;
  /** More than the wallet's balance when it was last read. */
  readonly passesBalance: boolean;
  /** The consequence of exceeding a budget or the balance for the job, in a sentence. */
  readonly consequence?: string;
}

/** The money that counts against one budget, in its currency. */
export interface BudgetState {
  readonly budget?: string;
  /** Missing: no cost, wallet or budget has named one. */
  readonly currency?: string;
  /** Known costs in other currencies, which the budget cannot count. */
  readonly others: readonly Money[];
  /** Known costs. */
  readonly spent: string;
  /** Estimates of the runs that are in flight, or may have been billed and have no known cost. */
  readonly reserved: string;
}

export interface Spending {
  readonly session: BudgetState;
  readonly workspace: BudgetState;
  /** Runs of this session with an unknown cost that could not be estimated. */
  readonly unknownRuns: number;
  /** The service responded with 402; since then, no later run was charged and the balance has not grown. */
  readonly cannotPay: boolean;
  /** When it last did, in milliseconds since the epoch. */
  readonly refusedAt?: number;
}

/** Ended exactly once, by the first of these calls. */
export interface Admission {
  /**
   * Before it is sent: its estimate is on the disk, and counts in all windows until its cost is known. A run of a job
   * or an agent first waits for those in flight where a budget could not bear a higher price of all of them.
   * @throws ServiceError `budgetReached`: other runs have used up the budget since
   */
  reserve(): Promise<void>;
  /**
   * Right before the bytes leave: costs above their estimates may have used up the budget since.
   * @throws ServiceError `budgetReached`
   */
  confirm(): void;
  /** The run may have been billed: with its cost, or undefined when that is not known (the estimate stays reserved). */
  settle(cost: Money | undefined): void;
  /** It was not billed: it was not sent, or was rejected before it was executed. */
  release(): void;
  /** The service responded with 402: the run was not billed, and jobs stop at once. */
  cannotPay(): void;
}
