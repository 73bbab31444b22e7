import { orientationIn } from '../../intake/orientation';

/** Bytes of a file that are kept, as a list of its parts. */
type Parts = Uint8Array[];

/**
 * A picture as it may leave the machine: without position, serial numbers, names and comments; its pixels, colours and
 * orientation stay. Walks the segments of JPEG (ITU-T T.81, B.1), the chunks of PNG and WebP and the blocks of GIF.
 * @returns undefined for another format, or where the file is not as its format says
 */
export function withoutMetadata(bytes: Uint8Array, contentType: string): Uint8Array | undefined {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    const parts = KEPT[contentType]?.(file);
    return parts && Buffer.concat(parts);
  } catch (error) {
    // It ends within a part.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

const KEPT: Readonly<Record<string, (file: Buffer) => Parts | undefined>> = {
  'image/jpeg': keptOfJpeg,
  'image/png': keptOfPng,
  'image/webp': keptOfWebp,
  'image/gif': keptOfGif,
};

function keptOfJpeg(file: Buffer): Parts | undefined {
  const parts: Parts = [file.subarray(0, 2)];
  for (let at = 2; ; ) {
    if (file.readUInt8(at) !== 0xff) return undefined;
    const marker = file.readUInt8(at + 1);
    const end = at + 2 + file.readUInt16BE(at + 2);
    // The scans follow, in which this pair of bytes only ends the picture; cameras write more after it.
    if (marker === 0xda) {
      const last = file.indexOf('\xff\xd9', at, 'latin1');
      return last < 0 ? undefined : [...parts, file.subarray(at, last + 2)];
    }
    const name = file.subarray(at + 4, end).toString('latin1', 0, 12);
    const isColour = name.startsWith('JFIF') || name.startsWith('ICC_PROFILE') || name.startsWith('Adobe');
    const orientation = name.startsWith('Exif\0\0') ? orientationIn(file.subarray(at + 10, end)) : undefined;
    if (orientation !== undefined) parts.push(exifOf(orientation));
    else if (isColour || !(marker === 0xfe || (marker >= 0xe0 && marker <= 0xef)))
      parts.push(file.subarray(at, end));
    at = end;
  }
}

/** An Exif segment with the orientation alone. */
function exifOf(orientation: number): Uint8Array {
  const tiff = [
    0x49,
    0x49,
    0x2a,
    0,
    8,
    0,
    0,
    0,
    1,
    0,
    0x12,
    0x01,
    3,
    0,
    1,
    0,
    0,
    0,
    orientation,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
  ];
  return Buffer.from([0xff, 0xe1, 0, 8 + tiff.length, ...Buffer.from('Exif\0\0', 'latin1'), ...tiff]);
}

/** Of the chunks that a reader may skip, those of colours and of animations. */
const PNG_KEPT = /^(?:[A-Z]|tRNS|gAMA|cHRM|sRGB|iCCP|cICP|sBIT|acTL|fcTL|fdAT)/;

function keptOfPng(file: Buffer): Parts {
  const parts: Parts = [file.subarray(0, 8)];
  for (let at = 8; at < file.length; ) {
    const end = at + 12 + file.readUInt32BE(at);
    const type = file.toString('latin1', at + 4, at + 8);
    if (PNG_KEPT.test(type)) parts.push(file.subarray(at, end));
    if (type === 'IEND') break;
    at = end;
  }
  return parts;
}

function keptOfWebp(file: Buffer): Parts {
  const chunks: Parts = [];
  for (let at = 12; at + 8 <= file.length; ) {
    const size = file.readUInt32LE(at + 4);
    const end = at + 8 + size + (size % 2);
    const type = file.toString('latin1', at, at + 4);
    const chunk = Buffer.from(file.subarray(at, end));
    // Its flags no longer announce Exif and XMP.
    if (type === 'VP8X') chunk.writeUInt8(chunk.readUInt8(8) & ~0x0c, 8);
    if (type !== 'EXIF' && type !== 'XMP ') chunks.push(chunk);
    at = end;
  }
  const head = Buffer.from(file.subarray(0, 12));
  head.writeUInt32LE(4 + chunks.reduce((sum, { length }) => sum + length, 0), 4);
  return [head, ...chunks];
}

function keptOfGif(file: Buffer): Parts | undefined {
  const colours = (flags: number) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);
  const blocksFrom = (start: number) => {
    let at = start;
    while (file.readUInt8(at) !== 0) at += 1 + file.readUInt8(at);
    return at + 1;
  };
  let at = 13 + colours(file.readUInt8(10));
  const parts: Parts = [file.subarray(0, at)];
  for (;;) {
    const kind = file.readUInt8(at);
    if (kind === 0x3b) return [...parts, file.subarray(at, at + 1)];
    if (kind !== 0x21 && kind !== 0x2c) return undefined;
    const start = kind === 0x2c ? at + 11 + colours(file.readUInt8(at + 9)) : at + 2;
    const end = blocksFrom(start);
    const isExtra = kind === 0x21 && [0xfe, 0xff].includes(file.readUInt8(at + 1));
    if (!isExtra || file.toString('latin1', at + 3, at + 14) === 'NETSCAPE2.0')
      parts.push(file.subarray(at, end));
    at = end;
  }
}
