import { sumByCurrency } from '../../domain/amounts';
import { addAll } from '../../domain/many';
import type { Money } from '../../domain/money';
import type { ExperimentTable } from './table';

export interface PaidForColumn {
  /** By currency, in the same order in all columns: each run once, for all rows that it serves, with all of its requests. */
  readonly cost: readonly Money[];
  /** Runs that may have been charged, without a known cost: not those that the service rejected. */
  readonly unpriced: number;
  /** Runs that other columns ask for too. */
  readonly shared: number;
}

/** By column, with the costs paid for inputs that are gone. */
export function paidByColumn({ plan, results, paid }: ExperimentTable): PaidForColumn[] {
  // A rejected request has no run, and so neither an ID nor a time.
  const mayBeCharged = (id: string) => {
    const { state, run_id: runId, duration_ms: ms } = results.get(id)!;
    return state !== 'failed' || runId !== undefined || ms !== undefined;
  };
  const columns = plan.variations.map(() => ({ costs: [] as Money[], unpriced: 0, shared: 0 }));
  for (const runs of [plan.runs, plan.gone ?? []])
    for (const { customId, serves } of runs) {
      if (!results.has(customId)) continue;
      const costs = paid.get(customId);
      const served = new Set(serves.map(({ variation }) => variation));
      for (const variation of served) {
        const column = columns[variation]!;
        if (costs) addAll(column.costs, costs);
        else if (mayBeCharged(customId)) column.unpriced += 1;
        if (served.size > 1) column.shared += 1;
      }
    }
  const order = paidInAll({ paid }).map(({ currency }) => currency);
  return columns.map(({ costs, unpriced, shared }) => {
    const sums = sumByCurrency(costs);
    return {
      cost: order.flatMap((currency) => sums.find((sum) => sum.currency === currency) ?? []),
      unpriced,
      shared,
    };
  });
}

/** The costs paid for all results of the file, including those outside the grid. */
export function paidInAll({ paid }: Pick<ExperimentTable, 'paid'>): readonly Money[] {
  return sumByCurrency([...paid.values()].flat());
}
