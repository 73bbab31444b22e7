import { joined } from './bytesInTurns';
import { Turns } from './turns';

const REDACTED = '[API key removed]';
/** A shorter key would be found in ordinary text. */
const SHORTEST = 4;
/** Base64 of less than this may be that of something else. */
const SHORTEST_ENCODED = 8;
/** Bytes that are looked through in one go. */
const PIECE = 2 ** 18;

/** A text without the key, in whatever spelling (see `patternOf`). */
export function withoutSecret(text: string, secret: string | undefined): string {
  const pattern = patternOf(secret);
  return pattern ? text.replace(pattern, REDACTED) : text;
}

/** A body without the key, looked through in turns. */
export async function bytesWithoutSecret(bytes: Buffer, secret: string | undefined): Promise<Buffer> {
  const pattern = patternOf(secret);
  if (!pattern || secret === undefined) return bytes;
  const turns = new Turns(undefined);
  // The longest spelling of a character is an entity with zeros in front.
  const overlap = secret.length * 16;
  const pieces: Uint8Array[] = [];
  let isFound = false;
  for (let start = 0; start < bytes.length; ) {
    if (turns.isOver) await turns.next();
    const text = bytes.toString('latin1', start, start + PIECE + overlap);
    const spellings = [...text.matchAll(pattern)].filter(({ index }) => index < PIECE);
    // One that begins in this piece is all of it.
    const end = Math.max(Math.min(PIECE, text.length), ...spellings.slice(-1).map(endOf));
    pieces.push(
      spellings.length === 0
        ? bytes.subarray(start, start + end)
        : Buffer.from(text.slice(0, end).replace(pattern, REDACTED), 'latin1'),
    );
    isFound ||= spellings.length > 0;
    start += end;
  }
  return isFound ? joined(pieces) : bytes;
}

function endOf({ index, 0: { length } }: RegExpExecArray): number {
  return index + length;
}

let last: { readonly secret: string; readonly pattern: RegExp } | undefined;

/**
 * Finds a key as services and gateways echo it: as it is, and with any of its characters escaped as JSON (`\/`,
 * `\u0026`, also when it is JSON within JSON), in an address (`%26`, also twice) or in HTML (`&#38;`); and as base64, at
 * any place within what is encoded, or hexadecimal.
 */
function patternOf(secret: string | undefined): RegExp | undefined {
  if (secret === undefined || secret.length < SHORTEST) return undefined;
  if (last?.secret !== secret) {
    const spellings = [
      [...secret].map(spellingsOf).join(''),
      ...(secret.length < SHORTEST_ENCODED ? [] : encodingsOf(secret).map(literal)),
    ];
    last = { secret, pattern: new RegExp(spellings.join('|'), 'gi') };
  }
  return last.pattern;
}

function spellingsOf(character: string): string {
  const code = character.charCodeAt(0);
  const hex = code.toString(16).padStart(2, '0');
  const html = { '&': '|&amp;', '<': '|&lt;', '>': '|&gt;', '"': '|&quot;', "'": '|&apos;' }[character] ?? '';
  return `(?:\\\\*${literal(character)}|\\\\+u00${hex}|%(?:25)*${hex}|&#x0{0,6}${hex};|&#0{0,6}${code};${html})`;
}

function encodingsOf(secret: string): string[] {
  const bytes = Buffer.from(secret, 'latin1');
  // Of what stands before and after only the place within a group of three bytes matters.
  const base64 = [0, 1, 2].map((before) => {
    const all = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    return all.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
  });
  return [
    ...base64,
    ...base64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_')),
    ...base64.map((text) => text.replaceAll('/', '\\/')),
    bytes.toString('hex'),
  ];
}

function literal(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
