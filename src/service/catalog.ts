import type { IncompleteList } from '../domain/failure';
import type { ModelContract } from '../domain/model';
import type { CallOptions, CatalogPage } from './client';
import type { Exchange } from './exchange';
import { unreadable } from './failures';
import { path } from './paths';
import { readSummary } from './reading/catalog';
import { readList } from './reading/list';
import { readModel } from './reading/model';

/** 10,000 models in pages of 20; a service whose pages never end is stopped here. */
const MOST_PAGES = 500;

/** GET /api/marketplace/models, page after page as they come; a `next` link is followed only on the same origin. */
export async function* listModels(exchange: Exchange, { signal }: CallOptions): AsyncGenerator<CatalogPage> {
  let url: URL | undefined = exchange.url('/api/marketplace/models');
  const asked = new Set<string>();
  while (url !== undefined) {
    asked.add(url.href);
    const here: URL = url;
    const raw = await exchange.get(here, 'GET /api/marketplace/models', signal);
    const list = readList(raw.json, raw.headers);
    if (list === undefined) {
      yield { models: [], unrecognised: raw };
      return;
    }
    const models = list.items.flatMap((item) => readSummary(item) ?? []);
    const following = nextPage(list.next, here, asked);
    yield {
      models,
      unrecognised: models.length < list.items.length ? raw : undefined,
      incomplete: following.incomplete ?? (list.goesOn ? { reason: 'noAddress' } : undefined),
    };
    url = following.url;
  }
}

function nextPage(
  next: string | undefined,
  here: URL,
  asked: ReadonlySet<string>,
): { url?: URL; incomplete?: IncompleteList } {
  if (next === undefined) return {};
  if (!URL.canParse(next, here.href)) return { incomplete: { reason: 'badAddress' } };
  const url = new URL(next, here);
  if (url.origin !== here.origin) return { incomplete: { reason: 'otherOrigin', origin: url.origin } };
  if (asked.has(url.href)) return { incomplete: { reason: 'repeats' } };
  if (asked.size >= MOST_PAGES) return { incomplete: { reason: 'tooManyPages', pages: MOST_PAGES } };
  return { url };
}

/** GET /api/marketplace/models/{slug}. */
export async function getModel(
  exchange: Exchange,
  slug: string,
  { signal }: CallOptions,
): Promise<ModelContract> {
  const route = path`/api/marketplace/models/${slug}`;
  const raw = await exchange.get(exchange.url(route), `GET ${route}`, signal);
  const model = readModel(raw.json, slug);
  if (model === undefined) throw unreadable({ reason: 'noModel', model: slug }, raw);
  return model;
}
