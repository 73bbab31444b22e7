import assert from 'node:assert/strict';
import fc from 'fast-check';
import { decodedText } from '../../../src/intake/text';

const utf16 = (text: string, order: 'le' | 'be') => {
  const bytes = Buffer.from(`\ufeff${text}`, 'utf16le');
  return order === 'le' ? bytes : bytes.swap16();
};
/** Text that has neither NUL nor half a character. */
const plain = fc
  .string({ unit: 'binary' })
  .filter((text) => !text.includes('\0') && !text.startsWith('\ufeff'));

describe('Text of bytes', () => {
  it('reads any text in UTF-8, with a byte order mark and without, and in UTF-16 with one', () => {
    fc.assert(
      fc.property(plain, (text) => {
        assert.equal(decodedText(Buffer.from(text)), text);
        assert.equal(decodedText(Buffer.from(`\ufeff${text}`)), text);
        assert.equal(decodedText(utf16(text, 'le')), text);
        assert.equal(decodedText(utf16(text, 'be')), text);
      }),
    );
  });

  it('never replaces a character: it returns the text of the bytes, or a fault', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        const text = decodedText(bytes);
        if (typeof text !== 'string') return;
        const [first, second] = bytes;
        const isUtf16 = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
        const again = isUtf16 ? utf16(text, first === 0xff ? 'le' : 'be') : Buffer.from(text);
        assert.deepEqual(Buffer.from(bytes).subarray(-again.length || bytes.length), again);
      }),
    );
  });
});
