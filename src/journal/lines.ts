/** What a piece of a journal holds. */
export interface Lines<T> {
  readonly records: T[];
  /** Whole lines that are no record, shortened. */
  readonly unreadable: readonly string[];
  /** Bytes up to which the piece was understood: an unfinished last line is left for the next reading. */
  readonly consumed: number;
}

const SHORTENED = 200;

const STAMP = '{"journal":';

/** The first line of a journal that was replaced: no record, it only tells this file from the one before it. */
export function stamp(id: string): string {
  return `${STAMP}${JSON.stringify(id)}}`;
}

/**
 * Reads JSON lines from bytes that begin at the start of a line. A last line without its newline counts only if
 * it is a whole object or array: a cut of such a value never parses, so nothing half-written is ever taken for
 * a record.
 */
export function readLines<T>(bytes: Buffer, parse: (value: unknown) => T | undefined): Lines<T> {
  const records: T[] = [];
  const unreadable: string[] = [];
  const end = bytes.lastIndexOf(0x0a) + 1;
  for (const line of bytes.toString('utf8', 0, end).split('\n')) {
    if (line === '' || line.startsWith(STAMP)) continue;
    const record = decode(line, parse);
    if (record === undefined) unreadable.push(line.slice(0, SHORTENED));
    else records.push(record);
  }
  const tail = bytes.toString('utf8', end);
  const last = /^[[{]/.test(tail) ? decode(tail, parse) : undefined;
  if (last === undefined) return { records, unreadable, consumed: end };
  records.push(last);
  return { records, unreadable, consumed: bytes.length };
}

function decode<T>(line: string, parse: (value: unknown) => T | undefined): T | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  return parse(value);
}
