import * as l10n from '@vscode/l10n';
import { addAmounts, compareAmounts, subtractAmounts, timesAmount, timesThatFit } from '../../domain/amounts';
import type { BudgetName } from '../../domain/failure';
import type { Money } from '../../domain/money';
import { formatMoney } from '../../wording/money';
import type { Estimate } from '../estimates/estimate';
import type { JobVerdict, PaidJob, Spending } from './budget';

export interface JobFacts {
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

/** What a budget, or the balance, has left before the job. */
interface Purse {
  readonly name: BudgetName | 'balance';
  readonly left: string;
}

/** What to show before a job, and whether to ask. */
export function assessJob(job: PaidJob, facts: JobFacts): JobVerdict {
  const perRun = costOf(facts.estimate);
  const total = perRun && totalOf(job, perRun, facts.lastRun && costOf(facts.lastRun));
  const purses = pursesOf(facts).sort((a, b) => compareAmounts(a.left, b.left));
  const passed = purses.filter((purse) =>
    total ? compareAmounts(total.amount, purse.left) > 0 : compareAmounts(purse.left, '0') <= 0,
  );
  const budget = passed.find((purse): purse is Purse & { name: BudgetName } => purse.name !== 'balance');
  const allowedRuns = budget && (perRun ? timesThatFit(budget.left, perRun.amount) : 0);
  const free = total !== undefined && compareAmounts(total.amount, '0') === 0;
  return {
    ask: (!free && job.runs > facts.confirmRuns) || passed.length > 0 || facts.spending.cannotPay,
    text: textOf(job, facts, total, purses[0]),
    ...(total && { total }),
    ...(budget && { passes: budget.name }),
    ...(allowedRuns !== undefined && { allowedRuns }),
    passesBalance: passed.some((purse) => purse.name === 'balance'),
    consequence: consequenceOf(allowedRuns, passed),
  };
}

function costOf({ medianCost, published }: Estimate): Money | undefined {
  return medianCost ?? published;
}

function totalOf({ runs }: PaidJob, perRun: Money, last: Money | undefined): Money {
  if (!last) return { ...perRun, amount: timesAmount(perRun.amount, runs) };
  return { ...perRun, amount: addAmounts(timesAmount(perRun.amount, runs - 1), last.amount) };
}

function consequenceOf(allowedRuns: number | undefined, passed: readonly Purse[]): string | undefined {
  if (allowedRuns === 0) return l10n.t('The budget is used up: no run would be sent.');
  if (allowedRuns !== undefined)
    return l10n.t('New runs stop when the budget is reached, after about {0} of them.', allowedRuns);
  return passed.length > 0 ? l10n.t('The wallet balance may not cover all of them.') : undefined;
}

function pursesOf({ spending, balance }: JobFacts): Purse[] {
  const budgets = (['session', 'workspace'] as const).flatMap((name): Purse[] => {
    const { budget, spent, reserved } = spending[name];
    return budget === undefined ? [] : [{ name, left: subtractAmounts(budget, addAmounts(spent, reserved)) }];
  });
  return [...budgets, ...(balance ? [{ name: 'balance', left: balance.amount } as const] : [])];
}

function textOf(
  job: PaidJob,
  facts: JobFacts,
  total: Money | undefined,
  tightest: Purse | undefined,
): string {
  const runs = job.runs === 1 ? l10n.t('1 run') : l10n.t('{0} runs', job.runs);
  const { medianCost, costFrom } = facts.estimate;
  const currency = total?.currency ?? facts.spending.currency ?? facts.balance?.currency;
  const format = (amount: string) => formatMoney({ amount, currency }, facts.locale, { about: true });
  const cost = !total
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
  if (!tightest) return cost;
  const name = PURSE_NAMES[tightest.name]();
  const left = total ? subtractAmounts(tightest.left, total.amount) : tightest.left;
  return compareAmounts(left, '0') < 0
    ? l10n.t('{0}; exceeds {1} by {2}', cost, name, format(subtractAmounts('0', left)))
    : l10n.t('{0}; leaves {1} of {2}', cost, format(left), name);
}

const PURSE_NAMES: Readonly<Record<Purse['name'], () => string>> = {
  session: () => l10n.t('the session budget'),
  workspace: () => l10n.t('the workspace budget'),
  balance: () => l10n.t('the balance'),
};
