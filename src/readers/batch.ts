import type { RunResponse } from '../domain/response';
import { isContainer, isObject } from '../domain/value';
import { oneLine, words } from '../domain/words';
import { LONGEST_MESSAGE, wordsIn } from './error';
import { asText, members, pick, pickText, plainName, scalarText } from './records';
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
  | { readonly outcome: 'failed'; readonly reason: string | undefined }
  | { readonly outcome: 'unconfirmed' };

/** `listed`: an entry names the item without a sign. */
type Sign = 'done' | 'failed' | 'unsure' | 'listed';

/** The signs of one item in all entries about it. */
interface ItemSigns {
  readonly signs: Set<Sign>;
  reason?: string | undefined;
}

/** The meanings of names of lists and counts. */
const MEANINGS = {
  failed: /^(?:fail|error|reject|invalid)/,
  done: /^(?:indexed|succe|stored|inserted|upserted|added|created|updated|completed|done|processed|count$)/,
  results: /^(?:results?|items|outputs?|images|documents|data|entries|(?:image|item|media)(?:ids|refs)|)$/,
} as const;
type Meaning = keyof typeof MEANINGS | undefined;
const IDS = words('imageid id itemid mediaref image item file');
const PLACES = words('index position');
const ECHOES = new Set(words('input inputs request params parameters options'));
/** Of items that were left out, for a reason of the service. */
const LEFT_OUT = /^(?:warnings?|skipped|ignored)/;
const MOST_VALUES = 20_000;

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
  const { items, counts, failures, isListed, hasWarnings } = signsOf(raw.json, batch);
  const hasNoSigns = items.every(({ signs }) => signs.size === 0 || signs.has('listed'));
  const signed = items.filter(({ signs }) => signs.has('done')).length;
  const isForAll = counts.includes(batch.length);
  const isLess = counts.length > 0 && !isForAll && addedUp(counts) !== batch.length;
  const saysLess = hasWarnings || failures > 0 || isLess;
  const isSaid = readBy !== undefined || saysFinished(raw.json) || isForAll;
  const isFailed =
    failures === 0 ? state === 'failed' && hasNoSigns : failures >= batch.length && signed === 0;
  return items.map(({ signs, reason }): BatchItemOutcome => {
    const isDone = signs.has('done');
    if (signs.has('unsure') || (isDone && signs.has('failed'))) return { outcome: 'unconfirmed' };
    if (signs.has('failed')) return { outcome: 'failed', reason };
    if (isFailed && !isDone) return { outcome: 'failed', reason: message };
    const isConfirmed = isDone
      ? state !== 'accepted' && !(isLess && counts.some((count) => count < signed))
      : state === 'finished' && !saysLess && (signs.has('listed') || (isSaid && !isListed));
    return { outcome: isConfirmed ? 'done' : 'unconfirmed' };
  });
}

const addedUp = (counts: readonly number[]) => counts.reduce((sum, each) => sum + each, 0);

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
  if (state === 'failed' || entry?.state === 'failed') return { outcome: 'failed', reason: message };
  const isDone = entry !== undefined && (entry.state ?? state) === 'finished' && state === 'finished';
  return { outcome: isDone ? 'done' : 'unconfirmed' };
}

/** The items that a body reports as failed, also that of a rejected batch. */
export function failedItems<T extends BatchMember>(json: unknown, batch: readonly T[]): T[] {
  const { items } = signsOf(json, batch);
  return batch.filter((_, at) => items[at]!.signs.has('failed'));
}

function signsOf(json: unknown, batch: readonly BatchMember[]) {
  const items = batch.map((): ItemSigns => ({ signs: new Set() }));
  // Counts of items that are done; items that failed, without a name; whether a list names items or has no entry.
  const read = { items, counts: [] as number[], failures: 0, isListed: false, hasWarnings: false };
  const byName = placesByName(batch);
  const say = (at: readonly number[] | undefined, entry: unknown, meaning: Meaning) => {
    const sign = signOf(entry, meaning);
    for (const item of at?.map((each) => items[each]!) ?? []) {
      item.signs.add(sign);
      if (sign === 'failed') item.reason ??= reasonIn(entry, byName);
    }
  };
  const pending: [value: unknown, name: string][] = [[json, '']];
  // Grows while it is gone through.
  for (const [value, name] of pending) {
    if (pending.length > MOST_VALUES) break;
    const meaning = meaningOf(name);
    if (Array.isArray(value)) {
      const named = value.map((entry) => placesOf(entry, byName, batch.length));
      const isNamed = named.some((places) => places !== undefined);
      const isOneEach = value.length === batch.length && meaning !== undefined && value.every(isObject);
      if ((isNamed || value.length === 0) && (meaning === 'done' || meaning === 'results'))
        read.isListed = true;
      if (isNamed || isOneEach)
        for (const [at, entry] of value.entries())
          say(named[at] ?? (isNamed ? undefined : [at]), entry, meaning);
      else if (meaning === 'done' || (value.length === 0 && meaning === 'results'))
        read.counts.push(Math.min(value.length, batch.length));
      else if (meaning === 'failed') read.failures = Math.max(read.failures, value.length);
      else read.failures += value.filter((entry) => isObject(entry) && isFailed(signsIn(entry))).length;
    } else if (isObject(value)) {
      const table = members(value);
      if (table.length > 0 && table.every(([key]) => byName.has(key)))
        for (const [key, entry] of table) say(byName.get(key), entry, meaning);
      else
        for (const [key, inner] of table) {
          const plain = plainName(key);
          if (ECHOES.has(plain)) continue;
          const isEmpty = isContainer(inner) ? Object.keys(inner).length === 0 : !inner;
          if (LEFT_OUT.test(plain) && !isEmpty) read.hasWarnings = true;
          if (isContainer(inner)) pending.push([inner, plain]);
          else if (Number.isInteger(inner) && (inner as number) >= 0) {
            const count = inner as number;
            if (meaningOf(plain) === 'failed') read.failures = Math.max(read.failures, count);
            else if (meaningOf(plain) === 'done' && count <= batch.length) read.counts.push(count);
          }
        }
    }
  }
  return read;
}

/** Ids first: files of one content share a reference, and one's reference may be another's id. */
function placesByName(batch: readonly BatchMember[]): ReadonlyMap<string, readonly number[]> {
  const byName = new Map<string, number[]>();
  const add = (name: string, at: number) => byName.set(name, [...(byName.get(name) ?? []), at]);
  for (const [at, { imageId }] of batch.entries()) add(imageId, at);
  const ids = new Set(byName.keys());
  for (const [at, { mediaRef }] of batch.entries())
    if (mediaRef !== '' && !ids.has(mediaRef)) add(mediaRef, at);
  return byName;
}

/** The items that an entry of a list names. */
function placesOf(
  entry: unknown,
  byName: ReadonlyMap<string, readonly number[]>,
  length: number,
): readonly number[] | undefined {
  if (!isObject(entry)) return byName.get(scalarText(entry));
  for (const name of IDS) {
    const value = pick(entry, name);
    const places = byName.get((isObject(value) ? pickText(value, 'id', 'mediaref') : asText(value)) ?? '');
    if (places !== undefined) return places;
  }
  const place = PLACES.map((name) => pick(entry, name)).find(Number.isInteger) as number | undefined;
  return place !== undefined && place >= 0 && place < length ? [place] : undefined;
}

function reasonIn(entry: unknown, names: ReadonlyMap<string, unknown>): string | undefined {
  if (typeof entry === 'string' && names.has(entry)) return undefined;
  const error = isObject(entry) ? signsIn(entry).error : undefined;
  return oneLine(wordsIn(error) ?? wordsIn(entry), LONGEST_MESSAGE);
}

function signOf(entry: unknown, meaning: Meaning): Sign {
  const inner = isObject(entry) ? pick(entry, 'result', 'status') : undefined;
  const record = [inner, entry].find(isObject) ?? {};
  const signs = signsIn(record);
  const flag = isObject(entry) ? (pick(record, 'indexed') ?? signs.flag) : entry;
  const hasFailed = isFailed(signs) || flag === false;
  const isDone = signs.state === 'finished' || flag === true;
  if ((hasFailed || signs.error !== undefined) && (isDone || meaning === 'done')) return 'unsure';
  if (hasFailed || (meaning === 'failed' && !isDone)) return 'failed';
  if (meaning === 'failed' || signs.state === 'accepted' || signs.state === 'unknown') return 'unsure';
  return isDone || meaning === 'done' ? 'done' : 'listed';
}

function meaningOf(name: string): Meaning {
  return (['failed', 'done', 'results'] as const).find((each) => MEANINGS[each].test(name));
}
