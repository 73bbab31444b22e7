import assert from 'node:assert/strict';
import type { RawResponse } from '../../../src/domain/response';
import { useResponseMappings } from '../../../src/domain/responseMapping';
import { getModel, listModels } from '../../../src/service/catalog';
import type { CatalogPage } from '../../../src/service/client';
import { ServiceError } from '../../../src/service/errors';
import type { Exchange } from '../../../src/service/exchange';
import { rejected } from '../../../src/service/failures';
import { rawOf } from '../../support/rawOf';

const ORIGIN = 'https://models.test';
const MODELS = `${ORIGIN}/base/api/marketplace/models`;

interface Asked {
  readonly url: string;
  readonly label: string;
  readonly signal: AbortSignal | undefined;
}

/** The requests, and the responses of a service by address. */
function exchangeOf(respond: (url: string) => RawResponse) {
  const asked: Asked[] = [];
  const exchange = {
    shared: { baseUrl: `${ORIGIN}/base` },
    url: (path: string) => new URL(`${ORIGIN}/base${path}`),
    get: async (url: URL, label: string, signal?: AbortSignal) => {
      asked.push({ url: url.href, label: String(label), signal });
      return respond(url.href);
    },
  } as unknown as Exchange;
  return { exchange, asked };
}

async function pagesOf(respond: (url: string) => RawResponse, signal?: AbortSignal) {
  const { exchange, asked } = exchangeOf(respond);
  const pages: CatalogPage[] = [];
  for await (const page of listModels(exchange, { signal })) pages.push(page);
  return { pages, asked, slugs: pages.map(({ models }) => models.map(({ slug }) => slug)) };
}

const rows = (count: number, from = 0) =>
  Array.from({ length: count }, (_, at) => ({ slug: `m${from + at}` }));

const refused = (address: string, why = 'otherOrigin') => ({
  reason: 'refusedAddress',
  refused: { address, why },
});

describe('The pages of a catalog', () => {
  it('load one after another, by the address of the next', async () => {
    const { signal } = new AbortController();
    const { slugs, asked, pages } = await pagesOf((url) => {
      if (url === MODELS) return rawOf({ models: rows(2), next: '?page=2' });
      if (url.endsWith('?page=2')) return rawOf({ models: rows(1, 2), next: `${MODELS}/more` });
      return rawOf({ models: rows(1, 3), next: null });
    }, signal);
    assert.deepEqual(slugs, [['m0', 'm1'], ['m2'], ['m3']]);
    assert.deepEqual(
      asked.map(({ url }) => url),
      [MODELS, `${MODELS}?page=2`, `${MODELS}/more`],
    );
    assert.ok(asked.every((each) => each.signal === signal && each.label === 'GET /api/marketplace/models'));
    assert.ok(pages.every(({ incomplete, unrecognised }) => !incomplete && !unrecognised));
  });

  it('follow the parameter of a response mapping', async () => {
    const pageOf = (number: number) =>
      rawOf({ items: number < 4 ? rows(2, 2 * (number - 1)) : [], total: 6, page: number, size: 2 });
    const numbered = (url: string) => pageOf(Number(new URL(url).searchParams.get('page') ?? 1));
    const offset = (url: string) => {
      const from = Number(new URL(url).searchParams.get('offset') ?? 0);
      return rawOf({ found: { rows: rows(from < 6 ? 2 : 0, from) } });
    };
    const cursor = (url: string) => {
      const at = new URL(url).searchParams.get('pageToken');
      return rawOf({ models: rows(2, at === 'x' ? 2 : 0), ...(at === null && { nextPageToken: 'x' }) });
    };
    assert.equal((await pagesOf(numbered)).pages.at(-1)?.incomplete?.reason, 'fewer');
    for (const [respond, models, most] of [
      [numbered, { next: { parameter: 'page', value: '/page', add: 1 } }, 6],
      [offset, { list: '/found/rows', next: { parameter: 'offset' } }, 6],
      [cursor, { next: { parameter: 'pageToken', value: '/nextPageToken' } }, 4],
    ] as const) {
      useResponseMappings(() => ({ models }));
      const { slugs, pages } = await pagesOf(respond).finally(() => useResponseMappings(() => undefined));
      assert.deepEqual(
        slugs.flat(),
        rows(most).map(({ slug }) => slug),
      );
      assert.equal(pages.at(-1)?.incomplete, undefined);
    }
  });

  it('end as whole after the last address, even if pages are counted from 0', async () => {
    const pageOf = (number: number, totalElements: number, next?: string) =>
      rawOf({
        models: rows(1, number),
        links: next === undefined ? {} : { next: { href: next } },
        page: { size: 1, total: totalElements, totalPages: 2, number },
      });
    const ends = async (total: number) => {
      const { pages } = await pagesOf((url) =>
        url === MODELS ? pageOf(0, total, '?page=1') : pageOf(1, total),
      );
      return pages.at(-1)?.incomplete?.reason;
    };
    assert.deepEqual([await ends(2), await ends(3)], [undefined, 'fewer']);
    const alone = await pagesOf(() => pageOf(0, 1));
    assert.equal(alone.pages[0]?.incomplete?.reason, 'noAddress');
  });

  it('end, with a message, if the next address is missing, elsewhere or known already', async () => {
    for (const [next, incomplete] of [
      ['http://[', refused('http://[', 'notAnAddress')],
      ['https://other.test/models', refused('https://other.test/models')],
      ['http://inner:8000/models?a=secret', refused('http://inner:8000/models')],
      [MODELS, { reason: 'repeats' }],
    ] as const) {
      const { pages, asked } = await pagesOf(() => rawOf({ models: rows(1), next }));
      assert.deepEqual([pages.map((page) => page.incomplete), asked.length], [[incomplete], 1], next);
    }
    let page = 0;
    const circle = await pagesOf(() => rawOf({ models: rows(1, page), next: `?page=${++page % 3}` }));
    assert.deepEqual(circle.pages.at(-1)?.incomplete, { reason: 'repeats' });
    assert.equal(circle.asked.length, 4);
  });

  it('keep the pages before one that fails or is not a list, and say why the list ends', async () => {
    const next = '/api/marketplace/models?page=2';
    const failure = new ServiceError('notFound', { status: 404 });
    const failed = await pagesOf((url) => {
      if (url === MODELS) return rawOf({ models: rows(2), next });
      throw failure;
    });
    assert.deepEqual(failed.slugs, [['m0', 'm1'], []]);
    assert.deepEqual(failed.pages.at(-1)?.incomplete, {
      reason: 'pageFailed',
      failure: { kind: 'notFound', details: { status: 404 } },
    });
    assert.equal(failed.asked[1]?.url, `${MODELS}?page=2`, 'below the path of the base URL');
    const odd = await pagesOf((url) => rawOf(url === MODELS ? { models: rows(2), next } : 'gone'));
    assert.deepEqual(odd.pages.at(-1)?.incomplete, { reason: 'pageUnreadable' });
    await assert.rejects(
      pagesOf(() => {
        throw failure;
      }),
      failure,
    );
  });

  it('keep a body that is not a list, or has rows without a model', async () => {
    const none = rawOf({ message: 'no' });
    const { pages } = await pagesOf(() => none);
    assert.deepEqual(pages, [{ models: [], unrecognised: none }]);
    const some = rawOf({ models: [...rows(500), { what: 1 }, { slug: 'last' }] });
    const parts = (await pagesOf(() => some)).pages;
    assert.deepEqual(
      parts.map(({ models, unrecognised }) => [models.length, unrecognised]),
      [
        [500, undefined],
        [1, some],
      ],
    );
  });
});

describe('A model', () => {
  it('fails if the response has no model, and keeps the response', async () => {
    for (const body of ['[', { detail: 'Not found.' }, { code: 0, data: { detail: 'Not found.' } }]) {
      const raw = rawOf(body);
      const { exchange } = exchangeOf(() => raw);
      await assert.rejects(getModel(exchange, 'm', {}), (error) => {
        assert.ok(error instanceof ServiceError && error.kind === 'unreadableResponse');
        assert.deepEqual([error.details.why, error.details.raw], [{ reason: 'noModel', model: 'm' }, raw]);
        return true;
      });
    }
  });

  it('stays unknown to a key that may only run models, and appears by its identifier', async () => {
    const runsOnly = exchangeOf(() => {
      throw rejected(rawOf({ detail: 'This key may run models only.' }, 403));
    });
    const unknown = await getModel(runsOnly.exchange, 'm', {});
    assert.deepEqual(
      [unknown.slug, unknown.notPermitted, unknown.modesDeclared, unknown.modes[0]?.input.origin],
      ['m', true, false, 'unknown'],
    );
    const bySlug = exchangeOf((url) => {
      if (url === MODELS) return rawOf({ models: [...rows(3), { slug: 'm3', id: '4f1c' }] });
      if (url === `${MODELS}/m3`) return rawOf({ slug: 'm3', modes: ['execute', 'search'] });
      throw rejected(rawOf({ error: 'no such model' }, 404));
    });
    const found = await getModel(bySlug.exchange, '4f1c', {});
    assert.deepEqual([found.slug, found.modeNames], ['4f1c', ['execute', 'search']]);
    await assert.rejects(getModel(bySlug.exchange, 'm7', {}), { kind: 'notFound' });
  });

  it('loads by a name with a slash even if a gateway rejects an encoded one', async () => {
    const page = rawOf('<html>404 Not Found', 404, { 'content-type': 'text/html' });
    const gateway = (own: (url: string) => RawResponse) =>
      exchangeOf((url) => {
        const raw = /%2f/i.test(url) ? page : own(url);
        if (raw.status >= 400) throw rejected(raw);
        return raw;
      });
    const { exchange, asked } = gateway(() => rawOf({ slug: 'an owner/name' }));
    await getModel(exchange, 'an owner/name', {});
    await getModel(exchange, 'an owner/other', {});
    assert.deepEqual(
      asked.map(({ url }) => url.slice(MODELS.length)),
      ['/an%20owner%2Fname', '/an%20owner/name', '/an%20owner/other'],
      'it is remembered',
    );
    const own = gateway(() => rawOf({ message: 'no such model' }, 404));
    await assert.rejects(getModel(own.exchange, 'a/b', {}), (error: ServiceError) => {
      assert.deepEqual([error.kind, error.details.why], ['notFound', undefined]);
      return error.details.serviceMessage === 'no such model';
    });
    const none = gateway(() => page);
    await assert.rejects(getModel(none.exchange, 'a/b', {}), (error: ServiceError) => {
      assert.deepEqual(error.details.why, { reason: 'encodedSlash', model: 'a/b' });
      return none.asked.length === 2;
    });
    // The service's own 404 is believed, and dots lead nowhere.
    const known = exchangeOf(() => {
      throw rejected(rawOf({ message: 'no' }, 404));
    });
    const details = () => known.asked.filter(({ url }) => url !== MODELS).length;
    await assert.rejects(getModel(known.exchange, 'a/b', {}));
    assert.equal(details(), 1);
    await assert.rejects(getModel(known.exchange, 'a/../b', {}));
    assert.equal(details(), 1);
  });
});
