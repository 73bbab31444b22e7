import { setImmediate as nextTurn } from 'node:timers/promises';
import { readDetail, unknownModel } from '../contracts/model';
import type { IncompleteList } from '../domain/failure';
import { logLine } from '../domain/logLine';
import type { ModelContract } from '../domain/model';
import type { RawResponse } from '../domain/response';
import { responseMappingOf } from '../domain/responseMapping';
import { namedAddress } from '../intake/namedAddress';
import { readSummary } from '../readers/catalog';
import { type ReadList, readList } from '../readers/list';
import { mappedList, mappedNext, valueAt } from '../readers/mapping';
import type { CallOptions, CatalogPage } from './client';
import { ServiceError } from './errors';
import type { Exchange } from './exchange';
import { unreadable, withoutFailure } from './failures';
import { path } from './paths';

const ROWS_AT_ONCE = 500;

/** 10,000 models in pages of 20; a service with endless pages is stopped here. */
const MOST_PAGES = 500;

/** GET /api/marketplace/models, one page at a time. A page that fails ends the list with the reason. */
export async function* listModels(exchange: Exchange, { signal }: CallOptions): AsyncGenerator<CatalogPage> {
  let url: URL | undefined = exchange.url('/api/marketplace/models');
  const asked = new Set<string>();
  let received = 0;
  const mapping = responseMappingOf(exchange.shared.baseUrl)?.models ?? {};
  while (url !== undefined) {
    asked.add(url.href);
    const here: URL = url;
    const isFirst = asked.size === 1;
    const loading = exchange.get(here, logLine`GET /api/marketplace/models`, signal).then(withoutFailure);
    const loaded = await loading.catch((error) => {
      if (!(error instanceof ServiceError) || error.kind === 'cancelled') throw error;
      if (isFirst) throw error.kind === 'noPermission' ? ofRunsOnly(error) : error;
      return error;
    });
    if (loaded instanceof ServiceError) {
      const { kind, details } = loaded;
      yield { models: [], incomplete: { reason: 'pageFailed', failure: { kind, details } } };
      return;
    }
    const raw = loaded;
    const list = catalogList(raw, exchange.shared.baseUrl);
    if (list === undefined) {
      yield { models: [], unrecognised: raw, ...(!isFirst && { incomplete: { reason: 'pageUnreadable' } }) };
      return;
    }
    received += list.items.length;
    const { next = mappedNext(raw, mapping, list, here, received) } = list;
    const following = nextPage(next, here, asked, exchange.shared.baseUrl);
    const end = following.url === undefined ? incompleteList(list, received, isFirst) : undefined;
    for (let from = 0; from === 0 || from < list.items.length; from += ROWS_AT_ONCE) {
      const items = list.items.slice(from, from + ROWS_AT_ONCE);
      const models = items.flatMap((item) => readSummary(item) ?? []);
      const isLast = from + ROWS_AT_ONCE >= list.items.length;
      yield {
        models,
        unrecognised: models.length < items.length ? raw : undefined,
        incomplete: isLast ? (following.incomplete ?? end) : undefined,
      };
      // Ten thousand rows in one go would hold the host.
      if (!isLast) await nextTurn();
    }
    url = following.url;
  }
}

/** The key may only run models: their names are typed. */
function ofRunsOnly({ details, environment }: ServiceError): ServiceError {
  const error = new ServiceError('noPermission', { ...details, why: { reason: 'runsOnly' } });
  return Object.assign(error, { environment });
}

/**
 * Asks for the catalog once, without the key: whether a service of the interface answers at this address. One that wants
 * a key answers with 401 or 403.
 * @throws ServiceError where nothing answers, or something else
 */
export async function reach(exchange: Exchange, { signal }: CallOptions): Promise<void> {
  try {
    const raw = await exchange.send({
      kind: 'read',
      method: 'GET',
      url: exchange.url('/api/marketplace/models'),
      mostAttempts: 1,
      label: logLine`GET /api/marketplace/models`,
      signal,
      withoutKey: true,
    });
    if (catalogList(raw, exchange.shared.baseUrl) === undefined)
      throw unreadable({ reason: 'noCatalog' }, raw);
  } catch (error) {
    const isAsked =
      error instanceof ServiceError && (error.kind === 'badKey' || error.kind === 'noPermission');
    if (!isAsked) throw error;
  }
}

/**
 * Why the last page is not the end. A service that gave the addresses of pages before gives none after the last one, on
 * which a page counted from 0 is below their number.
 */
function incompleteList(
  { goesOn, total }: ReadList,
  received: number,
  isFirst: boolean,
): IncompleteList | undefined {
  if (total !== undefined && total > received) return { reason: 'fewer', received, total };
  const isWhole = !isFirst && total === received;
  return goesOn && !isWhole ? { reason: 'noAddress' } : undefined;
}

function catalogList(raw: RawResponse, baseUrl: string): ReadList | undefined {
  const mapping = responseMappingOf(baseUrl)?.models;
  const usual = readList(raw.json, raw.headers);
  return mapping === undefined ? usual : mappedList(raw.json, usual, mapping);
}

function nextPage(
  next: string | undefined,
  here: URL,
  asked: ReadonlySet<string>,
  baseUrl: string,
): { url?: URL; incomplete?: IncompleteList } {
  if (next === undefined) return {};
  const { url, refused } = namedAddress(next, { asked: here, baseUrl });
  if (refused) return { incomplete: { reason: 'refusedAddress', refused } };
  if (asked.has(url.href)) return { incomplete: { reason: 'repeats' } };
  if (asked.size >= MOST_PAGES) return { incomplete: { reason: 'tooManyPages', pages: MOST_PAGES } };
  return { url };
}

/**
 * GET /api/marketplace/models/{slug}. A key that may only run models gets a model with an unknown contract; an
 * identifier has the contract of its slug.
 */
export async function getModel(
  exchange: Exchange,
  model: string,
  options: CallOptions,
): Promise<ModelContract> {
  try {
    return await readModelAt(exchange, model, options);
  } catch (error) {
    const { kind } = error instanceof ServiceError ? error : { kind: undefined };
    if (kind === 'noPermission') return { ...unknownModel(model), notPermitted: true };
    const slug = kind === 'notFound' ? await slugOf(exchange, model, options) : undefined;
    if (slug === undefined) throw error;
    return { ...(await readModelAt(exchange, slug, options)), slug: model };
  }
}

/** The slug of the model that has an identifier; undefined: the catalog has none, or cannot be read. */
async function slugOf(exchange: Exchange, id: string, options: CallOptions): Promise<string | undefined> {
  try {
    for await (const { models } of listModels(exchange, options)) {
      const model = models.find((each) => each.id === id && each.slug !== id);
      if (model) return model.slug;
    }
  } catch (error) {
    if (!(error instanceof ServiceError) || error.kind === 'cancelled') throw error;
  }
  return undefined;
}

async function readModelAt(
  exchange: Exchange,
  slug: string,
  { signal }: CallOptions,
): Promise<ModelContract> {
  const raw = await detailOf(exchange, slug, signal);
  const at = responseMappingOf(exchange.shared.baseUrl)?.model?.contract ?? '';
  const model = readDetail({ ...raw, json: valueAt(raw.json, at) }, slug);
  if (model === undefined) throw unreadable({ reason: 'noModel', model: slug }, raw);
  return model;
}

/**
 * Clients with a gateway that needs unescaped slashes in a slug: many web servers reject %2F with a page of their
 * own.
 */
const writesSlashes = new WeakSet<Exchange>();

async function detailOf(
  exchange: Exchange,
  slug: string,
  signal: AbortSignal | undefined,
): Promise<RawResponse> {
  const get = (route: string) =>
    exchange.get(exchange.url(route), logLine`GET /api/marketplace/models/{slug}`, signal);
  const encoded = path`/api/marketplace/models/${slug}`;
  const parts = slug.split('/');
  if (parts.length === 1 || parts.includes('')) return await get(encoded);
  const written = `/api/marketplace/models/${parts.map((part) => path`${part}`).join('/')}`;
  if (writesSlashes.has(exchange)) return await get(written);
  try {
    return await get(encoded);
  } catch (error) {
    if (!isOfGateway(error)) throw error;
    const raw = await get(written).catch((second: unknown) => {
      // The service's own word about the model counts; another page of the gateway says no more than the first.
      throw isOfGateway(second)
        ? new ServiceError('unreadableResponse', {
            ...error.details,
            why: { reason: 'encodedSlash', model: slug },
          })
        : second;
    });
    writesSlashes.add(exchange);
    return raw;
  }
}

/** A 400 or 404 without JSON: a page of a web server, not the service's word. */
function isOfGateway(error: unknown): error is ServiceError {
  if (!(error instanceof ServiceError)) return false;
  const { raw, status } = error.details;
  return (status === 400 || status === 404) && raw?.json === undefined;
}
