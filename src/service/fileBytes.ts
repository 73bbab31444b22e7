import { constants } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { FileChangedError } from './upload';

/**
 * Large, so that a large file makes little garbage on its way: each piece costs some kB of it, independent of its
 * size.
 */
const PIECE_BYTES = 2 ** 20;
/** Pieces in use at once: one being read, one read, one held back by the upload, one at the connection, one to spare. */
const PIECES = 5;

/**
 * The bytes of a file on this machine's disk, for an upload or a hash, read into a few buffers over and over: a
 * stream's fresh buffers pile up to some 60 MB before they are collected. **A piece is therefore good only until
 * three more have been asked for**; who keeps pieces copies them.
 * @throws FileChangedError when the file was replaced or changed: at once when it has grown, else after the last byte
 */
export async function* fileBytes(path: string): AsyncGenerator<Uint8Array, void, undefined> {
  // Opening a pipe would otherwise wait for one who writes into it. (Not on Windows, where the flag is undefined.)
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const facts = await file.stat({ bigint: true });
    if (!facts.isFile()) throw new FileChangedError('it is no longer a regular file');
    const before = identityOf(facts);
    const pieceBytes = Math.min(PIECE_BYTES, Number(facts.size) + 1);
    const pieces: Buffer[] = [];
    const read = (turn: number) => {
      const piece = pieces[turn % PIECES] ?? Buffer.allocUnsafeSlow(pieceBytes);
      pieces[turn % PIECES] = piece;
      const reading = file.read(piece, 0, pieceBytes, null);
      // The result is not awaited when the caller stops early.
      reading.catch(() => undefined);
      return reading;
    };
    let total = 0;
    let next = read(0);
    for (let turn = 1; ; turn++) {
      const { bytesRead, buffer } = await next;
      if (bytesRead === 0) break;
      total += bytesRead;
      // A file that is written faster than it is read would never end.
      if (total > facts.size) throw new FileChangedError('it grew');
      // The disk works while the line does.
      next = read(turn);
      yield buffer.subarray(0, bytesRead);
    }
    // Editors save by renaming a new file into place: the open file stays unchanged, but its path names another file.
    const now = await stat(path, { bigint: true }).catch(() => undefined);
    const after = await file.stat({ bigint: true });
    if (identityOf(after) !== before || now === undefined || identityOf(now) !== before)
      throw new FileChangedError('it was written or replaced');
  } finally {
    await file.close();
  }
}

function identityOf(facts: {
  readonly ino: bigint;
  readonly size: bigint;
  readonly mtimeNs: bigint;
}): string {
  return `${facts.ino} ${facts.size} ${facts.mtimeNs}`;
}
