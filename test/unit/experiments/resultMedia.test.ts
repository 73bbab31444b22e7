import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Json } from '../../../src/domain/json';
import { keptResult } from '../../../src/experiments/resultBody';
import { joinedResult, splitResult } from '../../../src/experiments/resultMedia';

const PNG_HEAD = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
const picture = fc
  .uint8Array({ minLength: 60, maxLength: 400 })
  .map((bytes) => Buffer.concat([PNG_HEAD, bytes]));
const around = fc.oneof(
  fc.constant((medium: Json): Json => medium),
  fc.constant((medium: Json): Json => ({ images: [{ b64_json: medium }], seed: 7 })),
  fc.jsonValue({ maxDepth: 2 }).map(
    (other) =>
      (medium: Json): Json => [other as Json, { a: { b: medium } }],
  ),
);

const raw = { json: {}, bytes: new Uint8Array(), contentType: 'application/json' } as never;

describe('A picture in a result', () => {
  it('is taken out wherever it stands, as it is, and put back', () => {
    fc.assert(
      fc.property(picture, around, fc.boolean(), (bytes, place, isDataUri) => {
        const base64 = bytes.toString('base64');
        const output = place(isDataUri ? `data:image/png;base64,${base64}` : base64);
        const split = splitResult(output);
        assert.ok(split);
        assert.deepEqual(Buffer.from(split.bytes), bytes);
        assert.equal(split.contentType, 'image/png');
        assert.doesNotMatch(JSON.stringify(split.rest), new RegExp(base64.replaceAll(/[+/]/g, '\\$&')));
        const joined = joinedResult(split.rest, split.contentType, split.bytes);
        assert.deepEqual(joined, JSON.parse(JSON.stringify(place(`data:image/png;base64,${base64}`))));
      }),
    );
  });

  it('is a file of its kind, whatever its size, beside the rest in the line', () => {
    for (const size of [100, 100_000]) {
      const bytes = Buffer.concat([PNG_HEAD, Buffer.alloc(size, 1)]);
      const output = { image: `data:image/png;base64,${bytes.toString('base64')}`, label: 'cat' };
      const { result, body } = keptResult({ output, raw })!;
      assert.equal(body?.extension, 'png');
      assert.deepEqual(Buffer.from(body.bytes), bytes);
      assert.match(JSON.stringify(result), /^\{"image":"sha256:[0-9a-f]{64}","label":"cat"\}$/);
    }
  });

  it('is missed in no other result: text and JSON are kept as they are', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (output) => {
        assert.deepEqual(keptResult({ output, raw }), { result: output });
      }),
    );
  });
});
