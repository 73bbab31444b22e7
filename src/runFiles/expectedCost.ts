import * as l10n from '@vscode/l10n';
import { sumByCurrency } from '../domain/amounts';
import type { Money } from '../domain/money';
import { type Estimate, highestCost } from '../runs/estimates/estimate';
import { formatSums } from '../wording/money';

export interface ExpectedCost {
  readonly runs: number;
  /** By currency, of the runs with an estimated cost. */
  readonly totals: readonly Money[];
  /** The same where each run costs as much as it should at most: the reserve of an agent's call. */
  readonly highest: readonly Money[];
  /** Runs without a known cost. */
  readonly unknown: number;
}

/** @param estimates one for each run */
export function expectedCost(estimates: readonly Estimate[]): ExpectedCost {
  const costs = estimates.flatMap(({ medianCost, published }) => medianCost ?? published ?? []);
  const highest = sumByCurrency(estimates.flatMap((one) => highestCost(one) ?? []));
  const unknown = estimates.length - costs.length;
  return { runs: estimates.length, totals: sumByCurrency(costs), highest, unknown };
}

/** "12 runs, about $0.30; the cost of 3 of them is unknown". @param locale BCP 47 */
export function expectedCostText({ runs, totals, unknown }: ExpectedCost, locale?: string): string {
  const count = runs === 1 ? l10n.t('1 run') : l10n.t('{0} runs', runs);
  if (runs === 0) return count;
  if (totals.length === 0) return l10n.t('{0}, cost unknown', count);
  const about = formatSums(totals, locale, { about: true });
  const text = l10n.t('{0}, about {1}', count, about);
  return unknown === 0 ? text : l10n.t('{0}; the cost of {1} of them is unknown', text, unknown);
}
