import type { RunResponse } from '../domain/response';
import { isContainer, isObject } from '../domain/value';
import { oneLine, words } from '../domain/words';
import { LONGEST_MESSAGE, wordsIn } from './error';
import { asText, firstOf, members, nameWords, pick, pickText, plainName, scalarText } from './records';
import { isFailed, saysFinished, signsIn, stateOfWord } from './stateWords';

// The outcome of each item of a batch (a run of mode `index`), by the words of runs. An entry of a list names its item by
// id, or by its place in a list of the batch's length. Indexed means said so: of the item, or by a word, a flag or a
// count for all, and nothing in the body says less.

/** One item of a batch, under the names that the service may use for it. */
export interface BatchMember {
  readonly imageId: string;
  readonly mediaRef: string;
}

/** Of one item. `unconfirmed`: the response has no sign of it, or contradicting ones; it may be indexed and paid. */
export type BatchItemOutcome =
  | { readonly outcome: 'done' }
  | { readonly outcome: 'failed'; readonly reason: string | undefined }
  | { readonly outcome: 'unconfirmed' };

/** The meaning of a list by its name, and of an entry. `listed`: it names the item without a sign. */
type Sign = 'done' | 'failed' | 'unsure' | 'listed';

/** The signs of one item in all entries about it. */
interface ItemSigns {
  readonly signs: Set<Sign>;
  reason?: string | undefined;
}

/** The meanings of names of lists and counts. `unsure`: items that were left out, for a reason of the service. */
const MEANINGS: readonly (readonly [Sign, RegExp])[] = [
  ['failed', /^(?:fail|error|reject)/],
  ['unsure', /^(?:warning|skipped|ignored)/],
  [
    'done',
    /^(?:succe|done|count$)|(?<!not|un)(?:indexed|stored|inserted|upserted|added|created|updated|written|completed|processed)/,
  ],
  [
    'listed',
    /^(?:results?|items|outputs?|images?|doc(?:ument)?s?|files?|vectors?|embeddings?|points?|records?|data|entries|(?:image|item|media)(?:ids|refs))$/,
  ],
];
/** Parts of the name of a count, which say nothing of its meaning: num_failed, documentCount, total. */
const COUNTING = /(?:^|_)(?:num|number|of|total|n)(?=_|$)|_counts?$/g;
const IDS = words('imageid id itemid mediaref');
const ECHOES = new Set(words('input inputs request params options'));
const MOST_VALUES = 20_000;

/** Of each item, in its order. A failure has an explicit sign: a word, a flag, an error, or the name of its list. */
export function readBatchOutcomes(
  response: RunResponse,
  batch: readonly BatchMember[],
): readonly BatchItemOutcome[] {
  const { raw, state, message, readBy, entries } = response;
  if (entries !== undefined) return batch.map((item, at) => mappedOutcome(item, at, batch, response));
  const { items, counts, failures, isListed, isLeftOut } = signsOf(raw.json, batch);
  const signed = items.filter(({ signs }) => signs.has('done')).length;
  const failed = items.filter(({ signs }) => signs.has('failed')).length;
  const isForAll = counts.includes(batch.length - failed);
  const isSaid = readBy !== undefined || saysFinished(raw.json) || isForAll;
  const hasNoSigns = items.every(({ signs }) => signs.size === 0 || signs.has('listed'));
  const hasFailed =
    failures === 0 ? state === 'failed' && hasNoSigns : failures >= batch.length && signed === 0;
  return items.map(({ signs, reason }): BatchItemOutcome => {
    const isDone = signs.has('done');
    if (signs.has('unsure') || (isDone && signs.has('failed'))) return { outcome: 'unconfirmed' };
    if (signs.has('failed')) return { outcome: 'failed', reason };
    if (hasFailed && !isDone) return { outcome: 'failed', reason: message };
    const isConfirmed = isDone
      ? state !== 'accepted' && !counts.some((count) => count < signed)
      : state === 'finished' &&
        !(isLeftOut || failures > failed || (counts.length > 0 && !isForAll)) &&
        (signs.has('listed') || (isSaid && !isListed));
    return { outcome: isConfirmed ? 'done' : 'unconfirmed' };
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
  const read = { items, counts: [] as number[], failures: 0, isListed: false, isLeftOut: false };
  const byName = placesByName(batch);
  const pending: (readonly [name: string, value: unknown])[] = [['results', json]];
  // Grows while it is gone through.
  for (const [name, value] of pending) {
    if (pending.length > MOST_VALUES) break;
    const meaning = meaningOf(name);
    const table = isObject(value) ? members(value) : [];
    const isTable = table.length > 0 && table.every(([key]) => byName.has(key));
    if (isObject(value) && !isTable)
      for (const member of table) if (!ECHOES.has(plainName(member[0]))) pending.push(member);
    if (meaning === undefined) continue;
    const isList = Array.isArray(value);
    const list = isList ? value : isTable ? table.map(([, entry]) => asState(entry)) : [];
    const named = isTable
      ? table.map(([key]) => byName.get(key))
      : list.map((entry) => placesOf(entry, byName, batch.length));
    const isNamed = named.some((places) => places !== undefined);
    const isOneEach = list.length === batch.length && list.every(isObject);
    const count = isNamed || isOneEach ? undefined : isList ? list.length : Number(value);
    const isCount = isList || /^\d+$/.test(scalarText(value));
    if (isCount && meaning === 'failed') read.failures = Math.max(read.failures, count ?? 0);
    const isOfDone = isCount && (meaning === 'done' || (meaning === 'listed' && !(isList && count !== 0)));
    if (isOfDone && count !== undefined && count <= batch.length) read.counts.push(count);
    if (isList && (meaning === 'done' || meaning === 'listed')) read.isListed ||= isNamed || count === 0;
    if (isList && meaning === 'listed' && count !== undefined)
      read.failures += list.filter((each) => isObject(each) && isFailed(signsIn(each))).length;
    const isSome = isContainer(value) ? Object.keys(value).length > 0 : Boolean(value);
    if (meaning === 'unsure' && isSome) read.isLeftOut = true;
    if (isNamed || isOneEach)
      for (const [at, entry] of list.entries())
        for (const place of named[at] ?? (isNamed ? [] : [at])) {
          const sign = signOf(entry, meaning);
          items[place]!.signs.add(sign);
          if (sign === 'failed') items[place]!.reason ??= reasonIn(entry, byName);
        }
  }
  return read;
}

/** {"a.png": "failed: dark"} */
function asState(entry: unknown): unknown {
  const status = typeof entry === 'string' ? (/\w+/.exec(entry)?.[0] ?? '') : '';
  return stateOfWord(status) === undefined ? entry : { status, message: entry };
}

function meaningOf(name: string): Sign | undefined {
  const counted = plainName(nameWords(name).join('_').replace(COUNTING, ''));
  return MEANINGS.find(([, names]) => names.test(counted))?.[0];
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
  const named = firstOf(IDS, (name) => byName.get(asText(pick(entry, name)) ?? ''));
  const place = Number(pickText(entry, 'index', 'position'));
  return named ?? (Number.isInteger(place) && place >= 0 && place < length ? [place] : undefined);
}

function reasonIn(entry: unknown, names: ReadonlyMap<string, unknown>): string | undefined {
  if (!isObject(entry))
    return names.has(scalarText(entry)) ? undefined : oneLine(wordsIn(entry), LONGEST_MESSAGE);
  const others = members(entry).filter(([, value]) => !names.has(scalarText(value)));
  const words = wordsIn(signsIn(entry).error ?? failedPart(entry));
  return oneLine(words ?? wordsIn(Object.fromEntries(others)), LONGEST_MESSAGE);
}

/** {id: "a.png", attributes: {state: "rejected"}} */
function failedPart(entry: unknown): unknown {
  const parts = isObject(entry) ? Object.values(entry).filter(isObject) : [];
  return parts.find((part) => isFailed(signsIn(part)));
}

function signOf(entry: unknown, meaning: Sign): Sign {
  const signs = isObject(entry) ? signsIn(entry) : {};
  const flag = isObject(entry) ? (pick(entry, 'indexed') ?? signs.flag) : entry;
  const hasFailed = isFailed(signs) || flag === false || failedPart(entry) !== undefined;
  const isDone = signs.state === 'finished' || flag === true;
  if ((hasFailed || signs.error !== undefined) && (isDone || meaning === 'done')) return 'unsure';
  if (hasFailed || (meaning === 'failed' && !isDone)) return 'failed';
  if (meaning === 'failed' || signs.state === 'accepted' || signs.state === 'unknown') return 'unsure';
  return isDone ? 'done' : meaning;
}
