import type { JsonSchema } from '../domain/json';
import type { Shape } from '../domain/model';
import { ownOf, type UnknownObject } from '../domain/value';

/** A media object of section 2.2, marked with its kind for the form. */
export function mediaObjectSchema(mediaType: string): UnknownObject {
  return {
    type: 'object',
    'x-media-type': mediaType,
    properties: {
      media_ref: {
        type: 'string',
        minLength: 1,
        ...(mediaType !== 'file' && { contentMediaType: `${mediaType}/*` }),
      },
      filename: { type: 'string' },
    },
    required: ['media_ref'],
  };
}

const image = mediaObjectSchema('image');
const imageIds = { type: 'array', items: { type: 'string' }, description: 'One per image.' };

/** The inputs that section 2.2 documents, by mode. */
const DOCUMENTED: Readonly<Record<string, JsonSchema>> = {
  index: {
    type: 'object',
    properties: { images: { type: 'array', items: image, minItems: 1 }, image_ids: imageIds },
    required: ['images', 'image_ids'],
  },
  search: { type: 'object', properties: { image }, required: ['image'] },
};

/** The input of `index` or `search` as section 2.2 documents it; undefined for every other mode. */
export function documentedShape(mode: string): Shape | undefined {
  const schema = ownOf(DOCUMENTED, mode.toLowerCase()) as JsonSchema | undefined;
  return schema === undefined ? undefined : { schema, origin: 'documented' };
}
