import assert from 'node:assert/strict';
import { posix, win32 } from 'node:path';
import fc from 'fast-check';
import { safeFileName } from '../../../src/domain/fileName';

const piece = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    'con',
    'NUL',
    'aux',
    'com1',
    'lpt¹',
    'conin$',
    '.',
    '..',
    '/',
    '\\',
    ':',
    ' ',
    'é',
    'e\u0301',
    '.png',
  ),
);
const text = fc.oneof(
  fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join('')),
  fc.string({ unit: 'grapheme', minLength: 100, maxLength: 400 }),
);

describe('The name of a file that is made', () => {
  it('suits every file system, for any text', () => {
    fc.assert(
      fc.property(text, (from) => {
        const name = safeFileName(from);
        assert.ok(name !== '' && name !== '.' && name !== '..');
        // biome-ignore lint/suspicious/noControlCharactersInRegex: characters that names must not have
        assert.doesNotMatch(name, /[<>:"/\\|?*\u0000-\u001f\u007f]/);
        assert.doesNotMatch(name, /[. ]$/);
        assert.doesNotMatch(name, /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[\d¹²³])(?:\.|$)/i);
        assert.ok(Buffer.byteLength(name) <= 210, `${Buffer.byteLength(name)} bytes`);
        assert.equal(name, name.normalize('NFC'));
        for (const system of [posix, win32]) assert.equal(system.basename(name), name);
        assert.equal(safeFileName(name), name, 'a name that is safe stays');
      }),
      { numRuns: 2_000 },
    );
  });
});
