import assert from 'node:assert/strict';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { bodyContent, bodyJson, bodyKind } from '../../../src/intake/bodyContent';
import { readRunResponse } from '../../../src/readers/run';
import { rawResponse } from '../../../src/service/rawResponse';

const MOST = { maxBytes: 1e8 };

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

  it('fails beyond 64 MB of unpacked bytes', async () => {
    const bomb = gzipSync(Buffer.alloc(65 * 2 ** 20));
    await assert.rejects(
      rawResponse(200, { 'content-encoding': 'gzip' }, bomb, { maxBytes: 1e9 }),
      RangeError,
    );
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

describe('The kind of a body', () => {
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=',
    'base64',
  );
  const wav = Buffer.concat([Buffer.from('RIFF\x24\0\0\0WAVEfmt ', 'latin1'), Buffer.alloc(30)]);
  const noise = Buffer.from([0x8c, 0x01, 0xf9, 0x07, 1, 2, 3]);
  const kindOf = (body: string | Buffer, declared: string) => {
    const bytes = Buffer.from(body as string);
    const raw = { status: 200, headers: {}, bytes, ...bodyContent(bytes, declared) };
    return [bodyKind(raw), raw.contentType];
  };

  it('follows the bytes, and the declared type where they allow several', () => {
    assert.deepEqual(kindOf('{"error":"CUDA out of memory"}', 'image/png'), ['json', 'application/json']);
    assert.deepEqual(kindOf('{"detail":"no memory"}', 'audio/mpeg'), ['json', 'application/json']);
    assert.deepEqual(kindOf('<html><body>Sign in</body></html>', 'image/png'), ['page', '']);
    for (const type of ['text/plain', 'application/json', 'image/jpeg', ''])
      assert.deepEqual(kindOf(png, type), ['medium', 'image/png'], type);
    assert.deepEqual(kindOf(wav, 'application/octet-stream'), ['medium', 'audio/wav']);
    assert.deepEqual(kindOf(noise, 'audio/mpeg'), ['medium', 'audio/mpeg']);
    assert.deepEqual(kindOf(noise, 'application/octet-stream'), ['nothing', 'application/octet-stream']);
    assert.deepEqual(kindOf(Buffer.from('\x1aE\xdf\xa3\0', 'latin1'), 'audio/webm'), [
      'medium',
      'audio/webm',
    ]);
    assert.deepEqual(kindOf('<svg xmlns="http://www.w3.org/2000/svg"/>', 'image/svg+xml'), [
      'medium',
      'image/svg+xml',
    ]);
    assert.deepEqual(kindOf('words', 'text/plain'), ['text', 'text/plain']);
    assert.deepEqual(kindOf('GIF8 is a format', 'text/plain'), ['text', 'text/plain']);
    assert.deepEqual(kindOf('data: {"a":1}\n\n', 'text/event-stream'), ['stream', 'text/event-stream']);
    assert.deepEqual(kindOf('{"models": [', 'application/json'), ['nothing', 'application/json']);
    assert.deepEqual(kindOf('', 'image/png')[0], 'nothing');
  });

  it('finishes no run with an error called a medium', () => {
    const stateOf = (body: string, declared: string) => {
      const bytes = Buffer.from(body);
      const raw = { status: 200, headers: {}, bytes, ...bodyContent(bytes, declared) };
      return readRunResponse(raw, new URL('https://a.example/api/runs')).state;
    };
    assert.equal(stateOf('{"error":"CUDA out of memory"}', 'image/png'), 'failed');
    for (const body of ['CUDA out of memory', '<html>Sign in</html>', '{"label":'])
      for (const type of ['image/png', 'audio/mpeg', 'application/pdf', 'application/zip'])
        assert.equal(stateOf(body, type), 'unclear', `${body} ${type}`);
  });
});
