import assert from 'node:assert/strict';
import fc from 'fast-check';
import { rawResponse } from '../../../src/service/rawResponse';
import { bytesWithoutSecret, withoutSecret } from '../../../src/service/redact';
import { timesAsLong } from '../../support/countedWork';

/** Keys that a service may issue: visible ASCII, except the signs of escapes in JSON and in addresses. */
const key = fc
  .array(
    fc.oneof(
      fc.constantFrom('/', '&', '+', '=', '"', '<', "'", '$', '.', '(', '*'),
      fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
    ),
    { minLength: 12, maxLength: 60 },
  )
  .map((characters) => characters.filter((character) => character !== '\\' && character !== '%'))
  .filter((characters) => characters.length >= 8)
  .map((characters) => characters.join(''));

const hex = (character: string) => character.charCodeAt(0).toString(16).padStart(2, '0');
const each = (spell: (character: string) => string) => (secret: string) => [...secret].map(spell).join('');

const asCodePoints = each((character) => `\\u00${hex(character)}`);
const asHtml = each((character) => `&#${character.charCodeAt(0)};`);
/** Go's encoding/json escapes characters of HTML. */
const asGoWrites = (secret: string) => JSON.stringify(secret).slice(1, -1).replace(/[<>&]/g, asCodePoints);

/** How a service may echo a key, and how a reader gets it back. */
const echoes: Record<string, (secret: string) => string> = {
  'as it is': (secret) => secret,
  'with slashes escaped': (secret) => JSON.stringify(secret).slice(1, -1).replaceAll('/', '\\/'),
  'as code points': asCodePoints,
  'as code points, here and there': each((character) =>
    /[a-m&/"\\]/.test(character) ? `\\u00${hex(character).toUpperCase()}` : character,
  ),
  'as JSON in JSON': (secret) => JSON.stringify(JSON.stringify(secret)).slice(3, -3),
  'in an address': encodeURIComponent,
  'all of it in an address': each((character) => `%${hex(character)}`),
  'twice in an address': (secret) => encodeURIComponent(encodeURIComponent(secret)),
  'in HTML': asHtml,
  'as base64': (secret) => Buffer.from(secret).toString('base64'),
  'as base64 of a user and a password': (secret) => Buffer.from(`user:${secret}`).toString('base64'),
  'as base64 within a sentence': (secret) => Buffer.from(`a key ${secret}, echoed`).toString('base64'),
  'as base64 for an address': (secret) => Buffer.from(`{"k":"${secret}"}`).toString('base64url'),
  'as hexadecimal digits': (secret) => Buffer.from(secret).toString('hex'),
  'as hexadecimal escapes': each((character) => `\\x${hex(character)}`),
  'as JSON in an address': (secret) => encodeURIComponent(asGoWrites(secret)),
  'as JSON in HTML': (secret) =>
    JSON.stringify(secret)
      .slice(1, -1)
      .replace(/[&<>"']/g, asHtml),
  'as HTML in JSON': (secret) => asGoWrites(asHtml(secret)),
  'as an address in quoted-printable': (secret) => encodeURIComponent(secret).replaceAll('%', '=25'),
  'in HTML within HTML': each((character) => `&amp;#${character.charCodeAt(0)};`),
  'in quoted-printable': each((character) => `=${hex(character).toUpperCase()}`),
  'in quoted-printable of lines': (secret) =>
    secret
      .replaceAll('=', '=3D')
      .replace(/.{7}(?!$)/g, (line) => (line.includes('=') ? line : `${line}=\r\n`)),
  'as base64 of lines': (secret) =>
    Buffer.from(secret)
      .toString('base64')
      .replace(/.{8}(?!$)/g, '$&\r\n'),
  'as base64 of lines within JSON': (secret) =>
    Buffer.from(secret)
      .toString('base64')
      .replace(/.{8}(?!$)/g, '$&\\n'),
};

describe('An echoed API key', () => {
  for (const [name, echo] of Object.entries(echoes))
    it(`disappears ${name}, from body and headers, before and after parsing`, async () => {
      await fc.assert(
        fc.asyncProperty(key, fc.string(), async (secret, around) => {
          const echoed = echo(secret);
          // Headers are never quoted-printable.
          const inHeader = name.includes('quoted-printable') ? '' : echoed;
          const text = `${JSON.stringify(around)}: ${echoed} .`;
          assert.ok(!withoutSecret(text, secret).includes(echoed), text);
          const inString = JSON.stringify(around).slice(1, -1);
          const body = Buffer.from(`{"message":"${inString} ${echoed} ","n":[1]}`);
          const headers = {
            'content-type': 'application/json',
            'x-echo': text,
            location: `/x?k=${inHeader}`,
          };
          const raw = await rawResponse(200, headers, body, { secret, maxBytes: 1e6 });
          const all = [Buffer.from(raw.bytes).toString(), JSON.stringify(raw.headers), said(raw.json)].join(
            '\n',
          );
          assert.ok(!all.includes(echoed) && !all.includes(secret), all);
        }),
        { numRuns: 300, examples: ['/\\r////!!%00///', '///!\\r!%00!!'].map((secret) => [secret, '']) },
      );
    });

  it('disappears from UTF-16, in either order of its bytes', async () => {
    const text = '{"message":"the key mb-live-0123456789 is not known"}';
    for (const order of ['le', 'be'] as const)
      for (const mark of ['', '\ufeff']) {
        const body = Buffer.from(mark + text, 'utf16le');
        if (order === 'be') body.swap16();
        const bytes = Buffer.from(await bytesWithoutSecret(body, 'mb-live-0123456789'));
        if (order === 'be') bytes.swap16();
        assert.equal(
          bytes.toString('utf16le'),
          `${mark}{"message":"the key [API key removed] is not known"}`,
        );
      }
  });

  it('costs time that grows only with the length of the text', async () => {
    const key = 'mb-live-0123456789abcdef0123456789';
    const size = 200_000;
    const parts = '\\ %25 &amp; &#0 =2 \\u00 mb-live-0 %6d%62 bWItbGl2ZS0w =\n \0'.split(' ');
    const ordinary = '{"label": "cat", "score": 0.5}\n'.repeat(size / 31);
    for (const part of parts) {
      const text = part.repeat(size / part.length);
      const times = timesAsLong(
        () => assert.equal(withoutSecret(text, key), text),
        () => assert.equal(withoutSecret(ordinary, key), ordinary),
      );
      assert.ok(times < 50, `${part}: ${times} times as long as ordinary text of ${size} characters`);
    }
  });

  it('disappears at any place of a large body, and the rest stays', async () => {
    const secret = 'mb-live/0123&456=';
    for (const at of [0, 2 ** 20 - 5, 2 ** 20, 3 * 2 ** 20 - 40]) {
      const body = Buffer.alloc(3 * 2 ** 20, 'x');
      body.write('mb-live\\/0123\\u0026456=', at, 'latin1');
      const raw = await rawResponse(200, { 'content-type': 'text/plain' }, body, { secret, maxBytes: 1e8 });
      const text = Buffer.from(raw.bytes).toString();
      assert.ok(text.includes('[API key removed]') && !text.includes('0123'), String(at));
    }
    const ordinary = Buffer.from('{"a":"mb-live is a prefix"}');
    const raw = await rawResponse(200, {}, ordinary, { secret, maxBytes: 1e8 });
    assert.deepEqual(Buffer.from(raw.bytes), ordinary);
  });
});

/** Every text in a value. */
function said(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'object' && value !== null ? Object.values(value).map(said).join('\n') : '';
}
