import { parseBaseUrl } from './baseUrl';
import { billing, wallet } from './billing';
import type { ServiceLog } from './call';
import { listModels } from './catalog';
import type { ServiceClient } from './client';
import { type Clock, systemClock } from './clock';
import { Exchange } from './exchange';
import { invalidRequest } from './failures';
import { getModel } from './models';
import type { NetworkSettings } from './network';
import { followRun, run } from './runs';
import { createTransport } from './transport';
import { upload } from './upload';

export type { ServiceLog } from './call';
export type { NetworkSettings } from './network';

export interface ServiceClientParts {
  /** As the user named it. */
  readonly environment: string;
  readonly baseUrl: string;
  /** Asked for each request, so that no copy is kept; undefined: there is none. */
  readonly apiKey: () => Promise<string | undefined>;
  /** A function is called for each request, so that changed settings apply at once. */
  readonly network: NetworkSettings | (() => NetworkSettings);
  readonly log: ServiceLog;
  readonly clock?: Clock;
  /** 0 to 1, for the jitter; tests make it certain. */
  readonly random?: () => number;
}

/**
 * The client for one environment. Nothing is loaded or sent before its first request.
 * @throws ServiceError `invalidRequest` when the base URL is none that a key may be sent to
 */
export function createServiceClient(parts: ServiceClientParts): ServiceClient {
  const base = parseBaseUrl(parts.baseUrl);
  if ('problem' in base) throw invalidRequest({ reason: 'baseUrl', problem: base.problem });
  const { baseUrl, origin } = base;
  const { environment, apiKey, log, clock = systemClock, random } = parts;
  const transport = createTransport(parts.network);
  const exchange = new Exchange({ origin, apiKey, transport, log, clock, random });
  const runParts = { exchange, clock, baseUrl };
  const uploadParts = { exchange, baseUrl, log };
  return {
    environment,
    baseUrl,
    listModels: (options = {}) => listModels(exchange, baseUrl, options),
    getModel: (slug, options = {}) => getModel(exchange, baseUrl, slug, options),
    run: (request, options = {}) => run(runParts, request, options),
    followRun: (response, options = {}) => followRun(runParts, response, options),
    upload: (source, options = {}) => upload(uploadParts, source, options),
    wallet: (options = {}) => wallet(exchange, baseUrl, options),
    usageSummary: (query = {}, options = {}) =>
      billing(exchange, baseUrl, '/api/billing/usage/summary', query, options),
    usageTimeseries: (query = {}, options = {}) =>
      billing(exchange, baseUrl, '/api/billing/usage/timeseries', query, options),
    activity: (query = {}, options = {}) =>
      billing(exchange, baseUrl, '/api/billing/activity', query, options),
    get rateLimit() {
      return exchange.throttle.state;
    },
    onRateLimit: (listener) => exchange.throttle.watch(listener),
    bulk: exchange.throttle.bulk,
    close: () => {
      exchange.close();
      transport.close();
    },
  };
}
