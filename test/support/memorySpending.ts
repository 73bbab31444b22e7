import { addAmounts } from '../../src/domain/amounts';
import type { SpentOfWorkspace } from '../../src/runs/budget/guard';

/** A workspace's spending, without a store. */
export function memorySpending(): SpentOfWorkspace {
  const sums = new Map<string, string>();
  const of = (baseUrl: string) => sums.get(baseUrl) ?? '0';
  return {
    of,
    add: (baseUrl, amount) => void sums.set(baseUrl, addAmounts(of(baseUrl), amount)),
    reset: (baseUrl) => void sums.delete(baseUrl),
  };
}
