import assert from 'node:assert/strict';
import { bytesWithoutSecret, withoutSecret } from '../../../src/service/redact';

const REMOVED = '[API key removed]';
/** Every character that some spelling writes in its own way. */
const KEY = `k&y<1>2"3'4/5+6=7%8\\9`;
const code = (character: string) => character.charCodeAt(0);
const hex = (character: string) => code(character).toString(16).padStart(2, '0');
const each = (spell: (character: string) => string) => [...KEY].map(spell).join('');
const html: Readonly<Record<string, string>> = {
  ...{ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' },
};

const spellings: Readonly<Record<string, string>> = {
  'as it is': KEY,
  'in other letters': KEY.toUpperCase(),
  'after a backslash each': each((character) => `\\${character}`),
  'after many backslashes': each((character) => `\\\\\\\\${character}`),
  'as code points': each((character) => `\\u00${hex(character)}`),
  'as code points within JSON': each((character) => `\\\\\\u00${hex(character).toUpperCase()}`),
  'in an address': each((character) => `%${hex(character)}`),
  'in an address, in capital letters': each((character) => `%${hex(character).toUpperCase()}`),
  'in an address within addresses': each((character) => `%252525${hex(character)}`),
  'by names of HTML': each((character) => html[character] ?? character),
  'by numbers of HTML': each((character) => `&#${code(character)};`),
  'by numbers of HTML with zeros': each((character) => `&#000000${code(character)};`),
  'by hexadecimal numbers of HTML': each((character) => `&#x${hex(character)};`),
  'by hexadecimal numbers of HTML with zeros': each(
    (character) => `&#X000000${hex(character).toUpperCase()};`,
  ),
};

describe('A text that repeats the key', () => {
  for (const [name, echoed] of Object.entries(spellings))
    it(`loses only the key where it is spelt ${name}`, () => {
      assert.equal(withoutSecret(echoed, KEY), REMOVED);
      assert.equal(withoutSecret(`a ${echoed}${echoed} z`, KEY), `a ${REMOVED}${REMOVED} z`);
      // All but one character of it.
      assert.equal(withoutSecret(KEY.slice(1), KEY), KEY.slice(1));
      assert.equal(withoutSecret(KEY.slice(0, -1), KEY), KEY.slice(0, -1));
    });

  it('loses the key from encoded text, at any place', () => {
    // Of it, base64 has the characters that are written in several ways.
    const key = '>>>???>>>???~~';
    const base64 = (text: string) => Buffer.from(text, 'latin1').toString('base64');
    for (const [before, after] of [
      ['', ''],
      ['a', 'z'],
      ['ab', 'yz'],
      ['abc', 'xyz'],
      ['a longer text: ', ' and its end'],
    ] as const) {
      const encoded = base64(before + key + after);
      const spelt = [
        encoded,
        encoded.replaceAll('/', '\\/'),
        encoded.replaceAll('+', '-').replaceAll('/', '_'),
        Buffer.from(before + key + after).toString('hex'),
        Buffer.from(before + key + after)
          .toString('hex')
          .toUpperCase(),
      ];
      for (const text of spelt) {
        const left = withoutSecret(text, key);
        assert.ok(left.includes(REMOVED), text);
        // Characters that also hold bits of the text beside the key may stay.
        const beside = text.length - key.length * (/^[\da-f]+$/i.test(text) ? 2 : 8 / 6);
        assert.ok(left.length - REMOVED.length <= beside + 4, `${text}: ${left}`);
        assert.ok(!left.includes('Pj4') && !left.includes('3e3e'), left);
      }
    }
    assert.equal(withoutSecret(base64(key.slice(0, -4)), key), base64(key.slice(0, -4)), 'a part of it');
  });

  it('keeps a key that is too short to differ from other text', () => {
    assert.equal(withoutSecret('an abc of it', 'abc'), 'an abc of it');
    assert.equal(withoutSecret('an abcd of it', 'abcd'), `an ${REMOVED} of it`);
    assert.equal(withoutSecret('an abc of it', ''), 'an abc of it');
    assert.equal(withoutSecret('an abc of it', undefined), 'an abc of it');
    const hexOf = (text: string) => Buffer.from(text).toString('hex');
    assert.equal(withoutSecret(hexOf('abcdefg'), 'abcdefg'), hexOf('abcdefg'));
    assert.equal(withoutSecret(hexOf('abcdefgh'), 'abcdefgh'), REMOVED);
  });

  it('matches the signs of a key literally, not as a pattern', () => {
    for (const key of ['a.c.e.g.', 'a*b+c?d', '(ab|cd)', '[a-z]{4}', '^abcd$', 'ab\\d\\w', 'a/b-c']) {
      assert.equal(withoutSecret(`x ${key} x`, key), `x ${REMOVED} x`, key);
      for (const other of ['abcdefg', 'aXcXeXgX', 'ab', 'cd', 'abcd', 'aab', 'ab1a'])
        assert.equal(withoutSecret(other, key), other, key);
    }
  });

  it('loses the key of this request, for any key before', () => {
    const text = 'one-key and other-key';
    assert.equal(withoutSecret(text, 'one-key'), `${REMOVED} and other-key`);
    assert.equal(withoutSecret(text, 'other-key'), `one-key and ${REMOVED}`);
    assert.equal(withoutSecret(text, 'one-key'), `${REMOVED} and other-key`);
  });
});

describe('A large body that repeats the key', () => {
  const key = 'mb-live/0123&456';
  const spelt = 'mb-live\\/0123\\u0026456';
  const PIECE = 2 ** 18;

  it('loses it at the ends of its pieces, and keeps the rest', async () => {
    for (const echoed of [key, spelt, `&#x000006d;${key.slice(1)}`])
      for (const at of [
        0,
        PIECE - echoed.length,
        PIECE - echoed.length + 1,
        PIECE - 1,
        PIECE,
        PIECE + 1,
        2 * PIECE - 3,
      ]) {
        const start = `${'x'.repeat(at)}${echoed}`;
        for (const rest of ['', 'y', 'y'.repeat(PIECE), `${echoed}y${'z'.repeat(PIECE)}${echoed}`]) {
          const text = start + rest;
          const expected = text.replaceAll(echoed, REMOVED);
          const left = await bytesWithoutSecret(Buffer.from(text), key);
          assert.ok(left.toString() === expected, `${echoed} at ${at}, ${rest.length}`);
        }
      }
  });

  it('loses it at any place', async () => {
    // Every 997 bytes, so that it is at every possible place.
    for (const echoed of [key, spelt]) {
      const text = `${'x'.repeat(997 - echoed.length)}${echoed}`.repeat(1000);
      const left = await bytesWithoutSecret(Buffer.from(text), key);
      assert.ok(left.toString() === text.replaceAll(echoed, REMOVED));
    }
  });

  it('keeps every byte of other data', async () => {
    const bytes = Buffer.from(Array.from({ length: PIECE + 1000 }, (_, at) => (at * 7) % 256));
    const withKey = Buffer.concat([bytes, Buffer.from(key), bytes]);
    const expected = Buffer.concat([bytes, Buffer.from(REMOVED), bytes]);
    assert.ok((await bytesWithoutSecret(withKey, key)).equals(expected));
  });

  it('stays the same object without the key, or without a key to look for', async () => {
    const bytes = Buffer.from('mb-live is a prefix'.repeat(40_000));
    for (const secret of [key, 'abc', undefined])
      assert.equal(await bytesWithoutSecret(bytes, secret), bytes);
    const empty = Buffer.alloc(0);
    assert.equal(await bytesWithoutSecret(empty, key), empty);
  });
});
