import { segmentsOf } from '../domain/pointer';
import { LongText } from './longText';
import { Turns } from './turns';

/** Indentation can make a text hundreds of times as long; what would be longer than this stays on one line. */
const MOST_LAID_OUT = 2 ** 24;
/** Characters of a string that are escaped in one go, and of a piece of the text. */
const PIECE = 2 ** 16;

/** JSON as text, and where in it the value that was asked for begins and ends. */
export interface JsonText {
  readonly text: LongText;
  readonly from: number;
  readonly to: number;
}

/**
 * What `JSON.stringify(value, null, 2)` writes, made in turns; without white space where that would be over 16 MB.
 * @param value JSON: `toJSON` is not called
 * @param at JSON pointer to a value in it whose place is wanted; one that leads nowhere is at 0
 */
export async function jsonText(value: unknown, at = ''): Promise<JsonText> {
  return (await new Writer(at, true).write(value)) ?? (await new Writer(at, false).write(value))!;
}

/** A value for people: a text as it is, anything else as JSON. */
export async function readableText(value: unknown): Promise<LongText> {
  return typeof value === 'string' ? new LongText([value]) : (await jsonText(value)).text;
}

/** A list, an object or a long text that is not closed yet. */
interface Open {
  readonly value: Readonly<Record<string, unknown>> | readonly unknown[] | string;
  /** Of an object; a list has places. */
  readonly names: readonly string[] | undefined;
  /** Whether it is on the way to the value whose place is wanted, and whether it is that. */
  readonly isOnWay: boolean;
  readonly isWanted: boolean;
  next: number;
  isEmpty: boolean;
}

class Writer {
  readonly #way: readonly string[];
  readonly #open: Open[] = [];
  readonly #pieces: string[] = [];
  #parts: string[] = [];
  #partsLength = 0;
  #length = 0;
  #from = 0;
  #to = 0;

  constructor(
    at: string,
    private readonly isLaidOut: boolean,
  ) {
    this.#way = segmentsOf(at);
  }

  /** Undefined: it would be too long. */
  async write(root: unknown): Promise<JsonText | undefined> {
    const turns = new Turns();
    this.#begin(root, true);
    for (let open = this.#open.at(-1); open; open = this.#open.at(-1)) {
      if (this.isLaidOut && this.#length > MOST_LAID_OUT) return undefined;
      if (turns.isOver) await turns.next();
      if (typeof open.value === 'string') this.#stepOfText(open, open.value);
      else this.#step(open, open.value);
    }
    return {
      text: new LongText([...this.#pieces, this.#parts.join('')]),
      from: this.#from,
      to: this.#to,
    };
  }

  /** Writes the next member, or the end. */
  #step(open: Open, value: Exclude<Open['value'], string>): void {
    const { names } = open;
    if (open.next === (names ?? (value as readonly unknown[])).length) {
      this.#end(open, `${open.isEmpty ? '' : this.#newLine(-1)}${names ? '}' : ']'}`);
      return;
    }
    const key = names ? names[open.next]! : open.next;
    open.next += 1;
    const member = (value as Readonly<Record<string | number, unknown>>)[key];
    if (names && member === undefined) return;
    this.#add(`${open.isEmpty ? '' : ','}${this.#newLine(0)}`);
    open.isEmpty = false;
    if (names) this.#add(`${JSON.stringify(key)}${this.isLaidOut ? ': ' : ':'}`);
    this.#begin(member, open.isOnWay && this.#way[this.#open.length - 1] === String(key));
  }

  /** Writes a piece, which does not end within a character, or the end. */
  #stepOfText(open: Open, text: string): void {
    if (open.next === text.length) {
      this.#end(open, '"');
      return;
    }
    let end = Math.min(text.length, open.next + PIECE);
    if (end < text.length && (text.charCodeAt(end - 1) & 0xfc00) === 0xd800) end -= 1;
    this.#add(JSON.stringify(text.slice(open.next, end)).slice(1, -1));
    open.next = end;
  }

  #begin(value: unknown, isOnWay: boolean): void {
    const isWanted = isOnWay && this.#open.length === this.#way.length;
    if (isWanted) this.#from = this.#length;
    if (isOpened(value)) {
      const names = typeof value === 'string' || Array.isArray(value) ? undefined : Object.keys(value);
      this.#add(typeof value === 'string' ? '"' : names ? '{' : '[');
      this.#open.push({ value, names, isOnWay, isWanted, next: 0, isEmpty: true });
      return;
    }
    this.#add(JSON.stringify(value) ?? 'null');
    if (isWanted) this.#to = this.#length;
  }

  #end({ isWanted }: Open, closing: string): void {
    this.#open.pop();
    this.#add(closing);
    if (isWanted) this.#to = this.#length;
  }

  #newLine(deeper: number): string {
    return this.isLaidOut ? `\n${'  '.repeat(this.#open.length + deeper)}` : '';
  }

  #add(text: string): void {
    this.#length += text.length;
    this.#partsLength += text.length;
    this.#parts.push(text);
    if (this.#partsLength < PIECE) return;
    this.#pieces.push(this.#parts.join(''));
    this.#parts = [];
    this.#partsLength = 0;
  }
}

/** Whether a value is written in steps. */
function isOpened(value: unknown): value is Open['value'] {
  return typeof value === 'string' ? value.length > PIECE : typeof value === 'object' && value !== null;
}
