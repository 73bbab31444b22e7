/** A score with enough digits to compare neighbours. */
export function formatScore(score: number): string {
  if (score !== 0 && Math.abs(score) < 0.0005) return score.toExponential(1);
  return Number.isInteger(score) && Math.abs(score) > 1 ? String(score) : score.toFixed(3);
}
