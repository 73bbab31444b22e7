import type { BillingQuery, CallOptions, RawAnswer, Read, Wallet } from './client';
import type { Exchange } from './exchange';
import { query } from './paths';
import { readWallet } from './reading/wallet';

/** GET /api/billing/wallet. */
export async function wallet(
  exchange: Exchange,
  baseUrl: string,
  options: CallOptions,
): Promise<Read<Wallet>> {
  return readWallet(await billing(exchange, baseUrl, '/api/billing/wallet', {}, options));
}

export type BillingRoute =
  | '/api/billing/usage/summary'
  | '/api/billing/usage/timeseries'
  | '/api/billing/activity';

/** One of the routes whose bodies and query parameters are open (section 4): the answer as it came. */
export async function billing(
  exchange: Exchange,
  baseUrl: string,
  route: BillingRoute | '/api/billing/wallet',
  { from, to, granularity }: BillingQuery,
  options: CallOptions,
): Promise<RawAnswer> {
  return await exchange.send({
    kind: 'read',
    method: 'GET',
    url: new URL(baseUrl + route + query({ from, to, granularity })),
    label: `GET ${route}`,
    signal: options.signal,
  });
}
