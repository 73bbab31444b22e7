import type { RunResponse } from '../domain/response';
import { isObject, type UnknownObject } from '../domain/value';
import { words } from '../domain/words';
import { LONGEST_MESSAGE, wordsIn } from './error';
import { asText, isContainer, members, oneLine, pick, pickText, plainName, scalarText } from './records';
import { isFailed, saysFinished, signsIn } from './stateWords';

// The outcome of each item of a batch (a run of mode `index`), by the words of runs. An entry of a list names its item by
// id, or by its place in a list of the batch's length. Indexed means said so: of the item, or by a word, a flag or a
// count for all, and nothing in the body says less.

/** One item of a batch, under the names that the service may use for it. */
export interface BatchMember {
  readonly imageId: string;
  readonly mediaRef: string;
}

/**
 * The outcome of one item of a run that has a response. `unconfirmed`: the response has no sign of it, or contradicting
 * ones; the item may be indexed and paid.
 */
export type BatchItemOutcome =
  | { readonly outcome: 'done' }
  | { readonly outcome: 'failed'; readonly reason?: string }
  | { readonly outcome: 'unconfirmed' };

/** The signs of one item in all entries about it. `listed`: an entry names it without a sign. */
export interface ItemSigns {
  done: boolean;
  failed: boolean;
  unsure: boolean;
  listed: boolean;
  reason?: string | undefined;
}

const DONE_LISTS = words(
  'indexed succeeded success stored saved inserted upserted added updated completed done',
);
const FAILED_LISTS = words('failed failures errors error rejected invalid');
const RESULT_LISTS = words('results result items outputs output images documents data entries');
/** The rest of a name of such a list or count. */
const OF_ITEMS =
  /^(?:image|item|file|document|vector|record)?(?:ids?|keys|s|items|images|files|documents|records|vectors|count)?$/;
const IDS = words('imageid id itemid documentid mediaref image item file');
const PLACES = words('index position');
const ECHOES = new Set(words('input inputs request params parameters options'));
const COUNTS =
  /index|insert|upsert|stored|saved|added|created|updated|written|processed|succe|complet|count|done/;
const NO_COUNTS = /scope|token|cost|time|seconds|ms$|retr/;
const FAILED_COUNTS = /fail|error|reject|invalid/;
/** Of items that were left out, for a reason of the service. */
const LEFT_OUT = /^(?:warnings?|skipped|ignored)/;
const MOST_DEPTH = 6;
const MOST_VALUES = 20_000;

type Meaning = 'done' | 'failed' | 'results' | 'other';

/**
 * The outcome of each item of a batch, in its order. A failure is counted only on an explicit sign: a word, a flag, an
 * error, or the name of the list that the item is in.
 */
export function readBatchOutcomes(
  response: RunResponse,
  batch: readonly BatchMember[],
): readonly BatchItemOutcome[] {
  const { raw, state, message, readBy, entries } = response;
  if (entries !== undefined) return batch.map((item, at) => mappedOutcome(item, at, batch, response));
  const read = new BatchReading(batch);
  read.visit(raw.json, '', 0);
  const { items } = read;
  const hasSigns = items.some(({ done, failed, unsure }) => done || failed || unsure);
  const signed = items.filter(({ done }) => done).length;
  const isSaid = readBy !== undefined || saysFinished(raw.json) || read.counts.includes(batch.length);
  const mayBeDone = state === 'finished' && !read.saysLess(signed);
  return items.map(({ done, failed, unsure, listed, reason }): BatchItemOutcome => {
    if (unsure || (done && failed)) return { outcome: 'unconfirmed' };
    if (failed) return failedFor(reason);
    if (done) return { outcome: read.isBelow(signed) || state === 'accepted' ? 'unconfirmed' : 'done' };
    if (read.failures >= batch.length && signed === 0) return failedFor(message);
    if (state === 'failed' && !hasSigns && read.failures === 0) return failedFor(message);
    return { outcome: mayBeDone && (listed || (isSaid && !read.isListed)) ? 'done' : 'unconfirmed' };
  });
}

/** By the entry of its id, else by its place in a list of the batch's length. */
function mappedOutcome(
  { imageId, mediaRef }: BatchMember,
  at: number,
  { length }: readonly BatchMember[],
  { entries = [], state, message }: RunResponse,
): BatchItemOutcome {
  const named = entries.find(({ id }) => id !== undefined && (id === imageId || id === mediaRef));
  const entry =
    named ?? (entries.length === length && entries[at]?.id === undefined ? entries[at] : undefined);
  if (state === 'failed' || entry?.state === 'failed') return failedFor(message);
  const isDone = entry !== undefined && (entry.state ?? state) === 'finished' && state === 'finished';
  return { outcome: isDone ? 'done' : 'unconfirmed' };
}

function failedFor(reason: string | undefined): BatchItemOutcome {
  return reason === undefined ? { outcome: 'failed' } : { outcome: 'failed', reason };
}

/** The signs of each item in a body, also of a rejected batch. */
export function itemSignsIn(json: unknown, batch: readonly BatchMember[]): readonly ItemSigns[] {
  const read = new BatchReading(batch);
  read.visit(json, '', 0);
  return read.items;
}

class BatchReading {
  readonly items: readonly ItemSigns[];
  /** Counts of items that are done, at most those of the batch. */
  readonly counts: number[] = [];
  /** Items that failed, without a name. */
  failures = 0;
  /** A list names some items, or has no entry. */
  isListed = false;
  #hasWarnings = false;
  #left = MOST_VALUES;
  readonly #byName = new Map<string, number[]>();

  constructor(batch: readonly BatchMember[]) {
    this.items = batch.map(() => ({ done: false, failed: false, unsure: false, listed: false }));
    // Ids first: files of one content share a reference, and one's reference may be another's id.
    for (const [at, { imageId }] of batch.entries())
      this.#byName.set(imageId, [...(this.#byName.get(imageId) ?? []), at]);
    const ids = new Set(this.#byName.keys());
    for (const [at, { mediaRef }] of batch.entries())
      if (mediaRef !== '' && !ids.has(mediaRef))
        this.#byName.set(mediaRef, [...(this.#byName.get(mediaRef) ?? []), at]);
  }

  /** @param name of the member that holds the value; an item of a list has that of its list */
  visit(value: unknown, name: string, depth: number): void {
    if (depth > MOST_DEPTH || --this.#left < 0) return;
    const meaning = meaningOf(name);
    if (Array.isArray(value)) this.#list(value, meaning);
    else if (isObject(value)) {
      const table = Object.entries(value);
      if (table.length > 0 && table.every(([key]) => this.#byName.has(key)))
        for (const [key, entry] of table) this.#say(this.#byName.get(key), entry, meaning);
      else for (const [key, inner] of members(value)) this.#member(plainName(key), inner, depth);
    }
  }

  /** More items than were counted. */
  isBelow(done: number): boolean {
    return this.counts.some((count) => count < done) && !this.counts.includes(this.items.length);
  }

  /** Whether something says that not all items are done. */
  saysLess(signed: number): boolean {
    const { length } = this.items;
    const sum = this.counts.reduce((all, count) => all + count, 0);
    const isShort = this.counts.length > 0 && !this.counts.includes(length) && sum !== length;
    return this.#hasWarnings || this.failures > 0 || (isShort && signed < length);
  }

  #member(name: string, value: unknown, depth: number): void {
    if (ECHOES.has(name)) return;
    if (isContainer(value)) {
      if (LEFT_OUT.test(name) && Object.keys(value).length > 0) this.#hasWarnings = true;
      this.visit(value, name, depth + 1);
    } else if (LEFT_OUT.test(name) && value !== '' && value !== 0 && value !== null) this.#hasWarnings = true;
    else if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && !NO_COUNTS.test(name)) {
      if (FAILED_COUNTS.test(name)) this.failures = Math.max(this.failures, value);
      else if (COUNTS.test(name) && value <= this.items.length) this.counts.push(value);
    }
  }

  #list(list: readonly unknown[], meaning: Meaning): void {
    if (list.length === 0 && (meaning === 'results' || meaning === 'done')) {
      this.counts.push(0);
      return;
    }
    const named = list.map((entry) => this.#named(entry));
    const isOneEach = list.length === this.items.length && meaning !== 'other' && list.every(isObject);
    const isIdentified = named.some((items) => items !== undefined);
    if (isIdentified && (meaning === 'done' || meaning === 'results')) this.isListed = true;
    if (isIdentified || isOneEach)
      for (const [at, entry] of list.entries())
        this.#say(named[at] ?? (isIdentified ? undefined : [at]), entry, meaning);
    else if (meaning === 'done') this.counts.push(Math.min(list.length, this.items.length));
    if (!isIdentified && !isOneEach && meaning === 'failed')
      this.failures = Math.max(this.failures, list.length);
    if (!isIdentified && !isOneEach && meaning !== 'failed')
      this.failures = Math.max(
        this.failures,
        list.filter((entry) => isObject(entry) && isFailed(signsIn(entry))).length,
      );
  }

  #named(entry: unknown): readonly number[] | undefined {
    if (!isObject(entry)) return this.#byName.get(scalarText(entry));
    for (const name of IDS) {
      const value = pick(entry, name);
      const id = isObject(value) ? pickText(value, 'imageid', 'id', 'mediaref') : asText(value);
      const items = id === undefined ? undefined : this.#byName.get(id);
      if (items !== undefined) return items;
    }
    const place = PLACES.map((name) => pick(entry, name)).find(Number.isInteger) as number | undefined;
    return place !== undefined && place in this.items ? [place] : undefined;
  }

  #say(items: readonly number[] | undefined, entry: unknown, meaning: Meaning): void {
    const sign = signOf(entry, meaning);
    for (const at of items ?? []) {
      const item = this.items[at]!;
      item[sign] = true;
      if (sign === 'failed') item.reason ??= oneLine(reasonIn(entry, this.#byName), LONGEST_MESSAGE);
    }
  }
}

function reasonIn(entry: unknown, names: ReadonlyMap<string, unknown>): string | undefined {
  if (typeof entry === 'string' && names.has(entry)) return undefined;
  return (
    wordsIn(isObject(entry) ? (signsIn(entry).error ?? entry) : entry) ??
    (isObject(entry) ? wordsIn(entry) : undefined)
  );
}

function signOf(entry: unknown, meaning: Meaning): 'done' | 'failed' | 'unsure' | 'listed' {
  const inner = isObject(entry) ? pick(entry, 'result', 'status') : undefined;
  const record: UnknownObject = isObject(entry) ? (isObject(inner) ? inner : entry) : {};
  const signs = signsIn(record);
  const indexed = pick(record, 'indexed');
  const hasFailed = isFailed(signs) || indexed === false || entry === false;
  const isDone = signs.state === 'finished' || signs.flag === true || indexed === true || entry === true;
  const isBoth = (hasFailed || signs.error !== undefined) && (isDone || meaning === 'done');
  if (isBoth) return 'unsure';
  if (hasFailed || (meaning === 'failed' && !isDone)) return 'failed';
  if (meaning === 'failed' || signs.state === 'accepted' || signs.state === 'unknown') return 'unsure';
  return isDone || meaning === 'done' ? 'done' : 'listed';
}

function meaningOf(name: string): Meaning {
  const isOf = (names: readonly string[]) =>
    names.some((each) => name.startsWith(each) && OF_ITEMS.test(name.slice(each.length)));
  if (isOf(FAILED_LISTS)) return 'failed';
  if (isOf(DONE_LISTS)) return 'done';
  return name === '' || isOf(RESULT_LISTS) || /^(?:image|item|document|media|vector)(?:ids|refs)$/.test(name)
    ? 'results'
    : 'other';
}
