import { typeAmong } from '../domain/fileSignatures';
import { hasMore } from '../domain/many';
import type { RawResponse } from '../domain/response';
import { bodyText, isOfGuessedCharset } from './bodyText';
import { readEvents } from './eventStream';
import { type ReadJson, tolerantJson } from './tolerantJson';

// Bytes first: the content of a body follows from its bytes; the declared type decides only between the kinds they allow.

/** `nothing`: no byte, JSON that cannot be read, XML, or bytes of an unknown format. */
export type BodyKind = 'medium' | 'json' | 'stream' | 'text' | 'page' | 'nothing';

type BodyContent = Pick<RawResponse, 'contentType' | 'json' | 'text' | 'hasOddValues'>;

/**
 * The content of a body: its JSON, its text, or neither. Its type is the declared one where the bytes allow that, else
 * that of the bytes; empty where a text is called a medium.
 */
export function bodyContent(bytes: Uint8Array, declared: string): BodyContent {
  const read = readJson(bytes, declared);
  if (read !== undefined) {
    const contentType = isMediaType(declared) ? 'application/json' : declared;
    return { contentType, json: read.value, ...(read.hasOddValues && { hasOddValues: true as const }) };
  }
  const medium = mediumType(bytes, declared);
  if (medium !== undefined) return { contentType: medium };
  const contentType = isMediaType(declared) ? '' : declared;
  return bytes.length <= MOST_TEXT_BYTES && isText(bytes, declared)
    ? { contentType, text: bodyText(bytes, contentType) }
    : { contentType };
}

/** The one kind of content that a response has. */
export function bodyKind(raw: RawResponse): BodyKind {
  const { contentType, json, text, bytes, undecoded } = raw;
  if (json !== undefined) return 'json';
  if (undecoded !== undefined || bytes.length === 0) return 'nothing';
  if (text === undefined) return mediumType(bytes, contentType) === undefined ? 'nothing' : 'medium';
  if (readEvents(raw) !== undefined) return 'stream';
  if (/^[\s\uFEFF]*</.test(text))
    return /^(?:text|application)\/xml\b/i.test(contentType) ? 'nothing' : 'page';
  const isPlain = contentType === '' || /^text\//i.test(contentType);
  return isPlain && text.trim() !== '' && !beginsAsData(text) ? 'text' : 'nothing';
}

/** Types of media and files, which text cannot be; an SVG is text. */
export function isMediaType(type: string): boolean {
  const [name = ''] = type.split(';', 1);
  return (
    /^\s*(?:image|audio|video|font|model)\//i.test(name) ||
    (/^\s*application\//i.test(name) &&
      !/octet-stream|json|xml|html|javascript|yaml|urlencoded|graphql/i.test(name))
  );
}

/** The type of a medium: by its signature, or by the declared type of bytes that are no text. */
function mediumType(bytes: Uint8Array, declared: string): string | undefined {
  const isMedia = isMediaType(declared);
  const signature = typeAmong(bytes.subarray(0, 32), isMedia ? declared : '');
  if (signature !== undefined) {
    // A text may begin like one: "GIF89a is a format".
    if (!isMedia && /^(?:text\/|application\/.*json)/i.test(declared) && isText(bytes, declared))
      return undefined;
    return signature;
  }
  if (/^image\/svg\+xml/i.test(declared) && /<svg[\s>]/.test(bodyText(bytes.subarray(0, 4096), '')))
    return declared;
  return isMedia && bytes.length > 0 && !isText(bytes, '') ? declared : undefined;
}

const SAMPLE_BYTES = 64 * 1024;

/** No NUL, and valid in UTF-8, or of a type of text in another charset. */
function isText(bytes: Uint8Array, declared: string): boolean {
  const start = bytes.subarray(0, SAMPLE_BYTES);
  if (isUtf16(start)) return true;
  if (start.includes(0)) return false;
  if (/^text\/|charset=/i.test(declared)) return true;
  try {
    // `stream`, so that a character cut at the end of the sample is no error.
    new TextDecoder('utf-8', { fatal: true }).decode(start, { stream: true });
    return true;
  } catch {
    return false;
  }
}

/** By the byte order mark. */
function isUtf16([first, second]: Uint8Array): boolean {
  return (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
}

/** JSON that was cut off or is invalid. */
function beginsAsData(text: string): boolean {
  return /^[\s\uFEFF]*(?:\{\s*["'}]|\[\s*[[{"'])/.test(text);
}

/** The JSON of a body of any declared type, since services mislabel it. */
export function bodyJson(bytes: Uint8Array, contentType: string): unknown {
  return readJson(bytes, contentType)?.value;
}

function readJson(bytes: Uint8Array, contentType: string): ReadJson | undefined {
  if (bytes.length > MOST_JSON_BYTES) return undefined;
  const start = bodyText(bytes.subarray(0, 64), contentType).trimStart().charAt(0);
  if (!/[[{"\-\dtfnNIuTF]/.test(start)) return undefined;
  if (bytes.length > AT_ONCE_BYTES && hasMore(bytes, COMMA, MOST_VALUES)) return undefined;
  const read = isTooMuch(bytes) ? undefined : tolerantJson(bodyText(bytes, contentType));
  return read && isOfGuessedCharset(bytes, contentType) ? { ...read, hasOddValues: true } : read;
}

/** Parsed within 100 ms. */
const AT_ONCE_BYTES = 10 * 2 ** 20;
/** A larger body is parsed where it has few values, as pictures in base64 do; else it is text, or a file. */
const MOST_VALUES = 200_000;
const MOST_JSON_BYTES = 64 * 2 ** 20;
/** More of it is a file. */
const MOST_TEXT_BYTES = 16 * 2 ** 20;

/** Deeper JSON is not parsed: it would overflow the stack of recursive readers. */
const DEEPEST = 1_000;
/** Each takes 0.1 ms per thousand. */
const MOST_RECORDS = 1_000_000;
/** Members of records with more than these are names of their own, which take 0.5 ms per thousand. */
const FEW_MEMBERS = 1000;
const MOST_NAMES = 200_000;
const [QUOTE, BACKSLASH, COMMA, OBJECT, LIST] = [0x22, 0x5c, 0x2c, 0x7b, 0x5b];

/** Whether JSON is nested too deep, or has more records, lists or names than are parsed within 100 ms. */
function isTooMuch(bytes: Uint8Array): boolean {
  let [depth, records, names] = [0, 0, 0];
  let inText = false;
  // Members of the records around a place, without those of lists.
  const members = new Float64Array(DEEPEST + 1);
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (inText) {
      if (byte === BACKSLASH) at++;
      else if (byte === QUOTE) inText = false;
    } else if (byte === QUOTE) inText = true;
    else if (byte === LIST || byte === OBJECT) {
      if (++depth > DEEPEST || ++records > MOST_RECORDS) return true;
      members[depth] = byte === OBJECT ? 0 : -Infinity;
    } else if (byte === 0x5d || byte === 0x7d) depth--;
    else if (byte === COMMA && ++members[depth]! > FEW_MEMBERS && ++names > MOST_NAMES) return true;
  }
  return false;
}
