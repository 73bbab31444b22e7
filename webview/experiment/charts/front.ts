/** A value with the interval that it is known to be in; without one there is too little to tell. */
export interface Measured {
  readonly value: number;
  readonly low?: number | undefined;
  readonly high?: number | undefined;
}

/** A column by its quality and its price. */
export interface FrontPoint {
  readonly quality: Measured;
  /** Cost or time: less is better. */
  readonly price: Measured;
}

/**
 * The Pareto front: of each point whether no other is at least as good for at most its price, and better in one of
 * both (V. Pareto, 1906), beyond chance. A difference within the intervals counts as none; a value without an interval is
 * never better, and worse where it looks worse. Points that are equal in both are all on it.
 * @param better whether a higher or a lower quality is better
 */
export function onFront(points: readonly FrontPoint[], better: 'higher' | 'lower'): boolean[] {
  const isBetter = (one: FrontPoint, other: FrontPoint, less = isLess) =>
    better === 'higher' ? less(other.quality, one.quality) : less(one.quality, other.quality);
  const isCheaper = (one: FrontPoint, other: FrontPoint, less = isLess) => less(one.price, other.price);
  const isWorse = (one: FrontPoint, other: FrontPoint) =>
    isBetter(other, one, looksLess) || isCheaper(other, one, looksLess);
  const beats = points.map((one) =>
    points.map((other) => !isWorse(one, other) && (isBetter(one, other) || isCheaper(one, other))),
  );
  // By small steps, points can beat one another in a circle: none of these keeps the others from the front.
  for (const by of points.keys())
    for (const row of beats) if (row[by]) for (const at of points.keys()) row[at] ||= beats[by]![at]!;
  return points.map((_, at) => beats.every((row, by) => !row[at] || beats[at]![by]));
}

/** Whether a value is less than another, beyond chance. */
function isLess(one: Measured, other: Measured): boolean {
  return (one.high ?? Infinity) < (other.low ?? -Infinity);
}

/** The same, or as the values are where an interval is missing. */
function looksLess(one: Measured, other: Measured): boolean {
  const isKnown = one.low !== undefined && other.low !== undefined;
  return isKnown ? isLess(one, other) : one.value < other.value;
}
