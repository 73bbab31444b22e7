export type MediaType = 'image' | 'audio' | 'video' | 'file';

/** A file that a run may read. */
export interface Media {
  readonly filename: string;
  readonly sizeBytes: number;
  bytes(): Promise<Buffer>;
}

/** The file cannot be read; the message gives the reason as the end of a sentence. */
export class UnreadableMedia extends Error {}
