import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { badRequest, type Detail, HttpError, notFound } from '../http/errors';
import type { JsonObject } from '../json';
import { type FileFacts, MEDIA_TYPES, type MediaType } from './media';
import type { MediaRecord, MediaStore } from './mediaStore';

/** 2 GiB. */
const UPLOAD_LIMIT_BYTES = 2 * 1024 ** 3;

const LIFETIME_MS = 15 * 60_000;

/** An upload between init and complete. */
export interface PendingUpload {
  readonly facts: FileFacts;
  /** Works once: its holder may send the bytes. */
  readonly token: string;
  readonly expiresAt: number;
  /** Where the bytes go. */
  readonly path: string;
  state: 'waiting' | 'receiving' | 'received';
  sha256: string;
}

/** Init and complete (interface, sections 2.3 and 2.4); the bytes arrive on the other port. */
export class Uploads {
  readonly #pending = new Map<string, PendingUpload>();

  constructor(
    private readonly media: MediaStore,
    private readonly now: () => number,
  ) {}

  /** POST /api/media/upload/init. @throws {HttpError} 400, 413 */
  init(body: JsonObject, uploadOrigin: string) {
    const facts = checkInit(body);
    this.#forgetExpired();
    const id = `upl_${randomBytes(12).toString('hex')}`;
    const upload: PendingUpload = {
      facts,
      token: randomBytes(24).toString('base64url'),
      expiresAt: this.now() + LIFETIME_MS,
      path: join(this.media.incoming, id),
      state: 'waiting',
      sha256: '',
    };
    this.#pending.set(id, upload);
    return {
      upload_id: id,
      upload_url: `${uploadOrigin}/uploads/${id}?token=${upload.token}`,
      method: 'PUT',
      headers: { 'Content-Type': facts.content_type },
      expires_at: new Date(upload.expiresAt).toISOString(),
    };
  }

  /** The upload that an upload address names. @throws {HttpError} 403 wrong or expired, 404, 409 bytes were sent already */
  open(id: string, token: string | null): PendingUpload {
    const upload = this.#pending.get(id);
    if (upload === undefined) throw notFound('unknown_upload', 'There is no such upload.');
    if (token !== upload.token)
      throw new HttpError(403, 'wrong_token', 'The token of this upload address is invalid.');
    if (this.now() >= upload.expiresAt) {
      throw new HttpError(403, 'upload_expired', 'This upload address has expired. Start a new upload.');
    }
    if (upload.state !== 'waiting') {
      throw new HttpError(409, 'upload_used', 'The bytes of this upload have been sent already.');
    }
    return upload;
  }

  /** POST /api/media/upload/complete; a repeated request gets the same response. @throws {HttpError} 400, 404, 409 */
  complete(body: JsonObject) {
    const id = body.upload_id;
    if (typeof id !== 'string' || id === '') {
      throw badRequest('invalid_upload', '"upload_id" is missing.', [
        { path: '/upload_id', message: 'must be the identifier that init gave' },
      ]);
    }
    const done = this.media.ofUpload(id);
    if (done !== undefined) return completed(done);
    const upload = this.#pending.get(id);
    if (upload === undefined) throw notFound('unknown_upload', 'There is no such upload.');
    if (upload.state !== 'received') {
      throw new HttpError(409, 'bytes_missing', 'The bytes of this upload have not arrived yet.');
    }
    const { facts, path, sha256 } = upload;
    const record = this.media.keep(path, { upload_id: id, sha256, ...facts });
    this.#pending.delete(id);
    return completed(record);
  }

  #forgetExpired(): void {
    // Kept for an hour after they expired, so that a late client gets "expired", not "unknown".
    const limit = this.now() - 4 * LIFETIME_MS;
    for (const [id, upload] of this.#pending) if (upload.expiresAt < limit) this.#pending.delete(id);
  }
}

const completed = ({ upload_id: _, ...facts }: MediaRecord) => ({ ...facts, status: 'ready' });

function checkInit({ filename, content_type, media_type, size_bytes }: JsonObject): FileFacts {
  const details: Detail[] = [];
  const check = (field: string, isValid: boolean, message: string) => {
    if (!isValid) details.push({ path: `/${field}`, message });
  };
  const isName = typeof filename === 'string' && filename.trim() !== '' && filename.length <= 512;
  check('filename', isName, 'must be a string of 1 to 512 characters');
  const isMime = typeof content_type === 'string' && /^[\w.+-]+\/[\w.+-]+( *;.*)?$/.test(content_type);
  check('content_type', isMime, 'must be a MIME type such as image/png');
  const isKind = MEDIA_TYPES.includes(media_type as MediaType);
  check('media_type', isKind, `must be one of ${MEDIA_TYPES.join(', ')}`);
  const fits =
    !isKind ||
    typeof content_type !== 'string' ||
    media_type === 'file' ||
    content_type.toLowerCase().startsWith(`${media_type}/`);
  check('media_type', fits, `is "${media_type}", but the content is ${content_type}`);
  const isSize = Number.isSafeInteger(size_bytes) && (size_bytes as number) >= 1;
  check('size_bytes', isSize, 'must be a whole number of bytes, at least 1');
  const first = details[0];
  if (first !== undefined) {
    throw badRequest('invalid_upload', `"${first.path.slice(1)}" ${first.message}.`, details);
  }
  if ((size_bytes as number) > UPLOAD_LIMIT_BYTES) {
    throw new HttpError(413, 'file_too_large', `A file may have at most ${UPLOAD_LIMIT_BYTES} bytes.`);
  }
  return { filename, content_type, media_type, size_bytes } as FileFacts;
}
