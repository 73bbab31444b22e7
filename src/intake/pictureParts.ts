import { contentTypeOfBytes } from '../domain/fileSignatures';

/** A segment of a JPEG before its pixels (ITU-T T.81, B.1), or a chunk of a PNG or WebP. */
export interface PicturePart {
  /** Of a chunk, its four letters; of a segment, its first bytes. */
  readonly name: string;
  /** Of a segment. */
  readonly marker?: number;
  /** Without its head. */
  readonly content: Buffer;
  /** With its head. */
  readonly bytes: Buffer;
}

/** The marker of the pixels of a JPEG. */
export const SCANS = 0xda;

/**
 * The parts of a picture; none of another format. The last part of a JPEG has its pixels and all that follows.
 * @throws RangeError where it ends within a part
 */
export function* pictureParts(file: Buffer): Generator<PicturePart> {
  const type = contentTypeOfBytes(file.subarray(0, 16));
  if (type === 'image/jpeg') yield* segments(file);
  else if (type === 'image/png') yield* chunks(file, 8);
  else if (type === 'image/webp') yield* chunks(file, 12);
}

/** @param start of a PNG (8) or a WebP (12), which begins with the name of a chunk and not with its length */
function* chunks(file: Buffer, start: 8 | 12): Generator<PicturePart> {
  const isPng = start === 8;
  for (let at: number = start; at + 8 <= file.length; ) {
    const from = at + 8;
    const size = isPng ? file.readUInt32BE(at) : file.readUInt32LE(at + 4);
    const end = from + size + (isPng ? 4 : size % 2);
    const name = file.toString('latin1', isPng ? at + 4 : at, isPng ? from : at + 4);
    yield { name, content: file.subarray(from, from + size), bytes: file.subarray(at, end) };
    at = end;
  }
}

function* segments(file: Buffer): Generator<PicturePart> {
  for (let at = 2; file[at] === 0xff; ) {
    const marker = file.readUInt8(at + 1);
    const end = marker === SCANS ? file.length : at + 2 + file.readUInt16BE(at + 2);
    const content = file.subarray(at + 4, end);
    yield { name: content.toString('latin1', 0, 12), marker, content, bytes: file.subarray(at, end) };
    at = end;
  }
}
