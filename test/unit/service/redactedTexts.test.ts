import assert from 'node:assert/strict';
import { withoutSecret } from '../../../src/service/redact';

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
});
