import { logLine } from '../domain/logLine';
import type { RawResponse, WalletResponse } from '../domain/response';
import { responseMappingOf } from '../domain/responseMapping';
import { namedAddress } from '../intake/namedAddress';
import { readList } from '../readers/list';
import { mappedList, mappedMoney, mappedNext, valueAt } from '../readers/mapping';
import { readWallet } from '../readers/wallet';
import { parseBaseUrl } from './baseUrl';
import type { ServiceLog } from './call';
import { getModel, listModels, reach } from './catalog';
import type { BillingQuery, CallOptions, ServiceClient } from './client';
import { type Clock, systemClock } from './clock';
import { Exchange } from './exchange';
import { invalidRequest, unreadable, withoutFailure } from './failures';
import type { NetworkSettings } from './network';
import { query } from './paths';
import { followRun, run } from './runs';
import { createTransport, type Transport } from './transport';
import { upload } from './upload';

export interface ServiceClientParts {
  readonly environment: string;
  readonly baseUrl: string;
  /** Asked for each request, so that no copy is kept; undefined: there is none. */
  readonly apiKey: () => Promise<string | undefined>;
  /** A function is called for each request, so that changed settings apply at once. */
  readonly network: NetworkSettings | (() => NetworkSettings);
  readonly log: ServiceLog;
  /** Carries requests; missing: the network. */
  readonly transport?: Transport;
  readonly clock?: Clock;
  /** 0 to 1, for the jitter; tests make it certain. */
  readonly random?: () => number;
}

/**
 * The client for one environment. Loads its parts and connects with the first request.
 * @throws ServiceError `invalidRequest` when the key must not be sent to the base URL
 */
export function createServiceClient(parts: ServiceClientParts): ServiceClient {
  const base = parseBaseUrl(parts.baseUrl);
  if ('problem' in base) throw invalidRequest({ reason: 'baseUrl', problem: base.problem });
  const { baseUrl, origin } = base;
  const { environment, apiKey, log, clock = systemClock, random } = parts;
  const { transport = createTransport(parts.network) } = parts;
  const exchange = new Exchange({
    environment: { name: environment, baseUrl: parts.baseUrl },
    baseUrl,
    origin,
    apiKey,
    transport,
    log,
    clock,
    random,
  });
  const usage =
    (route: BillingRoute) =>
    (query: BillingQuery = {}, options: CallOptions = {}) =>
      billing(exchange, route, query, options);
  return {
    environment,
    baseUrl,
    reach: (options = {}) => reach(exchange, options),
    listModels: (options = {}) => listModels(exchange, options),
    getModel: (slug, options = {}) => getModel(exchange, slug, options),
    run: (request, options = {}) => run(exchange, request, options),
    followRun: (accepted, options = {}) => followRun(exchange, accepted, options),
    upload: (source, options = {}) => upload(exchange, source, options),
    wallet: async (options = {}) =>
      walletOf(withoutFailure(await billing(exchange, '/api/billing/wallet', {}, options)), baseUrl),
    usageSummary: usage('/api/billing/usage/summary'),
    usageTimeseries: usage('/api/billing/usage/timeseries'),
    activity: usage('/api/billing/activity'),
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

function walletOf(raw: RawResponse, baseUrl: string): WalletResponse {
  const mapping = responseMappingOf(baseUrl)?.wallet;
  if (mapping === undefined) return readWallet(raw);
  const balance = mappedMoney(raw.json, mapping.balance, mapping);
  return balance === undefined ? { raw } : { wallet: { balance }, raw };
}

type BillingRoute =
  | '/api/billing/wallet'
  | '/api/billing/usage/summary'
  | '/api/billing/usage/timeseries'
  | '/api/billing/activity';

/** One of the routes with open bodies and query parameters (section 4); returns the raw response. */
async function billing(
  exchange: Exchange,
  route: BillingRoute,
  { from, granularity, next }: BillingQuery,
  { signal }: CallOptions,
): Promise<RawResponse> {
  const first = exchange.url(route + query({ from, granularity }));
  const named =
    next === undefined
      ? { url: first }
      : namedAddress(next, { asked: first, baseUrl: exchange.shared.baseUrl });
  if (named.refused) throw unreadable({ reason: 'nextPageElsewhere', refused: named.refused });
  const raw = await exchange.get(named.url, logLine`GET ${route}`, signal);
  return byMapping(raw, route, named.url, exchange.shared.baseUrl);
}

/** A body of usage or activity with its rows where the usual names have them. */
function byMapping(raw: RawResponse, route: BillingRoute, asked: URL, baseUrl: string): RawResponse {
  const { usage, activity } = responseMappingOf(baseUrl) ?? {};
  if (usage && route.startsWith('/api/billing/usage/'))
    return { ...raw, json: valueAt(raw.json, usage.rows) };
  if (!activity || route !== '/api/billing/activity') return raw;
  const list = mappedList(raw.json, readList(raw.json, raw.headers), activity);
  if (list === undefined) return { ...raw, json: undefined };
  const before = Number(asked.searchParams.get(activity.next?.parameter ?? '') ?? 0);
  const { items, total } = list;
  const next = mappedNext(raw, activity, list, asked, (before || 0) + items.length) ?? list.next;
  return {
    ...raw,
    json: { items, ...(next !== undefined && { next }), ...(total !== undefined && { total }) },
  };
}
