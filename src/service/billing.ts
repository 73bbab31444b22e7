import type { BillingQuery, CallOptions, RawResponse, WalletResponse } from './client';
import type { Exchange } from './exchange';
import { unreadable } from './failures';
import { query } from './paths';
import { readWallet } from './reading/wallet';

/** GET /api/billing/wallet. */
export async function wallet(
  exchange: Exchange,
  baseUrl: string,
  options: CallOptions,
): Promise<WalletResponse> {
  return readWallet(await billing(exchange, baseUrl, '/api/billing/wallet', {}, options));
}

export type BillingRoute =
  | '/api/billing/usage/summary'
  | '/api/billing/usage/timeseries'
  | '/api/billing/activity';

/** One of the routes whose bodies and query parameters are open (section 4): the response as it came. */
export async function billing(
  exchange: Exchange,
  baseUrl: string,
  route: BillingRoute | '/api/billing/wallet',
  { from, to, granularity, next }: BillingQuery,
  options: CallOptions,
): Promise<RawResponse> {
  const first = new URL(baseUrl + route + query({ from, to, granularity }));
  const url = next !== undefined && URL.canParse(next, first.href) ? new URL(next, first) : first;
  if (url.origin !== first.origin) {
    throw unreadable({ reason: 'nextPageElsewhere', origin: url.origin });
  }
  return await exchange.send({
    kind: 'read',
    method: 'GET',
    url,
    label: `GET ${route}`,
    signal: options.signal,
  });
}
