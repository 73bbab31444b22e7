import { readLimit } from '../../src/domain/amounts';
import type { BudgetState, PaidRun } from '../../src/runs/budget/budget';
import { Guard } from '../../src/runs/budget/guard';
import type { Estimate } from '../../src/runs/estimates/estimate';
import { memorySpending } from './memorySpending';

/** The service of the runs below. */
export const baseUrl = 'http://127.0.0.1:1';

interface Budgets {
  readonly session?: string;
  readonly workspace?: string;
  readonly confirmRuns: number;
}

/** A guard with settings that can be changed while it is used. */
export function guardWith(
  limits: Partial<Budgets>,
  estimate: Partial<Estimate> = {},
  spent = memorySpending(),
) {
  const settings: { current: Budgets } = { current: { confirmRuns: 20, ...limits } };
  const guard = new Guard({
    limits: () => ({
      session: readLimit(settings.current.session),
      workspace: readLimit(settings.current.workspace),
      confirmRuns: settings.current.confirmRuns,
    }),
    estimates: { of: () => ({ runs: 0, costFrom: 0, ...estimate }) },
    spent,
    locale: 'en',
  });
  return { guard, spent, settings };
}

export const counted = ({ spent, reserved }: BudgetState) => ({ spent, reserved });

let count = 0;
/** A run that is about to be sent, of its own ID. */
export const run = (by: 'job' | 'hand' = 'job', at = baseUrl): PaidRun => ({
  id: `run-${count++}`,
  baseUrl: at,
  model: 'm',
  ofJob: by === 'job',
});
export const usd = (amount: string) => ({ amount, currency: 'USD' });
export const twentyRuns = { medianCost: usd('0.5'), costFrom: 20, runs: 20 };
