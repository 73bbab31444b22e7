import { setTimeout as sleep } from 'node:timers/promises';
import { authenticate } from './access/authenticate';
import { proofOf } from './access/proof';
import type { Accounts } from './billing/accounts';
import { activityReport, summaryReport, timeseriesReport, walletReport } from './billing/reports';
import type { Faults } from './faults/faults';
import { injectBefore, respondWithFaults } from './faults/inject';
import { readJsonBody } from './http/body';
import { notFound } from './http/errors';
import { type JsonResponse, send } from './http/jsonResponse';
import type { Call } from './http/requestListener';
import { type Match, matchRoute, type RouteName } from './http/routes';
import type { JsonObject } from './json';
import type { Uploads } from './media/uploads';
import type { Catalog } from './models/catalog';
import type { Counters } from './runs/counters';
import type { Runner } from './runs/runner';
import { applySettings, type LiveSettings } from './settings';

interface Parts {
  readonly apiKey: string;
  readonly inspect: boolean;
  readonly accounts: Accounts;
  readonly catalog: Catalog;
  readonly faults: Faults;
  readonly counters: Counters;
  readonly now: () => number;
  readonly runner: Runner;
  readonly settings: LiveSettings;
  readonly uploads: Uploads;
}

/** The routes of the API's port. */
export class Api {
  baseUrl = '';
  uploadOrigin = '';

  constructor(private readonly parts: Parts) {}

  readonly routeOf = (method: string, path: string): RouteName | 'none' => {
    try {
      return matchRoute(method, path).name;
    } catch {
      return 'none';
    }
  };

  readonly serve = async ({ request, response, path, query }: Call): Promise<void> => {
    const { apiKey, faults, inspect, settings } = this.parts;
    const route = matchRoute(request.method ?? '', path);
    if (route.name === 'proof') {
      return send(response, ok({ proof: proofOf(apiKey, this.baseUrl, route.parameter) }));
    }
    authenticate(request.headers, apiKey);
    if (route.name === 'inspect-counters' || route.name === 'inspect-settings') {
      if (!inspect) throw notFound('no_such_route', 'The sandbox was started without --inspect.');
      if (route.name === 'inspect-settings') applySettings(await readJsonBody(request), this.parts);
      return send(response, ok(this.parts.counters.snapshot()));
    }
    const limitHeaders = settings.rateLimit?.take() ?? {};
    for (const [name, value] of Object.entries(limitHeaders)) response.setHeader(name, value);
    const body = request.method === 'POST' ? await readJsonBody(request) : {};
    const rules = faults.strike({ route: route.name, model: body.model, mode: body.mode });
    if (settings.latencyMs > 0) await sleep(settings.latencyMs);
    await injectBefore(rules);
    respondWithFaults(response, rules, await this.#respond(route, body, query));
  };

  async #respond(route: Match, body: JsonObject, query: URLSearchParams): Promise<JsonResponse> {
    const { accounts, catalog, now, runner, uploads } = this.parts;
    switch (route.name) {
      case 'runs':
        return runner.start(body, this.baseUrl);
      case 'run-status':
        return ok(runner.status(route.parameter));
      case 'upload-init':
        return { status: 201, body: uploads.init(body, this.uploadOrigin) };
      case 'upload-complete':
        return ok(uploads.complete(body));
      case 'models':
        return ok(catalog.list(query));
      case 'model':
        return ok(catalog.detail(route.parameter));
      case 'wallet':
        return ok(walletReport(accounts));
      case 'usage-summary':
        return ok(summaryReport(accounts, query, now()));
      case 'usage-timeseries':
        return ok(timeseriesReport(accounts, query, now()));
      case 'activity':
        return ok(activityReport(accounts, query));
      case 'upload-bytes':
      case 'proof':
      case 'inspect-counters':
      case 'inspect-settings':
        throw notFound('no_such_route', 'There is nothing here.');
    }
  }
}

const ok = (body: unknown): JsonResponse => ({ status: 200, body });
