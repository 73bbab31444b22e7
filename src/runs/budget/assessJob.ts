import * as l10n from '@vscode/l10n';
import {
  addAmounts,
  compareAmounts,
  scaleAmount,
  subtractAmounts,
  timesAmount,
  timesThatFit,
} from '../../domain/amounts';
import type { BudgetName } from '../../domain/failure';
import type { Money } from '../../domain/money';
import { formatMoney } from '../../wording/money';
import type { Estimate } from '../estimates/estimate';
import type { JobVerdict, PaidJob, Spending } from './budget';

export interface JobCostFacts {
  /** Of a full run. */
  readonly estimate: Estimate;
  /** Of the last run, when it has fewer items than the others. */
  readonly lastRun?: Estimate;
  readonly spending: Spending;
  /** As the wallet was last read. */
  readonly balance?: Money;
  readonly confirmRuns: number;
  readonly locale?: string;
}

/** The rest of a budget, or of the balance, before the job. */
interface Purse {
  readonly name: BudgetName | 'balance';
  readonly left: string;
  readonly currency?: string;
}

/** What to show before a job, and whether to ask. */
export function assessJob(job: PaidJob, facts: JobCostFacts): JobVerdict {
  const perRun = runEstimate(facts.estimate);
  const total = perRun && totalOf(job, perRun, facts.lastRun && runEstimate(facts.lastRun));
  return assessTotal({ runs: job.runs, total, text: assessmentText(job, facts, total) }, facts, perRun);
}

type Purses = Pick<JobCostFacts, 'spending' | 'balance' | 'confirmRuns' | 'locale'>;

/** Runs, perhaps of several models, with a sum of their estimated costs. */
export interface TotalCost {
  readonly runs: number;
  /** Missing: some costs are not known. */
  readonly total?: Money;
  /** "180 runs, about 4.10". */
  readonly text: string;
}

/** @param perRun of one run; missing: the average */
export function assessTotal(
  { runs, total, text }: TotalCost,
  facts: Purses,
  perRun: Money | undefined = total && { ...total, amount: scaleAmount(total.amount, 1, Math.max(1, runs)) },
): JobVerdict {
  const purses = pursesOf(facts).sort((a, b) => compareAmounts(a.left, b.left));
  const isCounted = ({ currency }: Purse) =>
    total !== undefined && (currency ?? total.currency) === (total.currency ?? currency);
  const passed = purses.filter((purse) =>
    total && isCounted(purse)
      ? compareAmounts(total.amount, purse.left) > 0
      : compareAmounts(purse.left, '0') <= 0,
  );
  const budget = passed.find((purse): purse is Purse & { name: BudgetName } => purse.name !== 'balance');
  const allowedRuns = budget && (perRun ? timesThatFit(budget.left, perRun.amount) : 0);
  const free = total !== undefined && compareAmounts(total.amount, '0') === 0;
  // A budget counts only costs that are known, in its currency.
  const isUnbounded = purses.some((purse) => purse.name !== 'balance' && !isCounted(purse));
  return {
    ask: isUnbounded || (!free && runs > facts.confirmRuns) || passed.length > 0 || facts.spending.cannotPay,
    text: withLeft(text, facts, total, total ? purses.find(isCounted) : purses[0]),
    ...(total && { total }),
    ...(budget && { passes: budget.name }),
    ...(allowedRuns !== undefined && { allowedRuns }),
    passesBalance: passed.some((purse) => purse.name === 'balance'),
    consequence: consequenceOf(allowedRuns, passed, isUnbounded),
  };
}

function runEstimate({ medianCost, published }: Estimate): Money | undefined {
  return medianCost ?? published;
}

function totalOf({ runs }: PaidJob, perRun: Money, last: Money | undefined): Money {
  if (!last) return { ...perRun, amount: timesAmount(perRun.amount, runs) };
  return { ...perRun, amount: addAmounts(timesAmount(perRun.amount, runs - 1), last.amount) };
}

function consequenceOf(
  allowedRuns: number | undefined,
  passed: readonly Purse[],
  isUnbounded: boolean,
): string | undefined {
  if (allowedRuns === 0) return l10n.t('The budget is used up: no run would be sent.');
  if (allowedRuns !== undefined)
    return l10n.t('New runs stop when the budget is reached, after about {0} of them.', allowedRuns);
  if (isUnbounded)
    return l10n.t('The budget cannot limit these runs until the service has reported what one costs.');
  return passed.length > 0 ? l10n.t('The wallet balance may not cover all of them.') : undefined;
}

function pursesOf({ spending, balance }: Purses): Purse[] {
  const budgets = (['session', 'workspace'] as const).flatMap((name): Purse[] => {
    const { budget, spent, reserved, currency } = spending[name];
    if (budget === undefined) return [];
    return [{ name, left: subtractAmounts(budget, addAmounts(spent, reserved)), currency }];
  });
  return balance
    ? [...budgets, { name: 'balance', left: balance.amount, currency: balance.currency }]
    : budgets;
}

function assessmentText(job: PaidJob, facts: JobCostFacts, total: Money | undefined): string {
  const runs = job.runs === 1 ? l10n.t('1 run') : l10n.t('{0} runs', job.runs);
  const { medianCost, costFrom } = facts.estimate;
  const format = formatIn(facts, total);
  return !total
    ? l10n.t('{0}, cost unknown: this model has not reported a cost yet', runs)
    : !medianCost
      ? l10n.t('{0}, about {1} by the published price', runs, format(total.amount))
      : costFrom === 1
        ? l10n.t('{0}, about {1} from your last run of this model', runs, format(total.amount))
        : l10n.t(
            '{0}, about {1} from your last {2} runs of this model',
            runs,
            format(total.amount),
            costFrom,
          );
}

function formatIn({ spending, balance, locale }: Purses, total: Money | undefined) {
  const currency = total?.currency ?? spending.session.currency ?? balance?.currency;
  return (amount: string) => formatMoney({ amount, currency }, locale, { about: true });
}

function withLeft(
  cost: string,
  facts: Purses,
  total: Money | undefined,
  tightest: Purse | undefined,
): string {
  if (!tightest) return cost;
  const format = (amount: string) =>
    formatMoney({ amount, currency: tightest.currency ?? total?.currency }, facts.locale, { about: true });
  const name = PURSE_NAMES[tightest.name]();
  // A job of unknown cost also leaves an unknown rest.
  if (!total && compareAmounts(tightest.left, '0') >= 0)
    return l10n.t('{0}; {1} is left of {2} before it', cost, format(tightest.left), name);
  const left = total ? subtractAmounts(tightest.left, total.amount) : tightest.left;
  return compareAmounts(left, '0') < 0
    ? l10n.t('{0}; exceeds {1} by {2}', cost, name, format(subtractAmounts('0', left)))
    : l10n.t('{0}; leaves {1} of {2}', cost, format(left), name);
}

const PURSE_NAMES: Readonly<Record<Purse['name'], () => string>> = {
  session: () => l10n.t('the budget of this window'),
  workspace: () => l10n.t('the budget of this workspace'),
  balance: () => l10n.t('the balance'),
};
