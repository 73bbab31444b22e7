import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { badRequest, HttpError, notFound, wrongContentType } from '../http/errors';
import { ok } from '../http/jsonResponse';
import type { Call } from '../http/requestListener';
import type { Service } from '../service';
import { FILE_MODE } from '../store/privateFiles';
import type { PendingUpload } from './uploads';

/** The only route of the uploads' port, another origin than the API's: PUT /uploads/{id}?token=… */
export async function serveUpload({ request, response, path, query }: Call, service: Service): Promise<void> {
  const id = /^\/uploads\/([^/]+)$/.exec(path)?.[1];
  if (id === undefined) throw notFound('no_such_route', `There is nothing at ${path}.`);
  if (request.method !== 'PUT') {
    throw new HttpError(405, 'method_not_allowed', 'Send the bytes with PUT.', { headers: { Allow: 'PUT' } });
  }
  if (request.headers['x-api-key'] !== undefined || request.headers.authorization !== undefined) {
    throw badRequest('key_sent_elsewhere', 'Send the API key only to the API, never to an upload address.');
  }
  const upload = service.uploads.open(id, query.get('token'));
  await service.respond({ route: 'upload-bytes' }, response, async () => {
    await receiveBytes(request, upload);
    return ok({ received_bytes: upload.facts.size_bytes });
  });
}

/** Writes the bytes directly to disk. After a failure, such as a lost connection, the address works again. */
async function receiveBytes(request: IncomingMessage, upload: PendingUpload): Promise<void> {
  const { facts } = upload;
  const contentType = request.headers['content-type'] ?? '';
  if (contentType.toLowerCase() !== facts.content_type.toLowerCase()) {
    throw wrongContentType('content_type_mismatch', `${facts.content_type}, as in init`, contentType);
  }
  const announced = request.headers['content-length'];
  if (announced !== undefined && Number(announced) !== facts.size_bytes) {
    throw wrongSize(upload, Number(announced));
  }

  upload.state = 'receiving';
  const hash = createHash('sha256');
  let received = 0;
  const count = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      received += chunk.length;
      if (received > facts.size_bytes) return done(wrongSize(upload, received));
      hash.update(chunk);
      done(null, chunk);
    },
  });
  try {
    await pipeline(request, count, createWriteStream(upload.path, { mode: FILE_MODE }));
    if (received !== facts.size_bytes) throw wrongSize(upload, received);
    upload.sha256 = hash.digest('hex');
    upload.state = 'received';
  } catch (error) {
    await rm(upload.path, { force: true });
    upload.state = 'waiting';
    throw error;
  }
}

const wrongSize = ({ facts }: PendingUpload, got: number) =>
  badRequest('size_mismatch', `Init announced ${facts.size_bytes} bytes, but ${got} were sent.`);
