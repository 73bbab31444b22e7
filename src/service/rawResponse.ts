import type { Duplex } from 'node:stream';
import zlib, { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import type { RawResponse } from '../domain/response';
import { setOwn } from '../domain/value';
import { words } from '../domain/words';
import { bodyContent } from '../intake/bodyContent';
import { bytesWithoutSecret, withoutSecret } from './redact';

/**
 * A response as received: decompressed, its JSON parsed, and the API key and signatures taken out should the service
 * echo them (debugging gateways and stores do), for raw responses are shown, saved and copied.
 * @throws RangeError when the decompressed body is larger than `maxBytes`, or than any body that is compressed
 */
export async function rawResponse(
  status: number,
  headers: Readonly<Record<string, string | string[] | undefined>>,
  body: Buffer,
  {
    secret,
    signatures = [],
    maxBytes,
  }: { readonly secret?: string; readonly signatures?: readonly string[]; readonly maxBytes: number },
): Promise<RawResponse> {
  const shown = (text: string) =>
    signatures.reduce(
      (rest, signature) => withoutSecret(rest, signature, SIGNATURE),
      withoutSecret(text, secret),
    );
  const plain: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    // Cookies are never kept: the client has no session, and they would be secrets.
    if (value === undefined || name.toLowerCase() === 'set-cookie') continue;
    const text = Array.isArray(value) ? value.join(', ') : value;
    const lower = name.toLowerCase();
    // A redirect to the same path needs its query.
    setOwn(plain, shown(lower), lower === 'location' ? withoutSecret(text, secret) : shown(text));
  }
  const decoded = await decodedBody(body, plain['content-encoding'], maxBytes);
  let bytes = await bytesWithoutSecret(decoded.bytes, secret);
  for (const signature of signatures) bytes = await bytesWithoutSecret(bytes, signature, SIGNATURE);
  const contentType = plain['content-type'] ?? '';
  const { undecoded } = decoded;
  const content = undecoded === undefined ? bodyContent(bytes, contentType) : { contentType, undecoded };
  return { status, headers: plain, bytes, ...content };
}

const SIGNATURE = '[signature removed]';

/** The limit of decompressed bodies. Media, which alone are larger, are compressed already. */
const MOST_DECOMPRESSED = 64 * 2 ** 20;

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
    .filter((name) => CODINGS.has(name));
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

/** Registered content codings (RFC 9110, 8.4.1, and IANA); servers also write charsets here, or "none". */
const CODINGS = new Set(words('gzip x-gzip deflate br zstd compress x-compress dcb dcz pack200-gzip exi'));
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
