import { Turns } from './turns';

/** One buffer of many: copying half a gigabyte at once would hold up everything else. */
export async function joined(pieces: readonly Uint8Array[]): Promise<Buffer> {
  const all = Buffer.allocUnsafeSlow(pieces.reduce((size, piece) => size + piece.length, 0));
  const turns = new Turns();
  let at = 0;
  for (const piece of pieces) {
    if (turns.isOver) await turns.next();
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}
