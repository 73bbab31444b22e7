import { logLine } from '../domain/logLine';
import type { RawResponse } from '../domain/response';
import { namedAddress } from '../readers/addresses';
import type { BillingQuery, CallOptions } from './client';
import type { Exchange } from './exchange';
import { unreadable } from './failures';
import { query } from './paths';

export type BillingRoute =
  | '/api/billing/wallet'
  | '/api/billing/usage/summary'
  | '/api/billing/usage/timeseries'
  | '/api/billing/activity';

/** One of the routes with open bodies and query parameters (section 4); returns the raw response. */
export async function billing(
  exchange: Exchange,
  route: BillingRoute,
  { from, to, granularity, next }: BillingQuery,
  { signal }: CallOptions,
): Promise<RawResponse> {
  const first = exchange.url(route + query({ from, to, granularity }));
  const named =
    next === undefined
      ? { url: first }
      : namedAddress(next, { asked: first, baseUrl: exchange.shared.baseUrl });
  if (named.refused) throw unreadable({ reason: 'nextPageElsewhere', refused: named.refused });
  return await exchange.get(named.url, logLine`GET ${route}`, signal);
}
