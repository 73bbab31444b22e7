import { randomBytes } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Faults } from '../faults/faults';
import { injectBefore, Reset, replyWithFaults } from '../faults/inject';
import { isLoopbackHost } from '../http/listen';
import { badRequest, notFound, Refusal } from '../http/refusal';
import { replyToError, send } from '../http/reply';
import type { Ledger } from '../runs/ledger';
import type { LiveSettings } from '../server';
import { receiveBytes } from './receive';
import type { Uploads } from './uploads';

interface Parts {
  readonly faults: Faults;
  readonly ledger: Ledger;
  readonly now: () => number;
  readonly settings: LiveSettings;
  readonly uploads: Uploads;
}

/** Serves the uploads' port, another origin than the API's: PUT /uploads/{id}?token=… */
export function uploadHandler(parts: Parts): RequestListener {
  return (request, response) => {
    const requestId = `req_${randomBytes(8).toString('hex')}`;
    response.setHeader('X-Request-Id', requestId);
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    const isOver = parts.ledger.arrived('upload-bytes', request.method ?? '', url.pathname, parts.now());
    let reset = false;
    response.once('close', () => isOver(reset || !response.headersSent ? 0 : response.statusCode));
    receive(request, response, url, parts).catch((error: unknown) => {
      if (error instanceof Reset) {
        reset = true;
        request.socket.resetAndDestroy();
        return;
      }
      // The rest of a refused body is not waited for.
      if (!request.complete) response.setHeader('Connection', 'close');
      send(response, replyToError(error, requestId));
    });
  };
}

async function receive(
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
  { faults, ledger, settings, uploads }: Parts,
): Promise<void> {
  if (!isLoopbackHost(request.headers.host)) {
    throw new Refusal(403, 'foreign_host', 'The sandbox serves 127.0.0.1 and localhost only.');
  }
  const id = /^\/uploads\/([^/]+)$/.exec(url.pathname)?.[1];
  if (id === undefined) throw notFound('no_such_route', `There is nothing at ${url.pathname}.`);
  if (request.method !== 'PUT') {
    throw new Refusal(405, 'method_not_allowed', 'The bytes are sent with PUT.', {
      headers: { Allow: 'PUT' },
    });
  }
  if (request.headers['x-api-key'] !== undefined || request.headers.authorization !== undefined) {
    ledger.keyOnUploadPort();
    throw badRequest('key_sent_elsewhere', 'The API key belongs to the API only: never send it here.');
  }
  const upload = uploads.open(id, url.searchParams.get('token'));
  const rules = faults.strike({ route: 'upload-bytes' });
  if (settings.latencyMs > 0) await sleep(settings.latencyMs);
  await injectBefore(rules);
  await receiveBytes(request, upload);
  replyWithFaults(response, rules, { status: 200, body: { received_bytes: upload.sizeBytes } });
}
