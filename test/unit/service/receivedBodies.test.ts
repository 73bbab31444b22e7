import assert from 'node:assert/strict';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import {
  contentOf,
  jsonAtOnce,
  jsonOf,
  MOST_TEXT_BYTES,
  rawResponse,
} from '../../../src/service/rawResponse';

const MOST = { maxBytes: 1e8 };
const KB = 2 ** 10;
/** As JSON of any size is read: a small body at once, a large one in turns. */
const SIZES = [0, 200 * KB];
const padded = (json: string, size: number) => Buffer.from(json + ' '.repeat(size));

describe('A response as it was received', () => {
  it('has its headers in lower case, those that came several times as one, and no cookies', async () => {
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

  it('is without the key in names and values of headers, and in its body', async () => {
    const secret = 'key-0123';
    const headers = { 'X-Key-0123': 'a key-0123', 'x-list': ['key-0123', 'b'] };
    const raw = await rawResponse(200, headers, Buffer.from('{"k":"key-0123"}'), { secret, ...MOST });
    const removed = '[API key removed]';
    assert.deepEqual(raw.headers, { [`x-${removed}`]: `a ${removed}`, 'x-list': `${removed}, b` });
    assert.deepEqual(raw.json, { k: removed });
  });

  it('is unpacked, however it was packed', async () => {
    const text = 'words and words '.repeat(50_000);
    for (const [encoding, body] of [
      ...[
        ['gzip', gzipSync(text)] as const,
        ['x-gzip', gzipSync(text)] as const,
        [' GZip ', gzipSync(text)] as const,
      ],
      ...[['deflate', deflateSync(text)] as const, ['br', brotliCompressSync(text)] as const],
      ...[['identity', Buffer.from(text)] as const, ['', Buffer.from(text)] as const],
    ]) {
      const raw = await rawResponse(200, { 'content-encoding': encoding }, body, MOST);
      assert.ok(raw.text === text, encoding);
    }
  });

  it('is kept as it is where it cannot be unpacked', async () => {
    for (const encoding of ['gzip', 'x-gzip', 'deflate', 'br', 'zstd']) {
      const body = Buffer.from('not packed at all');
      const raw = await rawResponse(200, { 'content-encoding': encoding }, body, MOST);
      assert.deepEqual(Buffer.from(raw.bytes), body, encoding);
    }
    const cut = gzipSync('x'.repeat(1000)).subarray(0, 20);
    assert.deepEqual((await rawResponse(200, { 'content-encoding': 'gzip' }, cut, MOST)).bytes, cut);
  });

  it('is given up where unpacking makes more of it than is taken', async () => {
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

  it('is never unpacked into more than 64 MB', async () => {
    const bomb = gzipSync(Buffer.alloc(65 * 2 ** 20));
    await assert.rejects(
      rawResponse(200, { 'content-encoding': 'gzip' }, bomb, { maxBytes: 1e9 }),
      RangeError,
    );
  });
});

describe('The JSON of a body', () => {
  it('is read whatever type it has, but not where that is one of media', async () => {
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
        assert.deepEqual(await jsonOf(body, type), { a: 1 }, type);
      for (const type of ['image/svg+xml', 'audio/mpeg', 'video/mp4', 'font/woff', 'IMAGE/PNG'])
        assert.equal(await jsonOf(body, type), undefined, type);
    }
  });

  it('may be any value, after white space and a mark of its byte order', async () => {
    for (const size of SIZES) {
      for (const value of [{ a: 1 }, [1], 'text', 5, -5, true, false, null])
        for (const before of ['', ' \r\n\t', '\ufeff', '\ufeff '])
          assert.deepEqual(
            await jsonOf(padded(before + JSON.stringify(value), size), ''),
            value,
            `${before}${value}`,
          );
      for (const no of ['<a>1</a>', 'words', '+1', 'x', '\ufeff\ufeff1', '{"a"', '{a:1}', '[1]]'])
        assert.equal(await jsonOf(padded(no, size), ''), undefined, no);
      // Far down: what begins with so much white space is nobody's JSON.
      assert.equal(await jsonOf(padded(`${' '.repeat(64)}[1]`, size), ''), undefined);
      assert.deepEqual(await jsonOf(padded(`${' '.repeat(63)}[1]`, size), ''), [1]);
    }
  });

  it('keeps the digits of long numbers', async () => {
    for (const size of SIZES) {
      const body = padded('[12345678901234567890]', size);
      assert.deepEqual(await jsonOf(body, ''), ['12345678901234567890']);
    }
  });

  it('is none where it is nested deeper than 200', async () => {
    const nested = (depth: number) => `${'[{"a":'.repeat(depth / 2)}0${'}]'.repeat(depth / 2)}`;
    for (const size of SIZES) {
      assert.notEqual(await jsonOf(padded(nested(200), size), ''), undefined);
      assert.equal(await jsonOf(padded(nested(202), size), ''), undefined);
      assert.equal(await jsonOf(padded(`[${nested(200)}]`, size), ''), undefined);
      // Beside one another, in strings, and after what is escaped in them.
      for (const body of [
        `[${'[[]],{},'.repeat(300)}0]`,
        `["${'[{'.repeat(300)}"]`,
        `["\\"${'[{'.repeat(300)}","\\\\",[]]`,
      ])
        assert.deepEqual(await jsonOf(padded(body, size), ''), JSON.parse(body));
      assert.equal(await jsonOf(padded(`["\\\\",${nested(200)}]`, size), ''), undefined);
    }
  });

  it('is read of a part of a buffer too', async () => {
    for (const size of SIZES) {
      const body = padded('[1]', size);
      const within = Buffer.concat([Buffer.from('{"no":'), body, Buffer.from('}')]);
      const part = new Uint8Array(within.buffer, within.byteOffset + 6, body.length);
      assert.deepEqual(await jsonOf(part, ''), [1]);
      if (size === 0) assert.deepEqual(jsonAtOnce(part, ''), [1]);
    }
  });

  it('is read as far as 128 kB at once, and more of it so that the rest goes on', async () => {
    const AT_ONCE = 128 * KB;
    const text = (length: number) => Buffer.from(`"${'x'.repeat(length - 2)}"`);
    let others = 0;
    setImmediate(() => others++);
    assert.equal(String(await jsonOf(text(AT_ONCE), '')).length, AT_ONCE - 2);
    assert.equal(others, 0);
    const long = text(6 * 2 ** 20);
    setImmediate(() => others++);
    assert.equal(String(await jsonOf(long, '')).length, long.length - 2);
    assert.ok(others > 0);
  });

  it('is none of more than 64 MB', async () => {
    const body = Buffer.alloc(64 * 2 ** 20 + 1, 'x');
    body[0] = body[body.length - 1] = 0x22;
    assert.equal(await jsonOf(body, ''), undefined);
  });
});

describe('The text of a body', () => {
  const textOf = async (body: string | Buffer, type: string) =>
    (await contentOf(Buffer.from(body), type)).text;

  it('is read where a type says that it is one, or nothing does', async () => {
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

  it('is not there beside JSON, nor where it is as large as a file', async () => {
    assert.deepEqual(await contentOf(Buffer.from('[1]'), 'text/plain'), { json: [1] });
    const large = (length: number) => Buffer.alloc(length, 'x');
    assert.equal((await textOf(large(MOST_TEXT_BYTES), 'text/plain'))?.length, MOST_TEXT_BYTES);
    assert.equal(await textOf(large(MOST_TEXT_BYTES + 1), 'text/plain'), undefined);
  });
});
