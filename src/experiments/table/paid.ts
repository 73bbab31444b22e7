import { sumByCurrency } from '../../domain/amounts';
import type { Money } from '../../domain/money';
import type { ExperimentTable } from './table';

/** The costs paid for a column. */
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
  const columns = plan.variations.map(() => new Set<string>());
  const shared = plan.variations.map(() => new Set<string>());
  for (const { customId, serves } of [...plan.runs, ...(plan.gone ?? [])]) {
    if (!results.has(customId)) continue;
    const served = new Set(serves.map(({ variation }) => variation));
    for (const variation of served) {
      columns[variation]!.add(customId);
      if (served.size > 1) shared[variation]!.add(customId);
    }
  }
  const order = paidInAll({ paid }).map(({ currency }) => currency);
  return columns.map((ids, column) => {
    const sums = sumByCurrency([...ids].flatMap((id) => paid.get(id) ?? []));
    return {
      cost: order.flatMap((currency) => sums.find((sum) => sum.currency === currency) ?? []),
      unpriced: [...ids].filter((id) => !paid.has(id) && mayBeCharged(id)).length,
      shared: shared[column]!.size,
    };
  });
}

/** The costs paid for all results of the file, including those outside the grid. */
export function paidInAll({ paid }: Pick<ExperimentTable, 'paid'>): readonly Money[] {
  return sumByCurrency([...paid.values()].flat());
}
