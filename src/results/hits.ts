import { childPointer } from '../domain/pointer';
import { isObject, ownOf, type UnknownObject } from '../domain/value';
import { words } from '../domain/words';
import { labelKeys } from './labels';
import { limits } from './limits';
import type { PartOf } from './resultView';
import { commonKey, isNumber, sampled, scoreKeys, spelled } from './sampling';
import { shortJson } from './tree';

const idKeys = words(
  'id image_id item_id document_id doc_id key path filename object_id point_id datapoint_id uuid media_ref',
);
/** The ID that was sent with the file (section 2.2), which a store keeps beside an ID of its own. */
const sentIdKeys = words('image_id external_image_id');
/** Also `_score`, `@search.score`, `$dist` and `vector_distance`. */
const MEASURE =
  /^[_$@]?(?:(?:vector|cosine|search|ranking|rerank|rank|match(?:ing)?|relevance|similarity|semantic|hybrid|final|euclidean|l2|knn)[_.-]?)?(?:score|similarity|distance|dist|relevance|certainty)$/i;

const isText = (value: unknown): value is string => typeof value === 'string';
const isId = (value: unknown): value is string | number =>
  typeof value === 'string' || typeof value === 'number';

/** The names to a member of an item, or of a record in it: {document: {id}, vector_distance}. */
type Place = readonly [name: string, inner?: string];

/** The place of a member that all items have; an item's own member before one further inside. */
function commonPlace(
  sample: readonly UnknownObject[],
  keysIn: (record: UnknownObject) => readonly string[],
  passes: (value: unknown) => boolean,
): Place | undefined {
  const [first] = sample;
  if (first === undefined) return undefined;
  const inner = Object.entries(first)
    .slice(0, limits.facts)
    .flatMap(([name, value]) => (isObject(value) ? keysIn(value).map((key): Place => [name, key]) : []));
  const places: Place[] = [...keysIn(first).map((key): Place => [key]), ...inner];
  return places.find((place) => sample.every((item) => passes(at(item, place))));
}

function at(item: UnknownObject, [name, inner]: Place): unknown {
  const value = ownOf(item, name);
  return inner === undefined ? value : isObject(value) ? ownOf(value, inner) : undefined;
}

const idPlace = (sample: readonly UnknownObject[]) =>
  commonPlace(sample, (record) => spelled(record, sentIdKeys), isId) ??
  commonPlace(sample, (record) => spelled(record, idKeys), isId);

/** A measure, which some stores write as text; a hit may lack its own. */
function measureIn(value: unknown): number | undefined {
  if (isNumber(value)) return value;
  return isText(value) && /^-?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d{1,3})?$/i.test(value)
    ? Number(value)
    : undefined;
}

const mayBeMeasure = (value: unknown) =>
  value === null || value === undefined || measureIn(value) !== undefined;

const measuresIn = (record: UnknownObject) => [
  ...spelled(record, scoreKeys),
  ...Object.keys(record).filter((key) => MEASURE.test(key)),
];

/** The ID of each hit of a list of them; undefined where they have none. */
export function hitIds(items: readonly UnknownObject[]): string[] | undefined {
  const place = idPlace(sampled(items));
  return place && items.map((item) => String(at(item, place) ?? ''));
}

const columnKeys = [...idKeys.map((key) => `${key}s`), 'indices'];

/** {ids: ["a"], distances: [0.1]} of Chroma, both maybe in a list of one: the hits, and the name of the list of IDs. */
export function hitsInColumns(value: unknown) {
  if (!isObject(value)) return undefined;
  const [name] = spelled(value, columnKeys);
  const [measure] = Object.keys(value).filter((key) => MEASURE.test(key.replace(/s$/, '')));
  if (name === undefined || measure === undefined) return undefined;
  const [ids, numbers] = [column(value[name]), column(value[measure])];
  if (!ids?.every(isId) || ids.length === 0 || !numbers?.every(isNumber) || ids.length !== numbers.length)
    return undefined;
  const hits = ids.map((id, index) => ({ id, [measure.replace(/s$/, '')]: numbers[index] }));
  return { ids: name, hits };
}

function column(value: unknown): readonly unknown[] | undefined {
  if (!Array.isArray(value)) return undefined;
  return value.length === 1 && Array.isArray(value[0]) ? (value[0] as unknown[]) : (value as unknown[]);
}

/**
 * Search hits: items with an identifier and a score or distance.
 * @param isSearch the items are known to be hits, also without scores
 */
export function readHits(
  items: readonly UnknownObject[],
  sample: readonly UnknownObject[],
  pointer: string,
  isSearch = false,
): PartOf<'hits'> | undefined {
  const idAt = idPlace(sample);
  const measureAt = commonPlace(sample, measuresIn, mayBeMeasure);
  const isMeasured = measureAt && sample.some((item) => measureIn(at(item, measureAt)) !== undefined);
  if (!idAt || !(isMeasured || isSearch)) return undefined;
  const isClassNumber = idAt.length === 1 && idAt[0] === 'id' && sample.every((item) => isNumber(item.id));
  if (isClassNumber && commonKey(sample, labelKeys, isText)) return undefined;
  const isUsed = (key: string) =>
    [idAt, measureAt].some((place) => place?.[0] === key && place[1] === undefined);
  const hits = items.slice(0, limits.hits).map((item, index) => {
    const rest = Object.entries(item).filter(([key]) => !isUsed(key));
    const members = rest.map(([name, value]) => ({
      name,
      value: (isText(value) ? value : shortJson(value, limits.cellCharacters)).slice(
        0,
        limits.cellCharacters,
      ),
    }));
    const about = members.map(({ name, value }) => `${name}: ${value}`).join(' · ');
    const score = measureAt && measureIn(at(item, measureAt));
    return {
      id: String(at(item, idAt) ?? ''),
      ...(score !== undefined && { score }),
      ...(members.length > 0 && { members }),
      ...(about !== '' && { about: about.slice(0, limits.cellCharacters) }),
      pointer: childPointer(pointer, index),
    };
  });
  return { kind: 'hits', hits, total: items.length, measure: measureAt?.at(-1) ?? '' };
}

/** Values of an envelope around hits. */
const MOST_AROUND = 200;
/** Signs of a search that looked at a part of the scope: shards that failed, a time limit. */
const PARTIAL = /^(?:failed|timed_?out|(?:is_?)?partial|incomplete)$/i;

/**
 * The list of hits in the result of a search, in any envelope, which a search may send without scores, or empty; and
 * whether it says that it looked at a part only.
 */
export function unscoredHits(output: unknown): {
  readonly part: PartOf<'hits'> | undefined;
  readonly isPartial: boolean;
} {
  // Grows while it is gone through.
  const around: { name: string; value: unknown; pointer: string }[] = [
    { name: '', value: output, pointer: '' },
  ];
  let isPartial = false;
  for (const { value, pointer } of around)
    if (isObject(value))
      for (const [name, inner] of Object.entries(value).slice(0, MOST_AROUND - around.length)) {
        isPartial ||= PARTIAL.test(name) && (inner === true || Number(inner) > 0);
        around.push({ name, value: inner, pointer: childPointer(pointer, name) });
      }
  const lists = around.filter(({ value }) => Array.isArray(value)) as { name: string; value: unknown[] }[];
  // [[]] of a store that answers several queries.
  const areEmpty = lists.every(({ value }) =>
    value.every((entry) => Array.isArray(entry) && entry.length === 0),
  );
  if (areEmpty && lists.some(({ name }) => !/error|warning|message/i.test(name)))
    return { part: { kind: 'hits', hits: [], total: 0, measure: '' }, isPartial };
  for (const { value, pointer } of around)
    if (Array.isArray(value) && value.length > 0 && value.every(isObject)) {
      const part = readHits(value, sampled(value), pointer, true);
      if (part) return { part, isPartial };
    }
  return { part: undefined, isPartial };
}
