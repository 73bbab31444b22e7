/** Windows opens a device for these, with any ending and in any folder. */
const DEVICES = /^(?:con|prn|aux|nul|conin\$|conout\$|com[\d¹²³]|lpt[\d¹²³])(?=\.|$)/i;
/** File systems take 255 bytes or characters; a name gets a number or a partial file's ending besides. */
const LONGEST_BYTES = 200;

/**
 * Turns a text into a file name that every system accepts and keeps its ending: no separators, special characters or
 * device names, no trailing dots or spaces (Windows drops them), no "..", limited length. Composed (NFC), as most
 * systems write names.
 */
export function safeFileName(text: string): string {
  const plain = text.normalize('NFC').replace(/[^\p{L}\p{M}\p{N}._ -]/gu, '_');
  const trimmed = shortened(plain)
    .replace(/^ +/, '')
    .replace(/[. ]+$/, '');
  if (/^\.*$/.test(trimmed)) return 'file';
  return trimmed.replace(DEVICES, (device) => `_${device}`);
}

/** Cut before its ending, between characters. */
function shortened(name: string): string {
  if (utf8Length(name) <= LONGEST_BYTES) return name;
  const ending = /\.[\p{L}\p{N}]{1,12}$/u.exec(name)?.[0] ?? '';
  let stem = '';
  let left = LONGEST_BYTES - utf8Length(ending);
  for (const character of name.slice(0, name.length - ending.length)) {
    left -= utf8Length(character);
    if (left < 0) break;
    stem += character;
  }
  return stem + ending;
}

/** In UTF-8. */
function utf8Length(text: string): number {
  let bytes = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x1_0000 ? 3 : 4;
  }
  return bytes;
}
