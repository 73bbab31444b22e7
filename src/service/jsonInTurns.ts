import { exactValue } from '../domain/exactNumbers';
import { setOwn } from '../domain/value';
import { Turns } from './turns';

/** Values in one body: some 200 MB of memory at most. */
const MOST_VALUES = 2_000_000;
/** Names of an object are listed at once, 100,000 in some 40 ms, by whoever looks into it. */
const USUAL_NAMES = 1000;
/** Names in one body beyond the usual ones of each object. */
const MOST_MORE_NAMES = 10_000;
/** Deeper JSON is not read: it would overflow the stack of recursive readers. */
const DEEPEST = 200;
/** Bytes of a string that are looked through between two looks at the clock. */
const PIECE = 2 ** 16;
const LONGEST_NUMBER = 10_000;
/** Characters of a member's name: whoever shows or looks for it does so at once. */
const LONGEST_NAME = 2 ** 20;
/** White space at a stretch. */
const MOST_SPACE = 2 ** 20;

const [QUOTE, COMMA, COLON, BACKSLASH] = [0x22, 0x2c, 0x3a, 0x5c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const WORDS: readonly (readonly [string, unknown])[] = [
  ['true', true],
  ['false', false],
  ['null', null],
];

/**
 * What `parsedJson` makes of a body, but in turns of some milliseconds, and never of more values than fit into
 * memory: `JSON.parse` holds its thread a second for what a service can send in a megabyte or two.
 * @returns undefined for what is no JSON, or too much of it
 */
export async function jsonInTurns(bytes: Buffer): Promise<unknown> {
  try {
    return await new Parser(bytes).parse();
  } catch (error) {
    if (error instanceof NoJson) return undefined;
    throw error;
  }
}

class NoJson extends Error {}

/** A list or an object that is not closed yet, and the name of the member that comes next. */
interface Open {
  readonly value: unknown[] | Record<string, unknown>;
  name?: string;
  names: number;
}

class Parser {
  #at = 0;
  #values = 0;
  #moreNames = 0;

  readonly turns = new Turns(undefined);

  constructor(private readonly bytes: Buffer) {}

  async parse(): Promise<unknown> {
    const open: Open[] = [];
    if (this.bytes[0] === 0xef && this.bytes[1] === 0xbb && this.bytes[2] === 0xbf) this.#at = 3;
    for (;;) {
      if (this.turns.isOver) await this.turns.next();
      let value = await this.#value();
      let isClosed = true;
      if (value === LIST || value === OBJECT) {
        if (open.length >= DEEPEST) throw new NoJson();
        const isList = value === LIST;
        value = isList ? [] : {};
        const inner: Open = { value: value as Open['value'], names: 0 };
        isClosed = this.#takes(isList ? CLOSE_LIST : CLOSE_OBJECT);
        if (!isClosed) {
          open.push(inner);
          if (!isList) inner.name = await this.#name();
          continue;
        }
      }
      for (;;) {
        const outer = open.at(-1);
        if (!outer) {
          if (this.#next() !== undefined) throw new NoJson();
          return value;
        }
        if (put(outer, value) > USUAL_NAMES && ++this.#moreNames > MOST_MORE_NAMES) throw new NoJson();
        if (this.#takes(COMMA)) {
          if (!Array.isArray(outer.value)) outer.name = await this.#name();
          break;
        }
        if (!this.#takes(Array.isArray(outer.value) ? CLOSE_LIST : CLOSE_OBJECT)) throw new NoJson();
        value = outer.value;
        open.pop();
      }
    }
  }

  /** A value without members, or that a list or an object begins. */
  async #value(): Promise<unknown> {
    if (++this.#values > MOST_VALUES) throw new NoJson();
    const first = this.#next();
    if (first === QUOTE) return this.#string();
    if (first === OPEN_LIST || first === OPEN_OBJECT) {
      this.#at++;
      return first === OPEN_LIST ? LIST : OBJECT;
    }
    for (const [word, value] of WORDS)
      if (first === word.charCodeAt(0)) {
        if (this.bytes.toString('latin1', this.#at, this.#at + word.length) !== word) throw new NoJson();
        this.#at += word.length;
        return value;
      }
    return this.#number();
  }

  #number(): unknown {
    const start = this.#at;
    while (isOfNumber(this.bytes[this.#at]) && this.#at - start <= LONGEST_NUMBER) this.#at++;
    if (this.#at - start > LONGEST_NUMBER) throw new NoJson();
    const text = this.bytes.toString('latin1', start, this.#at);
    if (!NUMBER.test(text)) throw new NoJson();
    return exactValue(text);
  }

  async #name(): Promise<string> {
    if (this.#next() !== QUOTE) throw new NoJson();
    const name = await this.#string();
    if (name.length > LONGEST_NAME) throw new NoJson();
    if (!this.#takes(COLON)) throw new NoJson();
    return name;
  }

  /** Piece by piece; none ends within an escape or a character. */
  async #string(): Promise<string> {
    const { bytes } = this;
    const pieces: string[] = [];
    let start = ++this.#at;
    for (let byte = bytes[start]; byte !== QUOTE; byte = bytes[++this.#at]) {
      if (byte === undefined) throw new NoJson();
      if (this.#at - start > PIECE && (byte < 0x80 || byte >= 0xc0)) {
        pieces.push(this.#text(start));
        start = this.#at;
        if (this.turns.isOver) await this.turns.next();
      }
      if (byte === BACKSLASH) this.#at += bytes[this.#at + 1] === 0x75 ? 5 : 1;
    }
    pieces.push(this.#text(start));
    this.#at++;
    return pieces.join('');
  }

  /** What stands between a place and here, which the platform checks and decodes. */
  #text(start: number): string {
    try {
      return JSON.parse(`"${this.bytes.toString('utf8', start, this.#at)}"`) as string;
    } catch {
      throw new NoJson();
    }
  }

  #takes(byte: number): boolean {
    if (this.#next() !== byte) return false;
    this.#at++;
    return true;
  }

  /** The next byte that is no white space. */
  #next(): number | undefined {
    for (const start = this.#at; this.#at - start < MOST_SPACE; ) {
      const byte = this.bytes[this.#at];
      if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return byte;
      this.#at++;
    }
    throw new NoJson();
  }
}

const LIST = Symbol('[');
const OBJECT = Symbol('{');

/** @returns how many different names the object has now; 0 for a list */
function put(open: Open, member: unknown): number {
  const { value, name = '' } = open;
  if (Array.isArray(value)) {
    value.push(member);
    return 0;
  }
  if (!Object.hasOwn(value, name)) open.names += 1;
  setOwn(value, name, member);
  return open.names;
}

function isOfNumber(byte: number | undefined): boolean {
  if (byte === undefined) return false;
  return (
    (byte >= 0x30 && byte <= 0x39) ||
    byte === 0x2d ||
    byte === 0x2b ||
    byte === 0x2e ||
    (byte | 0x20) === 0x65
  );
}
