import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Json } from '../../../src/domain/json';
import { keptResult } from '../../../src/experiments/results/resultBody';
import { joinedResult, splitResult } from '../../../src/experiments/results/resultMedia';

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
  it('moves out from any place, unchanged, and back in', () => {
    fc.assert(
      fc.property(picture, around, fc.boolean(), (bytes, place, isDataUri) => {
        const base64 = bytes.toString('base64');
        const output = place(isDataUri ? `data:image/png;base64,${base64}` : base64);
        const split = splitResult(output);
        assert.ok(split);
        const [medium, ...others] = split.media;
        assert.equal(others.length, 0);
        assert.deepEqual(Buffer.from(medium!.bytes), bytes);
        assert.equal(medium!.contentType, 'image/png');
        assert.doesNotMatch(JSON.stringify(split.rest), new RegExp(base64.replaceAll(/[+/]/g, '\\$&')));
        const joined = joinedResult(split.rest, medium!.contentType, medium!.bytes);
        assert.deepEqual(joined, JSON.parse(JSON.stringify(place(`data:image/png;base64,${base64}`))));
      }),
    );
  });

  it('becomes a file of its kind at any size, beside the rest in the line', () => {
    for (const size of [100, 100_000]) {
      const bytes = Buffer.concat([PNG_HEAD, Buffer.alloc(size, 1)]);
      const output = { image: `data:image/png;base64,${bytes.toString('base64')}`, label: 'cat' };
      const { result, files } = keptResult({ output, raw })!;
      assert.deepEqual(files, [{ extension: 'png', bytes }]);
      assert.match(JSON.stringify(result), /^\{"image":"sha256:[0-9a-f]{64}","label":"cat"\}$/);
    }
  });

  it('becomes one file each, in the order of the result, and equal ones are kept once', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.integer({ min: 1, max: 255 }), { minLength: 1, maxLength: 6 }),
        (fills) => {
          const pictures = fills.map((fill) => Buffer.concat([PNG_HEAD, Buffer.alloc(100, fill)]));
          const uris = pictures.map((bytes) => `data:image/png;base64,${bytes.toString('base64')}`);
          const output = { images: [...uris, uris[0]!].map((url) => ({ url })), label: 'cat' };
          const { result, files } = keptResult({ output, raw })!;
          assert.deepEqual(
            files.map(({ bytes }) => Buffer.from(bytes)),
            pictures,
          );
          assert.ok(JSON.stringify(result).length < 1_500);
          const joined = files.reduce<Json>(
            (rest, { bytes }) => joinedResult(rest, 'image/png', bytes),
            result!,
          );
          assert.deepEqual(joined, output);
        },
      ),
    );
  });
});
