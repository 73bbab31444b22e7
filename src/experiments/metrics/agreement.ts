import { countEach } from '../../domain/many';

export interface Agreement {
  /** Results that both have rated. */
  readonly count: number;
  /** Those with the same rating. */
  readonly same: number;
  /** Cohen's kappa; undefined where it has no value: there is no result, or both gave one and the same rating only. */
  readonly kappa?: number;
  /** Ratings are of a scale: kappa is weighted by the squares of differences. */
  readonly isWeighted: boolean;
}

/**
 * Cohen's kappa: agreement beyond chance, of raters with their own frequencies (J. Cohen, A Coefficient of Agreement for
 * Nominal Scales, Educational and Psychological Measurement 20, 1960). On a scale, disagreements weigh by the square of their
 * size (J. Cohen, Weighted Kappa, Psychological Bulletin 70, 1968).
 * @param pairs both ratings of each result
 */
export function agreementOf(pairs: readonly (readonly [number, number])[], isScale: boolean): Agreement {
  const weight = isScale ? (a: number, b: number) => (a - b) ** 2 : (a: number, b: number) => Number(a !== b);
  const kappa = kappaOf(pairs, weight);
  return {
    count: pairs.length,
    same: pairs.filter(([a, b]) => a === b).length,
    ...(kappa !== undefined && { kappa }),
    isWeighted: isScale,
  };
}

/** @param disagreement 0 for equal ratings. @returns undefined where chance alone would have no disagreement */
export function kappaOf<T>(
  pairs: readonly (readonly [T, T])[],
  disagreement: (first: T, second: T) => number,
): number | undefined {
  const [first, second] = [countEach(pairs.map(([a]) => a)), countEach(pairs.map(([, b]) => b))];
  let byChance = 0;
  for (const [a, of] of first)
    for (const [b, other] of second) byChance += (disagreement(a, b) * of * other) / pairs.length;
  const observed = pairs.reduce((sum, [a, b]) => sum + disagreement(a, b), 0);
  return byChance > 0 ? 1 - observed / byChance : undefined;
}
