import { type ExperimentPlan, type PlanOrder, planning } from '../../src/experiments/plan/plan';
import {
  mergedPieces,
  type ReadResults,
  ResultLines,
  readingResults,
} from '../../src/experiments/results/results';
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
  return atOnce(readingResults(linesOf(text)));
}

function linesOf(text: string, keepsTexts = false): ResultLines {
  const lines = new ResultLines(keepsTexts);
  for (const [at, line] of text.split('\n').entries()) lines.add(line, at + 1);
  atOnce(lines.settling());
  return lines;
}

export function mergeResults(texts: readonly string[]): string {
  const all = new ResultLines(true);
  for (const text of texts) all.addAll(linesOf(text, true));
  return [...mergedPieces(all)].join('');
}

export function planExperiment(order: PlanOrder): ExperimentPlan {
  return atOnce(planning(order));
}
