import { commonType, siblingType } from './media';

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
  ['II+\0', 'image/tiff'],
  ['MM\0+', 'image/tiff'],
  ['\0\0\x01\0', 'image/x-icon'],
  ['8BPS\0', 'image/vnd.adobe.photoshop'],
  ['RIFF????WAVE', 'audio/wav'],
  ['RF64????WAVE', 'audio/wav'],
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
  ['????ftypmsf1', 'image/heif'],
  ['????ftypqt', 'video/quicktime'],
  ['????ftypM4A', 'audio/mp4'],
  ['????ftyp', 'video/mp4'],
  // QuickTime files of before 2001 begin with any of its atoms.
  ['\0???moov', 'video/quicktime'],
  ['\0???mdat', 'video/quicktime'],
  ['\0???wide', 'video/quicktime'],
  ['\0???free', 'video/quicktime'],
  ['%PDF-', 'application/pdf'],
  ['PK\x03\x04', 'application/zip'],
];

/** Whether every file of a type begins in a way that is known, so that other bytes are certainly none. */
export function hasSignature(mimeType: string): boolean {
  const type = commonType(mimeType);
  return (
    type === 'audio/aac' ||
    beginnings.some(([, one]) => commonType(one) === type || siblingType(one) === type)
  );
}

/** The MIME type of a file by its first bytes; undefined for formats not listed. */
export function contentTypeOfBytes(head: ArrayLike<number>): string | undefined {
  const known = beginnings.find(
    ([beginning]) =>
      head.length >= beginning.length &&
      Array.from(beginning).every(
        (character, index) => character === '?' || character.charCodeAt(0) === head[index],
      ),
  )?.[1];
  return known ?? frameType(head);
}

/** Beginnings that several types have. */
const SHARED: Readonly<Record<string, RegExp>> = {
  'application/zip': /^application\//,
  'audio/mpeg': /^audio\/(?:x-)?(?:flac|aac)/,
  'audio/ogg': /^(?:audio|video|application)\/(?:ogg|opus|x-ogg)/,
  'video/webm': /^(?:audio|video)\/(?:webm|(?:x-)?matroska|x-mkv)/,
  'video/mp4': /^(?:audio|video)\/(?:mp4|quicktime|x-m4[av]|3gpp2?|mpeg)|^video\/|^image\/(?:hei[cf]|avif)/,
  'video/quicktime': /^video\//,
  'image/tiff': /^image\//,
  'image/heic': /^image\/(?:heif|avif)/,
  'image/heif': /^image\/(?:heic|avif)/,
};

/** The type by the first bytes, where they fit several the declared one of those; undefined for formats not listed. */
export function typeAmong(head: ArrayLike<number>, declared: string): string | undefined {
  const type = contentTypeOfBytes(head);
  return type !== undefined && SHARED[type]?.test(declared.toLowerCase()) ? declared : type;
}

/**
 * Sound that begins with a frame: MPEG audio layers II and III (ISO/IEC 11172-3, 2.4.1.3) and ADTS (ISO/IEC 13818-7,
 * 6.2), by their sync word and the values that the fields after it cannot have.
 */
function frameType(head: ArrayLike<number>): 'audio/mpeg' | 'audio/aac' | undefined {
  const [sync, second = 0, third = 0] = [head[0], head[1], head[2]];
  if (sync !== 0xff || head.length < 4) return undefined;
  if ((second & 0xf6) === 0xf0) return ((third >> 2) & 15) < 13 ? 'audio/aac' : undefined;
  const [version, layer] = [(second >> 3) & 3, (second >> 1) & 3];
  const [rate, sampling] = [third >> 4, (third >> 2) & 3];
  const isFrame = (second & 0xe0) === 0xe0 && version !== 1 && (layer === 1 || layer === 2);
  return isFrame && rate !== 0 && rate !== 15 && sampling !== 3 ? 'audio/mpeg' : undefined;
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
