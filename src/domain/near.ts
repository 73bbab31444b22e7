/**
 * Whether two numbers are at most `tolerance` apart. The last digits of binary floats do not count: 0.4 is within
 * 0.3 ± 0.1.
 */
export function isNear(a: number, b: number, tolerance: number): boolean {
  const rounding = 4 * Number.EPSILON * Math.max(Math.abs(a), Math.abs(b));
  return Math.abs(a - b) <= tolerance + rounding;
}
