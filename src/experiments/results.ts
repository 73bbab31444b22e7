import * as z from 'zod/mini';
import type { Json } from '../domain/json';
import { type JudgementLine, judgementKey, judgementLine, laterJudgement } from './judgements';

/** A line of `NAME.results.jsonl`: what became of one run. Unknown members are kept when files are merged. */
const resultLine = z.looseObject({
  custom_id: z.string(),
  /** Place in the request → value. */
  variation: z.record(z.string(), z.any()),
  /** The item's name: a path relative to the experiment, or "row 3". */
  item: z.string(),
  repeat: z.int(),
  request_sha256: z.string(),
  state: z.enum(['finished', 'failed', 'unconfirmed']),
  /** What Preview shows; left out when it is in `result_file`. */
  result: z.optional(z.any()),
  /** Relative to the results file. */
  result_file: z.optional(z.string()),
  /** Of a failed run. */
  reason: z.optional(z.string()),
  cost: z.optional(z.object({ amount: z.string(), currency: z.optional(z.string()) })),
  /** RFC 3339, UTC. */
  started_at: z.optional(z.string()),
  duration_ms: z.optional(z.number()),
  run_id: z.optional(z.string()),
  metrics: z.optional(z.record(z.string(), z.number())),
});
export type ResultLine = z.infer<typeof resultLine> & { readonly result?: Json };

/** A line that cannot be read, by its number from 1. It stays in the file. */
interface UnreadableLine {
  readonly line: number;
  readonly text: string;
}

export interface ReadResults {
  /** One for each `custom_id`, in the order of the file. */
  readonly results: readonly ResultLine[];
  /** One for each kind of judgement of a run, in the order of the file. */
  readonly judgements: readonly JudgementLine[];
  readonly unreadable: readonly UnreadableLine[];
}

/**
 * Reads results that may come from several people: a run that several lines tell of has one outcome (see `better`).
 * A torn last line, as a killed process leaves it, is unreadable.
 */
export function readResults(text: string): ReadResults {
  const results = new Map<string, ResultLine>();
  const judgements = new Map<string, JudgementLine>();
  const unreadable: UnreadableLine[] = [];
  // A file that went through Windows has its line ends, and a mark of its encoding: the lines are the same.
  for (const [index, line] of text
    .replace(/^\ufeff/, '')
    .split(/\r?\n\ufeff?/)
    .entries()) {
    if (line.trim() === '') continue;
    const read = readLine(line);
    if (read.judgement) addBest(judgements, judgementKey(read.judgement), read.judgement, laterJudgement);
    else if (read.result) addBest(results, read.result.custom_id, read.result, better);
    else unreadable.push({ line: index + 1, text: line });
  }
  return { results: [...results.values()], judgements: [...judgements.values()], unreadable };
}

function addBest<T>(lines: Map<string, T>, key: string, line: T, best: (a: T, b: T) => T): void {
  const known = lines.get(key);
  lines.set(key, known === undefined ? line : best(known, line));
}

/** One of both, or none when the line cannot be read. */
function readLine(line: string): { readonly judgement?: JudgementLine; readonly result?: ResultLine } {
  try {
    const value = JSON.parse(line) as unknown;
    const { data: judgement } = judgementLine.safeParse(value);
    if (judgement) return { judgement };
    const { data: result } = resultLine.safeParse(value);
    return result ? { result: result as ResultLine } : {};
  } catch {
    return {};
  }
}

/** One line with its end, as it is appended. */
export function resultText(result: ResultLine | JudgementLine): string {
  return `${JSON.stringify(result)}\n`;
}

/**
 * All results of several files, one line for each run, then one for each judgement. The order is that of the ids, so
 * that merging the same files in any order, or twice, writes the same bytes. Lines that cannot be read come last, as
 * they are.
 */
export function mergeResults(texts: readonly string[]): string {
  const { results, judgements, unreadable } = readResults(texts.join('\n'));
  const sorted = [
    ...results.toSorted((a, b) => (a.custom_id < b.custom_id ? -1 : 1)),
    ...judgements.toSorted((a, b) => (judgementKey(a) < judgementKey(b) ? -1 : 1)),
  ];
  const torn = [...new Set(unreadable.map(({ text }) => text))].sort();
  return [...sorted.map(resultText), ...torn.map((text) => `${text}\n`)].join('');
}

const WEIGHT = { finished: 2, failed: 1, unconfirmed: 0 } as const;

/**
 * Of two outcomes of one run: one that finished, then the later one, then what is certain. A failed run that was
 * retried without a response is unconfirmed: it may have been charged.
 */
function better(a: ResultLine, b: ResultLine): ResultLine {
  const isSettled = a.state === 'finished' || b.state === 'finished';
  if (isSettled && a.state !== b.state) return a.state === 'finished' ? a : b;
  const [first = '', second = ''] = [a.started_at, b.started_at];
  if (first !== second) return first > second ? a : b;
  if (a.state !== b.state) return WEIGHT[a.state] > WEIGHT[b.state] ? a : b;
  return JSON.stringify(a) > JSON.stringify(b) ? a : b;
}
