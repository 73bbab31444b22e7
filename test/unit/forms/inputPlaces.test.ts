import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { JsonObject } from '../../../src/domain/json';
import type { ModeContract } from '../../../src/domain/model';
import { getAt } from '../../../src/domain/value';
import { type InputPart, inputWith } from '../../../src/forms/inputPlaces';
import { validateValue } from '../../../src/forms/validate';

const REF = { type: 'object', properties: { media_ref: { type: 'string' } }, required: ['media_ref'] };
const IMAGE = { ...REF, title: 'Image', contentMediaType: 'image/*' };
const AUDIO = { ...REF, title: 'Audio', contentMediaType: 'audio/*' };

const modeOf = (properties: JsonObject, required: string[] = []): Pick<ModeContract, 'input'> => ({
  input: { origin: 'declared', schema: { type: 'object', properties, required } },
});

const photo: InputPart = {
  kind: 'file',
  media: { media_ref: 'file:///photos/cat.jpg', filename: 'cat.jpg' },
  contentType: 'image/jpeg',
};
const words: InputPart = { kind: 'text', text: 'Good evening' };

describe('A part of an input', () => {
  it('goes to a place of its type, a required one before an optional one', () => {
    const mode = modeOf({ audio: AUDIO, mask: IMAGE, image: IMAGE, text: { type: 'string' } }, ['image']);
    assert.deepEqual(inputWith(mode, photo)?.image, {
      media_ref: 'file:///photos/cat.jpg',
      filename: 'cat.jpg',
    });
    assert.equal(inputWith(mode, photo)?.mask, undefined);
    assert.equal(inputWith(mode, words)?.text, 'Good evening');
  });

  it('goes to no place that is secret, read only, or a list with a use of its own', () => {
    const text = { type: 'string' };
    const none = (schema: JsonObject, part: InputPart) =>
      assert.equal(inputWith(modeOf({ place: schema }), part), undefined, JSON.stringify(schema));
    none({ ...text, format: 'password' }, words);
    none({ ...text, readOnly: true }, words);
    none({ type: 'integer' }, words);
    none({ ...IMAGE, readOnly: true }, photo);
    const strings: InputPart = { kind: 'strings', strings: ['cat', 'dog'] };
    const list = { type: 'array', items: text };
    none({ type: 'array', items: { enum: ['cat', 'dog'] } }, strings);
    none(text, strings);
    none(list, words);
    assert.equal(
      inputWith(modeOf({ images: { type: 'array', items: IMAGE }, image_ids: list }), strings),
      undefined,
    );
    assert.deepEqual(inputWith(modeOf({ labels: list }), strings), { labels: ['cat', 'dog'] });
  });

  it('leaves the rest of the input unchanged, and matches the schema', () => {
    const name = fc.constantFrom('text', 'image', 'audio', 'labels', 'note', 'size');
    const schema = fc.constantFrom<JsonObject>(
      IMAGE,
      AUDIO,
      { type: 'string' },
      { type: 'integer' },
      { type: 'array', items: { type: 'string' } },
      { type: 'array', items: IMAGE },
      { type: 'object', properties: { text: { type: 'string' }, image: IMAGE } },
    );
    const properties = fc.dictionary(name, schema, { noNullPrototype: true });
    const part = fc.constantFrom<InputPart>(photo, words, { kind: 'strings', strings: ['cat', 'dog'] });
    fc.assert(
      fc.property(properties, part, (fields, given) => {
        const mode = modeOf(fields);
        const before = { kept: 'as it is' };
        const input = inputWith(mode, given, { input: before });
        if (input === undefined) return;
        assert.equal(getAt(input, '/kept'), 'as it is');
        assert.equal(validateValue(mode.input.schema, input, '').issues.length, 0);
        assert.notDeepEqual(input, before);
      }),
    );
  });
});
