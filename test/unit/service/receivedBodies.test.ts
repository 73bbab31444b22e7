import assert from 'node:assert/strict';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { bodyContent, bodyJson } from '../../../src/readers/bodyContent';
import { rawResponse } from '../../../src/service/rawResponse';

const MOST = { maxBytes: 1e8 };
const KB = 2 ** 10;
const SIZES = [0, 200 * KB];
const padded = (json: string, size: number) => Buffer.from(json + ' '.repeat(size));

describe('A received response', () => {
  it('contains headers in lower case, repeated ones joined, and no cookies', async () => {
    const headers = {
      ...{ 'Content-Type': 'text/plain', 'X-Many': ['a', 'b'], 'x-none': undefined, 'Set-Cookie': ['s=1'] },
      'set-cookie': 's=2',
    };
    const raw = await rawResponse(203, headers, Buffer.from('words'), MOST);
    assert.deepEqual(
      { ...raw, bytes: String(raw.bytes) },
      {
        ...{ status: 203, contentType: 'text/plain', bytes: 'words', text: 'words' },
        headers: { 'content-type': 'text/plain', 'x-many': 'a, b' },
      },
    );
    const odd = JSON.parse('{"__proto__":"a"}') as Record<string, string>;
    assert.deepEqual((await rawResponse(200, odd, Buffer.alloc(0), MOST)).headers, odd);
    const bare = await rawResponse(204, {}, Buffer.alloc(0), MOST);
    assert.deepEqual([bare.contentType, bare.headers, bare.text, bare.json], ['', {}, '', undefined]);
  });

  it('contains no key in names and values of headers, nor in its body', async () => {
    const secret = 'key-0123';
    const headers = { 'X-Key-0123': 'a key-0123', 'x-list': ['key-0123', 'b'] };
    const raw = await rawResponse(200, headers, Buffer.from('{"k":"key-0123"}'), { secret, ...MOST });
    const removed = '[API key removed]';
    assert.deepEqual(raw.headers, { [`x-${removed}`]: `a ${removed}`, 'x-list': `${removed}, b` });
    assert.deepEqual(raw.json, { k: removed });
  });

  it('unpacks every known encoding', async () => {
    const text = 'words and words '.repeat(50_000);
    for (const [encoding, body] of [
      ...[
        ['gzip', gzipSync(text)] as const,
        ['x-gzip', gzipSync(text)] as const,
        [' GZip ', gzipSync(text)] as const,
      ],
      ...[['deflate', deflateSync(text)] as const, ['br', brotliCompressSync(text)] as const],
      ...['identity', '', 'utf-8', 'UTF-8, none', 'aws-chunked'].map(
        (encoding) => [encoding, Buffer.from(text)] as const,
      ),
    ]) {
      const raw = await rawResponse(200, { 'content-encoding': encoding }, body, MOST);
      assert.ok(raw.text === text, encoding);
    }
  });

  it('fails when unpacking exceeds the limit', async () => {
    for (const [encoding, body] of [
      ['gzip', gzipSync('x'.repeat(1000))],
      ['deflate', deflateSync('x'.repeat(1000))],
      ['br', brotliCompressSync('x'.repeat(1000))],
    ] as const) {
      const received = (maxBytes: number) =>
        rawResponse(200, { 'content-encoding': encoding }, body, { maxBytes });
      assert.equal((await received(1000)).bytes.length, 1000);
      await assert.rejects(
        received(999),
        (error) => error instanceof RangeError && /999/.test(error.message),
      );
    }
  });

  it('fails beyond 64 MB of unpacked bytes', async () => {
    const bomb = gzipSync(Buffer.alloc(65 * 2 ** 20));
    await assert.rejects(
      rawResponse(200, { 'content-encoding': 'gzip' }, bomb, { maxBytes: 1e9 }),
      RangeError,
    );
  });
});

describe('The JSON of a body', () => {
  it('ignores the content type, except that of media', async () => {
    for (const size of SIZES) {
      const body = padded('{"a":1}', size);
      for (const type of [
        '',
        'application/json',
        'text/html',
        'application/octet-stream',
        'x-image/png',
        'fonts/x',
      ])
        assert.deepEqual(bodyJson(body, type), { a: 1 }, type);
      for (const type of ['image/svg+xml', 'audio/mpeg', 'video/mp4', 'font/woff', 'IMAGE/PNG'])
        assert.equal(bodyJson(body, type), undefined, type);
    }
  });

  it('keeps the digits of long numbers', async () => {
    for (const size of SIZES) {
      const body = padded('[12345678901234567890]', size);
      assert.deepEqual(bodyJson(body, ''), ['12345678901234567890']);
    }
  });
});

describe('The text of a body', () => {
  const textOf = async (body: string | Buffer, type: string) => bodyContent(Buffer.from(body), type).text;

  it('exists for a textual content type, and without one', async () => {
    for (const type of [
      '',
      'text/plain',
      'TEXT/HTML; charset=utf-8',
      'application/xml',
      'application/ld+json',
      'application/xhtml+xml',
    ])
      assert.equal(await textOf('words é', type), 'words é', type);
    for (const type of ['application/octet-stream', 'image/png', 'application/pdf', 'x-text/plain'])
      assert.equal(await textOf('words', type), undefined, type);
  });
});

describe('A body in another encoding of text', () => {
  it('decodes the charset of its type, and UTF-16 by its mark or its zero bytes', () => {
    const latin = Buffer.from('caf\u00e9', 'latin1');
    assert.equal(bodyContent(latin, 'text/plain; charset=iso-8859-1').text, 'café');
    assert.equal(bodyContent(latin, 'text/plain;charset="windows-1252"').text, 'café');
    assert.equal(bodyContent(Buffer.from('café'), 'text/plain; charset=nonsense').text, 'café');
    const json = '{"status":"failed"}';
    for (const bytes of [
      Buffer.from(json, 'utf16le'),
      Buffer.from(`\ufeff${json}`, 'utf16le'),
      Buffer.from(json, 'utf16le').swap16(),
    ])
      assert.deepEqual(bodyJson(bytes, 'application/json'), { status: 'failed' });
  });
});
