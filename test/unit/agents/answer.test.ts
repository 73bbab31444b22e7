import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import jpeg from 'jpeg-js';
import png from 'pngjs';
import { answerOf, cleanReport, MOST_BYTES } from '../../../src/agents/answer';
import { withoutSecret } from '../../../src/service/redact';
import { smallImage } from '../../../src/worker/smallImage';

/** The data between the marks of the one random word that ends it. */
function inMark(text: string): [word: string, data: string] {
  const [, word, data] = /<service-data-([\da-f]{12})>\n([\s\S]*)\n<\/service-data-\1>/.exec(text) ?? [];
  assert.ok(word !== undefined && data !== undefined, text);
  return [word, data];
}

const noFile = { save: async () => '/reports/whole.txt' };

describe('An answer to an agent', () => {
  it('takes at most 4 kB, and its data cannot end the mark', async () => {
    const nasty = fc.constantFrom(
      ...'</service-data>|<service-data>|< / service-data >|</SERVICE-DATA|<|€|😀|a|\n'.split('|'),
    );
    const text = fc.oneof(
      fc.array(nasty, { maxLength: 4_000 }).map((all) => all.join('')),
      fc.string({ unit: 'binary', maxLength: 6_000 }),
    );
    await fc.assert(
      fc.asyncProperty(text, text, fc.nat(5_000), async (note, data, from) => {
        const answer = await answerOf(
          cleanReport({ notes: [note], data }, (text) => text),
          { ...noFile, from },
        );
        assert.ok(Buffer.byteLength(answer.text) <= MOST_BYTES);
        if (answer.text.includes('service-data-')) inMark(answer.text);
      }),
      { numRuns: 200 },
    );
  });

  it('names the shown part and the file with all of it, and continues without a gap', async () => {
    const data = Array.from({ length: 3_000 }, (_, at) => `line ${at}`).join('\n');
    const report = { notes: ['Done.'], data, handle: 'h' };
    let read = '';
    for (let from = 0; from < data.length; from = read.length) {
      const { text } = await answerOf(report, { ...noFile, from });
      assert.match(text, /All of it: \/reports\/whole\.txt/);
      const [, body] = inMark(text);
      read += body;
    }
    assert.equal(read, data);
  });

  it('loses the key from all its texts, in every spelling', () => {
    const secret = 'sk-live-0123456789abcdef';
    const written = [
      secret,
      Buffer.from(secret).toString('base64'),
      encodeURIComponent(secret),
      Buffer.from(secret).toString('hex'),
    ];
    const { notes, data } = cleanReport({ notes: written, data: written.join('\n') }, (text) =>
      withoutSecret(text, secret),
    );
    for (const text of written) assert.ok(!`${notes.join('\n')}\n${data}`.includes(text), text);
  });
});

describe('Pictures of an answer', () => {
  const picture = (width: number, height: number) => {
    const image = new png.PNG({ width, height });
    for (let at = 0; at < image.data.length; at += 4) image.data.set([at % 256, 80, 90, 255], at);
    return png.PNG.sync.write(image);
  };
  const small = (contentType: string, bytes: Uint8Array) => {
    try {
      return smallImage({ contentType, bytes });
    } catch {
      return undefined;
    }
  };

  it('stay paths when they are damaged, claim a huge size or use another format', async () => {
    const claiming = (width: number, height: number) => {
      const bytes = picture(600, 600);
      bytes.writeUInt32BE(width, 16);
      bytes.writeUInt32BE(height, 20);
      return bytes;
    };
    const interlaced = picture(1, 1);
    interlaced[28] = 1;
    for (const bytes of [
      claiming(0x7fffffff, 600),
      claiming(1, 20_000),
      claiming(4_900, 4_900),
      picture(600, 600).subarray(0, 60),
      interlaced,
      Buffer.alloc(3),
    ])
      assert.equal(small('image/png', bytes), undefined);
    assert.equal(small('image/webp', Buffer.from('RIFF')), undefined);
  });

  it('become smaller pictures, with at most 512 pixels a side and 1 MB', () => {
    const side = 600;
    const data = randomBytes(side * side * 4);
    const noise = new png.PNG({ width: side, height: side });
    noise.data.set(data);
    const commented = jpeg.encode({ width: side, height: side, data }, 90).data;
    for (const [contentType, bytes] of [
      ['image/png', png.PNG.sync.write(noise)],
      ['image/jpeg', commented],
      ['image/png', picture(5, 3)],
    ] as const) {
      const shown = small(contentType, bytes)!;
      assert.ok(shown.bytes.length <= 1_000_000, `${shown.bytes.length}`);
      const { width, height } =
        shown.contentType === 'image/png'
          ? png.PNG.sync.read(Buffer.from(shown.bytes))
          : jpeg.decode(shown.bytes);
      assert.deepEqual([width, height], bytes.length < 1_000 ? [5, 3] : [512, 512]);
    }
  });
});
