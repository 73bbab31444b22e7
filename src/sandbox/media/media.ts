export type MediaType = 'image' | 'audio' | 'video' | 'file';

/** A file that a run may read. */
export interface Media {
  readonly filename: string;
  readonly contentType: string;
  readonly mediaType: MediaType;
  readonly sizeBytes: number;
  bytes(): Promise<Buffer>;
}
