import { digitsApart, formatDigits, formatPower } from './number';

/** Models compute in single precision: the cosine of two equal vectors may be 0.9999999. */
const SINGLE_ROUNDING = 1e-6;

/** A score with enough digits to compare neighbours; only a score of 1 looks like one. @param locale BCP 47 */
export function formatScore(score: number, locale?: string): string {
  if (score !== 0 && Math.abs(score) < 0.0005) return formatPower(score, 1, locale);
  if (Number.isInteger(score) && Math.abs(score) > 1) return String(score);
  const isPerfect = Math.abs(1 - Math.abs(score)) < SINGLE_ROUNDING;
  return formatDigits(score, isPerfect ? 3 : digitsApart(score, [-1, 1], 3), locale);
}
