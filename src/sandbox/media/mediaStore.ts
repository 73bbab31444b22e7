import { createHash } from 'node:crypto';
import { renameSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { JsonLines } from '../store/jsonLines';
import { makeOwnFolder } from '../store/privateFiles';
import type { FileFacts, Media } from './media';
import { sampleMedia } from './samples';

/** One finished upload. */
export interface MediaRecord extends FileFacts {
  readonly upload_id: string;
  readonly media_ref: string;
  readonly sha256: string;
}

/** The media that were uploaded, kept by their content: the same bytes are on disk once. */
export class MediaStore {
  /** Where bytes are written while they arrive. */
  readonly incoming: string;
  readonly #folder: string;
  readonly #file: JsonLines<MediaRecord>;
  readonly #byRef = new Map<string, MediaRecord>();
  readonly #byUpload = new Map<string, MediaRecord>();

  constructor(dataDir: string) {
    this.#folder = join(dataDir, 'media');
    this.incoming = join(this.#folder, 'incoming');
    // Uploads that an earlier process did not finish.
    rmSync(this.incoming, { recursive: true, force: true });
    makeOwnFolder(this.#folder);
    makeOwnFolder(this.incoming);
    this.#file = new JsonLines(join(dataDir, 'media.jsonl'));
    for (const row of this.#file.rows) this.#remember(row);
  }

  /** Takes a file that arrived whole into the store, and gives it its reference. */
  keep(path: string, facts: Omit<MediaRecord, 'media_ref'>): MediaRecord {
    renameSync(path, join(this.#folder, facts.sha256));
    const identity = createHash('sha256').update(`${facts.sha256} ${facts.content_type}`).digest('hex');
    const record = { ...facts, media_ref: `media_${identity.slice(0, 32)}` };
    this.#file.append([record]);
    this.#remember(record);
    return record;
  }

  ofUpload(uploadId: string): MediaRecord | undefined {
    return this.#byUpload.get(uploadId);
  }

  get(mediaRef: string): Media | undefined {
    const record = this.#byRef.get(mediaRef);
    if (record === undefined) return sampleMedia(mediaRef);
    return {
      filename: record.filename,
      sizeBytes: record.size_bytes,
      bytes: () => readFile(join(this.#folder, record.sha256)),
    };
  }

  close(): void {
    this.#file.close();
  }

  #remember(record: MediaRecord): void {
    this.#byRef.set(record.media_ref, record);
    this.#byUpload.set(record.upload_id, record);
  }
}
