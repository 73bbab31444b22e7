/**
 * How a camera noted that a picture is to be turned, 2 to 8; undefined: not.
 * @param exif from the header of TIFF on, of which the tag 0x0112 of the first directory is read (Exif 2.3, 4.6.4)
 */
export function orientationIn(exif: Buffer): number | undefined {
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

/** That of a JPEG by its first bytes: cameras write it there. */
export function orientationOf(head: Uint8Array): number | undefined {
  const bytes = Buffer.from(head);
  const at = bytes[0] === 0xff && bytes[1] === 0xd8 ? bytes.indexOf('Exif\0\0') : -1;
  return at < 0 ? undefined : orientationIn(bytes.subarray(at + 6));
}
