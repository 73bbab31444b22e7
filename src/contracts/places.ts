import { childPointer } from '../domain/pointer';
import { isContainer, isObject, type UnknownObject } from '../domain/value';
import { MODE_LISTS } from '../readers/modeNames';
import { members, pickText, plainName } from '../readers/records';
import { isSchema } from './jsonSchema';
import { isOpenApi } from './openApi';
import { nameRole } from './roles';

export interface RecordPlace {
  readonly record: UnknownObject;
  /** JSON pointer into the body. */
  readonly at: string;
  /** The record itself, and those around it, the nearest first. */
  readonly around: readonly UnknownObject[];
  readonly depth: number;
}

/** Four layers around a contract, each perhaps in a list, and a contract's own. */
const MOST_DEPTH = 14;
/** Hostile bodies hold millions of records; contracts are among the first. */
const MOST_PLACES = 300;
/** Members of a record, and items of a list, in which a contract is looked for. */
const MOST_LOOKED_AT = 400;

/**
 * Records of a body that may contain a contract, outer ones first; none in schemas, modes, examples, output, other subjects.
 * @param isOwn whether a record is about the model itself
 */
export function placesIn(
  root: RecordPlace,
  most = MOST_PLACES,
  isOwn: (record: UnknownObject) => boolean = () => true,
): RecordPlace[] {
  const places = [root];
  // Grows while it is gone through.
  for (const place of places) {
    if (places.length >= most) break;
    if (place.depth >= MOST_DEPTH || isClosed(place.record)) continue;
    for (const [key, value] of lookedAt(place.record)) {
      if (!isContainer(value) || !isEntered(key, place.record)) continue;
      for (const one of recordsAt(place, key, value))
        if (!isClosed(one.record) && isOwn(one.record)) places.push(one);
    }
  }
  return places.slice(0, most);
}

/** The records of a body about the model that was asked for: others with a slug of their own are left out. */
export function placesOfModel(root: RecordPlace, asked: string): RecordPlace[] {
  const lastSegment = (slug: string) => slug.toLowerCase().split('/').at(-1);
  const all = placesIn(root);
  const slugs = all.flatMap(({ record }) => slugOf(record) ?? []);
  const own = slugs.find((slug) => lastSegment(slug) === lastSegment(asked)) ?? slugs[0];
  if (slugs.every((slug) => slug === own)) return all;
  return placesIn(root, MOST_PLACES, (record) => (slugOf(record) ?? own) === own);
}

function slugOf(record: UnknownObject): string | undefined {
  return pickText(record, 'slug', 'modelslug');
}

/** The body itself as a place; undefined when there is no record in it. */
export function rootPlace(json: unknown): RecordPlace | undefined {
  const isList = Array.isArray(json) && isObject(json[0]);
  const record = isList ? { ...json.slice(0, MOST_LOOKED_AT) } : json;
  return isObject(record) ? { record, at: '', depth: 0, around: [record] } : undefined;
}

/** The members of a record in which a contract is looked for. */
export function lookedAt(record: UnknownObject): readonly (readonly [name: string, value: unknown])[] {
  return members(record).slice(0, MOST_LOOKED_AT);
}

/** The place of a value in a place's record. */
export function childPlace(parent: RecordPlace, key: string | number, record: UnknownObject): RecordPlace {
  const { at, depth, around } = parent;
  return { record, at: childPointer(at, key), depth: depth + 1, around: [record, ...around] };
}

/** The record under a name, or those of the list there. */
function recordsAt(parent: RecordPlace, key: string, value: object): RecordPlace[] {
  if (!Array.isArray(value)) return [childPlace(parent, key, value as UnknownObject)];
  const list = childPlace(parent, key, {});
  return value
    .slice(0, MOST_LOOKED_AT)
    .flatMap((item: unknown, index) => (isObject(item) ? [childPlace(list, index, item)] : []));
}

/** Whether a record is a schema or a document, which is read as a whole. */
export function isClosed(record: UnknownObject): boolean {
  return isOpenApi(record) || (isSchema(record) && !('slug' in record));
}

function isEntered(key: string, record: UnknownObject): boolean {
  const role = nameRole(key);
  if (MODE_LISTS.includes(plainName(key))) return false;
  if (role !== 'output') return role !== 'input' && role !== 'params' && role !== 'aside';
  // {result: {slug, ...}} wraps a body; {input_schema, result} describes the output of a run.
  return (
    /^(?:result|results|response)$/i.test(key) &&
    !lookedAt(record).some(([name]) => /^(?:input|request|params)$/.test(nameRole(name)))
  );
}
