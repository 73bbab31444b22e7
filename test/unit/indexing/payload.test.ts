import assert from 'node:assert/strict';
import type { JsonSchema } from '../../../src/domain/json';
import type { ModeContract } from '../../../src/domain/model';
import { batchInput, payloadShape } from '../../../src/indexing/payload';

const shapeOf = (properties: Record<string, JsonSchema>, more: object = {}) =>
  payloadShape(modeOf({ type: 'object', properties, ...more } as JsonSchema));
const modeOf = (schema: JsonSchema, origin: ModeContract['input']['origin'] = 'declared', name = 'index') =>
  ({
    ...{ name, vectorBacked: true, examples: [] },
    ...{ input: { schema, origin }, params: { schema: true, origin: 'unknown' } },
  }) as ModeContract;

const text: JsonSchema = { type: 'string' };
const texts: JsonSchema = { type: 'array', items: text };
const media: JsonSchema = { type: 'object', properties: { media_ref: text } };
const list = (items: JsonSchema, more: object = {}): JsonSchema =>
  ({ type: 'array', items, ...more }) as JsonSchema;

describe('The place of files in a request', () => {
  it('prefers a required field, then media, then a list', () => {
    const property = (properties: Record<string, JsonSchema>, required: unknown = []) =>
      shapeOf(properties, { required })?.property;
    assert.equal(property({ image: media, query: text }, ['query']), 'query');
    assert.equal(property({ query: text, image: media }), 'image');
    assert.equal(property({ image: media, images: list(media) }), 'images');
    assert.equal(property({ texts, image: media }), 'image');
    assert.equal(property({ image: media, texts }, 'nonsense'), 'image');
    assert.equal(property({ texts: list(text), image: media }, ['texts']), 'texts');
  });

  it('takes the kinds of files, and as many, as its name and schema say', () => {
    const of = (name: string, schema: JsonSchema) => {
      const shape = shapeOf({ [name]: schema });
      return shape && [shape.carries, shape.list, shape.maxItems, shape.accept];
    };
    assert.deepEqual(of('audio', media), ['media', false, 1, ['audio/*']]);
    assert.deepEqual(of('videos', list(media, { maxItems: 3 })), ['media', true, 3, ['video/*']]);
    assert.deepEqual(of('images', list(media, { maxItems: 0 })), ['media', true, 1, ['image/*']]);
    assert.deepEqual(of('photo', { allOf: [media] } as JsonSchema)?.[0], 'media');
    assert.deepEqual(of('passages', texts), ['text', true, Number.POSITIVE_INFINITY, ['text/*']]);
    assert.deepEqual(of('document', text), ['text', false, 1, ['text/*']]);
    assert.equal(of('query', { type: 'string', enum: ['a'] }), undefined);
    assert.equal(of('language', text), undefined);
    assert.equal(of('numbers', list({ type: 'number' })), undefined);
    assert.equal(of('query', { type: 'number' }), undefined);
  });
});

describe('The place of ids in a request', () => {
  it('bounds how many files a request takes', () => {
    const most = (files: number | undefined, all: number | undefined) =>
      shapeOf({
        images: list(media, files === undefined ? {} : { maxItems: files }),
        image_ids: list(text, all === undefined ? {} : { maxItems: all }),
      })?.maxItems;
    assert.deepEqual([most(8, 4), most(4, 8), most(undefined, 4)], [4, 4, 4]);
    assert.equal(most(undefined, undefined), Number.POSITIVE_INFINITY);
    assert.equal(
      shapeOf({ image: media, image_id: { type: 'string', maxItems: 0 } as JsonSchema })?.maxItems,
      1,
    );
  });
});

describe('The input of a request', () => {
  const items = [
    { imageId: 'a', filename: 'a.png', mediaRef: 'ref-a', text: 'A' },
    { imageId: 'b', filename: 'b.png', mediaRef: 'ref-b', text: 'B' },
  ];

  it('contains each file and its ID in its place', () => {
    const of = (properties: Record<string, JsonSchema>) => batchInput(shapeOf(properties)!, items);
    const refs = items.map(({ mediaRef, filename }) => ({ media_ref: mediaRef, filename }));
    assert.deepEqual(of({ images: list(media) }), { images: refs });
    assert.deepEqual(of({ images: list(media), ids: texts }), { images: refs, ids: ['a', 'b'] });
    assert.deepEqual(of({ image: media, image_id: text }), { image: refs[0], image_id: 'a' });
    assert.deepEqual(of({ text }), { text: 'A' });
    const entries = { documents: list({ type: 'object', properties: { key: text, text } }) };
    assert.deepEqual(of(entries), {
      documents: [
        { key: 'a', text: 'A' },
        { key: 'b', text: 'B' },
      ],
    });
  });
});
