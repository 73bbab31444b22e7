/** A score as people compare them: enough digits to tell neighbours apart, no more. */
export function formatScore(score: number): string {
  if (score !== 0 && Math.abs(score) < 0.0005) return score.toExponential(1);
  return Number.isInteger(score) && Math.abs(score) > 1 ? String(score) : score.toFixed(3);
}
