import { createHash } from 'node:crypto';

/** Characters of a hash that tell two places apart. */
const PLACE_DIGITS = 8;

/**
 * The id of a file that is named by its path: composed (NFC), so that one name that two systems write differently is
 * one id. Separated by `/` on every system.
 */
export function pathId(path: string): string {
  return path.replaceAll('\\', '/').normalize('NFC');
}

/** The ID of a file with a path or name that belongs to another file, or says too little: with a hash of its place. */
export function placedId(path: string, uri: string): string {
  const place = createHash('sha256').update(uri).digest('hex').slice(0, PLACE_DIGITS);
  return `${pathId(path)}-${place}`;
}
