import { createHash } from 'node:crypto';
import { renameSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database, Row } from '../store/database';
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

  constructor(
    dataDir: string,
    private readonly database: Database,
  ) {
    this.#folder = join(dataDir, 'media');
    this.incoming = join(this.#folder, 'incoming');
    // Uploads that an earlier process did not finish.
    rmSync(this.incoming, { recursive: true, force: true });
    makeOwnFolder(this.#folder);
    makeOwnFolder(this.incoming);
  }

  /** Takes a file that arrived whole into the store, and gives it its reference. */
  keep(path: string, facts: Omit<MediaRecord, 'media_ref'>): MediaRecord {
    renameSync(path, join(this.#folder, facts.sha256));
    const identity = createHash('sha256').update(`${facts.sha256} ${facts.content_type}`).digest('hex');
    const record = { ...facts, media_ref: `media_${identity.slice(0, 32)}` };
    keepUpload(this.database, record);
    return record;
  }

  ofUpload(uploadId: string): MediaRecord | undefined {
    return asRecord(this.database.get('SELECT record FROM uploads WHERE upload_id = ?', uploadId));
  }

  get(mediaRef: string): Media | undefined {
    const sql = 'SELECT record FROM uploads WHERE media_ref = ? ORDER BY rowid DESC LIMIT 1';
    const record = asRecord(this.database.get(sql, mediaRef));
    if (record === undefined) return sampleMedia(mediaRef);
    return {
      filename: record.filename,
      sizeBytes: record.size_bytes,
      bytes: () => readFile(join(this.#folder, record.sha256)),
    };
  }
}

function keepUpload(database: Database, record: MediaRecord): void {
  const { upload_id, media_ref } = record;
  database.run(
    'INSERT OR REPLACE INTO uploads VALUES (?, ?, ?)',
    upload_id,
    media_ref,
    JSON.stringify(record),
  );
}

const asRecord = (row: Row | undefined) => row && (JSON.parse(String(row.record)) as MediaRecord);
