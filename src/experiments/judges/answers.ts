import type { Json } from '../../domain/json';
import { comparableText, numberIn } from '../metrics/equality';
import type { JudgeRule } from '../metrics/metrics';

/** A judge's answer: its score, or in a comparison which of the two is better. */
export type JudgeAnswer = { readonly score: number } | { readonly better: 'first' | 'second' | 'neither' };

/**
 * Reads an answer strictly: a number in the range, or exactly one of the labels; white space around it does not matter.
 * Undefined: it is not understood.
 */
export function readAnswer(rule: JudgeRule, value: Json | undefined): JudgeAnswer | undefined {
  const text = comparableText(value);
  if (text === undefined) return undefined;
  switch (rule.kind) {
    case 'rubric': {
      const score = typeof value === 'number' ? value : numberIn(text);
      return score !== undefined && score >= rule.from && score <= rule.to ? { score } : undefined;
    }
    case 'choices': {
      const score = Object.entries(rule.scores).find(([label]) => comparableText(label) === text)?.[1];
      return score === undefined ? undefined : { score };
    }
    case 'pairwise': {
      if (text === comparableText(rule.first)) return { better: 'first' };
      if (text === comparableText(rule.second)) return { better: 'second' };
      return text === comparableText(rule.tie) ? { better: 'neither' } : undefined;
    }
  }
}

/**
 * The value of a comparison in both orders: 1 where the result won both, 0 where it lost both, else a tie (0.5): a judge
 * that prefers a position has no preference.
 * @param answers to the result first, and to the other one first
 */
export function pairValue([own, swapped]: readonly [JudgeAnswer, JudgeAnswer]): number | undefined {
  if (!('better' in own) || !('better' in swapped)) return undefined;
  if (own.better === 'first' && swapped.better === 'second') return 1;
  return own.better === 'second' && swapped.better === 'first' ? 0 : 0.5;
}

/** Whether a judge named the same place in both orders: it judges the place, not the result. */
export function isContradiction([own, swapped]: readonly [JudgeAnswer, JudgeAnswer]): boolean {
  if (!('better' in own) || !('better' in swapped)) return false;
  return own.better !== 'neither' && own.better === swapped.better;
}
