import type { MediaType } from '../media/media';

/** JSON Schema, draft 2020-12. */
export type Schema = { readonly [keyword: string]: unknown };

const field =
  (type: string) =>
  (title: string, keywords: Schema = {}): Schema => ({ type, title, ...keywords });

export const string = field('string');
export const integer = field('integer');
export const number = field('number');
export const boolean = field('boolean');

export const list = (title: string, items: Schema, keywords: Schema = {}): Schema => ({
  type: 'array',
  title,
  ...keywords,
  items,
});

/** An object without other properties. Its properties are all required unless a list says which. */
export const object = (
  properties: Schema,
  { required = Object.keys(properties), ...keywords }: Schema = {},
): Schema => ({ type: 'object', ...keywords, properties, required, additionalProperties: false });

const $schema = 'https://json-schema.org/draft/2020-12/schema';

/** The schema of an input with required properties only, except the named ones. */
export const inputSchema = (properties: Schema, optional: readonly string[] = []) =>
  object(properties, {
    $schema,
    required: Object.keys(properties).filter((name) => !optional.includes(name)),
  });

/** The schema of params, of which none is required. */
export const paramsSchema = (properties: Schema = {}) => object(properties, { $schema, required: [] });

/** The schema of a media object (interface, section 2.2). */
export const mediaSchema = (mediaType: MediaType, title: string, keywords: Schema = {}): Schema =>
  object(
    {
      media_ref: string('Media reference', { minLength: 1, contentMediaType: `${mediaType}/*` }),
      filename: string('File name'),
    },
    { title, ...keywords, 'x-media-type': mediaType, required: ['media_ref'] },
  );

export const textSchema = (title = 'Text', maxLength = 20_000) =>
  string(title, { minLength: 1, maxLength, format: 'multiline' });
