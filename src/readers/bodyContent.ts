import type { RawResponse } from '../domain/response';
import { bodyText } from './bodyText';
import { type ReadJson, tolerantJson } from './tolerantJson';

/** The content of a body: its JSON, or its text if it is not JSON. */
export function bodyContent(
  bytes: Uint8Array,
  contentType: string,
): Pick<RawResponse, 'json' | 'text' | 'hasOddValues'> {
  const read = readJson(bytes, contentType);
  if (read !== undefined)
    return { json: read.value, ...(read.hasOddValues && { hasOddValues: true as const }) };
  return bytes.length <= MOST_TEXT_BYTES && mayBeText(contentType)
    ? { text: bodyText(bytes, contentType) }
    : {};
}

/** Text is read where a type says so, or nothing does. */
function mayBeText(contentType: string): boolean {
  return contentType === '' || /^text\/|json|xml|html/i.test(contentType);
}

/** The JSON of a body, for any content type except media, since services mislabel it. */
export function bodyJson(bytes: Uint8Array, contentType: string): unknown {
  return readJson(bytes, contentType)?.value;
}

function readJson(bytes: Uint8Array, contentType: string): ReadJson | undefined {
  if (/^(?:image|audio|video|font)\//i.test(contentType) || bytes.length > MOST_JSON_BYTES) return undefined;
  const start = bodyText(bytes.subarray(0, 64), contentType).trimStart().charAt(0);
  if (!/[[{"\-\dtfnNIuTF]/.test(start)) return undefined;
  if (bytes.length > AT_ONCE_BYTES && hasManyValues(bytes)) return undefined;
  return isTooMuch(bytes) ? undefined : tolerantJson(bodyText(bytes, contentType));
}

/** Parsed within 100 ms. */
const AT_ONCE_BYTES = 10 * 2 ** 20;
/** A larger body is parsed where it has few values, as pictures in base64 do; else it is text, or a file. */
const MOST_VALUES = 200_000;
const MOST_JSON_BYTES = 64 * 2 ** 20;
/** More of it is a file. */
export const MOST_TEXT_BYTES = 16 * 2 ** 20;

/** Deeper JSON is not parsed: it would overflow the stack of recursive readers. */
const DEEPEST = 200;
/** Each takes 0.1 ms per thousand. */
const MOST_RECORDS = 1_000_000;
/** Members of records with more than these are names of their own, which take 0.5 ms per thousand. */
const FEW_MEMBERS = 1000;
const MOST_NAMES = 200_000;
const [QUOTE, BACKSLASH, COMMA, OBJECT, LIST] = [0x22, 0x5c, 0x2c, 0x7b, 0x5b];

function hasManyValues(bytes: Uint8Array): boolean {
  let count = 0;
  for (let at = bytes.indexOf(COMMA); at >= 0 && count <= MOST_VALUES; at = bytes.indexOf(COMMA, at + 1))
    count++;
  return count > MOST_VALUES;
}

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
