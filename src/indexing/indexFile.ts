/** A file that may be indexed. The feature that found it knows how to read it; it is never held whole here. */
export interface IndexFile {
  readonly uri: string;
  readonly imageId: string;
  readonly filename: string;
  readonly contentType: string;
  readonly sizeBytes: number;
  readonly modifiedMs: number;
  open(): AsyncIterable<Uint8Array>;
}
