import * as z from 'zod/mini';
import { readAmount } from '../domain/amounts';
import { isDeeper } from '../domain/depth';
import type { Json } from '../domain/json';
import type { Money } from '../domain/money';
import { isObject } from '../domain/value';
import { type JudgementLine, judgementKey, judgementLine, laterJudgement } from './judgements';

/**
 * A line of `NAME.results.jsonl`: what became of one run. Unknown members are kept when files are merged, such as the
 * `metrics` that earlier versions wrote: figures are always computed from the result.
 */
const resultLine = z.looseObject({
  custom_id: z.string(),
  /** Place in the request → value. */
  variation: z.record(z.string(), z.any()),
  /** The item's name: a path relative to the experiment, or "row 3". */
  item: z.string(),
  /** See `itemSha256`; lines of older versions lack it. */
  item_sha256: z.optional(z.string()),
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
});
export type ResultLine = z.infer<typeof resultLine> & { readonly result?: Json };

/** What a run has cost; undefined where it did not report that, or a file says what is no amount. */
export function costOf({ cost }: ResultLine): Money | undefined {
  return cost && readAmount(cost.amount) !== undefined ? (cost as Money) : undefined;
}

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
  return new ResultsReader().read(text);
}

/** Reads one file again and again while it grows: lines that were read before are not read anew. */
export class ResultsReader {
  /** Whole lines that were read. */
  #known = '';
  #lines = 0;
  #results = new Map<string, ResultLine>();
  #judgements = new Map<string, JudgementLine>();
  #unreadable: UnreadableLine[] = [];

  read(text: string): ReadResults {
    if (!text.startsWith(this.#known)) this.#forget();
    const end = text.lastIndexOf('\n') + 1;
    this.#add(text.slice(this.#known.length, end));
    this.#known = text.slice(0, end);
    const torn = text.slice(end);
    if (torn === '') return this.#read;
    // It may be half of a line, or of a character: it is read again with what follows.
    this.#add(torn);
    const read = this.#read;
    this.#forget();
    return read;
  }

  get #read(): ReadResults {
    return {
      results: [...this.#results.values()],
      judgements: [...this.#judgements.values()],
      unreadable: [...this.#unreadable],
    };
  }

  #forget(): void {
    this.#known = '';
    this.#lines = 0;
    this.#results.clear();
    this.#judgements.clear();
    this.#unreadable = [];
  }

  #add(text: string): void {
    // A file that went through Windows has its line ends, and a mark of its encoding: the lines are the same.
    const lines = text.replace(/^\ufeff/, '').split(/\r?\n\ufeff?/);
    for (const [index, line] of lines.entries()) {
      if (line.trim() === '') continue;
      const { judgement, result } = readLine(line);
      if (judgement) addBest(this.#judgements, judgementKey(judgement), judgement, laterJudgement);
      else if (result) addBest(this.#results, result.custom_id, result, better);
      else this.#unreadable.push({ line: this.#lines + index + 1, text: line });
    }
    this.#lines += lines.length - 1;
  }
}

/** Deeper than any result that was written here. */
const DEEPEST = 1_000;

function addBest<T>(lines: Map<string, T>, key: string, line: T, best: (a: T, b: T) => T): void {
  const known = lines.get(key);
  lines.set(key, known === undefined ? line : best(known, line));
}

/** One of both, or none when the line cannot be read. */
function readLine(line: string): { readonly judgement?: JudgementLine; readonly result?: ResultLine } {
  try {
    const value = JSON.parse(line) as Json;
    if (isDeeper(value, line, DEEPEST)) return {};
    // Most lines are none: finding that out by the schema takes as long as reading them.
    const judgement =
      isObject(value) &&
      Object.hasOwn(value, 'judgement') &&
      withAll(judgementLine.safeParse(value).data, value);
    if (judgement) return { judgement };
    const result = withAll(resultLine.safeParse(value).data, value);
    return result ? { result: result as ResultLine } : {};
  } catch {
    return {};
  }
}

/** What zod has read, with the one member that it leaves out of an object: that named `__proto__`. */
function withAll<T extends object>(read: T | undefined, value: Json): T | undefined {
  return read && isObject(value) && Object.hasOwn(value, '__proto__')
    ? { ...read, ['__proto__']: value.__proto__ }
    : read;
}

/** One line with its end, as it is appended. */
export function resultText(result: ResultLine | JudgementLine): string {
  return `${JSON.stringify(result)}\n`;
}

/**
 * All results of several files, one line for each run, then one for each judgement. The order is that of the ids, so
 * that merging the same files in any order, or twice, writes the same bytes. Lines that cannot be read come last, as
 * they are, but for the marks of a merge that git has left.
 */
export function mergeResults(texts: readonly string[]): string {
  const { results, judgements, unreadable } = readResults(texts.join('\n'));
  const sorted = [
    ...results.toSorted((a, b) => (a.custom_id < b.custom_id ? -1 : 1)),
    ...judgements.toSorted((a, b) => (judgementKey(a) < judgementKey(b) ? -1 : 1)),
  ];
  const torn = [...new Set(unreadable.map(({ text }) => text))].filter((text) => !isMergeMark(text)).sort();
  return [...sorted.map(resultText), ...torn.map((text) => `${text}\n`)].join('');
}

/** A line that git writes where it could not merge: what stands between such lines is read. */
export function isMergeMark(line: string): boolean {
  return /^(?:<{7}|\|{7}|={7}|>{7})(?: |$)/.test(line);
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
