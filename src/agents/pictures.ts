/** A picture of a result. */
export interface Picture {
  /** Of the file with all of it. */
  readonly path: string;
  /** At most 512 pixels a side; missing: the format cannot be made smaller here, or images were not asked for. */
  readonly image?: { readonly contentType: string; readonly bytes: Uint8Array };
}

/** Pixels a side. */
const MOST_PIXELS = 512;
/** A header of a few bytes can claim gigabytes. */
const MOST_DECODED = 24_000_000;

interface Pixels {
  readonly width: number;
  readonly height: number;
  /** Red, green, blue, alpha of each pixel. */
  readonly data: Uint8Array;
}

/** A PNG or JPEG as an image of at most 512 pixels a side; undefined: it is of another format, too large or damaged. */
export async function smallImage(contentType: string, bytes: Uint8Array): Promise<Picture['image']> {
  const size = pictureSize(contentType, bytes);
  if (!size || size.width * size.height > MOST_DECODED) return undefined;
  if (Math.max(size.width, size.height) <= MOST_PIXELS) return { contentType, bytes };
  try {
    const pixels = await decoded(contentType, bytes);
    const { default: png } = await import('pngjs');
    const small = shrunk(pixels);
    const image = new png.PNG({ width: small.width, height: small.height });
    image.data.set(small.data);
    return { contentType: 'image/png', bytes: png.PNG.sync.write(image) };
  } catch {
    return undefined;
  }
}

async function decoded(contentType: string, bytes: Uint8Array): Promise<Pixels> {
  const whole = Buffer.from(bytes);
  if (contentType === 'image/png') {
    const { default: png } = await import('pngjs');
    return png.PNG.sync.read(whole);
  }
  const { default: jpeg } = await import('jpeg-js');
  return jpeg.decode(whole, { useTArray: true, maxMemoryUsageInMB: 512, maxResolutionInMP: 24 });
}

/** By the header; undefined: no PNG or JPEG that is decoded here. */
function pictureSize(contentType: string, bytes: Uint8Array): Pick<Pixels, 'width' | 'height'> | undefined {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    if (contentType === 'image/png') {
      const isInterlaced = view.readUInt8(28) !== 0;
      const size = { width: view.readUInt32BE(16), height: view.readUInt32BE(20) };
      // The decoder inflates the data of an interlaced one without a limit.
      return isInterlaced && Math.max(size.width, size.height) > MOST_PIXELS ? undefined : size;
    }
    return contentType === 'image/jpeg' ? jpegSize(view) : undefined;
  } catch {
    return undefined;
  }
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
  const scale = MOST_PIXELS / Math.max(width, height);
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
