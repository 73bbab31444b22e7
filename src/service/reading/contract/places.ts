import { childPointer } from '../../../domain/pointer';
import { isObject, type UnknownObject } from '../../../domain/value';
import { limitsAsNumbers } from '../limits';
import { members, parsedJson, pickText, plainName } from '../records';
import { isSchema } from '../shape';
import { isOpenApi } from './openApi';
import { recordOfPairs } from './pairs';
import { roleOf } from './roles';

/** A record of a body, with where it stands. */
export interface Place {
  readonly record: UnknownObject;
  /** JSON pointer into the body; of a record inside JSON text, that of the text. */
  readonly at: string;
  readonly parent?: Place | undefined;
  readonly depth: number;
  /** Older versions and later entries of lists are less likely to be what is current. */
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
  /** Texts in brackets that are none of a contract. */
  readonly others: Set<string>;
  /** Records to look for a contract in, some of them several times. */
  records: number;
}

/** Four layers around a contract, and a contract's own. */
const MOST_DEPTH = 10;
/** Hostile bodies hold millions of records; contracts stand among the first. */
const MOST_PLACES = 300;
/** Members of a record, and items of a list, in which a contract is looked for. */
const MOST_LOOKED_AT = 400;
/** Characters of JSON text that are parsed in one body: the largest OpenAPI documents of models are below it. */
const MOST_TEXT = 1_500_000;
const MOST_RECORDS = 500;
const MOST_OTHERS = 500;
const MAY_BE_TEXT =
  /schema|openapi|swagger|spec|contract|manifest|definition|modes|input|param|signature|config|api/i;

/** Text that begins as a document, a schema or a contract does, whatever its name. */
const IS_CONTRACT =
  /^\s*[[{][\s\S]*"(?:openapi|swagger|\$schema|properties|modes|operations|parameters|execute|\w*(?:input|params|request)_?schema|fields_?in)\\*"\s*:/i;

/**
 * The records of a body in which a contract may stand, outer ones first. Not entered are schemas, OpenAPI documents,
 * examples, output, and what is about something else.
 *
 * @param except values that are not entered
 */
export function placesIn(
  root: Place,
  except: ReadonlySet<unknown> = new Set(),
  most: number = MOST_PLACES,
): Place[] {
  const places = [root];
  if (isClosed(root.record)) return places;
  for (let next = 0; next < places.length && places.length < most; next++) {
    const place = places[next] as Place;
    if (place.depth >= MOST_DEPTH) continue;
    for (const [key, written] of lookedAt(place.record)) {
      const value = memberOf(place, key);
      if (typeof value !== 'object' || value === null || except.has(value) || !isEntered(key, place.record))
        continue;
      places.push(...below(place, key, value, value !== written));
    }
  }
  return places.slice(0, most);
}

/** The body itself as a place; undefined when there is no record in it. */
export function rootPlace(json: unknown): Place | undefined {
  const [parsed, others] = [new Map<string, unknown>(), new Set<string>()];
  const bounds = { text: MOST_TEXT, parsed, others, records: MOST_RECORDS };
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
export function childPlace(parent: Place, key: string | number, record: UnknownObject, more = 0): Place {
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

function below(parent: Place, key: string, value: object, inText: boolean): Place[] {
  const old = /^(?:versions|releases|revisions)$/.test(plainName(key)) ? 2 : 0;
  if (!Array.isArray(value)) {
    if (isClosed(value as UnknownObject)) return [];
    const more = isCurrent(key, value as UnknownObject, parent) ? -CURRENT : old;
    return [{ ...childPlace(parent, key, value as UnknownObject, more), inText: parent.inText || inText }];
  }
  const paired = recordOfPairs(value);
  // What is in it is shown where the list stands.
  if (paired !== undefined)
    return isClosed(paired) ? [] : [{ ...childPlace(parent, key, paired, old), inText: true }];
  // A list is no level of its own: items stand where it does.
  const list = { ...childPlace(parent, key, {}, old), depth: parent.depth, inText: parent.inText || inText };
  return value
    .slice(0, MOST_LOOKED_AT)
    .flatMap((item, index) =>
      isObject(item) && !isClosed(item)
        ? [childPlace(list, index, item, isCurrent(index, item, parent) ? -CURRENT : Math.min(index, 20))]
        : [],
    );
}

/** What a record that is named as the current one is nearer than others. */
const CURRENT = 5;
const CURRENT_NAME =
  /^(?:is)?(?:current|latest|default|active|live|published|stable)(?:version|release|revision)?(?:id|name)?$/;

/** Whether a version says that it is the current one, or a record around it names it so. */
function isCurrent(key: string | number, record: UnknownObject, around: Place): boolean {
  const flags = lookedAt(record);
  if (flags.some(([name, value]) => value === true && CURRENT_NAME.test(plainName(name)))) return true;
  const pointed = [around, around.parent].flatMap((place) => (place ? [...pointedAt(place.record)] : []));
  if (pointed.length === 0) return false;
  return [String(key), pickText(record, 'id', 'version', 'name', 'tag')].some(
    (name) => name !== undefined && pointed.includes(name),
  );
}

/** What a record names as current: {latest: "v2"}. Every record in it asks. */
const pointers = new WeakMap<UnknownObject, readonly string[]>();

function pointedAt(record: UnknownObject): readonly string[] {
  const known =
    pointers.get(record) ??
    lookedAt(record).flatMap(([name, value]) =>
      typeof value === 'string' && CURRENT_NAME.test(plainName(name)) ? [value] : [],
    );
  pointers.set(record, known);
  return known;
}

/** Whether a record is a schema or a document, which is read as a whole. */
export function isClosed(record: UnknownObject): boolean {
  return isOpenApi(record) || (isSchema(record) && !('slug' in record));
}

function isEntered(key: string, record: UnknownObject): boolean {
  const role = roleOf(key);
  if (role === 'input' || role === 'params' || role === 'example' || role === 'aside') return false;
  if (role !== 'output') return true;
  // {result: {slug, ...}} wraps a body; {input_schema, result} is what a run gives back.
  const wraps = /^(?:result|results|response)$/.test(plainName(key));
  return (
    wraps &&
    !lookedAt(record).some(
      ([name, value]) => !isNothing(value) && /^(?:input|request|params)$/.test(roleOf(name)),
    )
  );
}

/** Whether a part is there by name only: null, or empty. */
function isNothing(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0;
  return value === null || value === undefined || value === '';
}

function beginsAsContract(text: string, bounds: Bounds): boolean {
  if (bounds.others.has(text) || bounds.others.size >= MOST_OTHERS) return false;
  if (IS_CONTRACT.test(text.slice(0, 1000))) return true;
  bounds.others.add(text);
  return false;
}

/** A member's value, or that of the JSON text in its place. */
export function memberOf({ bounds, record: own }: Place, key: string, record: UnknownObject = own): unknown {
  const value = record[key];
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value;
  const known = bounds.parsed.get(value);
  if (known !== undefined) return known;
  const isMeant = MAY_BE_TEXT.test(key) || beginsAsContract(value, bounds);
  if (!isMeant || value.length > bounds.text) return value;
  bounds.text -= value.length;
  const parsed = limitsAsNumbers(parsedJson(value)) ?? value;
  bounds.parsed.set(value, parsed);
  return parsed;
}

/** The records around a place, the nearest first. */
export function around(place: Place | undefined): UnknownObject[] {
  const records: UnknownObject[] = [];
  for (let each = place; each !== undefined; each = each.parent) records.push(each.record);
  return records;
}

const SLUGS = ['slug', 'modelslug', 'endpointid'] as const;
/** Records that belong to the model although they have a slug of their own. */
const PART = /release|version|revision|contract|deployment|spec|manifest/;

/** Without the places of other models, unless they are all there is. */
export function ofModel(places: readonly Place[], asked: string): Place[] {
  const isAsked = (text: string | undefined) =>
    text !== undefined &&
    (text.toLowerCase() === asked.toLowerCase() || lastSegment(text) === lastSegment(asked));
  const slugs = new Map(places.map((place) => [place, pickText(place.record, ...SLUGS)]));
  const named = places.filter((place) => slugs.get(place) !== undefined);
  const own = named.some((place) => isAsked(slugs.get(place)))
    ? named.filter((place) => isAsked(slugs.get(place)))
    : named.slice(0, 1);
  const ownSlugs = new Set(own.map((place) => slugs.get(place)));
  const foreign = new Set<Place>();
  for (const place of places) {
    const slug = slugs.get(place);
    const isOther = slug !== undefined && !ownSlugs.has(slug) && !PART.test(plainName(nameOf(place)));
    if (isOther || (place.parent && foreign.has(place.parent))) foreign.add(place);
  }
  return places.filter((place) => !foreign.has(place));
}

/** The last name in a pointer that is no index. */
function nameOf({ at }: Place): string {
  return at.split('/').findLast((segment) => !/^\d*$/.test(segment)) ?? '';
}

function lastSegment(slug: string): string {
  return slug.toLowerCase().split('/').at(-1) ?? '';
}
