import { setImmediate as nextTurn } from 'node:timers/promises';

const REDACTED = '[API key removed]';
/** A shorter key would be found in ordinary text. */
const SHORTEST_SECRET = 4;
/** From this length on a key is also found encoded. */
const SHORTEST_ENCODED = 8;
/** The letters and digits of a longer one are found only unescaped: the expression would be too large. */
const LONGEST_ESCAPED = 256;
/** The longest spelling of one character, with the gap before the next. */
const LONGEST_SPELLING = 64;
/** Bytes that are looked through in one go: some milliseconds. */
const PIECE = 2 ** 18;

/**
 * A text without the key, as services and gateways echo it: unchanged, and with any of its characters escaped as JSON
 * (`\/`, `\u0026`, `\x26`, also as JSON within JSON), in an address (`%26`, also twice), in HTML (`&#38;`) or in
 * quoted-printable (`=26`); in UTF-16; as base64, at any place within the encoded text, or hexadecimal.
 */
export function withoutSecret(text: string, secret: string | undefined, replacement = REDACTED): string {
  const spellings = spellingsIn(text, secret);
  return spellings ? text.replace(spellings, (spelling) => likeIt(spelling, replacement)) : text;
}

/** A body without the key, looked through in pieces. */
export async function bytesWithoutSecret(
  bytes: Buffer,
  secret: string | undefined,
  replacement = REDACTED,
): Promise<Buffer> {
  if (!isSecret(secret)) return bytes;
  const kept: Uint8Array[] = [];
  let rest = 0;
  for (let from = 0; from < bytes.length; from += PIECE) {
    if (from > 0) await nextTurn();
    // A spelling that begins in a piece may end behind it.
    const text = bytes.toString('latin1', from, from + PIECE + secret.length * LONGEST_SPELLING);
    const spellings = spellingsIn(text, secret);
    for (const { 0: spelling, index } of spellings ? text.matchAll(spellings) : []) {
      const at = from + index;
      if (index >= PIECE || at < rest) continue;
      kept.push(bytes.subarray(rest, at), Buffer.from(likeIt(spelling, replacement), 'latin1'));
      rest = at + spelling.length;
    }
  }
  return rest === 0 ? bytes : Buffer.concat([...kept, bytes.subarray(rest)]);
}

/** In UTF-16 a zero byte separates the characters. */
function likeIt(spelling: string, replacement: string): string {
  return spelling.includes('\0') ? replacement.split('').join('\0') : replacement;
}

/** Where a spelling of the secret begins, and, once a text has such a place, the whole spelling. */
interface Spellings {
  readonly begins: RegExp;
  whole?: RegExp;
}

const known = new Map<string, Spellings>();

const isSecret = (secret: string | undefined): secret is string => (secret?.length ?? 0) >= SHORTEST_SECRET;

/**
 * Undefined: the text has none. The whole expression takes V8 milliseconds to compile, and each upload has signatures of
 * its own: few texts have its beginning.
 */
function spellingsIn(text: string, secret: string | undefined): RegExp | undefined {
  if (!isSecret(secret)) return undefined;
  const spellings = known.get(secret) ?? { begins: spelled(secret, 'i', SHORTEST_SECRET) };
  if (known.size === 20) known.clear();
  known.set(secret, spellings);
  if (!spellings.begins.test(text)) return undefined;
  spellings.whole ??= spelled(secret, 'gi');
  return spellings.whole;
}

/** Every repetition has a limit: the time grows only with the length of a text. @param length of the beginning of each spelling */
function spelled(secret: string, flags: string, length?: number): RegExp {
  const encoded = secret.length < SHORTEST_ENCODED ? [] : encodingsOf(secret);
  const beginOf = (text: string) => text.slice(0, length);
  return new RegExp(
    [escapedText(beginOf(secret)), ...encoded.map((one) => encodedText(beginOf(one)))].join('|'),
    flags,
  );
}

function encodingsOf(text: string): string[] {
  const bytes = Buffer.from(text, 'latin1');
  // Of the text around the secret only its position within a group of three bytes matters.
  const base64 = [0, 1, 2].map((before) => {
    const all = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    return all.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
  });
  return [...base64, bytes.toString('hex')];
}

/** Base64 in both alphabets, also broken into lines. */
function encodedText(text: string): string {
  const spelled = (sign: string) => (sign === '+' ? `(?:-|${escaped('+')})` : `(?:_|${escaped('/')})`);
  return text
    .split('')
    .map((character) => (/\w/.test(character) ? character : spelled(character)))
    .join('(?:\\s|\\\\[nr]|\\0){0,4}');
}

function escapedText(secret: string): string {
  const isLong = secret.length > LONGEST_ESCAPED;
  return secret
    .replaceAll(/\\+/g, '\\')
    .split('')
    .map((character) => (isLong && /\w/.test(character) ? character : escaped(character)))
    .join('(?:\\0|=\\r?\\n)?');
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': 'amp',
  '<': 'lt',
  '>': 'gt',
  '"': 'quot',
  "'": 'apos',
};

/** A character, unchanged or escaped, perhaps after backslashes. Those of the key itself may be missing. */
function escaped(character: string): string {
  const code = character.charCodeAt(0);
  const hex = code.toString(16).padStart(2, '0');
  const entity = [`#0{0,7}${code}`, `#x0{0,7}${hex}`, ENTITIES[character]].filter(Boolean).join('|');
  const percent = '[%=](?:25){0,4}';
  const spellings = [
    character.replace(/\W/, '\\$&'),
    `[ux](?:00)?${hex}`,
    percent + hex,
    `(?:&|u0026|${percent}26)(?:amp;){0,4}(?:${entity});`,
  ];
  return `(?:\\\\|${percent}5c){0,8}(?:${spellings.join('|')})${character === '\\' ? '?' : ''}`;
}
