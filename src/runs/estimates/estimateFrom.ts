import {
  compareAmounts,
  medianAmount,
  readAmount,
  readCharge,
  scaleAmount,
  timesAmount,
} from '../../domain/amounts';
import type { Price } from '../../domain/model';
import type { Money } from '../../domain/money';
import type { PastRun } from '../../domain/runRecord';
import { durationOf } from '../../domain/runTimes';
import type { Estimate } from './estimate';

/** How many of the last runs an estimate looks at: enough for a median, few enough to follow a new price. */
const lastRuns = 20;

/** Words for "one run" in a published price. */
const perRunPrice = /^(|1|one|a)\s*(run|request|call|execution|invocation|prediction|query)?s?$/i;
/** Words for one item of a run's input. */
const perItem = /^(1|one|a|an)?\s*(image|item|file|media|input|document|record|text)s?$/i;

function pricedUnit({ per = '' }: Price): string {
  return per.trim().replace(/^per\s+/i, '');
}

/** Whether a published price is for a run, with any input. */
export function isPerRun(price: Price): boolean {
  return price.per !== undefined && perRunPrice.test(pricedUnit(price));
}

/** The cost of one run by a published price, or undefined when that is in words or in a unit that cannot be counted. */
export function publishedCost(price: Price | undefined, items: number | undefined): Money | undefined {
  if (!price?.money || readAmount(price.money.amount) === undefined) return undefined;
  const per = pricedUnit(price);
  if (perRunPrice.test(per)) return price.money;
  if (!perItem.test(per) || items === undefined) return undefined;
  return { ...price.money, amount: timesAmount(price.money.amount, items) };
}

function median(numbers: readonly number[]): number | undefined {
  if (numbers.length === 0) return undefined;
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

interface PastCost extends Money {
  readonly items: number;
}

/**
 * The expected cost and time of the next run after `runs` (of one model, in any order). Costs in the currency of the
 * newest run only, so that a median never mixes two; failed runs count for neither cost nor time, since they may have
 * stopped early.
 *
 * @param next.items media of the next run: past runs of as many are preferred
 * @param next.perRun the published price is per run, with any input
 */
export function estimateFrom(
  runs: readonly PastRun[],
  next: { readonly items?: number; readonly perRun?: boolean } = {},
): Omit<Estimate, 'published'> {
  const completed = runs
    .filter((run) => run.state === 'finished' || run.state === 'accepted')
    .sort((a, b) => b.startedAt - a.startedAt);
  const costs = completed.flatMap((run): PastCost[] => {
    const amount = run.cost && readCharge(run.cost.amount);
    const items = Math.max(1, run.items);
    return amount === undefined ? [] : [{ amount, currency: run.cost?.currency, items }];
  });
  const currency = costs[0]?.currency;
  const counted = runCosts(
    costs.filter((cost) => cost.currency === currency),
    next,
  );
  const amount = medianAmount(counted);
  const highest = counted.toSorted(compareAmounts).at(-1);
  const money = (of: string): Money => (currency === undefined ? { amount: of } : { amount: of, currency });
  const times = completed
    .filter((run) => run.state === 'finished')
    .slice(0, lastRuns)
    .flatMap((run) => durationOf(run) ?? []);
  const medianMs = median(times);
  return {
    runs: completed.length,
    costFrom: counted.length,
    ...(amount !== undefined && { medianCost: money(amount) }),
    ...(highest !== undefined && highest !== amount && { highestCost: money(highest) }),
    ...(medianMs !== undefined && { medianMs }),
  };
}

/** The costs that the last runs have, or would have had with as many items as the next one. */
function runCosts(
  costs: readonly PastCost[],
  { items, perRun = false }: { readonly items?: number; readonly perRun?: boolean },
): readonly string[] {
  const same = items === undefined ? [] : costs.filter((cost) => cost.items === items);
  const used = (same.length > 0 ? same : costs).slice(0, lastRuns);
  const [first] = used;
  // Runs of different sizes that cost the same are priced by the run, whether or not a price is published.
  const alike =
    used.some((cost) => cost.items !== first?.items) && used.every(({ amount }) => amount === first?.amount);
  const asTheyAre = items === undefined || same.length > 0 || perRun || alike;
  return used.map((cost) => (asTheyAre ? cost.amount : scaleAmount(cost.amount, items, cost.items)));
}
