import type { Database } from './database';
import { text } from './rows';

/** The key of an upload's reference. The kind of media counts: a service may treat one content in two ways. */
export interface UploadKey {
  readonly baseUrl: string;
  readonly sha256: string;
  readonly mediaType: string;
}

/**
 * References of earlier uploads: the same content at the same service keeps its reference while it works.
 */
export class Uploads {
  constructor(private readonly database: Database) {}

  find({ baseUrl, sha256, mediaType }: UploadKey): string | undefined {
    return this.database.get(
      'SELECT media_ref FROM upload WHERE base_url = ? AND sha256 = ? AND media_type = ?',
      (row) => text(row, 'media_ref'),
      ...[baseUrl, sha256, mediaType],
    );
  }

  async remember({ baseUrl, sha256, mediaType }: UploadKey, mediaRef: string): Promise<void> {
    await this.database.write(() =>
      this.database.run(
        'INSERT OR REPLACE INTO upload VALUES (?, ?, ?, ?, ?)',
        ...[baseUrl, sha256, mediaType, mediaRef, Date.now()],
      ),
    );
  }

  /** The reference does not work any more: the next run uploads the content again. */
  async forget({ baseUrl, sha256, mediaType }: UploadKey): Promise<void> {
    await this.database.write(() =>
      this.database.run(
        'DELETE FROM upload WHERE base_url = ? AND sha256 = ? AND media_type = ?',
        ...[baseUrl, sha256, mediaType],
      ),
    );
  }
}
