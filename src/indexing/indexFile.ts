import { createHash } from 'node:crypto';

/** A file that may be indexed. The feature that found it knows how to read it; nothing here holds it whole. */
export interface IndexFile {
  readonly uri: string;
  readonly imageId: string;
  readonly filename: string;
  readonly contentType: string;
  readonly sizeBytes: number;
  readonly modifiedMs: number;
  open(): AsyncIterable<Uint8Array>;
}

/** SHA-256 of a file's content, as hexadecimal digits. Streams. */
export async function hashFile(file: Pick<IndexFile, 'open'>, signal?: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of file.open()) {
    signal?.throwIfAborted();
    hash.update(chunk);
  }
  return hash.digest('hex');
}
