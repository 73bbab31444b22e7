import assert from 'node:assert/strict';
import { readSummary } from '../../../src/readers/catalog';
import { itemsOfGroups, readList, readListAnywhere } from '../../../src/readers/list';
import { listModels } from '../../../src/service/catalog';
import type { Exchange } from '../../../src/service/exchange';
import { rawOf } from '../../support/rawOf';

describe('reading a list', () => {
  it('takes bare arrays, envelopes, nested envelopes and tables by slug', () => {
    for (const body of [
      ['a', 'b'],
      { results: ['a', 'b'] },
      { data: { items: ['a', 'b'] } },
      { models: ['a', 'b'], total: 2 },
      { response: { models: ['a', 'b'] } },
    ])
      assert.deepEqual(readList(body)?.items, ['a', 'b'], JSON.stringify(body));
    assert.deepEqual(readList({ models: { a: { name: 'A' } } })?.items, [{ slug: 'a', name: 'A' }]);
    for (const body of [null, 1, 'a', {}, { message: 'hello' }]) assert.equal(readList(body), undefined);
  });

  it('finds the next page in the body or the Link header, and takes no cursor for an address', () => {
    for (const body of [
      { items: [], next: '/p2' },
      { items: [], links: { next: { href: '/p2' } } },
      { items: [], _links: { next: { href: '/p2' } } },
      { data: [], meta: { next_page_url: '/p2' } },
      { items: [], pagination: { next: '/p2' } },
    ])
      assert.equal(readList(body)?.next, '/p2', JSON.stringify(body));
    assert.equal(readList([], { link: '</p1>; rel="prev", </p2>; rel="next"' })?.next, '/p2');
    const cursor = readList({ items: [], next_cursor: 'abc' });
    assert.deepEqual([cursor?.next, cursor?.goesOn], [undefined, true]);
    assert.equal(readList({ items: [], next: null })?.goesOn, false);
  });

  it('finds a list under each name, at the top, in an envelope or around one', () => {
    const rows = [{ a: 1 }];
    const names =
      'models results items data entries records list rows content objects published_models catalog';
    for (const name of names.split(' ')) {
      assert.deepEqual(readList({ [name]: rows })?.items, rows, name);
      for (const outer of ['data', 'page', 'response', 'result', 'payload', '_embedded', 'items'])
        assert.deepEqual(readList({ [outer]: { [name]: rows } })?.items, rows, `${outer} ${name}`);
    }
    assert.deepEqual(readList({ data: { page: { items: rows } } })?.items, rows);
    assert.equal(readList({ data: { page: { result: { items: rows } } } }), undefined);
    for (const name of ['models', 'items', 'results'])
      assert.deepEqual(
        readList({ [name]: { x: { a: 1 }, y: {} } })?.items,
        [{ slug: 'x', a: 1 }, { slug: 'y' }],
        name,
      );
    for (const no of [{ models: {} }, { models: { x: 1 } }, { entries: { x: { a: 1 } } }])
      assert.equal(readList(no), undefined, JSON.stringify(no));
    assert.deepEqual(readList({ events: rows }, {}, ['events'])?.items, rows);
  });

  it('finds the address of the next page under each name', () => {
    const next = (body: object) => readList({ items: [], ...body })?.next;
    for (const name of ['next', 'next_url', 'nextLink', 'next_page_url', 'nextHref', '@odata.nextLink']) {
      assert.equal(next({ [name]: '/p2' }), '/p2', name);
      for (const inner of ['links', '_links', 'paging', 'pagination', 'meta', 'page_info', 'page', 'cursor'])
        for (const value of ['/p2', { href: '/p2' }, { url: '/p2' }])
          assert.equal(next({ [inner]: { [name]: value } }), '/p2', `${inner} ${name}`);
    }
    assert.equal(next({ meta: { links: { next: '/p2' } } }), '/p2');
    for (const address of ['https://a.example/p', 'http://a.example/p', '/p', '?page=2', './p', '../p'])
      assert.equal(next({ next: address }), address);
    for (const no of ['eyJ', 'p2', 2, '', 'ftp://a/', '...', { href: 'p2' }, true])
      assert.equal(next({ next: no }), undefined, JSON.stringify(no));
    const header = (link: string) => readList([], { link })?.next;
    assert.equal(header('</p2>;rel=next'), '/p2');
    assert.equal(header('</p2>; title="x"; rel="next"; foo=bar'), '/p2');
    assert.equal(header('</p2>; rel="prev"'), undefined);
    assert.equal(header('</p2>; rel="nextish"'), undefined);
    assert.equal(readList({ items: [], next: '/body' }, { link: '</header>; rel=next' })?.next, '/header');
    assert.equal(readList({ data: { items: [], next: '/inner' } })?.next, '/inner');
    const around = { has_more: true, data: { items: [] } };
    assert.deepEqual([readList(around)?.goesOn, readList({ ...around, next: '/p2' })?.goesOn], [true, false]);
    const mixed = { models: { x: { a: 1 }, y: 5 } };
    assert.equal(readList(mixed), undefined, 'a table of something else');
  });

  it('takes groups apart only where each of them has items', () => {
    const groups = (count: number) => Array.from({ length: count }, (_, at) => ({ name: 'g', models: [at] }));
    assert.deepEqual(itemsOfGroups(groups(3)), [0, 1, 2]);
    assert.equal(itemsOfGroups(groups(1000))?.length, 1000);
    assert.equal(itemsOfGroups(groups(1001)), undefined);
    for (const no of [[], [...groups(2), { name: 'x' }], [5], [[1]]])
      assert.equal(itemsOfGroups(no), undefined);
  });

  it('finds a list of models under any name', () => {
    const isModel = (item: unknown) => typeof item === 'object' && readSummary(item) !== undefined;
    const rows = [{ slug: 'a' }, { slug: 'b' }];
    for (const body of [
      { catalogue: rows },
      { payload: { published: { rows_: rows } }, count: 2 },
      // GraphQL connections: https://graphql.org/learn/pagination/
      { data: { models: { edges: rows.map((node) => ({ cursor: 'x', node })), pageInfo: {} } } },
    ])
      assert.deepEqual(
        readListAnywhere(body, {}, isModel)?.items.map((item) => readSummary(item)?.slug),
        ['a', 'b'],
        JSON.stringify(body),
      );
    assert.equal(readListAnywhere({ message: 'no', list: [1, 2] }, {}, isModel), undefined);
    const found = (body: unknown) => readListAnywhere(body, {}, isModel);
    const more = [{ slug: 'c' }];
    assert.deepEqual(
      found({ x: { image: rows, text: more }, other: [] })?.items,
      [...rows, ...more],
      'groups of one list',
    );
    assert.deepEqual(found({ image: rows, inner: { text: more } })?.items, rows, 'the longest');
    assert.deepEqual(
      found({ image: rows, text: [{ slug: 'c', name: 'C' }] })?.items,
      rows,
      'of another kind',
    );
    assert.deepEqual(found({ top: more, x: { next: '/p2', rows } })?.next, '/p2');
    const deep = (levels: number): unknown => (levels === 0 ? rows : { x: deep(levels - 1) });
    assert.deepEqual([found(deep(5))?.items, found(deep(6))], [rows, undefined]);
    assert.equal(found({ list: [...rows, ...rows, 5] }), undefined);
    assert.equal(found({ list: [...rows, ...rows, ...more, 5] })?.items.length, 6, 'the first items tell');
  });
});

describe('a list in groups', () => {
  const of = async (json: unknown) => {
    const exchange = {
      url: (path: string) => new URL(path, 'https://models.test'),
      get: async () => rawOf(json),
      shared: { baseUrl: 'https://models.test' },
    } as unknown as Exchange;
    const slugs: string[] = [];
    for await (const { models } of listModels(exchange, {})) slugs.push(...models.map(({ slug }) => slug));
    return slugs;
  };

  it('returns the models of all groups', async () => {
    const [a, b, c] = [{ slug: 'a' }, { slug: 'b' }, { slug: 'c' }];
    const groups = [
      { name: 'Image', models: [a] },
      { name: 'Text', models: [b, c] },
    ];
    for (const body of [groups, { data: groups }, { categories: groups }, { image: [a], text: [b, c] }])
      assert.deepEqual((await of(body)).toSorted(), ['a', 'b', 'c'], JSON.stringify(body));
  });

  it('returns no groups when models have lists of others', async () => {
    const row = (slug: string) => ({ slug, models: [{ slug: 'part' }], tags: [{ name: 'x' }] });
    assert.deepEqual(await of({ data: [row('a'), row('b')] }), ['a', 'b']);
    assert.deepEqual(await of({ things: [row('a'), row('b')], tags: [{ name: 'x' }] }), ['a', 'b']);
  });
});

describe('reading a row', () => {
  it('finds the slug one level deeper, and takes none of another record', () => {
    const slugs: [unknown, string | undefined][] = [
      [{ model: { slug: 'm' } }, 'm'],
      // JSON:API: https://jsonapi.org/format/#document-resource-objects
      [{ type: 'models', id: '12', attributes: { slug: 'm', name: 'Model' } }, 'm'],
      // fal: https://docs.fal.ai/platform-apis/v1/models
      [{ endpoint_id: 'fal-ai/m', metadata: { display_name: 'Model' } }, 'fal-ai/m'],
      // Kubernetes
      [{ kind: 'Model', metadata: { name: 'm' } }, 'm'],
      [{ listing_no: 4, anything: { slug: 'm' } }, 'm'],
      [{ id: 'm', owner: { slug: 'acme' } }, 'm'],
      [{ id: 'm', category: { slug: 'vision', name: 'Vision' } }, 'm'],
      [{ what: 1 }, undefined],
    ];
    for (const [row, slug] of slugs) assert.equal(readSummary(row)?.slug, slug, JSON.stringify(row));
    const row = readSummary({ id: '12', attributes: { slug: 'm', name: 'Model', description: 'Draws' } });
    assert.deepEqual([row?.name, row?.description], ['Model', 'Draws']);
  });
});
