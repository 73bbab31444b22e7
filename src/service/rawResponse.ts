import type { Duplex } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { setOwn } from '../domain/value';
import { joined } from './bytesInTurns';
import type { RawResponse } from './client';
import { jsonInTurns } from './jsonInTurns';
import { LongText } from './longText';
import { parsedJson } from './reading/records';
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
  const bytes = await bytesWithoutSecret(
    await decompressed(body, plain['content-encoding'], maxBytes),
    secret,
  );
  const contentType = plain['content-type'] ?? '';
  return { status, contentType, headers: plain, bytes, ...(await contentOf(bytes, contentType)) };
}

/** What a body holds: its JSON, or the text that it is without being any. */
export async function contentOf(
  bytes: Uint8Array,
  contentType: string,
): Promise<Pick<RawResponse, 'json' | 'text'>> {
  const json = await jsonOf(bytes, contentType);
  if (json !== undefined || bytes.length > MOST_TEXT_BYTES || !mayBeText(contentType)) return { json };
  return { text: String(await LongText.decoded(bytes)) };
}

/** Text is read where a type says so, or nothing does. */
function mayBeText(contentType: string): boolean {
  return contentType === '' || /^text\/|json|xml|html/i.test(contentType);
}

/**
 * JSON is parsed whatever the content type, since services mislabel it; but not where that is a type of media. A large
 * body is parsed in turns, so that the extension host goes on.
 */
export async function jsonOf(body: Uint8Array, contentType: string): Promise<unknown> {
  if (body.length <= AT_ONCE_BYTES) return jsonAtOnce(body, contentType);
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  if (bytes.length > MOST_JSON_BYTES || !mayBeJson(bytes, contentType)) return undefined;
  return jsonInTurns(bytes);
}

/** As `jsonOf`, for a body whose size is known to be small. */
export function jsonAtOnce(body: Uint8Array, contentType: string): unknown {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  if (!mayBeJson(bytes, contentType) || isNestedTooDeep(bytes)) return undefined;
  return parsedJson(bytes.toString('utf8').replace(/^\uFEFF/, ''));
}

function mayBeJson(bytes: Buffer, contentType: string): boolean {
  if (/^(?:image|audio|video|font)\//i.test(contentType)) return false;
  const first = bytes.subarray(0, 64).toString('latin1').replace(/^ï»¿/, '').trimStart().charAt(0);
  return /[[{"\-\dtfn]/.test(first);
}

/** JSON that is parsed at once, in a few milliseconds; more of it in turns. */
const AT_ONCE_BYTES = 128 * 2 ** 10;
const MOST_JSON_BYTES = 64 * 2 ** 20;
/** More of it is a file: as one string, it would hold up whoever looks through it. */
export const MOST_TEXT_BYTES = 16 * 2 ** 20;
/** What compression may make of a body. Media, which alone are larger, are compressed already. */
const MOST_DECOMPRESSED = 64 * 2 ** 20;

/** Deeper JSON is not parsed: it would overflow the stack of recursive readers. */
const DEEPEST = 200;
const [QUOTE, BACKSLASH] = [0x22, 0x5c];

function isNestedTooDeep(bytes: Buffer): boolean {
  let depth = 0;
  let inText = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (inText) {
      if (byte === BACKSLASH) at++;
      else if (byte === QUOTE) inText = false;
    } else if (byte === QUOTE) inText = true;
    else if (byte === 0x5b || byte === 0x7b) {
      if (++depth > DEEPEST) return true;
    } else if (byte === 0x5d || byte === 0x7d) depth--;
  }
  return false;
}

/** We ask for no compression, but some gateways compress all the same. What does not decompress is kept as it is. */
async function decompressed(body: Buffer, encoding: string | undefined, maxBytes: number): Promise<Buffer> {
  const limit = Math.min(maxBytes, MOST_DECOMPRESSED);
  try {
    switch (encoding?.trim().toLowerCase()) {
      case 'gzip':
      case 'x-gzip':
        return await unpacked(createGunzip(UNPACKED), body, limit);
      case 'deflate':
        return await unpacked(createInflate(UNPACKED), body, limit);
      case 'br':
        return await unpacked(createBrotliDecompress(UNPACKED), body, limit);
      default:
        return body;
    }
  } catch (error) {
    if (error instanceof RangeError) throw error;
    return body;
  }
}

/** Bytes that are unpacked in one go, on a thread of their own. */
const UNPACKED = { chunkSize: 2 ** 18 };

async function unpacked(stream: Duplex, body: Buffer, limit: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let size = 0;
  stream.end(body);
  for await (const piece of stream as AsyncIterable<Buffer>) {
    size += piece.length;
    if (size > limit) throw new RangeError(`more than ${limit} bytes`);
    pieces.push(piece);
  }
  return joined(pieces);
}
