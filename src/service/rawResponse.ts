import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import type { RawResponse } from './client';
import { parsedJson } from './reading/records';

const REDACTED = '[API key removed]';

/**
 * A response as received: decompressed, its JSON parsed, and the API key taken out should the service echo it
 * (debugging gateways do), for raw responses are shown, saved and copied.
 * @throws RangeError when the decompressed body is larger than `maxBytes`
 */
export function rawResponse(
  status: number,
  headers: Readonly<Record<string, string | string[] | undefined>>,
  body: Buffer,
  { secret, maxBytes }: { readonly secret?: string; readonly maxBytes: number },
): RawResponse {
  const plain: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    // Cookies are never kept: the client has no session, and they would be secrets.
    if (value === undefined || name.toLowerCase() === 'set-cookie') continue;
    plain[name.toLowerCase()] = withoutSecret(Array.isArray(value) ? value.join(', ') : value, secret);
  }
  const bytes = redacted(decompressed(body, plain['content-encoding'], maxBytes), secret);
  const contentType = plain['content-type'] ?? '';
  return { status, contentType, headers: plain, bytes, json: jsonOf(bytes, contentType) };
}

/** JSON is parsed whatever the content type, since services mislabel it; but not where that is a type of media. */
export function jsonOf(body: Uint8Array, contentType: string): unknown {
  if (body.length === 0 || /^(?:image|audio|video|font)\//i.test(contentType)) return undefined;
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const first = bytes.subarray(0, 64).toString('latin1').replace(/^ï»¿/, '').trimStart().charAt(0);
  if (!/[[{"\-\dtfn]/.test(first)) return undefined;
  if (isNestedTooDeep(bytes)) return undefined;
  return parsedJson(bytes.toString('utf8').replace(/^\uFEFF/, ''));
}

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
function decompressed(body: Buffer, encoding: string | undefined, maxBytes: number): Buffer {
  const limit = { maxOutputLength: maxBytes };
  try {
    switch (encoding?.trim().toLowerCase()) {
      case 'gzip':
      case 'x-gzip':
        return gunzipSync(body, limit);
      case 'deflate':
        return inflateSync(body, limit);
      case 'br':
        return brotliDecompressSync(body, limit);
      default:
        return body;
    }
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE') throw error;
    return body;
  }
}

function redacted(bytes: Buffer, secret: string | undefined): Buffer {
  if (secret === undefined || secret.length < 4 || !bytes.includes(secret)) return bytes;
  return Buffer.from(bytes.toString('latin1').replaceAll(secret, REDACTED), 'latin1');
}

/** A text without the key. */
export function withoutSecret(text: string, secret: string | undefined): string {
  return secret === undefined || secret.length < 4 ? text : text.replaceAll(secret, REDACTED);
}
