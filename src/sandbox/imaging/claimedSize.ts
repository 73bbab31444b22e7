import { createInflate } from 'node:zlib';
import { UnreadableMedia } from '../media/media';
import { riffChunks } from '../media/riff';
import type { ImageFormat } from './image';

/** Bounds for decoding: a header of a few bytes can claim gigabytes. */
const MAX_PIXELS = 50_000_000;
const MAX_SIDE = 32_767;
/** pngjs holds the passes of an interlaced image beside its pixels: three times the memory of another one. */
const MAX_INTERLACED_PIXELS = 16_000_000;
/** Of a PNG's rows before they become pixels: 50 megapixels with 8 bits in each of 4 channels. */
const MAX_ROW_BYTES = 200_200_000;

/** Checks the size in an image's header, before anything is decoded. @throws {UnreadableMedia} too large */
export async function checkClaimedSize(bytes: Buffer, format: ImageFormat): Promise<void> {
  try {
    await CHECKS[format](bytes);
  } catch (error) {
    // Reading beyond the end: a damaged header passes, the decoder reports it.
    if (!(error instanceof RangeError)) throw error;
  }
}

/** @throws {UnreadableMedia} */
export function checkSize(width: number, height: number): void {
  if (width * height > MAX_PIXELS || width > MAX_SIDE || height > MAX_SIDE) {
    throw new UnreadableMedia(
      `it is too large: ${width} × ${height} pixels; the limit is ${MAX_PIXELS / 1e6} megapixels ` +
        `and ${MAX_SIDE} pixels a side`,
    );
  }
}

const CHECKS: Record<ImageFormat, (bytes: Buffer) => void | Promise<void>> = {
  jpeg: checkJpeg,
  png: checkPng,
  webp: checkWebp,
  gif: (bytes) => checkSize(bytes.readUInt16LE(6), bytes.readUInt16LE(8)),
};

/** Every frame header before the first scan. */
function checkJpeg(bytes: Buffer): void {
  let at = 2;
  for (;;) {
    const marker = bytes.readUInt16BE(at);
    if (marker === 0xffff)
      at += 1; // padding
    else if (marker < 0xffc0 || marker === 0xffda) return;
    else {
      const isFrame = marker <= 0xffcf && ![0xffc4, 0xffc8, 0xffcc].includes(marker);
      if (isFrame) checkSize(bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5));
      at += 2 + bytes.readUInt16BE(at + 2);
    }
  }
}

/** The canvas of an extended file, and its image. */
function checkWebp(bytes: Buffer): void {
  for (const { name, data } of riffChunks(bytes)) {
    if (name === 'VP8X') checkSize(data.readUIntLE(4, 3) + 1, data.readUIntLE(7, 3) + 1);
    if (name === 'VP8 ') checkSize(data.readUInt16LE(6) & 0x3fff, data.readUInt16LE(8) & 0x3fff);
    if (name === 'VP8L') {
      const packed = data.readUInt32LE(1);
      checkSize((packed & 0x3fff) + 1, ((packed >>> 14) & 0x3fff) + 1);
    }
  }
}

/** Channels of each PNG colour type. */
const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

async function checkPng(bytes: Buffer): Promise<void> {
  const idat: Buffer[] = [];
  let rowBytes = 0;
  let interlaced = false;
  for (let at = 8; at + 8 <= bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    const kind = bytes.toString('latin1', at + 4, at + 8);
    const data = bytes.subarray(at + 8, at + 8 + length);
    if (kind === 'IHDR') {
      const [width, height] = [data.readUInt32BE(0), data.readUInt32BE(4)];
      checkSize(width, height);
      const bits = data.readUInt8(8) * (CHANNELS[data.readUInt8(9)] ?? 4);
      interlaced ||= data.readUInt8(12) !== 0;
      if (interlaced && width * height > MAX_INTERLACED_PIXELS)
        throw new UnreadableMedia(
          `it is too large: the limit of an interlaced PNG is ${MAX_INTERLACED_PIXELS / 1e6} megapixels`,
        );
      // Each row has a filter byte and may end within a byte; the passes of an interlaced image have at most
      // 15/8 of its rows, each rounded up.
      const most = Math.ceil((width * height * bits) / 8) + 2 * (2 * height + 7);
      rowBytes = Math.max(rowBytes, most);
    }
    if (kind === 'IDAT') idat.push(data);
    at += length + 12;
  }
  if (rowBytes > MAX_ROW_BYTES) throw new UnreadableMedia('it is too large: its pixels have too many bits');
  // pngjs inflates the data of an interlaced PNG without a limit, that of others up to the size in the header.
  if (interlaced) await checkInflated(Buffer.concat(idat), rowBytes);
}

/** Inflates and discards, so that little memory is needed. */
async function checkInflated(idat: Buffer, limit: number): Promise<void> {
  let size = 0;
  try {
    for await (const chunk of createInflate({ chunkSize: 2 ** 18 }).end(idat)) {
      size += (chunk as Buffer).length;
      if (size > limit) break;
    }
  } catch {
    return; // damaged: the decoder reports it
  }
  if (size > limit) throw new UnreadableMedia('the PNG data is longer than its size in pixels allows');
}
