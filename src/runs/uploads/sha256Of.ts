import { createHash } from 'node:crypto';

/** SHA-256 of a content as hexadecimal digits, read piece by piece. */
export async function sha256Of(bytes: AsyncIterable<Uint8Array>, signal?: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of bytes) {
    signal?.throwIfAborted();
    hash.update(piece);
  }
  return hash.digest('hex');
}
