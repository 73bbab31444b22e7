import { extname } from 'node:path';
import { readFileAt } from '../experiments/files/door';
import { inWorker } from '../worker/inWorker';
import type { EncodedImage } from '../worker/smallImage';

/** Milliseconds for all pictures of an answer. */
const DEADLINE = 2_000;
/** Of a file, and of all images of an answer. */
const LARGEST_FILE = 64 * 2 ** 20;
const MOST_BYTES = 4_000_000;

/**
 * Images of at most 512 pixels a side and 1 MB for an answer.
 * @param paths absolute, of files of ours
 * @returns without those that are of another format, damaged, or too large to be decoded in time
 */
export async function smallImages(paths: readonly string[]): Promise<readonly EncodedImage[]> {
  const inputs: EncodedImage[] = [];
  for (const path of paths) {
    const contentType = CONTENT_TYPES[extname(path).toLowerCase()];
    const read = contentType && (await readFileAt(path, LARGEST_FILE).catch(() => undefined));
    if (contentType && read) inputs.push({ contentType, bytes: read.bytes });
  }
  let room = MOST_BYTES;
  return (await inWorker('smallImage', inputs, DEADLINE)).filter((image) => {
    if (!image || image.bytes.length > room) return false;
    room -= image.bytes.length;
    return true;
  }) as EncodedImage[];
}

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.jpeg': 'image/jpeg',
  '.jpg': 'image/jpeg',
};
