import type { ModelContract } from '../domain/model';
import type { CallOptions } from './client';
import type { Exchange } from './exchange';
import { unreadable } from './failures';
import { path } from './paths';
import { readModel } from './reading/model';

/** GET /api/marketplace/models/{slug}. */
export async function getModel(
  exchange: Exchange,
  baseUrl: string,
  slug: string,
  options: CallOptions,
): Promise<ModelContract> {
  const route = path`/api/marketplace/models/${slug}`;
  const raw = await exchange.send({
    kind: 'read',
    method: 'GET',
    url: new URL(baseUrl + route),
    label: `GET ${route}`,
    signal: options.signal,
  });
  const model = readModel(raw.json, slug);
  if (model === undefined) throw unreadable({ reason: 'noModel', model: slug }, raw);
  return model;
}
