/** A column by what it gives and what it takes. */
export interface FrontPoint {
  readonly quality: number;
  /** Cost or time: less is better. */
  readonly price: number;
}

/**
 * The Pareto front: of each point whether no other is at least as good for at most its price, and better in one of
 * both (V. Pareto, 1906). Points that are equal in both are all on it.
 * @param better whether a higher or a lower quality is better
 */
export function onFront(points: readonly FrontPoint[], better: 'higher' | 'lower'): boolean[] {
  const worth = ({ quality }: FrontPoint) => (better === 'higher' ? quality : -quality);
  return points.map(
    (point) =>
      !points.some(
        (other) =>
          worth(other) >= worth(point) &&
          other.price <= point.price &&
          (worth(other) > worth(point) || other.price < point.price),
      ),
  );
}
