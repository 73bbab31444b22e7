import { authenticate, proofOf } from './access/apiKey';
import { activityReport, summaryReport, timeseriesReport, walletReport } from './billing/reports';
import { serveWithFaults } from './faults/inject';
import { readJsonBody } from './http/body';
import { notFound } from './http/errors';
import { type JsonResponse, ok, send } from './http/jsonResponse';
import type { Call } from './http/requestListener';
import { type Match, matchRoute } from './http/routes';
import type { JsonObject } from './json';
import { listModels, modelDetail } from './models/catalog';
import { startRun } from './runs/runner';
import type { Service } from './service';
import { applySettings } from './settings';

interface Parsed {
  readonly service: Service;
  readonly parameter: string;
  readonly body: JsonObject;
  readonly query: URLSearchParams;
}

type Respond = (request: Parsed) => JsonResponse | Promise<JsonResponse>;

const ROUTES: Record<Exclude<Match['name'], 'proof' | `inspect-${string}`>, Respond> = {
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
  if (route === 'inspect-counters' || route === 'inspect-settings') {
    if (!service.inspect) throw notFound('no_such_route', 'The sandbox was started without --inspect.');
    if (route === 'inspect-settings') applySettings(await readJsonBody(request), service);
    return send(response, ok(service.counters.snapshot()));
  }
  const limitHeaders = service.settings.rateLimit?.take() ?? {};
  for (const [name, value] of Object.entries(limitHeaders)) response.setHeader(name, value);
  const body = request.method === 'POST' ? await readJsonBody(request) : {};
  const { model, mode } = body;
  await serveWithFaults(response, service, { route, model, mode }, () =>
    ROUTES[route]({ service, parameter, body, query }),
  );
}
