import { MEDIA_MARK, type SchemaNode } from './node';

const MEDIA_OBJECT: SchemaNode = {
  type: 'object',
  required: ['media_ref'],
  properties: { media_ref: { type: 'string', minLength: 1 }, filename: { type: 'string' } },
};

/** A string that may be a file: the string as described, or the media object of section 2.2. */
export function textOrMedia(node: Record<string, unknown>): Record<string, unknown> {
  const { type: _type, format, pattern, minLength, maxLength, [MEDIA_MARK]: mark, ...rest } = node;
  const kept = Object.entries({ format, pattern, minLength, maxLength }).filter(
    ([, value]) => value !== undefined,
  );
  return {
    ...rest,
    [MEDIA_MARK]: mark,
    anyOf: [MEDIA_OBJECT, { type: 'string', ...Object.fromEntries(kept) }],
  };
}
