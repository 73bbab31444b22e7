import { formatDigits, formatPower } from './number';

/** A score with enough digits to compare neighbours. @param locale BCP 47 */
export function formatScore(score: number, locale?: string): string {
  if (score !== 0 && Math.abs(score) < 0.0005) return formatPower(score, 1, locale);
  return Number.isInteger(score) && Math.abs(score) > 1 ? String(score) : formatDigits(score, 3, locale);
}
