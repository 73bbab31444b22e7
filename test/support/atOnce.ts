import { type ExperimentPlan, type PlanOrder, planning } from '../../src/experiments/plan';
import { mergedPieces, type ReadResults, ResultEntries, readingResults } from '../../src/experiments/results';
import { type ReadActivity, readingActivity } from '../../src/readers/activity';
import { readingUsage } from '../../src/readers/usage';

// Work that pauses in the product, in one go.

function atOnce<T>(work: Generator<unknown, T>): T {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

export function readActivity(
  json: unknown,
  headers: Readonly<Record<string, string>> = {},
): ReadActivity | undefined {
  return atOnce(readingActivity(json, headers));
}

export function readUsage(json: unknown) {
  return atOnce(readingUsage(json));
}

export function readResults(text: string): ReadResults {
  const entries = new ResultEntries();
  atOnce(entries.adding(text));
  return atOnce(readingResults(entries));
}

export function mergeResults(texts: readonly string[]): string {
  const all = new ResultEntries(true);
  for (const text of texts) {
    const own = new ResultEntries(true);
    atOnce(own.adding(text));
    all.addAll(own);
  }
  return [...mergedPieces(all)].join('');
}

export function planExperiment(order: PlanOrder): ExperimentPlan {
  return atOnce(planning(order));
}
