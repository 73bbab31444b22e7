import { childPointer } from '../domain/pointer';
import { isObject, ownOf, type UnknownObject } from '../domain/value';
import { words } from '../domain/words';
import { labelKeys } from './labels';
import { limits } from './limits';
import type { PartOf } from './resultView';
import { commonKey, isNumber, sampled, scoreKeys, spelled } from './sampling';
import { shortJson } from './tree';

const idKeys = words(
  'id image_id item_id document_id doc_id key filename object_id point_id datapoint_id uuid',
);
/** Also `_score` of Elasticsearch, `@search.score` of Azure, `$dist`, and `vector_distance` of Typesense. */
const MEASURE =
  /^[_$@]?(?:(?:vector|cosine|search|ranking|rerank|rank|match|relevance|l2)[_.]?)?(?:score|similarity|distance|dist|relevance|certainty)$/i;

const isText = (value: unknown): value is string => typeof value === 'string';
const isId = (value: unknown): value is string | number =>
  typeof value === 'string' || typeof value === 'number';

/** The names to a member of an item, or of a record in it: {document: {id}, vector_distance} of Typesense. */
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
  commonPlace(sample, (record) => spelled(record, idKeys), isId);

const measuresIn = (record: UnknownObject) => [
  ...spelled(record, scoreKeys),
  ...Object.keys(record).filter((key) => MEASURE.test(key)),
];

/** The ID of each hit of a list of them; undefined where they have none. */
export function hitIds(items: readonly UnknownObject[]): string[] | undefined {
  const place = idPlace(sampled(items));
  return place && items.map((item) => String(at(item, place) ?? ''));
}

/** {ids: ["a"], distances: [0.1]} of Chroma, where both may be in a list of one, for each query, as a list of hits. */
export function hitsInColumns(value: unknown): UnknownObject[] | undefined {
  if (!isObject(value)) return undefined;
  const ids = column(value.ids);
  const [measure] = Object.keys(value).filter((key) => MEASURE.test(key.replace(/s$/, '')));
  const numbers = measure === undefined ? undefined : column(value[measure]);
  if (!ids?.every(isId) || ids.length === 0 || !numbers?.every(isNumber) || ids.length !== numbers.length)
    return undefined;
  return ids.map((id, index) => ({ id, [(measure as string).replace(/s$/, '')]: numbers[index] }));
}

function column(value: unknown): readonly unknown[] | undefined {
  if (!Array.isArray(value)) return undefined;
  return value.length === 1 && Array.isArray(value[0]) ? (value[0] as unknown[]) : (value as unknown[]);
}

/** Search hits: items with an identifier and a score or distance. */
export function readHits(
  items: readonly UnknownObject[],
  sample: readonly UnknownObject[],
  pointer: string,
): PartOf<'hits'> | undefined {
  const idAt = idPlace(sample);
  const measureAt = commonPlace(sample, measuresIn, isNumber);
  if (!idAt || !measureAt) return undefined;
  const isClassNumber = idAt.length === 1 && idAt[0] === 'id' && sample.every((item) => isNumber(item.id));
  if (isClassNumber && commonKey(sample, labelKeys, isText)) return undefined;
  const isUsed = (key: string) =>
    [idAt, measureAt].some(([name, inner]) => name === key && inner === undefined);
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
    const score = at(item, measureAt);
    return {
      id: String(at(item, idAt) ?? ''),
      ...(isNumber(score) && { score }),
      ...(members.length > 0 && { members }),
      ...(about !== '' && { about: about.slice(0, limits.cellCharacters) }),
      pointer: childPointer(pointer, index),
    };
  });
  return { kind: 'hits', hits, total: items.length, measure: measureAt.at(-1) as string };
}
