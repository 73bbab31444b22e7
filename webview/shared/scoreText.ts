import { formatScore } from '../../src/wording/score';

/** A score in the language of the page. */
export function scoreText(score: number): string {
  return formatScore(score, document.documentElement.lang || undefined);
}
