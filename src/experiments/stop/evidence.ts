/**
 * How strongly paired outcomes speak for a rival: an e-value against "at least as often right as the rival", of the
 * inputs on which just one of both is right. It may be looked at after every input: the probability that it ever
 * reaches `1 / a`, where the rival is not better, is at most `a` (Ville's inequality). Likelihood ratio against even
 * odds, mixed evenly over all better odds (H. Robbins, "Statistical methods related to the law of the iterated
 * logarithm", 1970; A. Ramdas et al., "Game-theoretic statistics and safe anytime-valid inference", 2023).
 *
 * In closed form: the sum of `C(n + 1, j)` for `j ≤ wins`, over `(n + 1) C(n, wins)`, with `n = wins + losses`.
 * @param wins inputs on which only the rival is right
 * @param losses inputs on which only the other is right
 * @returns 0 to Infinity; 1 before the first
 */
export function evidence(wins: number, losses: number): number {
  const count = wins + losses;
  // Terms as multiples of C(n, wins), from the last one down: the coefficients themselves may exceed all numbers.
  let term = (count + 1) / (losses + 1);
  let sum = 0;
  for (let j = wins; j >= 0; j--) {
    sum += term;
    term *= j / (count + 2 - j);
  }
  return sum / (count + 1);
}

/** A column that is certainly not the best. */
export interface Ended {
  readonly rival: number;
  /** Inputs on which only the rival was right, and only the column. */
  readonly wins: number;
  readonly losses: number;
  /** Inputs compared until then. */
  readonly inputs: number;
}

/** The outcome of an input in a column: its value, `none` where it cannot be measured, undefined before it has run. */
export type StopValue = number | 'none' | undefined;

interface StopPorts {
  /** Rows of inputs, in the order in which they are compared. */
  readonly order: readonly number[];
  /** Higher is better. */
  readonly value: (row: number, column: number) => StopValue;
  /** Asked when there is evidence enough; false: the column is not ended for now. */
  readonly mayEnd?: (column: number) => boolean;
}

interface Pair {
  /** Inputs of the order that were compared. */
  next: number;
  inputs: number;
  wins: number;
  losses: number;
}

/**
 * Ends columns that are certainly not the best, while outcomes come in. Two columns are compared on the inputs in their
 * random order, up to the first one that either has not run: an order by content, or by how long runs take, would say
 * more about the inputs than about the columns. Each column has `columns − 1` rivals, and the evidence must be that
 * many times as strong (Bonferroni): the best column is ended with a probability of at most `1 − confidence`.
 */
export class EarlyStop {
  readonly #pairs = new Map<number, Pair>();
  readonly #ended = new Map<number, Ended>();
  readonly #needed: number;

  constructor(
    private readonly columns: number,
    confidence: number,
    private readonly of: StopPorts,
  ) {
    this.#needed = (columns - 1) / (1 - confidence);
  }

  get ended(): ReadonlyMap<number, Ended> {
    return this.#ended;
  }

  /** A column has further outcomes. */
  look(column: number): void {
    for (let other = 0; other < this.columns; other++) {
      if (other === column) continue;
      this.#compare(column, other);
      this.#compare(other, column);
    }
  }

  /** @param rival the column that may be better */
  #compare(column: number, rival: number): void {
    if (this.#ended.has(column)) return;
    const key = column * this.columns + rival;
    const pair = this.#pairs.get(key) ?? { next: 0, inputs: 0, wins: 0, losses: 0 };
    this.#pairs.set(key, pair);
    const { order, value, mayEnd } = this.of;
    for (; pair.next < order.length; pair.next++) {
      const row = order[pair.next]!;
      const [own, others] = [value(row, column), value(row, rival)];
      if (own === undefined || others === undefined) return;
      if (own === 'none' || others === 'none') continue;
      pair.inputs++;
      if (own === others) continue;
      if (others > own) pair.wins++;
      else pair.losses++;
      const { inputs, wins, losses } = pair;
      if (evidence(wins, losses) < this.#needed || mayEnd?.(column) === false) continue;
      this.#ended.set(column, { rival, wins, losses, inputs });
      return;
    }
  }
}
