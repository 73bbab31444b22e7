import { setTimeout as sleep } from 'node:timers/promises';
import type { Faults } from '../faults/faults';
import { injectBefore, respondWithFaults } from '../faults/inject';
import { badRequest, HttpError, notFound } from '../http/errors';
import type { Call } from '../http/requestListener';
import type { Counters } from '../runs/counters';
import type { LiveSettings } from '../settings';
import { receiveBytes } from './receive';
import type { Uploads } from './uploads';

interface Parts {
  readonly faults: Faults;
  readonly counters: Counters;
  readonly settings: LiveSettings;
  readonly uploads: Uploads;
}

/** The only route of the uploads' port, another origin than the API's: PUT /uploads/{id}?token=… */
export async function serveUpload(
  { request, response, path, query }: Call,
  { faults, counters, settings, uploads }: Parts,
): Promise<void> {
  const id = /^\/uploads\/([^/]+)$/.exec(path)?.[1];
  if (id === undefined) throw notFound('no_such_route', `There is nothing at ${path}.`);
  if (request.method !== 'PUT') {
    throw new HttpError(405, 'method_not_allowed', 'Send the bytes with PUT.', { headers: { Allow: 'PUT' } });
  }
  if (request.headers['x-api-key'] !== undefined || request.headers.authorization !== undefined) {
    counters.keyOnUploadPort();
    throw badRequest('key_sent_elsewhere', 'Send the API key only to the API, never to an upload address.');
  }
  const upload = uploads.open(id, query.get('token'));
  const rules = faults.strike({ route: 'upload-bytes' });
  if (settings.latencyMs > 0) await sleep(settings.latencyMs);
  await injectBefore(rules);
  await receiveBytes(request, upload);
  respondWithFaults(response, rules, { status: 200, body: { received_bytes: upload.sizeBytes } });
}
