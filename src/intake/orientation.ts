import { type PicturePart, pictureParts, SCANS } from './pictureParts';

/**
 * How a camera noted that a picture is to be turned, 2 to 8; undefined: not.
 * @param exif from the header of TIFF on, of which the tag 0x0112 of the first directory is read (Exif 2.3, 4.6.4)
 */
function orientationIn(exif: Buffer): number | undefined {
  const isLittle = exif[0] === 0x49;
  const short = (at: number) =>
    at + 2 > exif.length ? 0 : isLittle ? exif.readUInt16LE(at) : exif.readUInt16BE(at);
  if (exif.length < 8) return undefined;
  const start = isLittle ? exif.readUInt32LE(4) : exif.readUInt32BE(4);
  for (let entry = 0; entry < short(start); entry++) {
    const at = start + 2 + 12 * entry;
    const value = short(at + 8);
    if (short(at) === 0x0112) return value >= 2 && value <= 8 ? value : undefined;
  }
  return undefined;
}

/** That in a part of a picture: a segment of a JPEG, or a chunk of a PNG or WebP. */
export function orientationOfPart({ name, content }: PicturePart): number | undefined {
  if (name.startsWith('Exif\0\0')) return orientationIn(content.subarray(6));
  return name === 'eXIf' || name === 'EXIF' ? orientationIn(content) : undefined;
}

/**
 * How regions are turned that a model has found in the pixels as the browser does not show them, as an orientation of
 * Exif; undefined: they stay. Browsers turn a JPEG, and a PNG that notes it before its pixels; they turn no WebP, and no
 * PNG that notes it later.
 */
export function regionsTurn(file: Uint8Array): number | undefined {
  let arePixelsOver = false;
  try {
    for (const part of pictureParts(Buffer.from(file.buffer, file.byteOffset, file.byteLength))) {
      const turn = orientationOfPart(part);
      if (turn !== undefined) return arePixelsOver || part.name === 'EXIF' ? (BACK[turn] ?? turn) : turn;
      if (part.marker === SCANS) return undefined;
      arePixelsOver ||= part.name === 'IDAT';
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  return undefined;
}

/** The others turn back by themselves. */
const BACK: Readonly<Record<number, number>> = { 6: 8, 8: 6 };
