import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Codes, type Needles, SHORTEST_SECRET, secretFinder, secretNeedles } from './secretFinder';

const REDACTED = '[API key removed]';
/** Codes that are looked through in one go: 3 ms where each is part of an escape. */
const PIECE = 2 ** 14;

/**
 * A text without the key, as services and gateways echo it: unchanged, and with any of its characters escaped as JSON
 * (`\/`, `\u0026`, `\x26`, also as JSON within JSON), in an address (`%26`, also twice), in HTML (`&#38;`) or in
 * quoted-printable (`=26`), also one within another; in UTF-16; as base64, at any place within the encoded text, or
 * hexadecimal, also twice. The work is proportional to the text's length.
 */
export function withoutSecret(text: string, secret: string | undefined, replacement = REDACTED): string {
  const needles = needlesFor(secret);
  if (!needles || text.length < SHORTEST_SECRET) return text;
  const codes = new Uint16Array(text.length);
  for (let i = 0; i < text.length; i++) codes[i] = text.charCodeAt(i);
  const finder = secretFinder(codes, needles);
  finder.scan(codes.length);
  let rest = 0;
  let left = '';
  for (const [start, end] of finder.ranges) {
    left += text.slice(rest, start) + replacement;
    rest = end;
  }
  return left + text.slice(rest);
}

/** A body without the key, looked through in turns. */
export async function bytesWithoutSecret(
  bytes: Buffer,
  secret: string | undefined,
  replacement = REDACTED,
): Promise<Buffer> {
  const needles = needlesFor(secret);
  if (!needles) return bytes;
  const finder = secretFinder(bytes, needles);
  for (let to = PIECE; to < bytes.length + PIECE; to += PIECE) {
    finder.scan(Math.min(to, bytes.length));
    if (to < bytes.length) await nextTurn();
  }
  if (finder.ranges.length === 0) return bytes;
  const pieces: Uint8Array[] = [];
  let rest = 0;
  for (const [start, end] of finder.ranges) {
    const { wide, from, to } = widthAt(bytes, start, end);
    pieces.push(bytes.subarray(rest, from), Buffer.from(replacement, wide ? 'utf16le' : 'latin1'));
    if (wide === 'be') (pieces.at(-1) as Buffer).swap16();
    rest = to;
  }
  pieces.push(bytes.subarray(rest));
  return Buffer.concat(pieces);
}

/** Whether the replaced text is UTF-16: then the zero bytes of its first and last character go, too. */
function widthAt(codes: Codes, start: number, end: number): { wide?: 'le' | 'be'; from: number; to: number } {
  if (codes[start + 1] !== 0) return { from: start, to: end };
  return start % 2 === 0
    ? { wide: 'le', from: start, to: codes[end] === 0 ? end + 1 : end }
    : { wide: 'be', from: codes[start - 1] === 0 ? start - 1 : start, to: end };
}

let last: { readonly secret: string; readonly needles: Needles } | undefined;

function needlesFor(secret: string | undefined): Needles | undefined {
  if (secret === undefined || secret.length < SHORTEST_SECRET) return undefined;
  if (last?.secret !== secret) last = { secret, needles: secretNeedles(secret) };
  return last.needles;
}
