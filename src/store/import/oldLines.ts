import { closeSync, openSync, readSync } from 'node:fs';

const CHUNK = 1 << 20;
/** The first line of a journal that was compacted: no record. */
const STAMP = '{"journal":';

/**
 * Reads a journal of version 0.1.0, a file of JSON lines, and hands over each record; lines that are none are counted.
 * A last line without its newline counts if it is whole.
 */
export function readOldLines(file: string, take: (value: unknown) => boolean): { unreadable: number } {
  const handle = openSync(file, 'r');
  let unreadable = 0;
  const line = (bytes: Buffer) => {
    const text = bytes.toString('utf8').trim();
    if (text === '' || text.startsWith(STAMP)) return;
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      unreadable++;
      return;
    }
    if (!take(value)) unreadable++;
  };
  try {
    let rest = Buffer.alloc(0);
    const chunk = Buffer.alloc(CHUNK);
    for (;;) {
      const read = readSync(handle, chunk, 0, CHUNK, null);
      if (read === 0) break;
      const bytes = Buffer.concat([rest, chunk.subarray(0, read)]);
      let start = 0;
      for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, start)) {
        line(bytes.subarray(start, end));
        start = end + 1;
      }
      rest = bytes.subarray(start);
    }
    line(rest);
  } finally {
    closeSync(handle);
  }
  return { unreadable };
}

/** The first line of a journal that is a record, as far as it is no longer than a megabyte. */
export function readFirstLine(file: string): unknown {
  let handle: number | undefined;
  try {
    handle = openSync(file, 'r');
    const bytes = Buffer.alloc(CHUNK);
    const text = bytes.toString('utf8', 0, readSync(handle, bytes, 0, CHUNK, 0));
    return JSON.parse(text.split('\n').find((line) => line !== '' && !line.startsWith(STAMP)) ?? 'null');
  } catch {
    return undefined;
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}
