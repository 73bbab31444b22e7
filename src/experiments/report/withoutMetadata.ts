import { crc32 } from 'node:zlib';
import { contentTypeOfBytes } from '../../domain/fileSignatures';
import { orientationOfPart } from '../../intake/orientation';
import { pictureParts, SCANS } from '../../intake/pictureParts';

/** Bytes of a file that are kept, as a list of its parts. */
type Parts = Uint8Array[];

/**
 * A picture as it may leave the machine: without position, serial numbers, names and comments; its pixels, colours and
 * orientation stay.
 * @returns undefined for another format than JPEG, PNG, WebP and GIF, or where the file is not as its format says
 */
export function withoutMetadata(bytes: Uint8Array): Uint8Array | undefined {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    const parts = KEPT[contentTypeOfBytes(file.subarray(0, 16)) ?? '']?.(file);
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
  for (const part of pictureParts(file)) {
    const { name, marker = 0, bytes } = part;
    if (marker === SCANS) {
      // Here this pair of bytes only ends the picture; cameras write more after it.
      const last = bytes.indexOf('\xff\xd9', 0, 'latin1');
      return last < 0 ? undefined : [...parts, bytes.subarray(0, last + 2)];
    }
    const isColour = name.startsWith('JFIF') || name.startsWith('ICC_PROFILE') || name.startsWith('Adobe');
    const turn = orientationOfPart(part);
    if (turn !== undefined) parts.push(Buffer.from('\xff\xe1\0\x22Exif\0\0', 'latin1'), tiffWith(turn));
    else if (isColour || !(marker === 0xfe || (marker >= 0xe0 && marker <= 0xef))) parts.push(bytes);
  }
  return undefined;
}

/** Exif with the orientation alone, from its header of TIFF on: 26 bytes. */
function tiffWith(orientation: number): Buffer {
  const [before, after] = ['II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0', '\0\0\0\0\0\0\0'];
  return Buffer.concat([Buffer.from(before, 'latin1'), Buffer.of(orientation), Buffer.from(after, 'latin1')]);
}

/** Of the chunks that a reader may skip, those of colours and of animations. */
const PNG_KEPT = /^(?:[A-Z]|tRNS|gAMA|cHRM|sRGB|iCCP|cICP|sBIT|acTL|fcTL|fdAT)/;

function keptOfPng(file: Buffer): Parts {
  const parts: Parts = [file.subarray(0, 8)];
  for (const part of pictureParts(file)) {
    const turn = orientationOfPart(part);
    if (turn !== undefined) parts.push(pngChunk('eXIf', tiffWith(turn)));
    else if (PNG_KEPT.test(part.name)) parts.push(part.bytes);
    if (part.name === 'IEND') break;
  }
  return parts;
}

function pngChunk(name: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name), content]);
  const chunk = Buffer.alloc(named.length + 8);
  chunk.writeUInt32BE(content.length);
  named.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(named), named.length + 4);
  return chunk;
}

function keptOfWebp(file: Buffer): Parts {
  const chunks: Parts = [];
  for (const { name, bytes } of pictureParts(file)) {
    const chunk = Buffer.from(bytes);
    // Its flags no longer announce Exif, by which no browser turns it, and XMP.
    if (name === 'VP8X') chunk.writeUInt8(chunk.readUInt8(8) & ~0x0c, 8);
    if (name !== 'EXIF' && name !== 'XMP ') chunks.push(chunk);
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
