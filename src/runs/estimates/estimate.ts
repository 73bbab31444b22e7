import { compareAmounts, readAmount } from '../../domain/amounts';
import type { Price } from '../../domain/model';
import type { Money } from '../../domain/money';

/** Which runs an estimate is made of, or is wanted for. */
export interface EstimateOf {
  readonly baseUrl: string;
  readonly model: string;
  /** Missing: of every mode. An index run of a batch costs something else than an `execute`. */
  readonly mode?: string;
  /** The published price of the mode or the model: used until a run has reported its cost. */
  readonly price?: Price;
  /** Media of one run: a larger batch may cost more. Missing: of any size. */
  readonly items?: number;
}

/** The expected cost and time of a model's next run, from its last ones. */
export interface Estimate {
  /** Runs of it in the history that got a response. */
  readonly runs: number;
  /** Median of the last runs with a known cost; `costFrom` of them. */
  readonly medianCost?: Money;
  readonly costFrom: number;
  /** The highest of those costs; missing: the median. */
  readonly highestCost?: Money;
  /** Median from sending to response. */
  readonly medianMs?: number;
  /** The published price of one run, when there is one in money. */
  readonly published?: Money;
}

/** The cost that a run should not exceed: the highest of the last runs, or the published price where that is higher. */
export function highestCost({ highestCost, medianCost, published }: Estimate): Money | undefined {
  const past = highestCost ?? medianCost;
  if (!past || !published) return past ?? published;
  const [amount, price] = [readAmount(past.amount), readAmount(published.amount)];
  const isHigher = amount !== undefined && price !== undefined && compareAmounts(price, amount) > 0;
  // Amounts of two currencies cannot be compared: the wallet's is that of the runs.
  const isSame = (past.currency ?? published.currency) === (published.currency ?? past.currency);
  return isHigher && isSame ? published : past;
}
