export const MEDIA_TYPES = ['image', 'audio', 'video', 'file'] as const;
export type MediaType = (typeof MEDIA_TYPES)[number];

/** The facts of a file that a client sends at init (interface, section 2.3). */
export interface FileFacts {
  readonly filename: string;
  readonly content_type: string;
  readonly media_type: MediaType;
  readonly size_bytes: number;
}

/** A file that a run may read. */
export interface Media {
  readonly filename: string;
  readonly sizeBytes: number;
  bytes(): Promise<Buffer>;
}

/** The file cannot be read; the message gives the reason as the end of a sentence. */
export class UnreadableMedia extends Error {}
