import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { constants, crc32, deflateRawSync } from 'node:zlib';
import { type ChildSandbox, sandboxInChild } from '../../support/sandbox';
import { run, upload } from '../../support/sandboxCalls';

const MIB = 2 ** 20;

/** Zlib data that inflates to `mebibytes` MiB of zeros, made from equal pieces: about 1 kB for each MiB. */
function zeros(mebibytes: number): Buffer {
  const piece = deflateRawSync(Buffer.alloc(MIB), { level: 9, finishFlush: constants.Z_FULL_FLUSH });
  const adler = Buffer.alloc(4);
  adler.writeUInt16BE((mebibytes * MIB) % 65_521);
  adler.writeUInt16BE(1, 2);
  return Buffer.concat([
    Buffer.from([0x78, 0xda]),
    ...Array.from({ length: mebibytes }, () => piece),
    Buffer.from([0x03, 0x00]),
    adler,
  ]);
}

function chunk(kind: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(kind, 'latin1'), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}

function header(width: number, height: number, { bits = 8, interlaced = true } = {}): Buffer {
  const data = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, bits, 6, 0, 0, interlaced ? 1 : 0]);
  data.writeUInt32BE(width);
  data.writeUInt32BE(height, 4);
  return chunk('IHDR', data);
}

const png = (...chunks: Buffer[]) =>
  Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), ...chunks, chunk('IEND', Buffer.alloc(0))]);

function gif(screen: number, frame: number): Buffer {
  const bytes = Buffer.from('R0lGODlhAQABAIAAAP8AAP///yH5BAAAAAAALAAAAAABAAEAAAICRAEAOw==', 'base64');
  for (const at of [6, 8]) bytes.writeUInt16LE(screen, at);
  for (const at of [32, 34]) bytes.writeUInt16LE(frame, at);
  return bytes;
}

/** An extended WebP whose canvas is small and whose image is as large as the format allows. */
function webp(): Buffer {
  const image = Buffer.from('VP8L\x05\0\0\0\x2f\xff\xff\xff\x0f\0', 'latin1');
  const canvas = Buffer.concat([Buffer.from('VP8X\x0a\0\0\0', 'latin1'), Buffer.alloc(10)]);
  const frame = Buffer.from('RIFF\0\0\0\0WEBP', 'latin1');
  frame.writeUInt32LE(4 + canvas.length + image.length, 4);
  return Buffer.concat([frame, canvas, image]);
}

const TOO_LARGE =
  /^The image .* cannot be read: it is too large: [\d]+ × [\d]+ pixels; the limit is 50 megapixels/;

const IMAGES: readonly (readonly [what: string, bytes: () => Buffer, message: RegExp])[] = [
  [
    'interlaced PNG of 8 × 8 pixels whose 597 kB inflate to 584 MiB',
    () => png(header(8, 8), chunk('IDAT', zeros(584))),
    /longer than its size in pixels allows/,
  ],
  [
    'interlaced PNG of 100 megapixels',
    () => png(header(10_000, 10_000), chunk('IDAT', zeros(382))),
    TOO_LARGE,
  ],
  [
    'PNG of 49 megapixels with 64 bits each',
    () => png(header(7_000, 7_000, { bits: 16, interlaced: false }), chunk('IDAT', zeros(374))),
    /it is too large: its pixels have too many bits/,
  ],
  ['GIF with a large screen', () => gif(65_535, 1), TOO_LARGE],
  ['WebP with a large image', webp, TOO_LARGE],
];

describe('an image that would need much memory is rejected with little:', () => {
  let sandbox: ChildSandbox;
  before(async () => {
    sandbox = await sandboxInChild();
    const dot = await upload(sandbox, png(header(1, 1), chunk('IDAT', zeros(1))));
    await run(sandbox, { model: 'image-description', input: { image: { media_ref: dot } } });
  });
  after(() => sandbox.stop());

  const peakMiB = async () => {
    const status = await readFile(`/proc/${sandbox.child.pid}/status`, 'utf8');
    return Number(/VmHWM:\s+(\d+)/.exec(status)![1]) / 1024;
  };

  for (const [what, bytes, message] of IMAGES) {
    it(what, async function () {
      if (process.platform !== 'linux') this.skip();
      const ref = await upload(sandbox, bytes());
      const before = await peakMiB();
      const { status, body } = await run(sandbox, {
        model: 'image-description',
        input: { image: { media_ref: ref } },
      });
      assert.equal(status, 400, JSON.stringify(body));
      assert.match(body.error.message, message);
      const more = (await peakMiB()) - before;
      assert.ok(more < 48, `${more} MiB more`);
    });
  }
});
