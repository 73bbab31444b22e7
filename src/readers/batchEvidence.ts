import { isObject, type UnknownObject } from '../domain/value';
import { words } from '../domain/words';
import { isError } from './failureSigns';
import { failedWith, type ItemSign, only, reasonIn, signIn } from './itemSigns';
import { asText, pick, pickText, plainName } from './records';

// Signs of single items, at any place of a response. "Response body of a run: not shown" (section 2.5).

/** One item of a batch, under the names that the service may use for it. */
export interface BatchMember {
  readonly imageId: string;
  readonly mediaRef: string;
}

/** The signs of one item: `named` means that it is in a list of results, without a sign. */
export interface ItemEvidence {
  readonly signs: ItemSign[];
  named: boolean;
  /** An entry of any list is about it: a warning, or in a rejection the problem. */
  mentioned: boolean;
}

export interface BatchEvidence {
  readonly items: readonly ItemEvidence[];
  /** A list of results named some items; one that it does not name has no outcome. */
  readonly isListed: boolean;
  /** The body counts or lists items that were done or that failed, be it none. */
  readonly isAboutItems: boolean;
  /** Counts of items that were done and that failed, each as often as it occurs in the body. */
  readonly done: readonly number[];
  readonly failed: readonly number[];
}

/** The meaning of a list's name for its items. */
type ListMeaning = 'done' | 'failed' | 'skipped' | 'results' | 'other';

const FAILED_LISTS = new Set(
  words(`failed failures failure errors error rejected invalid unsuccessful faileditems failedimages failedids
    errordetails itemerrors erroritems rejecteditems unprocessed unprocesseditems`),
);
const DONE_LISTS = new Set(
  words(`indexed succeeded success successful successes completed stored upserted created added inserted updated replaced
    indexeditems indexedimages indexedids indexedimageids successfulids`),
);
/** Left out, for a reason that may be that they are there already. */
const SKIPPED_LISTS = new Set(words('skipped ignored duplicate duplicates skippeditems skippedimages'));
/** Of identifiers: not_indexed_ids, pending_ids. */
const UNDONE =
  /^(?:not|un)(?:indexed|stored|saved|processed|completed|finished|changed)$|pending|queued|missing|remaining/;
/** Lists of done items that together name all of them. */
const DONE_PARTS = new Set(words('created added inserted updated replaced'));
const RESULT_LISTS = new Set(
  words(`results result items output outputs images documents data vectors imageids ids entries records files media
    statuses outcomes response responses predictions`),
);
/** Members that repeat the request, not its outcome. */
const ECHOES = new Set(words('input inputs request params parameters options'));
/** Members of an entry that name its item. */
const IDS = words('imageid id itemid documentid docid externalid key mediaref image item media file');
const PLACES = words('index position idx i imageindex itemindex place');
const DONE_COUNTS = new Set(
  [...DONE_LISTS].flatMap((name) => [name, `${name}count`, `${name}items`, `num${name}`, `total${name}`]),
);
/** insertCount of Milvus, rows_affected, upserted_items, stored_vectors_count. */
const DONE_COUNT =
  /^(?:num(?:ber)?(?:of)?|total|n)?(?:index|upsert|insert|stor|sav|writ|ingest|embed)(?:e|ed|ten)?(?:items|images|rows|records|documents|docs|vectors|points|entities|files)?(?:count|num|number|total)$|^(?:rows|records|documents|items)(?:affected|written|inserted|upserted|indexed|stored)$/;
const FAILED_COUNTS = new Set(
  [...FAILED_LISTS].flatMap((name) => [
    name,
    `${name}count`,
    `num${name}`,
    `total${name}`,
    `${name.replace(/s$/, '')}count`,
  ]),
);
/** Counts of parts of an indexed file, and flags that may be 0 or 1: no counts of items. */
const NO_COUNTS = new Set(words('created added inserted updated replaced success error failure'));

const MOST_DEPTH = 8;
const MOST_VALUES = 20_000;

/** Collects the evidence about each member, in the order of the batch. */
export function evidenceIn(json: unknown, batch: readonly BatchMember[]): BatchEvidence {
  const collector = new Collector(batch);
  collector.visit(json, '', 0);
  collector.countParts();
  return collector;
}

class Collector implements BatchEvidence {
  readonly items: readonly ItemEvidence[];
  readonly done: number[] = [];
  readonly failed: number[] = [];
  isListed = false;
  isAboutItems = false;
  readonly #byName = new Map<string, Set<number>>();
  /** Entries of lists that together name the done items. */
  #parts: number | undefined;
  #left = MOST_VALUES;

  constructor(private readonly batch: readonly BatchMember[]) {
    this.items = batch.map(() => ({ signs: [], named: false, mentioned: false }));
    // Ids first: files of one content share a reference, and one's reference may be another's id.
    for (const [i, { imageId }] of batch.entries()) this.#addName(imageId, i);
    const ids = new Set(this.#byName.keys());
    for (const [i, { mediaRef }] of batch.entries())
      if (mediaRef !== '' && !ids.has(mediaRef)) this.#addName(mediaRef, i);
  }

  /** @param name of the member that holds the value; an item of a list has that of its list */
  visit(value: unknown, name: string, depth: number): void {
    if (depth > MOST_DEPTH || --this.#left < 0) return;
    if (Array.isArray(value)) {
      if (!this.#list(value, name)) for (const inner of value) this.visit(inner, name, depth + 1);
      return;
    }
    if (!isObject(value) || this.#table(value, name)) return;
    for (const [key, inner] of Object.entries(value)) {
      const plain = plainName(key);
      if (ECHOES.has(plain)) continue;
      if (typeof inner === 'number') this.#count(plain, inner);
      // {unprocessed_items: {table: [...]}} of DynamoDB: a name within has the meaning of that around it.
      else
        this.visit(
          inner,
          meaningOf(name) === 'failed' && meaningOf(plain) === 'other' ? name : plain,
          depth + 1,
        );
    }
  }

  countParts(): void {
    if (this.#parts !== undefined && this.#parts <= this.batch.length) this.done.push(this.#parts);
  }

  #addName(name: string, i: number): void {
    const known = this.#byName.get(name);
    if (known === undefined) this.#byName.set(name, new Set([i]));
    else known.add(i);
  }

  #count(name: string, value: number): void {
    if (!Number.isInteger(value) || value < 0 || value > this.batch.length) return;
    if (NO_COUNTS.has(name)) return;
    const isDone = DONE_COUNTS.has(name) || DONE_COUNT.test(name);
    if (isDone || FAILED_COUNTS.has(name)) this.isAboutItems = true;
    if (isDone) this.done.push(value);
    else if (FAILED_COUNTS.has(name)) this.failed.push(value);
  }

  /** A list with entries about items: by their ID, by their place, or one for each item. */
  #list(list: readonly unknown[], name: string): boolean {
    const meaning = meaningOf(name);
    if (meaning === 'done' || meaning === 'failed') this.isAboutItems = true;
    if (meaning === 'done') this.#countDone(list, name);
    const members = this.#membersOf(list, meaning);
    if (members === undefined) {
      const isOfNames = (meaning === 'done' || stemOf(name) === '') && list.every(isName);
      if (isOfNames && list.length > 0) this.#countNames(list.length, name);
      return this.#lacks(list) || this.#countSigns(list, meaning);
    }
    for (const [i, member] of members.entries())
      if (member !== undefined) this.#say(member, list[i], meaning);
    const isOfUnknown = list.some((entry, i) => members[i] === undefined && isError(entry));
    if (meaning === 'failed' && isOfUnknown) this.#countFailed(list.filter(isError).length);
    return true;
  }

  /** Names of the service's own: fewer than the items are not about all of them. */
  #countNames(count: number, name: string): void {
    if (count < this.batch.length && !DONE_PARTS.has(stemOf(name) ?? name)) this.done.push(count);
  }

  #countDone(list: readonly unknown[], name: string): void {
    if (DONE_PARTS.has(stemOf(name) ?? name)) this.#parts = (this.#parts ?? 0) + list.length;
    else if (list.length === 0) this.done.push(0);
  }

  /** The items of each entry; undefined when they cannot be identified for any entry. */
  #membersOf(
    list: readonly unknown[],
    meaning: ListMeaning,
  ): (ReadonlySet<number> | undefined)[] | undefined {
    const places = list.map(placeIn);
    const areInRange = places.every((place) => place === undefined || place < this.batch.length);
    const entries = list.map((entry, i) => {
      const place = areInRange ? places[i] : undefined;
      return this.#membersNamed(entry) ?? (place === undefined ? undefined : new Set([place]));
    });
    if (entries.some((members) => members !== undefined)) return entries;
    const isOneEach = list.length === this.batch.length && meaning !== 'other' && areInRange;
    if (!isOneEach || !list.every((entry) => isAboutOne(entry, meaning))) return undefined;
    // In a list of errors, null means no error.
    return list.map((entry, i) => (meaning !== 'failed' || isError(entry) ? new Set([i]) : undefined));
  }

  /** One vector for each item: where one is null, its item has none. */
  #lacks(list: readonly unknown[]): boolean {
    const isVector = (entry: unknown) => Array.isArray(entry) && typeof entry[0] === 'number';
    if (list.length !== this.batch.length || !list.some(isVector)) return false;
    if (!list.every((entry) => entry === null || isVector(entry))) return false;
    for (const [i, entry] of list.entries())
      if (entry === null) this.#say(new Set([i]), { status: 'without a vector' }, 'other');
    return true;
  }

  /** Signs of items that cannot be identified. */
  #countSigns(list: readonly unknown[], meaning: ListMeaning): boolean {
    if (meaning === 'failed') {
      this.#countFailed(list.filter(isError).length);
      return true;
    }
    const signs = list.map((entry) => signIn(entry)?.sign).filter((sign) => sign !== undefined);
    if (meaning === 'other' || signs.length === 0) return false;
    this.#countFailed(signs.filter((sign) => sign === 'failed').length);
    this.done.push(signs.filter((sign) => sign === 'done').length);
    return true;
  }

  #countFailed(count: number): void {
    if (count > 0) this.failed.push(Math.min(count, this.batch.length));
  }

  /** {"a.png": {...}, "b.png": {...}}: the names are ids. */
  #table(record: UnknownObject, name: string): boolean {
    const keys = Object.keys(record);
    if (keys.length === 0 || !keys.every((key) => this.#byName.has(key))) return false;
    for (const key of keys) this.#say(this.#byName.get(key)!, record[key], meaningOf(name));
    return true;
  }

  #say(members: ReadonlySet<number>, entry: unknown, meaning: ListMeaning): void {
    const sign = signOf(entry, meaning, typeof entry === 'string' && this.#byName.has(entry));
    if (meaning === 'done' || meaning === 'results') this.isListed = true;
    for (const member of members) {
      const item = this.items[member]!;
      item.mentioned = true;
      this.isAboutItems = true;
      if (sign !== undefined) item.signs.push(sign);
      else if (meaning === 'results') item.named = true;
    }
  }

  #membersNamed(entry: unknown): ReadonlySet<number> | undefined {
    if (typeof entry === 'string' || typeof entry === 'number') return this.#byName.get(String(entry));
    if (!isObject(entry)) return undefined;
    for (const name of IDS) {
      const value = pick(entry, name);
      const id = isObject(value) ? pickText(value, 'imageid', 'id', 'mediaref', 'key') : asText(value);
      const members = id === undefined ? undefined : this.#byName.get(id);
      if (members !== undefined) return members;
    }
    const inner = only(entry);
    return isObject(inner) ? this.#membersNamed(inner) : undefined;
  }
}

/** Lists of the identifiers of items under any name: objectIDs of Algolia, primaryKeys, failed_image_ids. */
const ID_LIST =
  /^(.*?)(?:images?|items?|documents?|docs?|objects?|files?|media|vectors?|records?|points?|entit(?:y|ies)|primary|external)?(?:id|key)s$/;

/** The name of a list of identifiers, without these. */
function stemOf(name: string): string | undefined {
  return ID_LIST.exec(name)?.[1];
}

function meaningOf(name: string): ListMeaning {
  const stem = stemOf(name);
  for (const one of stem === undefined ? [name] : [name, stem]) {
    if (FAILED_LISTS.has(one)) return 'failed';
    if (DONE_LISTS.has(one)) return 'done';
    if (SKIPPED_LISTS.has(one)) return 'skipped';
  }
  if (stem !== undefined) return UNDONE.test(stem) ? 'skipped' : 'results';
  // A body that is a list, or a list in a list.
  return name === '' || RESULT_LISTS.has(name) ? 'results' : 'other';
}

/** An entry's own sign, combined with the meaning of its list. */
function signOf(entry: unknown, meaning: ListMeaning, isId: boolean): ItemSign | undefined {
  switch (meaning) {
    case 'failed': {
      const own = isObject(entry) ? signIn(entry) : undefined;
      if (own?.sign === 'done') return { sign: 'unsure' };
      return own?.sign === 'failed' ? own : failedWith(isId ? undefined : reasonIn(entry));
    }
    case 'done':
      return (isId ? undefined : signIn(entry)) ?? { sign: 'done' };
    case 'skipped':
      return (isId ? undefined : signIn(entry)) ?? { sign: 'unsure' };
    case 'results':
    case 'other':
      return isId ? undefined : signIn(entry);
  }
}

function isName(entry: unknown): boolean {
  return typeof entry === 'string' || typeof entry === 'number';
}

/** From 0, as places are counted in JSON pointers. */
function placeIn(entry: unknown): number | undefined {
  if (!isObject(entry)) return undefined;
  const place = pick(entry, ...PLACES);
  if (typeof place === 'number' && Number.isInteger(place) && place >= 0) return place;
  const path = pick(entry, 'path', 'pointer', 'field', 'loc');
  const last = Array.isArray(path)
    ? asText(path.at(-1))
    : /(?:^|[/[.])(\d{1,6})\]?$/.exec(asText(path) ?? '')?.[1];
  return last !== undefined && /^\d{1,6}$/.test(last) ? Number(last) : undefined;
}

/** Whether an entry of a list of the batch's length can be about one item. */
function isAboutOne(entry: unknown, meaning: ListMeaning): boolean {
  if (meaning === 'failed')
    return entry === null || entry === false || typeof entry === 'string' || isObject(entry);
  return signIn(entry) !== undefined;
}
