import { addAll } from '../domain/many';
import { childPointer } from '../domain/pointer';
import { isObject, type UnknownObject } from '../domain/value';
import { members, parsedJson, pick, pickText, plainName } from '../readers/records';
import { isSchema } from './jsonSchema';
import { limitsAsNumbers } from './limits';
import { isOpenApi } from './openApi';
import { nameRole } from './roles';

/** A record of a body, with its place. */
export interface RecordPlace {
  readonly record: UnknownObject;
  /** JSON pointer into the body; of a record inside JSON text, that of the text. */
  readonly at: string;
  readonly parent?: RecordPlace | undefined;
  readonly depth: number;
  /** Older versions and later entries of lists are less likely to be the current one. */
  readonly cost: number;
  readonly inText: boolean;
  /** Of the whole body. */
  readonly bounds: Bounds;
}

/** How much more of a body is looked at. */
interface Bounds {
  /** Characters of JSON text to parse. */
  text: number;
  /** The texts that were parsed. */
  readonly parsed: Map<string, unknown>;
  /** Records to look for a contract in, some of them several times. */
  records: number;
}

/** Four layers around a contract, and a contract's own. */
const MOST_DEPTH = 10;
/** Hostile bodies hold millions of records; contracts are among the first. */
const MOST_PLACES = 300;
/** Members of a record, and items of a list, in which a contract is looked for. */
const MOST_LOOKED_AT = 400;
/** Characters of JSON text that are parsed in one body: the largest OpenAPI documents of models are below it. */
const MOST_TEXT = 1_500_000;
const MOST_RECORDS = 500;
const MAY_BE_TEXT =
  /schema|openapi|swagger|spec|contract|manifest|definition|modes|input|param|signature|config|api/i;

/**
 * The records of a body that may contain a contract, outer ones first. Does not enter schemas, OpenAPI documents,
 * examples, output, and records about other subjects.
 *
 * @param except values that are not entered
 */
export function placesIn(
  root: RecordPlace,
  except: ReadonlySet<unknown> = new Set(),
  most: number = MOST_PLACES,
): RecordPlace[] {
  const places = [root];
  if (isClosed(root.record)) return places;
  for (let next = 0; next < places.length && places.length < most; next++) {
    const place = places[next] as RecordPlace;
    if (place.depth >= MOST_DEPTH) continue;
    for (const [key, written] of lookedAt(place.record)) {
      const value = placeMember(place, key);
      if (typeof value !== 'object' || value === null || except.has(value) || !isEntered(key, place.record))
        continue;
      addAll(places, below(place, key, value, value !== written));
    }
  }
  return places.slice(0, most);
}

/** The body itself as a place; undefined when there is no record in it. */
export function rootPlace(json: unknown): RecordPlace | undefined {
  const bounds = { text: MOST_TEXT, parsed: new Map<string, unknown>(), records: MOST_RECORDS };
  const top = { at: '', depth: 0, cost: 0, inText: false, bounds };
  if (Array.isArray(json) && isObject(json[0]))
    return { ...top, record: { ...json.slice(0, MOST_LOOKED_AT) } };
  return isObject(json) ? { ...top, record: json } : undefined;
}

/** The members of a record in which a contract is looked for. */
export function lookedAt(record: UnknownObject): readonly (readonly [name: string, value: unknown])[] {
  return members(record).slice(0, MOST_LOOKED_AT);
}

/** The place of a value in a place's record. */
export function childPlace(
  parent: RecordPlace,
  key: string | number,
  record: UnknownObject,
  more = 0,
): RecordPlace {
  return {
    record,
    at: parent.inText ? parent.at : childPointer(parent.at, key),
    parent,
    depth: parent.depth + 1,
    cost: parent.cost + 1 + more,
    inText: parent.inText,
    bounds: parent.bounds,
  };
}

function below(parent: RecordPlace, key: string, value: object, inText: boolean): RecordPlace[] {
  const old = /^(?:versions|releases|revisions)$/.test(plainName(key)) ? 2 : 0;
  if (!Array.isArray(value)) {
    if (isClosed(value as UnknownObject)) return [];
    return [{ ...childPlace(parent, key, value as UnknownObject, old), inText: parent.inText || inText }];
  }
  // A list is no level of its own: its items have the list's place.
  const list = { ...childPlace(parent, key, {}, old), depth: parent.depth, inText: parent.inText || inText };
  const items = value.slice(0, MOST_LOOKED_AT).map((item: unknown, index) => ({ item, index }));
  // Of several versions the marked one counts, else the first.
  const ordered =
    old > 0 ? items.toSorted((a, b) => Number(isMarked(b.item)) - Number(isMarked(a.item))) : items;
  return ordered.flatMap(({ item, index }, rank) =>
    isObject(item) && !isClosed(item) ? [childPlace(list, index, item, Math.min(rank, 20))] : [],
  );
}

function isMarked(version: unknown): boolean {
  return (
    isObject(version) &&
    pick(
      version,
      'isdefault',
      'default',
      'iscurrent',
      'current',
      'islatest',
      'latest',
      'isactive',
      'active',
    ) === true
  );
}

/** Whether a record is a schema or a document, which is read as a whole. */
export function isClosed(record: UnknownObject): boolean {
  return isOpenApi(record) || (isSchema(record) && !('slug' in record));
}

function isEntered(key: string, record: UnknownObject): boolean {
  const role = nameRole(key);
  if (role === 'input' || role === 'params' || role === 'example' || role === 'aside') return false;
  if (role !== 'output') return true;
  // {result: {slug, ...}} wraps a body; {input_schema, result} describes the output of a run.
  const wraps = /^(?:result|results|response)$/.test(plainName(key));
  return (
    wraps &&
    !lookedAt(record).some(
      ([name, value]) => !isNothing(value) && /^(?:input|request|params)$/.test(nameRole(name)),
    )
  );
}

/** Whether a part is there by name only: null, or empty. */
function isNothing(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0;
  return value === null || value === undefined || value === '';
}

/** A member's value, or that of the JSON text in its place. */
export function placeMember(
  { bounds, record: own }: RecordPlace,
  key: string,
  record: UnknownObject = own,
): unknown {
  const value = record[key];
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value;
  const known = bounds.parsed.get(value);
  if (known !== undefined) return known;
  if (!MAY_BE_TEXT.test(key) || value.length > bounds.text) return value;
  bounds.text -= value.length;
  const parsed = limitsAsNumbers(parsedJson(value)) ?? value;
  bounds.parsed.set(value, parsed);
  return parsed;
}

/** The records around a place, the nearest first. */
export function surroundingRecords(place: RecordPlace | undefined): UnknownObject[] {
  const records: UnknownObject[] = [];
  for (let each = place; each !== undefined; each = each.parent) records.push(each.record);
  return records;
}

const SLUGS = ['slug', 'modelslug', 'endpointid'] as const;
/** Records that belong to the model although they have a slug of their own. */
const PART = /release|version|revision|contract|deployment|spec|manifest/;

/** Without the places of other models, unless they are all there is. */
export function ofModel(places: readonly RecordPlace[], asked: string): RecordPlace[] {
  const isAsked = (text: string | undefined) =>
    text !== undefined &&
    (text.toLowerCase() === asked.toLowerCase() || lastSegment(text) === lastSegment(asked));
  const slugs = new Map(places.map((place) => [place, pickText(place.record, ...SLUGS)]));
  const named = places.filter((place) => slugs.get(place) !== undefined);
  const own = named.some((place) => isAsked(slugs.get(place)))
    ? named.filter((place) => isAsked(slugs.get(place)))
    : named.slice(0, 1);
  const ownSlugs = new Set(own.map((place) => slugs.get(place)));
  const foreign = new Set<RecordPlace>();
  for (const place of places) {
    const slug = slugs.get(place);
    const isOther = slug !== undefined && !ownSlugs.has(slug) && !PART.test(plainName(placeName(place)));
    if (isOther || (place.parent && foreign.has(place.parent))) foreign.add(place);
  }
  return places.filter((place) => !foreign.has(place));
}

/** The last name in a pointer that is no index. */
function placeName({ at }: RecordPlace): string {
  return at.split('/').findLast((segment) => !/^\d*$/.test(segment)) ?? '';
}

function lastSegment(slug: string): string {
  return slug.toLowerCase().split('/').at(-1) ?? '';
}
