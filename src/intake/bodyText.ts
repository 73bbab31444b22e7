import { isUtf8 } from 'node:buffer';
import { TextDecoder } from 'node:util';

/**
 * A body as text: a byte order mark decides, then JSON in UTF-16 by its zero bytes (RFC 4627, 3), then the charset of its
 * type, else UTF-8. Other bytes are read as Windows-1252, which loses no byte.
 */
export function bodyText(bytes: Uint8Array, contentType: string): string {
  return decoderOf(bytes, contentType).decode(bytes);
}

/** Whether bytes without a charset are not UTF-8, so that their characters are a guess. */
export function isOfGuessedCharset(bytes: Uint8Array, contentType: string): boolean {
  return decoderOf(bytes, contentType).encoding === GUESSED && !CHARSET.test(contentType);
}

const GUESSED = 'windows-1252';
const CHARSET = /;\s*charset\s*=\s*"?([^\s";]+)/i;

function decoderOf(bytes: Uint8Array, contentType: string): TextDecoder {
  const [first, second, third] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le');
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be');
  if (first === 0xef && second === 0xbb && third === 0xbf) return new TextDecoder();
  if (isOpening(first) && second === 0) return new TextDecoder('utf-16le');
  if (first === 0 && isOpening(second)) return new TextDecoder('utf-16be');
  const charset = CHARSET.exec(contentType)?.[1];
  try {
    return new TextDecoder(charset ?? (isUtf8(bytes) ? 'utf-8' : GUESSED));
  } catch {
    return new TextDecoder();
  }
}

function isOpening(byte: number | undefined): boolean {
  return byte === 0x7b || byte === 0x5b || byte === 0x22;
}

/** The visible text of a page, its title where it has no other. */
export function textOfMarkup(markup: string): string {
  const title = /<title[^<>]*>([^<]*)/i.exec(markup)?.[1] ?? '';
  const text = markup
    .replace(/<(script|style|title)\b[\s\S]*?(?:<\/\1\s*>|$)|<!--[\s\S]*?(?:-->|$)|<[^>]*>?/gi, ' ')
    .trim();
  const shown = text.includes(title) ? text : `${title} ${text}`;
  return shown.replace(/&(amp|lt|gt|quot|apos|nbsp);/g, (_, name: string) => ENTITIES[name]!);
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };
