import type { Duplex } from 'node:stream';
import zlib, { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import { setOwn } from '../domain/value';
import { bodyText } from './bodyText';
import type { RawResponse } from './client';
import { type ReadJson, tolerantJson } from './reading/tolerantJson';
import { bytesWithoutSecret, withoutSecret } from './redact';

/**
 * A response as received: decompressed, its JSON parsed, and the API key taken out should the service echo it
 * (debugging gateways do), for raw responses are shown, saved and copied.
 * @throws RangeError when the decompressed body is larger than `maxBytes`, or than any body that is compressed
 */
export async function rawResponse(
  status: number,
  headers: Readonly<Record<string, string | string[] | undefined>>,
  body: Buffer,
  { secret, maxBytes }: { readonly secret?: string; readonly maxBytes: number },
): Promise<RawResponse> {
  const plain: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    // Cookies are never kept: the client has no session, and they would be secrets.
    if (value === undefined || name.toLowerCase() === 'set-cookie') continue;
    const text = Array.isArray(value) ? value.join(', ') : value;
    setOwn(plain, withoutSecret(name.toLowerCase(), secret), withoutSecret(text, secret));
  }
  const decoded = await decodedBody(body, plain['content-encoding'], maxBytes);
  const bytes = await bytesWithoutSecret(decoded.bytes, secret);
  const contentType = plain['content-type'] ?? '';
  const { undecoded } = decoded;
  const content = undecoded === undefined ? contentOf(bytes, contentType) : { undecoded };
  return { status, contentType, headers: plain, bytes, ...content };
}

/** The content of a body: its JSON, or its text if it is not JSON. */
export function contentOf(
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
export function jsonOf(bytes: Uint8Array, contentType: string): unknown {
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
/** The limit of decompressed bodies. Media, which alone are larger, are compressed already. */
const MOST_DECOMPRESSED = 64 * 2 ** 20;

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

/**
 * A body without its content encodings, of which a gateway may apply several although none is asked for. A body that does
 * not decode, or is of an encoding that this Node.js does not have, is kept as received.
 */
async function decodedBody(
  body: Buffer,
  encodings: string | undefined,
  maxBytes: number,
): Promise<{ readonly bytes: Buffer; readonly undecoded?: string }> {
  const limit = Math.min(maxBytes, MOST_DECOMPRESSED);
  const applied = (encodings ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity');
  let bytes = body;
  if (body.length === 0) return { bytes };
  try {
    for (const name of applied.slice(0, MOST_ENCODINGS).reverse()) bytes = await unpacked(name, bytes, limit);
    return applied.length > MOST_ENCODINGS ? { bytes: body, undecoded: applied.join(', ') } : { bytes };
  } catch (error) {
    if (error instanceof RangeError) throw error;
    return { bytes: body, undecoded: applied.join(', ') };
  }
}

const MOST_ENCODINGS = 3;

async function unpacked(encoding: string, bytes: Buffer, limit: number): Promise<Buffer> {
  switch (encoding) {
    case 'gzip':
    case 'x-gzip':
      return through(createGunzip(UNPACKED), bytes, limit);
    case 'deflate':
      // RFC 9110, 8.4.1.2: zlib's format, which some servers leave out.
      return through(isZlib(bytes) ? createInflate(UNPACKED) : createInflateRaw(UNPACKED), bytes, limit);
    case 'br':
      return through(createBrotliDecompress(UNPACKED), bytes, limit);
    case 'zstd':
      // In Node.js from 22.15 on.
      if (typeof zlib.createZstdDecompress === 'function')
        return through(zlib.createZstdDecompress(UNPACKED), bytes, limit);
  }
  throw new Error(encoding);
}

/** RFC 1950, 2.2: the method is 8, and the first two bytes are a multiple of 31. */
function isZlib([first = 0, second = 0]: Buffer): boolean {
  return (first & 0x0f) === 8 && (first * 256 + second) % 31 === 0;
}

/** Bytes that are unpacked in one go, on a thread of their own. */
const UNPACKED = { chunkSize: 2 ** 18 };

async function through(stream: Duplex, body: Buffer, limit: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let size = 0;
  stream.end(body);
  for await (const piece of stream as AsyncIterable<Buffer>) {
    size += piece.length;
    if (size > limit) throw new RangeError(`more than ${limit} bytes`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}
