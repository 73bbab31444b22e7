import { appendFileSync } from 'node:fs';

/** The figures of a case of the fault suite. The table of `npm run faults` consists of these. */
export interface Figures {
  readonly case: string;
  /** Runs, files, requests or messages, as the case says. */
  readonly tried: number;
  /** Without an outcome, or not where the outcome says. */
  readonly lost: number;
  /** Executed or indexed more than once. */
  readonly doubled: number;
  /** Keys in forbidden places, and memory or requests beyond the limit. */
  readonly leaked: number;
  readonly note?: string;
}

/** Notes figures where `npm run faults` collects them; elsewhere a test's assertions are enough. */
export function tellFigures(figures: Figures): void {
  const file = process.env.MODEL_BENCH_FIGURES;
  if (file) appendFileSync(file, `${JSON.stringify(figures)}\n`);
}
