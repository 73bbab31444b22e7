import { childPointer } from '../domain/pointer';
import type { UnknownObject } from '../domain/value';
import { words } from '../domain/words';
import { labelKeys } from './labels';
import { limits } from './limits';
import type { PartOf } from './resultView';
import { commonKey, isNumber, scoreKeys } from './sampling';
import { shortJson } from './tree';

const idKeys = words('id image_id imageId item_id document_id doc_id _id key filename');
const measureKeys = [...scoreKeys, ...words('distance relevance relevance_score rank_score')];

const isText = (value: unknown): value is string => typeof value === 'string';
const isId = (value: unknown) => typeof value === 'string' || typeof value === 'number';

/** The member that identifies each hit of a list of them. */
export function hitIdKey(sample: readonly UnknownObject[]): string | undefined {
  return commonKey(sample, idKeys, isId);
}

/** Search hits: items with an identifier and a score or distance. */
export function readHits(
  items: readonly UnknownObject[],
  sample: readonly UnknownObject[],
  pointer: string,
): PartOf<'hits'> | undefined {
  const idKey = hitIdKey(sample);
  const measure = commonKey(sample, measureKeys, isNumber);
  if (!idKey || !measure) return undefined;
  if (commonKey(sample, labelKeys, isText) && idKey === 'id' && sample.every((item) => isNumber(item.id))) {
    return undefined; // a class number beside its label
  }
  const hits = items.slice(0, limits.hits).map((item, index) => {
    const rest = Object.entries(item).filter(([key]) => key !== idKey && key !== measure);
    const members = rest.map(([name, value]) => ({
      name,
      value: (isText(value) ? value : shortJson(value, limits.cellCharacters)).slice(
        0,
        limits.cellCharacters,
      ),
    }));
    const about = members.map(({ name, value }) => `${name}: ${value}`).join(' · ');
    const score = item[measure];
    return {
      id: String(item[idKey] ?? ''),
      ...(isNumber(score) && { score }),
      ...(members.length > 0 && { members }),
      ...(about !== '' && { about: about.slice(0, limits.cellCharacters) }),
      pointer: childPointer(pointer, index),
    };
  });
  return { kind: 'hits', hits, total: items.length, measure };
}
