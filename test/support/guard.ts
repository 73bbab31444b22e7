import type { PaidRun } from '../../src/runs/budget/budget';
import { Guard, type Limits } from '../../src/runs/budget/guard';
import type { Estimate } from '../../src/runs/estimates/estimate';
import { memorySpending } from './memorySpending';

/** The service of the runs below. */
export const baseUrl = 'http://127.0.0.1:1';

/** A guard with settings that can be changed while it is used. */
export function guardWith(
  limits: Partial<Limits>,
  estimate: Partial<Estimate> = {},
  spent = memorySpending(),
) {
  const settings: { current: Limits } = { current: { confirmRuns: 20, ...limits } };
  const guard = new Guard({
    limits: () => settings.current,
    estimates: { of: () => ({ runs: 0, costFrom: 0, ...estimate }) },
    spent,
    locale: 'en',
  });
  return { guard, spent, settings };
}

let count = 0;
/** A run that is about to be sent, of its own ID. */
export const run = (by: 'job' | 'hand' = 'job', at = baseUrl): PaidRun => ({
  id: `run-${count++}`,
  baseUrl: at,
  model: 'm',
  ofJob: by === 'job',
});
export const usd = (amount: string) => ({ amount, currency: 'USD' });
/** Twenty runs at half a dollar. */
export const twentyRuns = { medianCost: usd('0.5'), costFrom: 20, runs: 20 };
