export function mean(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0) / values.length;
}

/** first − second; less than the rounding of sums counts as 0, and so do two infinite numbers. */
export function differenceOf(first: number, second: number): number {
  if (first === second) return 0;
  const rounding = 1e-12 * Math.max(Math.abs(first), Math.abs(second));
  const difference = first - second;
  return Math.abs(difference) < rounding ? 0 : difference;
}

/** Sample standard deviation (n − 1); 0 for a single value. */
export function standardDeviation(values: readonly number[]): number {
  if (values.length < 2) return 0;
  const centre = mean(values);
  const squares = values.reduce((total, value) => total + (value - centre) ** 2, 0);
  return Math.sqrt(squares / (values.length - 1));
}

/**
 * The quantile of sorted values, interpolated linearly as NumPy's default does (Hyndman and Fan, 1996, method 7).
 * @param sorted ascending, at least one
 * @param share 0 to 1
 */
export function quantile(sorted: readonly number[], share: number): number {
  const place = (sorted.length - 1) * share;
  const below = Math.floor(place);
  const [low, high] = [sorted[below]!, sorted[Math.min(below + 1, sorted.length - 1)]!];
  return low + (high - low) * (place - below);
}

/**
 * The 0.975 quantile of Student's t distribution, by the finite series of its distribution function for whole degrees of
 * freedom (Abramowitz and Stegun, 1964, 26.7.3 and 26.7.4).
 */
export function tQuantile(freedom: number): number {
  let [low, high] = [1.9, 13];
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2;
    if (withinT(middle, freedom) < 0.95) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** The probability that |T| is below `t`. */
function withinT(t: number, freedom: number): number {
  const angle = Math.atan(t / Math.sqrt(freedom));
  const [sine, cosine] = [Math.sin(angle), Math.cos(angle)];
  const isOdd = freedom % 2 === 1;
  let term = isOdd ? cosine : 1;
  let sum = freedom === 1 ? 0 : term;
  for (let at = isOdd ? 3 : 2; at < freedom; at += 2) {
    term *= (cosine ** 2 * (at - 1)) / at;
    sum += term;
  }
  return isOdd ? (2 / Math.PI) * (angle + sine * sum) : sine * sum;
}
