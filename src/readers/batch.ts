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
interface ItemSigns {
  done: boolean;
  failed: boolean;
  unsure: boolean;
  listed: boolean;
  reason?: string | undefined;
}

type Meaning = 'done' | 'failed' | 'results' | 'other';

/** The meanings of names of lists and counts. */
const MEANINGS: readonly (readonly [Meaning, RegExp])[] = [
  ['failed', /^(?:fail|error|reject|invalid)/],
  [
    'done',
    /^(?:indexed|succe|stored|saved|inserted|upserted|added|created|updated|completed|done|processed|count$)/,
  ],
  [
    'results',
    /^(?:results?|items|outputs?|images|documents|data|entries|(?:image|item|media)(?:ids|refs)|)$/,
  ],
];
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
  const hasSigns = items.some(({ done, failed, unsure }) => done || failed || unsure);
  const signed = items.filter(({ done }) => done).length;
  const isAll = counts.includes(batch.length) || counts.reduce((sum, each) => sum + each, 0) === batch.length;
  const saysLess = hasWarnings || failures > 0 || (counts.length > 0 && !isAll && signed < batch.length);
  const isContradicted = !counts.includes(batch.length) && counts.some((count) => count < signed);
  const isSaid = readBy !== undefined || saysFinished(raw.json) || counts.includes(batch.length);
  return items.map(({ done, failed, unsure, listed, reason }): BatchItemOutcome => {
    if (unsure || (done && failed)) return { outcome: 'unconfirmed' };
    if (failed) return failedFor(reason);
    if (done) return { outcome: isContradicted || state === 'accepted' ? 'unconfirmed' : 'done' };
    if (failures >= batch.length && signed === 0) return failedFor(message);
    if (state === 'failed' && !hasSigns && failures === 0) return failedFor(message);
    const isDone = state === 'finished' && !saysLess && (listed || (isSaid && !isListed));
    return { outcome: isDone ? 'done' : 'unconfirmed' };
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
  return signsOf(json, batch).items;
}

function signsOf(json: unknown, batch: readonly BatchMember[]) {
  const items = batch.map((): ItemSigns => ({ done: false, failed: false, unsure: false, listed: false }));
  // Counts of items that are done; items that failed, without a name; whether a list names items or has no entry.
  const read = { items, counts: [] as number[], failures: 0, isListed: false, hasWarnings: false };
  const byName = placesByName(batch);
  const say = (at: readonly number[] | undefined, entry: unknown, meaning: Meaning) => {
    const sign = signOf(entry, meaning);
    for (const item of at?.map((each) => items[each]!) ?? []) {
      item[sign] = true;
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
      const isOneEach = value.length === batch.length && meaning !== 'other' && value.every(isObject);
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

function signOf(entry: unknown, meaning: Meaning): 'done' | 'failed' | 'unsure' | 'listed' {
  const inner = isObject(entry) ? pick(entry, 'result', 'status') : undefined;
  const record: UnknownObject = isObject(inner) ? inner : isObject(entry) ? entry : {};
  const signs = signsIn(record);
  const indexed = pick(record, 'indexed');
  const hasFailed = isFailed(signs) || indexed === false || entry === false;
  const isDone = signs.state === 'finished' || signs.flag === true || indexed === true || entry === true;
  if ((hasFailed || signs.error !== undefined) && (isDone || meaning === 'done')) return 'unsure';
  if (hasFailed || (meaning === 'failed' && !isDone)) return 'failed';
  if (meaning === 'failed' || signs.state === 'accepted' || signs.state === 'unknown') return 'unsure';
  return isDone || meaning === 'done' ? 'done' : 'listed';
}

function meaningOf(name: string): Meaning {
  return MEANINGS.find(([, names]) => names.test(name))?.[0] ?? 'other';
}
