import type { IncompleteList } from '../domain/failure';
import type { ModelSummary } from '../domain/model';
import type { CallOptions, CatalogPage } from './client';
import type { Exchange } from './exchange';
import { readSummary } from './reading/catalog';
import { readList } from './reading/list';

/** 10,000 models in pages of 20; a service whose pages never end is stopped here. */
const MOST_PAGES = 500;

/** GET /api/marketplace/models, page after page as they come; a `next` link is followed only on the same origin. */
export async function* listModels(
  exchange: Exchange,
  baseUrl: string,
  options: CallOptions,
): AsyncGenerator<CatalogPage> {
  let url: URL | undefined = new URL(`${baseUrl}/api/marketplace/models`);
  const asked = new Set<string>();
  while (url !== undefined) {
    asked.add(url.href);
    const here: URL = url;
    const raw = await exchange.send({
      kind: 'read',
      method: 'GET',
      url: here,
      label: 'GET /api/marketplace/models',
      signal: options.signal,
    });
    const list = readList(raw.json, raw.headers);
    if (list === undefined) {
      yield { models: [], unrecognised: raw };
      return;
    }
    const models: ModelSummary[] = [];
    for (const item of list.items) {
      const summary = readSummary(item);
      if (summary !== undefined) models.push(summary);
    }
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
