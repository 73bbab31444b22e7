import jpeg from 'jpeg-js';
import png from 'pngjs';

/** Pixels a side. */
const MOST_PIXELS = 512;
const MOST_BYTES = 1_000_000;
/** A header of a few bytes can claim gigabytes, which a thread's limit of memory does not count. */
const LONGEST_SIDE = 16_384;
const MOST_DECODED = 64 * 2 ** 20;
const QUALITY = 85;

/** A picture as a file has it. */
export interface EncodedImage {
  readonly contentType: string;
  readonly bytes: Uint8Array;
}

interface Pixels {
  readonly width: number;
  readonly height: number;
  /** Red, green, blue, alpha of each pixel. */
  readonly data: Uint8Array;
}

/**
 * A PNG or JPEG encoded again, with at most 512 pixels a side and 1 MB, so that nothing of the file but its pixels is
 * left.
 * @returns undefined for another format, and for one that is too large
 * @throws for a damaged one
 */
export function smallImage({ contentType, bytes }: EncodedImage): EncodedImage | undefined {
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const size = sizeOf(contentType, whole);
  if (!size || Math.max(size.width, size.height) > LONGEST_SIDE) return undefined;
  if (size.width * size.height * 4 > MOST_DECODED) return undefined;
  const pixels =
    contentType === 'image/png'
      ? png.PNG.sync.read(whole)
      : jpeg.decode(whole, { useTArray: true, maxMemoryUsageInMB: 256 });
  const small = shrunk(pixels);
  const image = new png.PNG({ width: small.width, height: small.height });
  image.data.set(small.data);
  const encoded = png.PNG.sync.write(image);
  if (encoded.length <= MOST_BYTES) return { contentType: 'image/png', bytes: encoded };
  const { data } = jpeg.encode({ ...small, data: Buffer.from(small.data) }, QUALITY);
  return { contentType: 'image/jpeg', bytes: data };
}

/** By the header; undefined: no PNG or JPEG that is decoded here. */
function sizeOf(contentType: string, bytes: Buffer): Pick<Pixels, 'width' | 'height'> | undefined {
  if (contentType === 'image/jpeg') return jpegSize(bytes);
  // The decoder inflates the data of an interlaced one without a limit.
  if (contentType !== 'image/png' || bytes.readUInt8(28) !== 0) return undefined;
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

/** From the first frame header. */
function jpegSize(view: Buffer): Pick<Pixels, 'width' | 'height'> | undefined {
  for (let at = 2; ; ) {
    const marker = view.readUInt16BE(at);
    if (marker === 0xffff) at += 1;
    else if (marker < 0xffc0 || marker === 0xffda) return undefined;
    else if (marker <= 0xffcf && ![0xffc4, 0xffc8, 0xffcc].includes(marker))
      return { width: view.readUInt16BE(at + 7), height: view.readUInt16BE(at + 5) };
    else at += 2 + view.readUInt16BE(at + 2);
  }
}

/** Each pixel is the mean of the pixels that it covers. */
function shrunk({ width, height, data }: Pixels): Pixels {
  const scale = Math.min(1, MOST_PIXELS / Math.max(width, height));
  const [columns, rows] = [width, height].map((side) => Math.max(1, Math.round(side * scale))) as [
    number,
    number,
  ];
  const small = new Uint8Array(columns * rows * 4);
  for (let y = 0; y < rows; y++)
    for (let x = 0; x < columns; x++) {
      const [left, right] = covered(x, columns, width);
      const [top, bottom] = covered(y, rows, height);
      const sums = [0, 0, 0, 0];
      for (let v = top; v < bottom; v++)
        for (let u = left; u < right; u++)
          for (let c = 0; c < 4; c++) sums[c]! += data[(v * width + u) * 4 + c]!;
      const count = (right - left) * (bottom - top);
      for (let c = 0; c < 4; c++) small[(y * columns + x) * 4 + c] = Math.round(sums[c]! / count);
    }
  return { width: columns, height: rows, data: small };
}

function covered(at: number, of: number, side: number): [from: number, to: number] {
  const from = Math.floor((at * side) / of);
  return [from, Math.max(from + 1, Math.floor(((at + 1) * side) / of))];
}
