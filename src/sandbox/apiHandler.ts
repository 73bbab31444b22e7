import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { authenticate } from './access/authenticate';
import type { Accounts } from './billing/accounts';
import { activityReport, summaryReport, timeseriesReport, walletReport } from './billing/reports';
import type { FaultRule, Faults } from './faults/faults';
import { injectBefore, Reset, replyWithFaults } from './faults/inject';
import { readJsonBody } from './http/body';
import { isLoopbackHost } from './http/listen';
import { notFound, Refusal } from './http/refusal';
import { type Reply, replyToError, send } from './http/reply';
import { type Match, matchRoute, type RouteName } from './http/routes';
import { applySettings } from './inspect';
import type { JsonObject } from './json';
import type { Uploads } from './media/uploads';
import type { Catalog } from './models/catalog';
import type { Ledger } from './runs/ledger';
import type { Runner } from './runs/runner';
import type { LiveSettings } from './server';

interface Parts {
  readonly apiKey: string;
  readonly inspect: boolean;
  readonly accounts: Accounts;
  readonly catalog: Catalog;
  readonly faults: Faults;
  readonly ledger: Ledger;
  readonly now: () => number;
  readonly runner: Runner;
  readonly settings: LiveSettings;
  readonly uploads: Uploads;
}

/** Serves the API's port. Every request ends in a reply or, by an injected fault, in a reset. */
export class ApiHandler {
  baseUrl = '';
  uploadOrigin = '';

  constructor(private readonly parts: Parts) {}

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { ledger, now } = this.parts;
    const requestId = `req_${randomBytes(8).toString('hex')}`;
    response.setHeader('X-Request-Id', requestId);
    const [rawPath = '', query = ''] = (request.url ?? '').split(/\?(.*)/s);
    const route = findRoute(request.method ?? '', rawPath);
    const name = route instanceof Refusal ? 'none' : route.name;
    const isOver = ledger.arrived(name, request.method ?? '', rawPath, now());
    let reset = false;
    response.once('close', () => isOver(reset || !response.headersSent ? 0 : response.statusCode));
    try {
      if (!isLoopbackHost(request.headers.host)) {
        throw new Refusal(403, 'foreign_host', 'The sandbox serves 127.0.0.1 and localhost only.');
      }
      if (route instanceof Refusal) throw route;
      await this.#serve(request, response, route, new URLSearchParams(query));
    } catch (error) {
      if (error instanceof Reset) {
        reset = true;
        request.socket.resetAndDestroy();
      } else if (!request.destroyed || request.complete) send(response, replyToError(error, requestId));
    }
  }

  async #serve(
    request: IncomingMessage,
    response: ServerResponse,
    route: Match,
    query: URLSearchParams,
  ): Promise<void> {
    const { apiKey, faults, inspect, settings } = this.parts;
    authenticate(request.headers, apiKey);
    if (isInspection(route.name)) {
      if (!inspect) throw notFound('no_such_route', 'The sandbox was started without --inspect.');
      return send(response, await this.#inspect(request, route.name));
    }
    const limitHeaders = settings.rateLimit?.take() ?? {};
    for (const [name, value] of Object.entries(limitHeaders)) response.setHeader(name, value);
    const body = request.method === 'POST' ? await readJsonBody(request) : {};
    const rules: readonly FaultRule[] = faults.strike({
      route: route.name,
      model: body.model,
      mode: body.mode,
    });
    if (settings.latencyMs > 0) await sleep(settings.latencyMs);
    await injectBefore(rules);
    replyWithFaults(response, rules, await this.#reply(route, body, query));
  }

  async #reply(route: Match, body: JsonObject, query: URLSearchParams): Promise<Reply> {
    const { accounts, catalog, now, runner, uploads } = this.parts;
    const ok = (value: unknown): Reply => ({ status: 200, body: value });
    switch (route.name) {
      case 'runs':
        return runner.start(body, this.baseUrl);
      case 'run-status':
        return runner.status(route.parameter);
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
      case 'inspect-ledger':
      case 'inspect-settings':
        throw notFound('no_such_route', 'There is nothing here.');
    }
  }

  async #inspect(request: IncomingMessage, name: RouteName): Promise<Reply> {
    if (name === 'inspect-settings') applySettings(await readJsonBody(request), this.parts);
    return { status: 200, body: this.parts.ledger.snapshot() };
  }
}

const isInspection = (name: RouteName) => name === 'inspect-ledger' || name === 'inspect-settings';

function findRoute(method: string, rawPath: string): Match | Refusal {
  try {
    return matchRoute(method, rawPath);
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}
