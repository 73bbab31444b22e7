import type { UnknownObject } from '../domain/value';

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
