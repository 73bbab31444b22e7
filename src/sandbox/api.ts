import type { IncomingMessage } from 'node:http';
import { authenticate, proofOf } from './access/apiKey';
import { activityReport, summaryReport, timeseriesReport, walletReport } from './billing/reports';
import { badRequest, HttpError, wrongContentType } from './http/errors';
import { type JsonResponse, ok, send } from './http/jsonResponse';
import type { Call } from './http/requestListener';
import { type Match, matchRoute } from './http/routes';
import { isObject, type JsonObject } from './json';
import { listModels, modelDetail } from './models/catalog';
import { startRun } from './runs/runner';
import type { Service } from './service';

interface Parsed {
  readonly service: Service;
  readonly parameter: string;
  readonly body: JsonObject;
  readonly query: URLSearchParams;
}

type Respond = (request: Parsed) => JsonResponse | Promise<JsonResponse>;

const ROUTES: Record<Exclude<Match['name'], 'proof'>, Respond> = {
  runs: ({ service, body }) => startRun(body, service),
  'run-status': ({ service, parameter }) => ok(service.jobs.get(parameter)),
  'upload-init': ({ service, body }) => ({
    status: 201,
    body: service.uploads.init(body, service.uploadOrigin),
  }),
  'upload-complete': ({ service, body }) => ok(service.uploads.complete(body)),
  models: ({ query }) => ok(listModels(query)),
  model: ({ parameter }) => ok(modelDetail(parameter)),
  wallet: ({ service }) => ok(walletReport(service)),
  refill: ({ service }) => {
    service.accounts.refill();
    return ok(walletReport(service));
  },
  'usage-summary': ({ service, query }) => ok(summaryReport(service, query)),
  'usage-timeseries': ({ service, query }) => ok(timeseriesReport(service, query)),
  activity: ({ service, query }) => ok(activityReport(service, query)),
};

/** The API's port. */
export async function serveApi({ request, response, path, query }: Call, service: Service): Promise<void> {
  const { name: route, parameter } = matchRoute(request.method ?? '', path);
  if (route === 'proof') {
    return send(response, ok({ proof: proofOf(service.apiKey, service.baseUrl, parameter) }));
  }
  authenticate(request.headers, service.apiKey);
  const body = request.method === 'POST' ? await readJsonBody(request) : {};
  const { model, mode } = body;
  await service.respond({ route, model, mode }, response, () =>
    ROUTES[route]({ service, parameter, body, query }),
  );
}

/** The largest JSON body; media never travels in it (interface, section 4, rule 2). */
const BODY_LIMIT_BYTES = 8 * 1024 * 1024;

/** Reads a JSON body. @throws {HttpError} 400 no JSON object, 413 too large, 415 another content type */
async function readJsonBody(request: IncomingMessage): Promise<JsonObject> {
  const contentType = request.headers['content-type'] ?? '';
  if (!/^application\/json\s*(;|$)/i.test(contentType)) {
    throw wrongContentType('unsupported_media_type', 'application/json', contentType);
  }
  const tooLarge = () =>
    new HttpError(413, 'body_too_large', `The maximum size of a body is ${BODY_LIMIT_BYTES} bytes.`, {
      headers: { Connection: 'close' },
    });
  if (Number(request.headers['content-length'] ?? 0) > BODY_LIMIT_BYTES) throw tooLarge();

  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > BODY_LIMIT_BYTES) throw tooLarge();
    chunks.push(chunk);
  }
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks)));
  } catch (error) {
    throw badRequest('invalid_json', `The body is not JSON: ${(error as Error).message}`);
  }
  if (!isObject(value)) throw badRequest('invalid_body', 'The body must be a JSON object.');
  return value;
}
