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
  readonly matches: Int32Array;
  /** Of each ASCII character: its class; 0 for those in no needle. */
  readonly classes: Uint8Array;
  readonly classCount: number;
  /** A power of two, greater than the longest needle. */
  readonly ring: number;
  readonly isShort: boolean;
}

const [BACKSLASH, PERCENT, AMPERSAND, EQUALS, SEMICOLON, NUMBER] = [0x5c, 0x25, 0x26, 0x3d, 0x3b, 0x23];
/** Begin escapes of JSON, addresses and HTML. */
const SIGNS = [BACKSLASH, PERCENT, AMPERSAND];
/** For an escape of a character that no key has. */
const OTHER = 0x7f;

/** The texts to look for: the secret itself, and as base64 or hexadecimal digits, also twice. */
export function secretNeedles(secret: string): Needles {
  // A key may itself look as if something in it were escaped.
  const texts = new Set([secret, decoded(secret)].map(canonical));
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
  let text = '';
  const escapes = new Escapes(SIGNS, MOST_NESTED, (code) => {
    if (!isIgnored(code, false)) text += String.fromCharCode(code);
  });
  for (let at = 0; at < secret.length; at++) escapes.take(secret.charCodeAt(at), at, at + 1);
  escapes.end();
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
  const matches = new Int32Array(states);
  let count = 1;
  for (const text of texts) {
    let state = 0;
    for (let i = 0; i < text.length; i++) {
      const edge = state * classCount + (classes[text.charCodeAt(i)] ?? 0);
      if (next[edge] === -1) next[edge] = count++;
      state = next[edge] as number;
    }
    matches[state] = text.length;
  }
  // Breadth first: the longest end of a state that is the beginning of a needle is known before the state's own.
  const fallback = new Int32Array(count);
  const queue = [0];
  for (let at = 0; at < queue.length; at++) {
    const state = queue[at] as number;
    const back = fallback[state] as number;
    matches[state] = Math.max(matches[state] as number, matches[back] as number);
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
  return { next, matches, classes, classCount, isShort, ring: 2 ** Math.ceil(Math.log2(longest + 1)) };
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

  /** The start of a needle that ends with this character; -1 without one. */
  take(code: number, start: number): number {
    if (isIgnored(code, this.needles.isShort)) return -1;
    const { next, matches: ends, classes, classCount, ring } = this.needles;
    const kind = code < 128 ? (classes[code] as number) : 0;
    const state = kind === 0 ? 0 : (next[this.#state * classCount + kind] as number);
    this.#state = state;
    // Before the beginning of a needle, earlier starts are not needed.
    if (state === 0) return -1;
    this.#starts[this.#count & (ring - 1)] = start;
    this.#count++;
    const length = ends[state] as number;
    return length === 0 ? -1 : (this.#starts[(this.#count - length) & (ring - 1)] as number);
  }
}

/** Takes one character of a text after another, each with the place where it is written. */
type Take = (code: number, start: number, end: number) => void;

/** The longest escape, `&#x0000026;`. */
const LONGEST_ESCAPE = 12;
/** Escapes within escapes: `\u0025\u0032\u0036` is `%26`, which is `&`. */
const MOST_NESTED = 8;

/** An incomplete escape, and an invalid one. */
const [MORE, NONE] = [-1, -2];

/**
 * Reads the escapes that `signs` begin. Where escapes nest, the character of one can be part of another. Each character
 * is held once, then replaced or given back: the work is linear.
 */
class Escapes {
  readonly #codes: number[] = [];
  /** Start and end of each code. */
  readonly #places: number[] = [];
  /** Where in `#codes` each escape begins, each within the one before. */
  readonly #begun: number[] = [];

  constructor(
    private readonly signs: readonly number[],
    private readonly mostNested: number,
    private readonly out: Take,
  ) {}

  take(code: number, start: number, end: number): void {
    const begun = this.#begun.at(-1);
    if (begun !== undefined) {
      // A backslash after an escape's own backslash is no run of them: it begins the escaped text.
      const isWithin = code === BACKSLASH && end - start === 1 && this.#lastLength > 1;
      const value = isWithin ? NONE : valueWith(this.#codes, begun, code);
      if (value === MORE) {
        // A run of backslashes is as good as one.
        if (code !== BACKSLASH) this.#hold(code, start, end);
        return;
      }
      if (value !== NONE) {
        const from = this.#places[2 * begun] as number;
        this.#drop(begun);
        this.#begun.pop();
        if (this.mostNested === 1) this.out(value, from, end);
        else this.take(value, from, end);
        return;
      }
    }
    const isSign = this.signs.includes(code);
    if (!isSign || this.#begun.length === this.mostNested) this.end();
    if (isSign) {
      this.#begun.push(this.#codes.length);
      this.#hold(code, start, end);
    } else this.out(code, start, end);
  }

  /** Whether something is held. */
  get holds(): boolean {
    return this.#begun.length > 0;
  }

  get #lastLength(): number {
    return (this.#places.at(-1) ?? 0) - (this.#places.at(-2) ?? 0);
  }

  /** Gives back the held text: it is no escape. */
  end(): void {
    for (let i = 0; i < this.#codes.length; i++)
      this.out(this.#codes[i] as number, this.#places[2 * i] as number, this.#places[2 * i + 1] as number);
    this.#drop(0);
    this.#begun.length = 0;
  }

  #hold(code: number, start: number, end: number): void {
    this.#codes.push(code);
    this.#places.push(start, end);
  }

  #drop(from: number): void {
    this.#codes.length = from;
    this.#places.length = 2 * from;
  }
}

/** The character that an escape means that ends with the next code, else `MORE` or `NONE`. @param from where it begins */
function valueWith(codes: readonly number[], from: number, next: number): number {
  const length = codes.length - from;
  const sign = codes[from];
  if (sign === AMPERSAND) return length < LONGEST_ESCAPE ? entityWith(codes, from, next) : NONE;
  if (sign === BACKSLASH && length === 1) return valueAfterBackslash(next);
  // =3D, or the end of a line that goes on.
  if (sign === EQUALS && length === 1 && (next === 0x0a || next === 0x0d)) return 0x0a;
  if (digitOf(next) < 0) return NONE;
  const before = sign === BACKSLASH ? 2 : 1;
  const digits = sign === BACKSLASH && codes[from + 1] === 0x75 ? 4 : 2;
  return length < before + digits - 1 ? MORE : numberIn([...codes.slice(from + before), next], 16);
}

function valueAfterBackslash(next: number): number {
  // \u0026 and \x26 go on.
  if (next === BACKSLASH || next === 0x75 || next === 0x78) return MORE;
  if (next === PERCENT || next === AMPERSAND) return NONE;
  // \n, \r and \t.
  return next === 0x6e || next === 0x72 || next === 0x74 ? 0x0a : next;
}

/** &#38;, &#x26; and names. */
function entityWith(codes: readonly number[], from: number, next: number): number {
  if (next !== SEMICOLON) {
    const isNumber = next === NUMBER && codes.length === from + 1;
    return isNumber || digitOf(next) >= 0 || isLetter(next) ? MORE : NONE;
  }
  const name = codes.slice(from + 1);
  if (name[0] !== NUMBER) return ENTITIES.get(String.fromCharCode(...name).toLowerCase()) ?? NONE;
  const isHex = ((name[1] ?? 0) | 0x20) === 0x78;
  return numberIn(name.slice(isHex ? 2 : 1), isHex ? 16 : 10);
}

const ENTITIES: ReadonlyMap<string, number> = new Map([
  ['amp', AMPERSAND],
  ['lt', 0x3c],
  ['gt', 0x3e],
  ['quot', 0x22],
  ['apos', 0x27],
]);

function isLetter(code: number): boolean {
  const letter = code | 0x20;
  return letter >= 0x61 && letter <= 0x7a;
}

function numberIn(digits: readonly number[], base: 10 | 16): number {
  let value = 0;
  for (const each of digits) {
    const digit = digitOf(each);
    if (digit < 0 || digit >= base) return NONE;
    value = value * base + digit;
  }
  if (digits.length === 0) return NONE;
  return value < 128 ? value : OTHER;
}

/**
 * Three readings side by side: the text itself, with its escapes read, and as quoted-printable with the escapes in it
 * read. Each looks at each character once.
 */
export function secretFinder(codes: Codes, needles: Needles): SecretFinder {
  const ranges: [number, number][] = [];
  const plain = new Reading(needles);
  const read = new Reading(needles);
  const quotedRead = new Reading(needles);
  const add = (reading: Reading, code: number, start: number, end: number) => {
    const from = reading.take(lower(code), start);
    if (from >= 0) addRange(ranges, from, end);
  };
  const escapes = new Escapes(SIGNS, MOST_NESTED, (code, start, end) => add(read, code, start, end));
  const quotedEscapes = new Escapes(SIGNS, MOST_NESTED, (code, start, end) =>
    add(quotedRead, code, start, end),
  );
  const quoted = new Escapes([EQUALS], 1, (code, start, end) => quotedEscapes.take(code, start, end));
  let at = 0;
  return {
    ranges,
    scan(to) {
      for (; at < to; at++) {
        const code = codes[at] as number;
        const isSign = code === BACKSLASH || code === PERCENT || code === AMPERSAND;
        add(plain, code, at, at + 1);
        // Most characters are part of no escape.
        if (isSign || escapes.holds) escapes.take(code, at, at + 1);
        else add(read, code, at, at + 1);
        if (isSign || code === EQUALS || quoted.holds || quotedEscapes.holds) quoted.take(code, at, at + 1);
        else add(quotedRead, code, at, at + 1);
      }
      if (at < codes.length) return;
      for (const each of [escapes, quoted, quotedEscapes]) each.end();
    },
  };
}

/** Adds a range to those that it comes after, or overlaps. */
function addRange(ranges: [number, number][], start: number, end: number): void {
  let [from, to] = [start, end];
  for (let last = ranges.at(-1); last !== undefined && last[1] > from; last = ranges.at(-1)) {
    [from, to] = [Math.min(from, last[0]), Math.max(to, last[1])];
    ranges.pop();
  }
  ranges.push([from, to]);
}

function digitOf(code: number | undefined): number {
  if (code === undefined) return -1;
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const letter = code | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}

/** Lower case, and one alphabet of base64. */
function lower(code: number): number {
  if (code >= 0x41 && code <= 0x5a) return code | 0x20;
  return code === 0x2d ? 0x2b : code === 0x5f ? 0x2f : code;
}
