import { LongText } from './longText';
import { jsonOf } from './rawResponse';
import { Turns } from './turns';

/** Indentation can make a text hundreds of times as long; what would be longer than this stays as it came. */
const MOST_LAID_OUT = 2 ** 24;
const [QUOTE, COMMA, COLON, BACKSLASH] = [0x22, 0x2c, 0x3a, 0x5c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** A body for reading: JSON laid out over lines and otherwise untouched, anything else as it came. Made in turns. */
export async function readableBody(
  bytes: Uint8Array,
  contentType: string,
): Promise<{ readonly text: LongText; readonly isJson: boolean }> {
  const text = await LongText.decoded(bytes);
  const isJson = (await jsonOf(bytes, contentType)) !== undefined;
  return { text: (isJson && (await laidOut(text))) || text, isJson };
}

/**
 * JSON with a line for each value, as `JSON.stringify` indents it. Only white space changes: parsing and writing would
 * round long numbers and drop repeated names.
 * @param json text that is JSON
 * @returns undefined where it would be over 16 MB
 */
export async function laidOut(json: LongText): Promise<LongText | undefined> {
  const layout = new Layout();
  const turns = new Turns();
  for (const piece of json.pieces)
    for (let start = 0; start < piece.length; start += STEP) {
      layout.add(piece.slice(start, start + STEP));
      if (layout.length > MOST_LAID_OUT) return undefined;
      if (turns.isOver) await turns.next();
    }
  return new LongText(layout.pieces);
}

/** Characters between two looks at the clock; each may become a line of some 400. */
const STEP = 2 ** 12;

class Layout {
  readonly pieces: string[] = [];
  length = 0;
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  /** A list or an object has just begun: it may be empty. */
  #isOpened = false;

  add(text: string): void {
    let out = '';
    let start = 0;
    const until = (end: number, then: string) => {
      out += text.slice(start, end) + then;
      start = end;
    };
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (this.#isInString) {
        this.#inString(code);
        continue;
      }
      if (isSpace(code)) {
        until(at, '');
        start = at + 1;
        continue;
      }
      const isClosed = code === CLOSE_LIST || code === CLOSE_OBJECT;
      if (isClosed) this.#depth -= 1;
      // Before the first member, and after the last.
      if (isClosed !== this.#isOpened) until(at, this.#newLine());
      this.#isOpened = code === OPEN_LIST || code === OPEN_OBJECT;
      if (this.#isOpened) this.#depth += 1;
      if (code === QUOTE) this.#isInString = true;
      else if (code === COMMA) until(at + 1, this.#newLine());
      else if (code === COLON) until(at + 1, ' ');
    }
    until(text.length, '');
    this.length += out.length;
    this.pieces.push(out);
  }

  #inString(code: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (code === BACKSLASH) this.#isEscaped = true;
    else if (code === QUOTE) this.#isInString = false;
  }

  #newLine(): string {
    return `\n${'  '.repeat(this.#depth)}`;
  }
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}
