import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { jsonInTurns } from '../../../src/service/jsonInTurns';
import { rawResponse } from '../../../src/service/rawResponse';
import { parsedJson } from '../../../src/service/reading/records';
import { withStall } from '../../support/stall';

const jsonText = fc.oneof(
  fc.json({ maxDepth: 6 }),
  fc.jsonValue().map((value) => JSON.stringify(value, null, 2)),
  // Next to JSON, and what parsers trip over.
  fc
    .array(
      fc.constantFrom(
        ...[
          '{',
          '}',
          '[',
          ']',
          ',',
          ':',
          '"',
          '"a"',
          '"__proto__"',
          '"constructor"',
          '\\',
          '\\u00',
          '\\ud83d',
        ],
        ...[
          '1',
          '-',
          '.',
          '0',
          '00',
          '1e5',
          '1E+',
          '-0',
          '12345678901234567890',
          '1e400',
          'true',
          'nul',
          'null',
        ],
        ...[
          ' ',
          '\n',
          '\t',
          '\u0000',
          '\u00e9',
          '\u{1f600}',
          '\ufeff',
          '/',
          '\\/',
          '\\n',
          '"\\u0041"',
          '"\\uD83D\\uDE00"',
        ],
      ),
      { maxLength: 12 },
    )
    .map((parts) => parts.join('')),
);

describe('JSON in turns', () => {
  it('is what the parser of the platform makes of it, and nothing where that makes nothing', async () => {
    await fc.assert(
      fc.asyncProperty(jsonText, async (text) => {
        const bytes = Buffer.from(text);
        const expected = parsedJson(bytes.toString().replace(/^\ufeff/, ''));
        assert.deepEqual(await jsonInTurns(bytes), expected);
      }),
      { numRuns: 10_000 },
    );
  });

  it('holds the thread for less than 50 ms, whatever is in it, and takes no more memory than fits', async function () {
    this.timeout(120_000);
    const size = 8 * 2 ** 20;
    const fill = (piece: string, open = '', close = '') =>
      `${open}${piece.repeat(Math.floor(size / piece.length))}${close}`;
    const bodies = {
      'empty lists': `[${fill('[],')}[]]`,
      numbers: `[${fill('0,')}0]`,
      'long numbers': `[${fill('12345678901234567890,')}0]`,
      names: `{${Array.from({ length: 500_000 }, (_, at) => `"k${at}":1`).join()}}`,
      members: `{${fill('"a":1,')}"b":2}`,
      'one string': fill('x', '"', '"'),
      escapes: fill('\\n', '"', '"'),
      'escaped slashes': fill('QUJD\\/', '"', '"'),
      'open lists': fill('['),
      spaces: fill(' ', '[', ']'),
      'one number': fill('9'),
      quotes: fill('"'),
    };
    const longest: string[] = [];
    for (const [name, body] of Object.entries(bodies)) {
      const compressed = gzipSync(body);
      const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
      const before = process.memoryUsage().rss;
      const { stallMs } = await withStall(() =>
        rawResponse(200, headers, compressed, { maxBytes: size + 100, secret: 'mb-live-0123456789' }),
      );
      longest.push(`${name} ${Math.round(stallMs)} ms`);
      assert.ok(stallMs < 50, `${name}: ${stallMs} ms`);
      assert.ok(
        process.memoryUsage().rss - before < 600e6,
        `${name}: ${(process.memoryUsage().rss - before) / 1e6} MB`,
      );
    }
    console.log(`      ${longest.join(', ')}`);
  });

  it('holds the thread no longer where it is no JSON, or repeats the key', async function () {
    this.timeout(120_000);
    const secret = 'mb-live-0123456789';
    const bodies: Readonly<Record<string, readonly [string, Buffer]>> = {
      'a text of 16 MB': ['text/plain', Buffer.from('words '.repeat(2_700_000))],
      'a text of 60 MB': ['text/plain', Buffer.from('words '.repeat(10_000_000))],
      '16 MB of long characters': ['text/html', Buffer.from('\u{1f600}'.repeat(4_000_000))],
      'a file of 60 MB': ['application/octet-stream', Buffer.alloc(60_000_000, 'x')],
      'the key, and nothing else': ['text/plain', Buffer.from(secret.repeat(400_000))],
      'the key at the end': ['text/plain', Buffer.from(`${'x'.repeat(60_000_000)}${secret}`)],
    };
    const longest: string[] = [];
    for (const [name, [type, body]] of Object.entries(bodies)) {
      const compressed = gzipSync(body);
      const headers = { 'content-type': type, 'content-encoding': 'gzip' };
      const { stallMs, result } = await withStall(() =>
        rawResponse(200, headers, compressed, { maxBytes: 512 * 2 ** 20, secret }),
      );
      longest.push(`${name} ${Math.round(stallMs)} ms`);
      assert.ok(stallMs < 50, `${name}: ${stallMs} ms`);
      assert.ok(!Buffer.from(result.bytes).includes(secret), name);
    }
    console.log(`      ${longest.join(', ')}`);
  });

  it('is refused when it decompresses into more than is taken', async () => {
    const bomb = gzipSync(Buffer.alloc(100 * 2 ** 20));
    const headers = { 'content-encoding': 'gzip' };
    await assert.rejects(rawResponse(200, headers, bomb, { maxBytes: 512 * 2 ** 20 }), RangeError);
    await assert.rejects(rawResponse(200, headers, bomb, { maxBytes: 8 * 2 ** 20 }), RangeError);
  });
});
