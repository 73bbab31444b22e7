import type { Shape } from '../domain/model';
import { mediaObjectSchema } from './mediaSchema';

const image = mediaObjectSchema('image');
const imageIds = { type: 'array', items: { type: 'string' }, description: 'One per image.' };

/** The shapes that section 2.2 documents, by mode. */
const DOCUMENTED: Readonly<Record<string, Shape>> = {
  index: {
    origin: 'documented',
    schema: {
      type: 'object',
      properties: { images: { type: 'array', items: image, minItems: 1 }, image_ids: imageIds },
      required: ['images', 'image_ids'],
    },
  },
  search: {
    origin: 'documented',
    schema: { type: 'object', properties: { image }, required: ['image'] },
  },
};

/** The input of `index` or `search` as section 2.2 documents it; undefined for every other mode. */
export function documentedShape(mode: string): Shape | undefined {
  const name = mode.toLowerCase();
  return Object.hasOwn(DOCUMENTED, name) ? DOCUMENTED[name] : undefined;
}
