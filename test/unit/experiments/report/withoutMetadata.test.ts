import assert from 'node:assert/strict';
import fc from 'fast-check';
import jpeg from 'jpeg-js';
import { PNG } from 'pngjs';
import { withoutMetadata } from '../../../../src/experiments/report/withoutMetadata';
import { regionsTurn } from '../../../../src/intake/orientation';
import { turnedPictures } from '../../../support/turnedPictures';

const latin1 = (text: string) => Buffer.from(text, 'latin1');

/** A segment of a JPEG. */
function segment(marker: number, content: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(content.length + 2, 2);
  return Buffer.concat([head, content]);
}

/** Exif with an orientation between an invented maker and place. */
function exif(orientation: number): Buffer {
  const tiff = Buffer.alloc(8 + 2 + 24);
  tiff.write('MM\0*\0\0\0\x08', 'latin1');
  tiff.writeUInt16BE(2, 8);
  tiff.writeUInt16BE(0x010f, 10);
  tiff.writeUInt16BE(0x0112, 22);
  tiff.writeUInt16BE(orientation, 30);
  return Buffer.concat([latin1('Exif\0\0'), tiff, latin1('Invented Maker 52.5N')]);
}

function photo(): Buffer {
  const data = Buffer.alloc(16 * 16 * 4, 200);
  const plain = jpeg.encode({ width: 16, height: 16, data }, 80).data;
  return Buffer.concat([
    plain.subarray(0, 2),
    segment(0xe1, exif(6)),
    segment(0xe2, latin1('ICC_PROFILE\0\x01\x01colours')),
    segment(0xed, latin1('Photoshop 3.0\0by Invented Person')),
    segment(0xfe, latin1('serial 12345')),
    plain.subarray(2),
    latin1('a trailer of the camera'),
  ]);
}

describe('A picture without metadata', () => {
  it('keeps pixels, colours and orientation of a photograph, and nothing of its maker', () => {
    const kept = Buffer.from(withoutMetadata(photo())!);
    const text = kept.toString('latin1');
    for (const lost of ['Invented', '52.5N', '12345', 'trailer', 'Photoshop'])
      assert.ok(!text.includes(lost), lost);
    assert.match(text, /ICC_PROFILE/);
    assert.deepEqual(jpeg.decode(kept).data, jpeg.decode(photo()).data);
    assert.equal(kept[text.indexOf('Exif\0\0') + 6 + 18], 6, 'the orientation');
  });

  it('keeps the pixels of a PNG, and no text', () => {
    const image = new PNG({ width: 2, height: 2 });
    image.data.fill(99);
    const plain = PNG.sync.write(image);
    const text = latin1('\0\0\0\x08tEXtAuthor\0X\0\0\0\0');
    const file = Buffer.concat([plain.subarray(0, 33), text, plain.subarray(33)]);
    assert.deepEqual(Buffer.from(withoutMetadata(file)!), plain);
  });

  it('keeps how a camera turns it', () => {
    for (const [, file] of turnedPictures(6, Buffer.alloc(30)).slice(0, 3)) {
      const kept = withoutMetadata(file)!;
      assert.equal(regionsTurn(kept), regionsTurn(file));
    }
  });

  it('keeps the frames of a GIF and a WebP, and their loops', () => {
    const loop = '\x21\xff\x0bNETSCAPE2.0\x03\x01\0\0\0';
    const frame = '\x2c\0\0\0\0\x01\0\x01\0\0\x02\x02\x44\x01\0;';
    const head = 'GIF89a\x01\0\x01\0\x80\0\0\0\0\0\xff\xff\xff';
    const gif = latin1(`${head}\x21\xfe\x06secret\0${loop}${frame}`);
    assert.deepEqual(Buffer.from(withoutMetadata(gif)!), latin1(head + loop + frame));
    const chunks = 'VP8X\x0a\0\0\0\x0c\0\0\0\0\0\0\0\0\0VP8L\x02\0\0\0ab';
    const webp = latin1(`RIFF\x2c\0\0\0WEBP${chunks}EXIF\x04\0\0\0here`);
    const kept = Buffer.from(withoutMetadata(webp)!);
    assert.deepEqual(kept, latin1(`RIFF\x20\0\0\0WEBP${chunks.replace('\x0c\0\0\0\0', '\0\0\0\0\0')}`));
  });

  it('ends for any bytes, with a picture or none', () => {
    const whole = fc.constantFrom(photo(), latin1('RIFF\x10\0\0\0WEBP'), latin1('GIF89a'), Buffer.alloc(9));
    fc.assert(
      fc.property(whole, fc.nat(2000), fc.uint8Array(), (bytes, length, rest) => {
        const file = Buffer.concat([bytes.subarray(0, length), rest]);
        const kept = withoutMetadata(file);
        assert.ok(kept === undefined || kept.length <= file.length + 40);
      }),
    );
  });
});
