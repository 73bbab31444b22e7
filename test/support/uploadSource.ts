import type { UploadSource } from '../../src/service/client';

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
