import { createInflate } from 'node:zlib';
import { type ImageFormat, UnreadableImage } from './image';

/** Bounds of what is decoded: a header of a few bytes can claim gigabytes. */
const MAX_PIXELS = 50_000_000;
const MAX_SIDE = 32_767;
/** Of a PNG's rows before they become pixels: 50 megapixels with 8 bits in each of 4 channels. */
const MAX_ROW_BYTES = 200_100_000;

/**
 * Checks the size that an image claims in its header, before anything is decoded. A damaged header passes: the
 * decoder reports it.
 *
 * @throws {UnreadableImage} too large
 */
export async function checkClaimedSize(bytes: Buffer, format: ImageFormat): Promise<void> {
  try {
    await CHECKS[format](bytes);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error; // reading beyond the end: a damaged header
  }
}

/** @throws {UnreadableImage} */
export function checkSize(width: number, height: number): void {
  if (width * height > MAX_PIXELS || width > MAX_SIDE || height > MAX_SIDE) {
    throw new UnreadableImage(
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
  for (let at = 12; at + 8 <= bytes.length; ) {
    const kind = bytes.toString('latin1', at, at + 4);
    const data = at + 8;
    if (kind === 'VP8X') checkSize(bytes.readUIntLE(data + 4, 3) + 1, bytes.readUIntLE(data + 7, 3) + 1);
    if (kind === 'VP8 ')
      checkSize(bytes.readUInt16LE(data + 6) & 0x3fff, bytes.readUInt16LE(data + 8) & 0x3fff);
    if (kind === 'VP8L') {
      const packed = bytes.readUInt32LE(data + 1);
      checkSize((packed & 0x3fff) + 1, ((packed >>> 14) & 0x3fff) + 1);
    }
    const size = bytes.readUInt32LE(at + 4);
    at = data + size + (size % 2);
  }
}

/** Channels of each PNG colour type. */
const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

/** Where the passes of an interlaced PNG start, and their steps: across, down. */
const ADAM7 = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

async function checkPng(bytes: Buffer): Promise<void> {
  const idat: Buffer[] = [];
  let rowBytes = 0;
  let interlaced = false;
  for (let at = 8; at + 8 <= bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    const kind = bytes.toString('latin1', at + 4, at + 8);
    const data = at + 8;
    if (kind === 'IHDR') {
      const [width, height] = [bytes.readUInt32BE(data), bytes.readUInt32BE(data + 4)];
      checkSize(width, height);
      const bits = bytes[data + 8]! * (CHANNELS[bytes[data + 9]!] ?? 4);
      interlaced ||= bytes[data + 12] !== 0;
      const passes = interlaced ? ADAM7 : [[0, 0, 1, 1] as const];
      rowBytes = Math.max(
        rowBytes,
        passes.reduce((sum, pass) => sum + bytesOfPass(width, height, bits, pass), 0),
      );
    }
    if (kind === 'IDAT') idat.push(bytes.subarray(data, data + length));
    at = data + length + 4;
  }
  if (rowBytes > MAX_ROW_BYTES) throw new UnreadableImage('it is too large: its pixels have too many bits');
  // pngjs inflates the data of an interlaced PNG without a limit, that of others up to what the header claims.
  if (interlaced) await checkInflated(Buffer.concat(idat), rowBytes);
}

function bytesOfPass(
  width: number,
  height: number,
  bits: number,
  pass: (typeof ADAM7)[number] | readonly [0, 0, 1, 1],
) {
  const [left, top, across, down] = pass;
  const columns = Math.ceil(Math.max(0, width - left) / across);
  const rows = Math.ceil(Math.max(0, height - top) / down);
  return columns === 0 ? 0 : rows * (1 + Math.ceil((columns * bits) / 8));
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
  if (size > limit) throw new UnreadableImage('the PNG data is longer than its size in pixels allows');
}
