import assert from 'node:assert/strict';
import fc from 'fast-check';
import { joined } from '../../../src/service/bytesInTurns';
import { LongText } from '../../../src/service/longText';

/** Characters of one to four bytes over more than one piece, so that some are cut by its end. */
const longTexts = fc
  .tuple(fc.string({ maxLength: 3 }), fc.constantFrom('a', 'é', '€', '\u{1f600}'), fc.nat(400_000))
  .map(([start, character, count]) => start + character.repeat(1_000_000 - count));

describe('A long text', () => {
  it('is what the decoder of the platform makes of its bytes, and sliced as a string is', async function () {
    this.timeout(60_000);
    await fc.assert(
      fc.asyncProperty(longTexts, fc.nat(1_100_000), fc.nat(1_100_000), async (text, from, count) => {
        const bytes = Buffer.from(text);
        const long = await LongText.decoded(bytes);
        const whole = new TextDecoder().decode(bytes);
        assert.ok(String(long) === whole);
        assert.equal(long.length, whole.length);
        assert.ok(long.slice(from, from + count) === whole.slice(from, from + count));
      }),
      { numRuns: 40 },
    );
    assert.equal(String(LongText.empty), '');
  });

  it('has a sign for each byte that is none of UTF-8', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) => {
        assert.equal(String(await LongText.decoded(bytes)), new TextDecoder().decode(bytes));
      }),
    );
  });
});

describe('Joined bytes', () => {
  it('are the same bytes in the same order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.uint8Array({ maxLength: 50 }), { maxLength: 20 }), async (pieces) => {
        assert.deepEqual(await joined(pieces), Buffer.concat(pieces));
      }),
    );
  });
});
