import { crc32 } from 'node:zlib';
import { encode } from 'jpeg-js';
import { PNG } from 'pngjs';

/** Red, green, blue and yellow: of the quarters of a picture, line by line. */
const COLOURS = [
  [255, 0, 0],
  [0, 255, 0],
  [0, 0, 255],
  [255, 255, 0],
] as const;

export const TURNED = { width: 80, height: 40 };

/** RGBA of a picture that lies down, with a colour in each quarter. */
export function quarters(): Buffer {
  const { width, height } = TURNED;
  const pixels = Array.from({ length: width * height }, (_, at) => {
    const [x, y] = [at % width, Math.floor(at / width)];
    return [...COLOURS[Number(x >= width / 2) + 2 * Number(y >= height / 2)]!, 255];
  });
  return Buffer.from(pixels.flat());
}

/** Files of that picture that note an orientation, by their MIME types. @param webp the same picture */
export function turnedPictures(orientation: number, webp: Buffer): [type: string, file: Buffer][] {
  const tiff = Buffer.concat([
    Buffer.from('II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0', 'latin1'),
    Buffer.of(orientation, 0, 0, 0, 0, 0, 0, 0),
  ]);
  const jpeg = encode({ ...TURNED, data: quarters() }, 95).data;
  const segment = Buffer.concat([Buffer.from('\xff\xe1\0\x22Exif\0\0', 'latin1'), tiff]);
  const image = new PNG(TURNED);
  quarters().copy(image.data);
  const png = PNG.sync.write(image);
  const chunk = numbered((bytes) => bytes.writeUInt32BE(tiff.length), Buffer.from('eXIf'), tiff);
  const sum = numbered((bytes) => bytes.writeUInt32BE(crc32(chunk.subarray(4))));
  const insert = (file: Buffer, at: number, ...parts: Buffer[]) =>
    Buffer.concat([file.subarray(0, at), ...parts, file.subarray(at)]);
  const exif = Buffer.concat([
    Buffer.from('EXIF'),
    numbered((bytes) => bytes.writeUInt32LE(tiff.length)),
    tiff,
  ]);
  const container = Buffer.concat([webp, exif]);
  container.writeUInt32LE(container.length - 8, 4);
  // The canvas of a browser writes the header of an extended file, which announces the Exif.
  container.writeUInt8(container.readUInt8(20) | 8, 20);
  return [
    ['image/jpeg', insert(jpeg, 2, segment)],
    ['image/png', insert(png, 33, chunk, sum)],
    ['image/png', insert(png, png.length - 12, chunk, sum)],
    ['image/webp', container],
  ];
}

function numbered(write: (bytes: Buffer) => void, ...rest: Buffer[]): Buffer {
  const bytes = Buffer.alloc(4);
  write(bytes);
  return Buffer.concat([bytes, ...rest]);
}
