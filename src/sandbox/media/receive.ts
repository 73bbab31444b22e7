import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { badRequest, HttpError } from '../http/errors';
import { FILE_MODE } from '../store/privateFiles';
import type { PendingUpload } from './uploads';

/**
 * Writes the bytes of an upload directly to disk. After a failure the address works again, so that a client
 * can retry after a lost connection.
 *
 * @throws {HttpError} 400 a size other than in init, 415 another content type
 */
export async function receiveBytes(request: IncomingMessage, upload: PendingUpload): Promise<void> {
  const contentType = request.headers['content-type'] ?? '';
  if (contentType.toLowerCase() !== upload.contentType.toLowerCase()) {
    throw new HttpError(
      415,
      'content_type_mismatch',
      `The Content-Type must be ${upload.contentType}, as in init, not ${contentType === '' ? 'empty' : contentType}.`,
    );
  }
  const announced = request.headers['content-length'];
  if (announced !== undefined && Number(announced) !== upload.sizeBytes) {
    throw wrongSize(upload, Number(announced));
  }

  upload.state = 'receiving';
  const hash = createHash('sha256');
  let received = 0;
  const count = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      received += chunk.length;
      if (received > upload.sizeBytes) return done(wrongSize(upload, received));
      hash.update(chunk);
      done(null, chunk);
    },
  });
  try {
    await pipeline(request, count, createWriteStream(upload.path, { mode: FILE_MODE }));
    if (received !== upload.sizeBytes) throw wrongSize(upload, received);
    upload.sha256 = hash.digest('hex');
    upload.state = 'received';
  } catch (error) {
    await rm(upload.path, { force: true });
    upload.state = 'waiting';
    throw error;
  }
}

const wrongSize = (upload: PendingUpload, got: number) =>
  badRequest('size_mismatch', `Init announced ${upload.sizeBytes} bytes, but ${got} were sent.`);
