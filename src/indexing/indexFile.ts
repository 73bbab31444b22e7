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

/** A file with its content, as far as known. */
export interface PlannedFile extends IndexFile {
  /** Missing: not read yet. */
  readonly sha256?: string;
  /** Of an unconfirmed file: when it became that. */
  readonly unconfirmedAt?: number;
  /** URI of the file that has been known under its id, where that is another: it is gone, or is this one. */
  readonly replaces?: string;
}
