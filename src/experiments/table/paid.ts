import { sumByCurrency } from '../../domain/amounts';
import type { Money } from '../../domain/money';
import type { ExperimentTable } from './table';

/** What was paid for a column. */
export interface PaidForColumn {
  /** By currency: each run once, whatever rows it serves, and all of its requests. */
  readonly cost: readonly Money[];
  /** Runs with an outcome of which no cost is known. */
  readonly unpriced: number;
  /** Runs that other columns ask for too. */
  readonly shared: number;
}

/** By column, with what was paid for inputs that are gone. */
export function paidByColumn({ plan, results, paid }: ExperimentTable): PaidForColumn[] {
  const columns = plan.variations.map(() => new Set<string>());
  const shared = plan.variations.map(() => new Set<string>());
  for (const { customId, serves } of [...plan.cells, ...(plan.gone ?? [])]) {
    if (!results.has(customId)) continue;
    const served = new Set(serves.map(({ variation }) => variation));
    for (const variation of served) {
      columns[variation]!.add(customId);
      if (served.size > 1) shared[variation]!.add(customId);
    }
  }
  return columns.map((ids, column) => ({
    cost: sumByCurrency([...ids].flatMap((id) => paid.get(id) ?? [])),
    unpriced: [...ids].filter((id) => !paid.has(id)).length,
    shared: shared[column]!.size,
  }));
}

/** What was paid for all results of the file, also those that are not in the grid. */
export function paidInAll({ paid }: Pick<ExperimentTable, 'paid'>): readonly Money[] {
  return sumByCurrency([...paid.values()].flat());
}
