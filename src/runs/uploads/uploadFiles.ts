import { createHash } from 'node:crypto';
import PQueue from 'p-queue';
import type { RunStep } from '../../domain/run';
import type { ServiceClient, UploadOptions, UploadSource } from '../../service/client';
import { FileChangedError, fileChanged } from '../../service/upload';
import type { UploadKey, Uploads } from '../../store/uploads';
import type { LocalFile } from '../runs';
import { sha256Of } from './sha256Of';

/** More at once does not make one person's run faster, and each holds a connection. */
const UPLOADS_AT_ONCE = 3;

export type UploadCache = Pick<Uploads, 'find' | 'remember' | 'forget'>;

export interface KnownUpload {
  readonly mediaRef: string;
  readonly key: UploadKey;
  /** Uploaded before, so this run did not send it. */
  readonly reused: boolean;
}

/** The file's upload at the client's service: the earlier one of the same content, or a new one. */
export async function uploadOnce(
  client: Pick<ServiceClient, 'baseUrl' | 'upload'>,
  cache: UploadCache,
  source: UploadSource,
  options: UploadOptions = {},
): Promise<KnownUpload> {
  const sha256 = await sha256Of(source.open(), options.signal).catch((error: unknown) => {
    throw error instanceof FileChangedError ? fileChanged(source.filename, error) : error;
  });
  const key: UploadKey = { baseUrl: client.baseUrl, sha256, mediaType: source.mediaType };
  const known = cache.find(key);
  if (known !== undefined) return { mediaRef: known, key, reused: true };
  const open = () => sameContent(source.open(), sha256);
  const { mediaRef } = await client.upload({ ...source, open }, options);
  // Not awaited: a failing disk loses one upload here, which is free.
  cache.remember(key, mediaRef).catch(() => undefined);
  return { mediaRef, key, reused: false };
}

/**
 * The bytes, as long as they equal those of the first reading. The client sends the last of them only when they have
 * ended.
 */
async function* sameContent(bytes: AsyncIterable<Uint8Array>, sha256: string): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  for await (const piece of bytes) {
    hash.update(piece);
    yield piece;
  }
  if (hash.digest('hex') !== sha256) throw new FileChangedError('its content changed');
}

/** Uploads the files of a run, a few at a time. One that fails stops the others; resolves to uploads by URI. */
export async function uploadAll(
  client: Pick<ServiceClient, 'baseUrl' | 'upload'>,
  cache: UploadCache,
  files: readonly LocalFile[],
  options: { readonly signal?: AbortSignal; readonly onStep?: (step: RunStep) => void },
): Promise<Map<string, KnownUpload>> {
  const stop = new AbortController();
  const signal = AbortSignal.any([stop.signal, ...(options.signal ? [options.signal] : [])]);
  const sent = new Map<string, number>();
  const totalBytes = files.reduce((sum, file) => sum + file.source.sizeBytes, 0);
  let finished = 0;
  const report = () =>
    options.onStep?.({
      step: 'uploading',
      file: Math.min(finished + 1, files.length),
      files: files.length,
      sentBytes: [...sent.values()].reduce((sum, bytes) => sum + bytes, 0),
      totalBytes,
    });
  const uploads = new Map<string, KnownUpload>();
  const queue = new PQueue({ concurrency: UPLOADS_AT_ONCE });
  try {
    await Promise.all(
      files.map((file) =>
        queue.add(async () => {
          signal.throwIfAborted();
          report();
          const onProgress = (bytes: number) => {
            sent.set(file.uri, bytes);
            report();
          };
          uploads.set(file.uri, await uploadOnce(client, cache, file.source, { signal, onProgress }));
          sent.set(file.uri, file.source.sizeBytes);
          finished += 1;
          report();
        }),
      ),
    );
  } finally {
    stop.abort();
    queue.clear();
  }
  return uploads;
}
