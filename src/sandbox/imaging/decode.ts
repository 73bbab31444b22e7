import type { Pixels } from './pixels';

export type ImageFormat = 'jpeg' | 'png' | 'webp' | 'gif';

export interface DecodedImage extends Pixels {
  readonly format: ImageFormat;
}

/** The bytes are no image that can be read; the message says why, in words. */
export class UnreadableImage extends Error {}

/** More pixels than this are refused before anything is decoded, where the header tells. */
const MOST_PIXELS = 100_000_000;

/**
 * Decodes a JPEG, PNG, WebP or GIF (its first frame), told apart by their first bytes.
 *
 * @throws {UnreadableImage} of another kind, damaged, or too large
 */
export async function decodeImage(bytes: Buffer): Promise<DecodedImage> {
  const format = formatOf(bytes);
  if (format === undefined) {
    throw new UnreadableImage('it is neither a JPEG nor a PNG, WebP or GIF image');
  }
  let pixels: Pixels;
  try {
    pixels = await DECODERS[format](bytes);
  } catch (error) {
    if (error instanceof UnreadableImage) throw error;
    throw new UnreadableImage(`the ${format.toUpperCase()} data is damaged (${reason(error)})`);
  }
  if (pixels.width < 1 || pixels.height < 1) throw new UnreadableImage('it has no pixels');
  return { format, width: pixels.width, height: pixels.height, data: pixels.data };
}

function formatOf(bytes: Buffer): ImageFormat | undefined {
  const start = bytes.toString('latin1', 0, 12);
  if (start.startsWith('\xff\xd8\xff')) return 'jpeg';
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'png';
  if (start.startsWith('GIF8')) return 'gif';
  if (start.startsWith('RIFF') && start.endsWith('WEBP')) return 'webp';
  return undefined;
}

const DECODERS: Record<ImageFormat, (bytes: Buffer) => Promise<Pixels>> = {
  jpeg: async (bytes) => {
    const { default: jpeg } = await import('jpeg-js');
    return jpeg.decode(bytes, { useTArray: true, maxMemoryUsageInMB: 1024, tolerantDecoding: false });
  },
  png: async (bytes) => {
    if (bytes.length >= 24) checkSize(bytes.readUInt32BE(16), bytes.readUInt32BE(20));
    const { PNG } = await import('pngjs');
    return PNG.sync.read(bytes);
  },
  webp: async (bytes) => {
    const { decode } = await import('@cwasm/webp');
    return decode(bytes);
  },
  gif: async (bytes) => {
    const { GifReader } = await import('omggif');
    if (bytes.length >= 10) checkSize(bytes.readUInt16LE(6), bytes.readUInt16LE(8));
    const reader = new GifReader(bytes);
    if (reader.numFrames() === 0) throw new UnreadableImage('the GIF has no frame');
    const data = new Uint8Array(reader.width * reader.height * 4);
    reader.decodeAndBlitFrameRGBA(0, data);
    return { width: reader.width, height: reader.height, data };
  },
};

function checkSize(width: number, height: number): void {
  if (width * height > MOST_PIXELS) {
    throw new UnreadableImage(`it is too large: ${width} × ${height} pixels`);
  }
}

const reason = (error: unknown) => (error instanceof Error ? error.message : String(error));
