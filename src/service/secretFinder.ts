// Finds a key in a text in one pass, in any spelling: an Aho-Corasick automaton over the text with its escapes read.

/** A shorter key would be found in ordinary text. */
export const SHORTEST_SECRET = 4;
/** From this length on a key is also found encoded, or broken into lines. */
const SHORTEST_ENCODED = 8;
/** Encodings of encodings of a longer key would take megabytes. */
const LONGEST_ENCODED_TWICE = 256;

/** Text, or bytes that may be text. */
export type Codes = Uint8Array | Uint16Array;

export interface SecretFinder {
  /** Reads on to `to`; `codes` is the whole text each time. */
  scan(to: number): void;
  /** Start and end of each place found so far, in order, without overlaps. */
  readonly ranges: readonly (readonly [start: number, end: number])[];
}

export interface Needles {
  /** Of each state: the state after a character of each class. */
  readonly next: Int32Array;
  /** Of each state: the length of the longest needle that ends here, else 0. */
  readonly found: Int32Array;
  /** Of each ASCII character: its class; 0 for those in no needle. */
  readonly classes: Uint8Array;
  readonly classCount: number;
  /** A power of two, greater than the longest needle. */
  readonly ring: number;
  readonly isShort: boolean;
}

const BACKSLASH = 0x5c;
/** For an escape of a character that no key has. */
const OTHER = 0x7f;

/** The texts to look for: the secret itself, and as base64 or hexadecimal digits, also twice. */
export function needlesOf(secret: string): Needles {
  // A key may itself look as if something in it were escaped, and its backslash may be escaped where that is echoed.
  const bare = secret.replaceAll('\\', '');
  const texts = new Set([secret, decoded(secret), decoded(bare)].map(canonical));
  if (secret.length >= SHORTEST_ENCODED)
    for (const once of encodingsOf(secret)) {
      texts.add(canonical(once));
      if (secret.length > LONGEST_ENCODED_TWICE) continue;
      for (const twice of encodingsOf(once)) texts.add(canonical(twice));
    }
  texts.delete('');
  return automatonOf([...texts], secret.length < SHORTEST_ENCODED);
}

/** The same for all spellings of a text that are compared as one: the alphabets of base64, upper and lower case. */
function canonical(text: string): string {
  return text.replaceAll('\\', '').replaceAll('-', '+').replaceAll('_', '/').toLowerCase();
}

function decoded(secret: string): string {
  const codes = Uint16Array.from(secret, (character) => character.charCodeAt(0));
  let text = '';
  let escaped = false;
  for (let at = 0; at < codes.length; ) {
    if (codes[at] === BACKSLASH) {
      escaped = true;
      at++;
      continue;
    }
    const { code, end } = tokenAt(codes, at, escaped);
    if (!isIgnored(code, false)) text += String.fromCharCode(code);
    at = end;
    escaped = false;
  }
  return text;
}

function encodingsOf(text: string): string[] {
  const bytes = Buffer.from(text, 'latin1');
  // Of the text around the secret only its position within a group of three bytes matters.
  const base64 = [0, 1, 2].map((before) => {
    const all = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    return all.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
  });
  const hex = bytes.toString('hex');
  return [
    ...base64,
    ...base64.map((each) => each.replaceAll('+', '-').replaceAll('/', '_')),
    hex,
    hex.toUpperCase(),
  ];
}

function automatonOf(texts: readonly string[], isShort: boolean): Needles {
  const classes = new Uint8Array(128);
  let classCount = 1;
  for (const text of texts)
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if (code < 128 && classes[code] === 0) classes[code] = classCount++;
    }
  const states = texts.reduce((sum, text) => sum + text.length, 1);
  const next = new Int32Array(states * classCount).fill(-1);
  const found = new Int32Array(states);
  let count = 1;
  for (const text of texts) {
    let state = 0;
    for (let i = 0; i < text.length; i++) {
      const edge = state * classCount + (classes[text.charCodeAt(i)] ?? 0);
      if (next[edge] === -1) next[edge] = count++;
      state = next[edge] as number;
    }
    found[state] = text.length;
  }
  // Breadth first: the longest end of a state that is the beginning of a needle is known before the state's own.
  const fallback = new Int32Array(count);
  const queue = [0];
  for (let at = 0; at < queue.length; at++) {
    const state = queue[at] as number;
    const back = fallback[state] as number;
    found[state] = Math.max(found[state] as number, found[back] as number);
    for (let each = 0; each < classCount; each++) {
      const edge = state * classCount + each;
      const onBack = state === 0 ? 0 : (next[back * classCount + each] as number);
      const child = next[edge] as number;
      if (child === -1) next[edge] = onBack;
      else {
        fallback[child] = onBack;
        queue.push(child);
      }
    }
  }
  const longest = Math.max(...texts.map((text) => text.length), 1);
  return { next, found, classes, classCount, isShort, ring: 2 ** Math.ceil(Math.log2(longest + 1)) };
}

/** White space breaks encoded keys into lines; NUL separates the characters of UTF-16; a backslash escapes. */
function isIgnored(code: number, isShort: boolean): boolean {
  return code === 0 || code === BACKSLASH || (code >= 9 && code <= 32 && !isShort);
}

/** One reading of the text: the characters so far, and where they began. */
class Reading {
  #state = 0;
  #count = 0;
  readonly #starts: Int32Array;

  constructor(private readonly needles: Needles) {
    this.#starts = new Int32Array(needles.ring);
  }

  /** The start of a needle that ends with this character; -1: none does. */
  take(code: number, start: number): number {
    if (isIgnored(code, this.needles.isShort)) return -1;
    const { next, found, classes, classCount, ring } = this.needles;
    const kind = code < 128 ? (classes[code] as number) : 0;
    const state = kind === 0 ? 0 : (next[this.#state * classCount + kind] as number);
    this.#state = state;
    // Before the beginning of a needle, earlier starts are not needed.
    if (state === 0) return -1;
    this.#starts[this.#count & (ring - 1)] = start;
    this.#count++;
    const length = found[state] as number;
    return length === 0 ? -1 : (this.#starts[(this.#count - length) & (ring - 1)] as number);
  }
}

/**
 * Three readings side by side: the text itself, with escapes of JSON, addresses and HTML read, and also with those of
 * quoted-printable. Each looks at each character once.
 */
export function secretFinder(codes: Codes, needles: Needles): SecretFinder {
  const plain = new Reading(needles);
  const escapes = new Reading(needles);
  const quotedPrintable = new Reading(needles);
  const ranges: [number, number][] = [];
  let at = 0;
  /** The start of the backslashes right before `at`. */
  let run = -1;
  let escapesFrom = 0;
  let quotedFrom = 0;

  const add = (start: number, end: number) => {
    if (start < 0) return;
    let from = start;
    for (let last = ranges.at(-1); last !== undefined && last[1] > from; last = ranges.at(-1)) {
      from = Math.min(from, last[0]);
      if (last[1] >= end) return;
      ranges.pop();
    }
    ranges.push([from, end]);
  };

  return {
    ranges,
    scan(to) {
      for (; at < to; at++) {
        const code = codes[at] as number;
        if (code === BACKSLASH) {
          if (run < 0) run = at;
          continue;
        }
        const start = run < 0 ? at : run;
        add(plain.take(lower(code), start), at + 1);
        const isEscape = run >= 0 || code === 0x25 || code === 0x26;
        let value = lower(code);
        let end = at + 1;
        if (isEscape && (at >= escapesFrom || at >= quotedFrom)) {
          const token = tokenAt(codes, at, run >= 0);
          value = lower(token.code);
          end = token.end;
        }
        if (at >= escapesFrom) {
          add(escapes.take(value, start), end);
          escapesFrom = end;
        }
        if (at >= quotedFrom) {
          const soft = code === 0x3d ? quotedAt(codes, at) : undefined;
          quotedFrom = soft?.end ?? end;
          add(quotedPrintable.take(soft ? lower(soft.code) : value, start), quotedFrom);
        }
        run = -1;
      }
    },
  };
}

interface Token {
  readonly code: number;
  readonly end: number;
}

/** The character that is written at a place. */
function tokenAt(codes: Codes, at: number, isEscaped: boolean): Token {
  const code = codes[at] as number;
  if (isEscaped) {
    if (code === 0x75) return hexToken(codes, at + 1, 4) ?? { code, end: at + 1 };
    if (code === 0x78) return hexToken(codes, at + 1, 2) ?? { code, end: at + 1 };
    // \n, \r and \t.
    if (code === 0x6e || code === 0x72 || code === 0x74) return { code: 0x0a, end: at + 1 };
  }
  if (code === 0x25) return percentToken(codes, at);
  if (code === 0x26) return entityToken(codes, at);
  return { code, end: at + 1 };
}

/** %26, and %2526: the sign itself may be encoded, any number of times. */
function percentToken(codes: Codes, at: number): Token {
  let end = at + 1;
  while (codes[end] === 0x32 && codes[end + 1] === 0x35) end += 2;
  return hexToken(codes, end, 2) ?? { code: 0x25, end };
}

const ENTITIES: readonly (readonly [name: string, code: number])[] = [
  ['lt;', 0x3c],
  ['gt;', 0x3e],
  ['quot;', 0x22],
  ['apos;', 0x27],
];

/** &#38;, &#x26;, &lt;, and all of them with &amp; for the sign. */
function entityToken(codes: Codes, at: number): Token {
  let end = at + 1;
  while (hasText(codes, end, 'amp;')) end += 4;
  for (const [name, code] of ENTITIES) if (hasText(codes, end, name)) return { code, end: end + name.length };
  if (codes[end] === 0x23) {
    const isHex = lower(codes[end + 1] ?? 0) === 0x78;
    let digit = end + (isHex ? 2 : 1);
    let value = 0;
    const first = digit;
    for (let one = digitOf(codes[digit]); one >= 0 && one < (isHex ? 16 : 10); one = digitOf(codes[++digit]))
      value = Math.min(value * (isHex ? 16 : 10) + one, 0x110000);
    if (digit > first && codes[digit] === 0x3b) return { code: value < 128 ? value : OTHER, end: digit + 1 };
  }
  return { code: 0x26, end };
}

/** =3D, or the end of a line that goes on, in quoted-printable. */
function quotedAt(codes: Codes, at: number): Token | undefined {
  const next = codes[at + 1];
  if (next === 0x0a || next === 0x0d) return { code: 0x0a, end: at + 1 };
  return hexToken(codes, at + 1, 2);
}

function hexToken(codes: Codes, at: number, digits: number): Token | undefined {
  let value = 0;
  for (let i = at; i < at + digits; i++) {
    const digit = digitOf(codes[i]);
    if (digit < 0) return undefined;
    value = value * 16 + digit;
  }
  return { code: value < 128 ? value : OTHER, end: at + digits };
}

function digitOf(code: number | undefined): number {
  if (code === undefined) return -1;
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const letter = code | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}

function hasText(codes: Codes, at: number, text: string): boolean {
  for (let i = 0; i < text.length; i++) if (lower(codes[at + i] ?? 0) !== text.charCodeAt(i)) return false;
  return true;
}

/** Lower case, and one alphabet of base64. */
function lower(code: number): number {
  if (code >= 0x41 && code <= 0x5a) return code | 0x20;
  return code === 0x2d ? 0x2b : code === 0x5f ? 0x2f : code;
}
