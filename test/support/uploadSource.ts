import type { UploadSource } from '../../src/service/client';

/** The smallest PNG: one grey pixel. */
export const PNG_1X1 = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==',
  'base64',
);

/** Bytes in memory as a file to upload; `opened` counts how often they were read. */
export function sourceOf(
  filename: string,
  contentType: string,
  bytes: Uint8Array,
  pieceBytes = 64 * 1024,
): UploadSource & { opened: number } {
  return {
    filename,
    contentType,
    mediaType: contentType.split('/')[0] ?? 'file',
    sizeBytes: bytes.length,
    opened: 0,
    async *open() {
      this.opened++;
      for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
    },
  };
}
