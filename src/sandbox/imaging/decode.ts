import { messageOf } from '../http/errors';
import { UnreadableMedia } from '../media/media';
import { checkClaimedSize, checkSize } from './claimedSize';
import type { ImageFormat, Pixels } from './image';

/** The first bytes determine the format. @throws {UnreadableMedia} another one, damaged, or too large */
export async function decodeImage(bytes: Buffer): Promise<Pixels & { readonly format: ImageFormat }> {
  const format = formatOf(bytes);
  if (format === undefined) throw new UnreadableMedia('it is not a JPEG, PNG, WebP or GIF image');
  await checkClaimedSize(bytes, format);
  let pixels: Pixels;
  try {
    pixels = await DECODERS[format](bytes);
  } catch (error) {
    if (error instanceof UnreadableMedia) throw error;
    throw new UnreadableMedia(`the ${format.toUpperCase()} data is damaged (${messageOf(error)})`);
  }
  if (pixels.width < 1 || pixels.height < 1) throw new UnreadableMedia('it has no pixels');
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
    const limits = { maxMemoryUsageInMB: 768, maxResolutionInMP: 50 };
    return jpeg.decode(bytes, { useTArray: true, tolerantDecoding: false, ...limits });
  },
  png: async (bytes) => {
    const { PNG } = await import('pngjs');
    return PNG.sync.read(bytes);
  },
  webp: async (bytes) => {
    const { decode } = await import('@cwasm/webp');
    return decode(bytes);
  },
  gif: async (bytes) => {
    const { GifReader } = await import('omggif');
    const reader = new GifReader(bytes);
    if (reader.numFrames() === 0) throw new UnreadableMedia('the GIF has no frame');
    const frame = reader.frameInfo(0);
    checkSize(frame.width, frame.height);
    const data = new Uint8Array(reader.width * reader.height * 4);
    reader.decodeAndBlitFrameRGBA(0, data);
    return { width: reader.width, height: reader.height, data };
  },
};
