import { Turns } from './turns';

/** Bytes that are decoded in one go. */
const PIECE = 2 ** 20;

/** A text of any length in pieces: made in turns, and read without ever being one string. */
export class LongText {
  static readonly empty = new LongText([]);
  /** In UTF-16 code units, as a string's. */
  readonly length: number;

  constructor(readonly pieces: readonly string[]) {
    this.length = pieces.reduce((length, piece) => length + piece.length, 0);
  }

  static async decoded(bytes: Uint8Array): Promise<LongText> {
    const decoder = new TextDecoder();
    const turns = new Turns();
    const pieces: string[] = [];
    for (let start = 0; start < bytes.length; start += PIECE) {
      if (turns.isOver) await turns.next();
      pieces.push(decoder.decode(bytes.subarray(start, start + PIECE), { stream: true }));
    }
    pieces.push(decoder.decode());
    return new LongText(pieces);
  }

  /** As a string's `slice`, for places that are not negative. */
  slice(from: number, to: number): string {
    let start = 0;
    let text = '';
    for (const piece of this.pieces) {
      if (start >= to) break;
      text += piece.slice(Math.max(0, from - start), Math.max(0, to - start));
      start += piece.length;
    }
    return text;
  }

  toString(): string {
    return this.pieces.join('');
  }
}
