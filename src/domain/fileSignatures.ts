/**
 * How well-known file formats begin; "?" matches any byte. The package file-type knows hundreds more that no result
 * can show, for 70 KB in host and page instead of 1 KB.
 */
const beginnings: readonly [beginning: string, contentType: string][] = [
  ['\x89PNG\r\n\x1a\n', 'image/png'],
  ['\xff\xd8\xff', 'image/jpeg'],
  ['GIF8', 'image/gif'],
  ['RIFF????WEBP', 'image/webp'],
  ['BM????\0\0\0\0', 'image/bmp'],
  ['II*\0', 'image/tiff'],
  ['MM\0*', 'image/tiff'],
  ['\0\0\x01\0', 'image/x-icon'],
  ['8BPS\0', 'image/vnd.adobe.photoshop'],
  ['RIFF????WAVE', 'audio/wav'],
  ['RIFF????AVI ', 'video/x-msvideo'],
  ['ID3', 'audio/mpeg'],
  ['OggS', 'audio/ogg'],
  ['fLaC', 'audio/flac'],
  ['\x1aE\xdf\xa3', 'video/webm'],
  ['????ftypavif', 'image/avif'],
  ['????ftypavis', 'image/avif'],
  ['????ftyphei', 'image/heic'],
  ['????ftyphev', 'image/heic'],
  ['????ftypmif1', 'image/heif'],
  ['????ftypqt', 'video/quicktime'],
  ['????ftypM4A', 'audio/mp4'],
  ['????ftyp', 'video/mp4'],
  ['%PDF-', 'application/pdf'],
  ['PK\x03\x04', 'application/zip'],
];

/** The MIME type of a file by its first bytes; undefined for formats not listed. */
export function contentTypeOfBytes(head: ArrayLike<number>): string | undefined {
  return beginnings.find(
    ([beginning]) =>
      head.length >= beginning.length &&
      Array.from(beginning).every(
        (character, index) => character === '?' || character.charCodeAt(0) === head[index],
      ),
  )?.[1];
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** The first bytes of base64 text (either alphabet); undefined when it does not begin as base64. */
function headOfBase64(text: string): number[] | undefined {
  const head = text.slice(0, 24).replaceAll('-', '+').replaceAll('_', '/');
  const bytes: number[] = [];
  for (let at = 0; at + 4 <= head.length; at += 4) {
    const [a, b, c, d] = Array.from(head.slice(at, at + 4), (character) => alphabet.indexOf(character));
    if (a === undefined || b === undefined || c === undefined || d === undefined) return undefined;
    if (a < 0 || b < 0 || c < 0 || d < 0) return undefined;
    bytes.push((a << 2) | (b >> 4), ((b & 15) << 4) | (c >> 2), ((c & 3) << 6) | d);
  }
  return bytes;
}

/** The MIME type of a base64-encoded file by its first bytes; undefined when it is not certainly such a file. */
export function contentTypeOfBase64(text: string): string | undefined {
  if (text.length < 64 || /\s/.test(text.slice(0, 64))) return undefined;
  const head = headOfBase64(text);
  return head && contentTypeOfBytes(head);
}
