import * as l10n from '@vscode/l10n';
import type { Money } from '../domain/money';
import { isObject } from '../domain/value';
import { type JudgementLine, judgementKey, judgementLine } from './judgements';
import { type ResultEntry, type ResultLine, readLine } from './resultLine';
import { countingEntry, paidCosts, withEntry } from './resultOrder';
import { type ResultRecord, readRecords } from './resultRecords';

export { costOf, type ResultLine } from './resultLine';

/** What of a file cannot be read, by its line's number from 1. It stays in the file. */
export interface UnreadableLine {
  readonly line: number;
  readonly text: string;
}

export interface ReadResults {
  /** One for each `custom_id`, in the order of the file. */
  readonly results: readonly ResultLine[];
  /** What was paid for each run, by its `custom_id`: one cost for each of its requests that had one. */
  readonly costs: ReadonlyMap<string, readonly Money[]>;
  /** Of the unconfirmed ones: ids of runs that were sent, and of which the file has no outcome. */
  readonly sent: ReadonlySet<string>;
  /** One for each kind of judgement of a run, in the order of the file. */
  readonly judgements: readonly JudgementLine[];
  readonly unreadable: readonly UnreadableLine[];
}

/**
 * Reads results that may come from several people: a run that several lines tell of has one outcome (see
 * `resultOrder`). A torn last line, as a killed process leaves it, is unreadable.
 */
export function readResults(text: string): ReadResults {
  return new ResultsReader().read(text);
}

interface JudgementEntry {
  readonly line: JudgementLine;
  readonly text: string;
}

/** The lines of one or more files. */
export class ResultEntries {
  readonly runs = new Map<string, readonly ResultEntry[]>();
  readonly judgements = new Map<string, JudgementEntry>();
  readonly unreadable: UnreadableLine[] = [];

  /** @param lineOffset lines before the text. False: its last object is not closed. */
  add(text: string, lineOffset = 0): boolean {
    const { records, isOpen } = readRecords(text);
    for (const record of records) this.#add(record, lineOffset);
    return !isOpen;
  }

  /** Those of another file. */
  addAll(other: ResultEntries): void {
    for (const [id, entries] of other.runs)
      this.runs.set(id, entries.reduce(withEntry, this.runs.get(id) ?? []));
    for (const judgement of other.judgements.values()) this.#addJudgement(judgement);
    this.unreadable.push(...other.unreadable);
  }

  #add({ value, text, line }: ResultRecord, lineOffset: number): void {
    // Most lines are no judgements: finding that out by the schema takes as long as reading them.
    const judgement =
      value && Object.hasOwn(value, 'judgement') ? judgementLine.safeParse(value).data : undefined;
    const entry = value && !judgement ? readLine(value, text) : undefined;
    if (judgement) this.#addJudgement({ line: judgement, text });
    else if (entry) {
      const { custom_id: id } = entry.line;
      this.runs.set(id, withEntry(this.runs.get(id) ?? [], entry));
    } else this.unreadable.push({ line: lineOffset + line, text });
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

/** Reads one file again and again while it grows: lines that were read before are not read anew. */
export class ResultsReader {
  /** Whole lines that were read. */
  #known = '';
  #lines = 0;
  #entries = new ResultEntries();

  read(text: string): ReadResults {
    if (!text.startsWith(this.#known)) this.#forget();
    const end = text.lastIndexOf('\n') + 1;
    const added = text.slice(this.#known.length, end);
    const isWhole = this.#entries.add(added, this.#lines);
    this.#lines += added.split('\n').length - 1;
    this.#known = text.slice(0, end);
    const torn = text.slice(end);
    if (torn === '' && isWhole) return readEntries(this.#entries);
    // It may be half of a line, of an object, or of a character: it is read again with what follows.
    this.#entries = new ResultEntries();
    this.#entries.add(text);
    const read = readEntries(this.#entries);
    this.#forget();
    return read;
  }

  #forget(): void {
    this.#known = '';
    this.#lines = 0;
    this.#entries = new ResultEntries();
  }
}

function readEntries({ runs, judgements, unreadable }: ResultEntries): ReadResults {
  const counting = [...runs.values()].flatMap((entries) => countingEntry(entries) ?? []);
  return {
    results: counting.map(shownLine),
    costs: new Map(
      [...runs].flatMap(([id, entries]) => {
        const costs = paidCosts(entries);
        return costs.length > 0 ? [[id, costs] as const] : [];
      }),
    ),
    sent: new Set(counting.flatMap(({ state, line }) => (state === 'sent' ? [line.custom_id] : []))),
    judgements: [...judgements.values()].map(({ line }) => line),
    unreadable: [...unreadable],
  };
}

function shownLine({ state, line }: ResultEntry): ResultLine {
  if (state !== 'sent') return line;
  return { ...line, reason: l10n.t('Sent; no response has been recorded.') };
}

/** One line with its end, as it is appended. */
export function resultText(result: ResultLine | JudgementLine): string {
  return `${JSON.stringify(result)}\n`;
}

/**
 * All results of several files, those of each run together, then one line for each judgement. The order is that of the
 * ids, so that merging the same files in any order, or twice, writes the same bytes. Lines that cannot be read come
 * last, as they are, but for the marks of a merge that git has left.
 */
export function mergeResults(texts: readonly string[]): string {
  const all = new ResultEntries();
  for (const text of texts) all.add(text);
  return mergedText(all);
}

/** See `mergeResults`. */
export function mergedText({ runs, judgements, unreadable }: ResultEntries): string {
  const byKey = <T>(entries: ReadonlyMap<string, T>) =>
    [...entries].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
  const ofRuns = byKey(runs).flatMap((entries) => entries.map(({ text }) => text).sort());
  const torn = [...new Set(unreadable.map(({ text }) => text))].filter((text) => !isMergeMark(text)).sort();
  return [...ofRuns, ...byKey(judgements).map(({ text }) => text), ...torn]
    .map((text) => `${text}\n`)
    .join('');
}

/** A line that git writes where it could not merge: what stands between such lines is read. */
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
 * What of unreadable lines may be a run without another outcome: such a run may have been paid. A torn line is of none
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
  const value = parsed(text);
  return isObject(value) && Object.hasOwn(value, 'judgement') && !Object.hasOwn(value, 'state');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
