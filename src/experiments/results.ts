import { createHash, type Hash } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import { tryParseJson } from '../domain/json';
import type { Money } from '../domain/money';
import { isObject } from '../domain/value';
import { Turns } from '../service/turns';
import { formatNumber } from '../wording/number';
import { type JudgementLine, judgementKey, judgementLine } from './judgements';
import { lineCost, type ResultEntry, type ResultLine, readLine } from './resultLine';
import { countingEntry, ofOtherRequests, paidLines, withEntries } from './resultOrder';
import { type FileRecord, recordsIn } from './resultRecords';
import { isJudgeId } from './runId';
import { TextsOfPieces } from './textsOfPieces';

/** An unreadable part of a file, by its line's number from 1. It stays in the file. */
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
/** Characters in which an object over several lines ends. */
const LONGEST_OPEN = 8_000_000;

/** The lines of one or more files. */
export class ResultEntries {
  readonly runs = new Map<string, readonly ResultEntry[]>();
  readonly judgements = new Map<string, JudgementEntry>();
  readonly unreadable: UnreadableLine[] = [];
  readonly #waiting = new Map<string, ResultEntry[]>();

  /** The end of the text so far that is not read yet, and the lines before it. */
  #rest = '';
  #lines = 0;
  #unreadLines = 0;

  /** @param keepsTexts see `ResultEntry` */
  constructor(private readonly keepsTexts = false) {}

  /**
   * Adds a piece of a file; it can pause after each step.
   * @param isLast the rest, and all that follows is added as if it followed a line's end
   * @returns false: its last object is not closed, or its last line has no end
   * @throws when more lines than `MOST_UNREADABLE` cannot be read
   */
  *adding(piece: string, isLast = true): Generator<unknown, boolean> {
    const text = this.#rest + piece;
    const end = text.lastIndexOf('\n') + 1;
    const readable = isLast ? text : text.slice(0, end);
    const records = recordsIn(readable, !isLast && text.length < LONGEST_OPEN);
    for (;;) {
      const { done, value } = records.next();
      if (!done) {
        if (value) this.#add(value, this.#lines);
        yield;
        continue;
      }
      this.#rest = text.slice(value.end);
      // The text after the last line's end is no line yet.
      this.#lines += value.end === readable.length ? Math.max(0, value.lines - 1) : value.lines;
      if (isLast) yield* this.#settling();
      return !value.isOpen && end === text.length;
    }
  }

  /** Those of another file. */
  addAll(other: ResultEntries): void {
    for (const [id, entries] of other.runs) this.runs.set(id, withEntries(this.runs.get(id) ?? [], entries));
    for (const judgement of other.judgements.values()) this.#addJudgement(judgement);
    for (const line of other.unreadable) this.unreadable.push(line);
  }

  #add({ value, text, line }: FileRecord, lineOffset: number): void {
    // Most lines are no judgements: finding that out by the schema takes as long as reading them.
    const judgement =
      value && Object.hasOwn(value, 'judgement') ? judgementLine.safeParse(value).data : undefined;
    const entry = value && !judgement ? readLine(value, text, this.keepsTexts) : undefined;
    if (!value && ++this.#unreadLines > MOST_UNREADABLE)
      throw new Error(
        l10n.t(
          'More than {0} lines of the results file cannot be read. Restore the file, or move it away.',
          formatNumber(MOST_UNREADABLE),
        ),
      );
    if (judgement) this.#addJudgement({ line: judgement, text });
    else if (entry) {
      const { custom_id: id } = entry.line;
      const waiting = this.#waiting.get(id);
      if (!waiting) this.#waiting.set(id, [entry]);
      else if (waiting.push(entry) >= MOST_WAITING) this.#settle(id, waiting.splice(0));
    } else this.unreadable.push({ line: lineOffset + line, text });
  }

  #settle(id: string, waiting: readonly ResultEntry[]): void {
    this.runs.set(id, withEntries(this.runs.get(id) ?? [], waiting));
  }

  *#settling(): Generator<unknown, void> {
    for (const [id, waiting] of this.#waiting) {
      this.#settle(id, waiting);
      yield;
    }
    this.#waiting.clear();
  }

  #addJudgement(judgement: JudgementEntry): void {
    const key = judgementKey(judgement.line);
    const known = this.judgements.get(key);
    if (!known || isLater(judgement, known)) this.judgements.set(key, judgement);
  }
}

/** Of two judgements of one kind and run the later one; the same for either order. */
function isLater(a: JudgementEntry, b: JudgementEntry): boolean {
  const [first, other] = [a.line.judged_at, b.line.judged_at];
  return first === other ? a.text > b.text : first > other;
}

/** A file, from its beginning. */
export type Pieces = Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

/** Reads one file repeatedly while it grows: known lines are not read again, and no text of them is held. */
export class ResultsReader {
  /** Whole lines that were read; none while they are being added to. */
  #known: KnownLines = NOTHING_KNOWN();

  /** Other readings may begin meanwhile. */
  async read(open: () => Pieces): Promise<ReadResults> {
    const known = this.#known;
    this.#known = NOTHING_KNOWN();
    return (await this.#reading(open(), known)) ?? (await this.#reading(open(), NOTHING_KNOWN()))!;
  }

  /** Undefined: the file does not begin with the known lines. */
  async #reading(pieces: Pieces, known: KnownLines): Promise<ReadResults | undefined> {
    const { entries } = known;
    const turns = new Turns();
    const texts = new TextsOfPieces();
    const hash = createHash('sha256');
    let bytes = 0;
    for await (const piece of pieces) {
      texts.begin(piece);
      const same = Math.min(piece.length, known.bytes - bytes);
      if (same > 0) {
        bytes += hashed(hash, piece.subarray(0, same));
        if (bytes === known.bytes && hash.copy().digest('hex') !== known.hash) return undefined;
      }
      const added = piece.subarray(Math.max(0, same));
      bytes += hashed(hash, added);
      await turns.through(entries.adding(texts.next(added), false));
    }
    if (bytes < known.bytes) return undefined;
    const isWhole = await turns.through(entries.adding(texts.end()));
    const read = await turns.through(readingResults(entries));
    // Otherwise the end may be half of a line, of an object, or of a character: it is read again later.
    if (isWhole) this.#known = { bytes, hash: hash.digest('hex'), entries };
    return read;
  }
}

interface KnownLines {
  readonly bytes: number;
  /** Of those bytes. */
  readonly hash: string;
  readonly entries: ResultEntries;
}

const NOTHING_KNOWN = (): KnownLines => ({ bytes: 0, hash: '', entries: new ResultEntries() });

function hashed(hash: Hash, bytes: Uint8Array): number {
  hash.update(bytes);
  return bytes.length;
}

/**
 * Results that may come from several people: a run that several lines tell of has one outcome (see `resultOrder`). A
 * torn last line, as a killed process leaves it, is unreadable.
 */
export function* readingResults({
  runs,
  judgements,
  unreadable,
}: ResultEntries): Generator<unknown, ReadResults> {
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
        paid.map((line) => lineCost(line)!),
      );
    const others = counting ? ofOtherRequests(paid, counting) : [];
    if (others.length > 0) earlier.set(id, others);
    yield;
  }
  return {
    ...{ results, judging, costs, earlier, sent },
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
export function* mergedPieces({ runs, judgements, unreadable }: ResultEntries): Generator<string> {
  const byKey = <T>(entries: ReadonlyMap<string, T>) =>
    [...entries].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
  const torn = new Set(unreadable.map(({ text }) => text));
  let piece = '';
  for (const texts of [
    ...byKey(runs).map((entries) => entries.flatMap(({ text }) => text ?? []).sort()),
    byKey(judgements).map(({ text }) => text),
    [...torn].filter((text) => !isMergeMark(text)).sort(),
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

/** A line that git writes where it could not merge: the text between such lines is read. */
export function isMergeMark(line: string): boolean {
  return /^(?:<{7}|\|{7}|={7}|>{7})(?: |$)/.test(line);
}

const ID = /"custom_id"\s*:\s*"([^"\\]{1,200})"/;

/** Runs that unreadable lines may be of. */
export interface UnreadableRuns {
  /** The first of those lines, and how many there are. */
  readonly line: number;
  readonly lines: number;
  /** Ids that the lines name. */
  readonly ids: ReadonlySet<string>;
  /** Lines that name no run: any that has no result may be theirs. */
  readonly isAny: boolean;
}

/**
 * Unreadable lines that may be a run without another outcome: such a run may have been paid. A torn line is of none
 * where another line has that run; marks of a merge and judgements are of none. Lines in a row are one object, where
 * one of them names a run.
 * @param isOpen whether a run, by its id, would be paid without the line
 */
export function unreadableRuns(
  unreadable: readonly UnreadableLine[],
  isOpen: (id: string) => boolean,
): UnreadableRuns | undefined {
  const groups: UnreadableLine[][] = [];
  for (const one of unreadable) {
    if (isMergeMark(one.text) || isJudgement(one.text)) continue;
    const last = groups.at(-1);
    if (last?.at(-1)?.line === one.line - 1) last?.push(one);
    else groups.push([one]);
  }
  const ids = new Set<string>();
  const suspect = groups.flatMap((lines) => {
    const named = lines.flatMap(({ text }) => ID.exec(text)?.[1] ?? []);
    const open = named.filter(isOpen);
    for (const id of open) ids.add(id);
    return named.length === 0 || open.length > 0 ? [{ lines, isAny: named.length === 0 }] : [];
  });
  if (suspect.length === 0) return undefined;
  return {
    line: suspect[0]!.lines[0]!.line,
    lines: suspect.reduce((sum, { lines }) => sum + lines.length, 0),
    ids,
    isAny: suspect.some(({ isAny }) => isAny),
  };
}

function isJudgement(text: string): boolean {
  const value = tryParseJson(text);
  return isObject(value) && Object.hasOwn(value, 'judgement') && !Object.hasOwn(value, 'state');
}
