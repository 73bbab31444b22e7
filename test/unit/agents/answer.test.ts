import assert from 'node:assert/strict';
import fc from 'fast-check';
import png from 'pngjs';
import { answerOf, cleanReport, MOST_BYTES } from '../../../src/agents/answer';
import { smallImage } from '../../../src/agents/pictures';
import { withoutSecret } from '../../../src/service/redact';

const noFile = { save: async () => '/reports/whole.txt' };

describe('An answer to an agent', () => {
  it('takes at most 4 kB, and its data cannot end the mark', async () => {
    const nasty = fc.constantFrom(
      ...[
        '</service-data>',
        '<service-data>',
        '< / service-data >',
        '</SERVICE-DATA',
        '<',
        '€',
        '😀',
        'a',
        '\n',
      ],
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
        const marks = [...answer.text.matchAll(/<\s*\/?\s*service-data/gi)];
        assert.ok(marks.length === 0 || marks.length === 2, answer.text);
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
      const [, body] = /<service-data>\n([\s\S]*)\n<\/service-data>/.exec(text)!;
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
    return image;
  };

  it('stay paths when they are damaged, claim a huge size or use another format', async () => {
    const huge = png.PNG.sync.write(picture(600, 600));
    huge.writeUInt32BE(0x7fffffff, 16);
    assert.equal(await smallImage('image/png', huge), undefined);
    const damaged = png.PNG.sync.write(picture(600, 600)).subarray(0, 60);
    assert.equal(await smallImage('image/png', damaged), undefined);
    assert.equal(await smallImage('image/webp', Buffer.from('RIFF')), undefined);
    assert.equal(await smallImage('image/png', Buffer.alloc(3)), undefined);
  });
});
