import * as z from 'zod/mini';
import type { Journal } from '../../journal/journal';
import { openJournal } from '../../journal/openJournal';

/** An upload that can be used again: the same content at the same service keeps its reference while it works. */
const cachedUpload = z.object({
  baseUrl: z.string(),
  sha256: z.string(),
  mediaType: z.string(),
  /** Missing: the service rejected the reference, and it is forgotten. */
  mediaRef: z.optional(z.string()),
  /** Milliseconds since the epoch. */
  at: z.number(),
});
export type CachedUpload = z.infer<typeof cachedUpload>;

/** The key of one reference. It has the kind of media, since the service may treat one content in two ways. */
export type UploadKey = Pick<CachedUpload, 'baseUrl' | 'sha256' | 'mediaType'>;

/** Uploads of other windows are read at most this often: reading before each of a thousand uploads is slow. */
const READ_EVERY_MS = 500;

/** References of earlier uploads, over a journal in which a later entry of the same key replaces the earlier. */
export class MediaCache {
  readonly #refs = new Map<string, string>();
  #readAt = 0;

  constructor(private readonly journal: Pick<Journal<CachedUpload>, 'records' | 'append' | 'refresh'>) {
    for (const upload of journal.records) this.#take(upload);
  }

  /** The reference of this content, also when another window has uploaded it. */
  async find(key: UploadKey): Promise<string | undefined> {
    const now = Date.now();
    if (now - this.#readAt >= READ_EVERY_MS) {
      this.#readAt = now;
      for (const upload of await this.journal.refresh()) this.#take(upload);
    }
    return this.#refs.get(nameOf(key));
  }

  remember(key: UploadKey, mediaRef: string): Promise<void> {
    return this.#put(key, mediaRef);
  }

  /** The reference does not work any more: the content is uploaded anew next time. */
  forget(key: UploadKey): Promise<void> {
    return this.#put(key);
  }

  async #put({ baseUrl, sha256, mediaType }: UploadKey, mediaRef?: string): Promise<void> {
    const upload = { baseUrl, sha256, mediaType, mediaRef, at: Date.now() };
    this.#take(upload);
    await this.journal.append(upload);
  }

  #take(upload: CachedUpload): void {
    if (upload.mediaRef === undefined) this.#refs.delete(nameOf(upload));
    else this.#refs.set(nameOf(upload), upload.mediaRef);
  }
}

/** The cache over a journal file of its own; a line of another version is passed over. */
export async function openMediaCache(file: string): Promise<MediaCache> {
  const journal = await openJournal(file, (value) => cachedUpload.safeParse(value).data);
  return new MediaCache(journal);
}

const nameOf = (key: UploadKey): string => JSON.stringify([key.baseUrl, key.sha256, key.mediaType]);
