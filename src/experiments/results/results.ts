import * as l10n from '@vscode/l10n';
import { parseExactly } from '../../domain/exactNumbers';
import type { Json } from '../../domain/json';
import type { Money } from '../../domain/money';
import { isObject } from '../../domain/value';
import { formatNumber } from '../../wording/number';
import { isJudgeId } from '../plan/runId';
import { type JudgementLine, judgementKey, judgementLine } from './judgements';
import { type ResultEntry, type ResultLine, readLine } from './resultLine';
import { countingEntry, ofOtherRequests, paidLines, withEntries } from './resultOrder';

/** A line of a file, from 1, that is not a result or a judgement. It stays in the file. */
export interface UnreadableLine {
  readonly line: number;
  readonly text: string;
}

export interface ReadResults {
  /** One for each `custom_id`, in the order of the file. */
  readonly results: readonly ResultLine[];
  /** The same of the runs of judges: these are in no cell of the grid. */
  readonly judging: readonly ResultLine[];
  /** The costs paid for each run, by its `custom_id`: one for each of its requests that had one. */
  readonly costs: ReadonlyMap<string, readonly Money[]>;
  /** Lines of other paid requests of these runs, by `custom_id`. */
  readonly earlier: ReadonlyMap<string, readonly ResultLine[]>;
  /** Of the unconfirmed ones: ids of runs that were sent and have no outcome in the file. */
  readonly sent: ReadonlySet<string>;
  /** One for each kind of judgement of a run, in the order of the file. */
  readonly judgements: readonly JudgementLine[];
  readonly unreadable: readonly UnreadableLine[];
}

interface JudgementEntry {
  readonly line: JudgementLine;
  readonly text: string;
}

/** Lines of a run that wait until they are compared with the others: doing so for each line takes too long for many. */
const MOST_WAITING = 500;

/** Of one file: one with more has no results, and was not damaged by a torn line or a merge. */
export const MOST_UNREADABLE = 100_000;

/** The lines of one or more files, held once: tables, charts, figures, exports and reports read them. */
export class ResultLines {
  readonly runs = new Map<string, readonly ResultEntry[]>();
  readonly judgements = new Map<string, JudgementEntry>();
  readonly unreadable: UnreadableLine[] = [];
  readonly #waiting = new Map<string, ResultEntry[]>();

  /** @param keepsTexts see `ResultEntry` */
  constructor(private readonly keepsTexts = false) {}

  /**
   * Adds a line; further ones of a run count once `settling` has run.
   * @param number of the line in its file, from 1
   * @returns the line of a run
   * @throws when more lines than `MOST_UNREADABLE` cannot be read
   */
  add(raw: string, number: number): ResultEntry | undefined {
    const text = raw.trim();
    // The last line had no end when it was read before.
    if (this.unreadable.at(-1)?.line === number) this.unreadable.pop();
    if (text === '') return undefined;
    const value = parsed(text);
    if (isObject(value)) {
      // Most lines are no judgements: finding that out by the schema takes as long as reading them.
      const judgement = Object.hasOwn(value, 'judgement') ? judgementLine.safeParse(value).data : undefined;
      if (judgement) {
        this.#addJudgement({ line: judgement, text });
        return undefined;
      }
      const entry = readLine(value, text, this.keepsTexts);
      if (entry) {
        this.#addEntry(entry);
        return entry;
      }
    }
    if (this.unreadable.push({ line: number, text: raw.replace(/^\ufeff|\r$/g, '') }) > MOST_UNREADABLE)
      throw new Error(
        l10n.t(
          'More than {0} lines of the results file cannot be read. Restore the file, or move it away.',
          formatNumber(MOST_UNREADABLE),
        ),
      );
    return undefined;
  }

  /** Lets all added lines count; it can pause after each run. */
  *settling(): Generator<unknown, void> {
    for (const [id, waiting] of this.#waiting) {
      this.#settle(id, waiting);
      yield;
    }
    this.#waiting.clear();
  }

  addAll(other: ResultLines): void {
    for (const [id, entries] of other.runs) this.#settle(id, entries);
    for (const judgement of other.judgements.values()) this.#addJudgement(judgement);
    for (const line of other.unreadable) this.unreadable.push(line);
  }

  #addEntry(entry: ResultEntry): void {
    const { custom_id: id } = entry.line;
    const waiting = this.#waiting.get(id);
    // Most runs have one line.
    if (!this.runs.has(id)) this.#settle(id, [entry]);
    else if (!waiting) this.#waiting.set(id, [entry]);
    else if (waiting.push(entry) >= MOST_WAITING) this.#settle(id, waiting.splice(0));
  }

  #settle(id: string, entries: readonly ResultEntry[]): void {
    this.runs.set(id, withEntries(this.runs.get(id) ?? [], entries));
  }

  #addJudgement(judgement: JudgementEntry): void {
    const key = judgementKey(judgement.line);
    const known = this.judgements.get(key);
    if (!known || isLater(judgement, known)) this.judgements.set(key, judgement);
  }
}

function parsed(text: string): Json | undefined {
  // Most invalid text is not closed JSON: an exception takes a hundred times as long.
  if (!text.startsWith('{') || !text.endsWith('}')) return undefined;
  try {
    return parseExactly(text);
  } catch {
    return undefined;
  }
}

/** Of two judgements of one kind and run the later one; the same for either order. */
function isLater(a: JudgementEntry, b: JudgementEntry): boolean {
  const [first, other] = [a.line.judged_at, b.line.judged_at];
  return first === other ? a.text > b.text : first > other;
}

/** Results that may come from several people: a run that several lines tell of has one outcome (see `resultOrder`). */
export function* readingResults({
  runs,
  judgements,
  unreadable,
}: ResultLines): Generator<unknown, ReadResults> {
  const results: ResultLine[] = [];
  const judging: ResultLine[] = [];
  const costs = new Map<string, readonly Money[]>();
  const earlier = new Map<string, readonly ResultLine[]>();
  const sent = new Set<string>();
  for (const [id, entries] of runs) {
    const counting = countingEntry(entries);
    if (counting) (isJudgeId(id) ? judging : results).push(shownLine(counting));
    if (counting?.state === 'sent') sent.add(id);
    const paid = paidLines(entries);
    if (paid.length > 0)
      costs.set(
        id,
        paid.map((line) => line.cost!),
      );
    const others = counting ? ofOtherRequests(paid, counting) : [];
    if (others.length > 0) earlier.set(id, others);
    yield;
  }
  return {
    results,
    judging,
    costs,
    earlier,
    sent,
    judgements: [...judgements.values()].map(({ line }) => line),
    unreadable: [...unreadable],
  };
}

function shownLine({ state, line }: ResultEntry): ResultLine {
  if (state !== 'sent') return line;
  return { ...line, reason: l10n.t('Sent; no response has been recorded.') };
}

/** One line with its end, ready to append. */
export function resultText(result: ResultLine | JudgementLine): string {
  return `${JSON.stringify(result)}\n`;
}

/**
 * All results of several files, those of each run together, then one line for each judgement. The order is that of
 * the ids, so that merging the same files in any order, or twice, writes the same bytes. Lines that cannot be read
 * come last, unchanged, without the marks of a merge that git has left. In pieces, for texts that are held already.
 */
export function* mergedPieces({ runs, judgements, unreadable }: ResultLines): Generator<string> {
  const byKey = <T>(entries: ReadonlyMap<string, T>) =>
    [...entries].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
  const others = new Set(unreadable.map(({ text }) => text));
  let piece = '';
  for (const texts of [
    ...byKey(runs).map((entries) => entries.flatMap(({ text }) => text ?? []).sort()),
    byKey(judgements).map(({ text }) => text),
    [...others].filter((text) => !MERGE_MARK.test(text)).sort(),
  ])
    for (const text of texts) {
      piece += `${text}\n`;
      if (piece.length < WRITTEN_AT_ONCE) continue;
      yield piece;
      piece = '';
    }
  if (piece !== '') yield piece;
}

const WRITTEN_AT_ONCE = 500_000;

/** A line that git writes where it could not merge. */
const MERGE_MARK = /^(?:<{7}|\|{7}|={7}|>{7})(?: |$)/;
