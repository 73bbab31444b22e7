import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readList } from '../../../src/readers/list';

const models = [{ slug: 'a' }, { slug: 'b' }];
const there = '/api/marketplace/models?page=2';

/** Envelopes that name the address of the next page. */
const ADDRESSED: readonly object[] = [
  { next: there },
  { next: { href: there } },
  { next_page_url: there },
  { nextPath: there },
  { nextLink: there },
  { '@odata.nextLink': there },
  {
    links: [
      { rel: 'self', href: '/x' },
      { rel: 'next', href: there },
    ],
  },
  { links: [{ rel: ['next'], href: there }] },
  { _links: { next: { href: there } } },
  { links: { next: there } },
  { meta: { links: { next: there } } },
  { pagination: { next_url: there } },
  { paging: { next: there } },
  { 'hydra:view': { 'hydra:first': '/x', 'hydra:next': there } },
  { '@odata.count': 9, '@odata.nextLink': there },
  { _links: { next: { href: `${there}{&size,sort}`, templated: true } } },
];

/** Envelopes that say in another way that there is more. */
const MORE: readonly object[] = [
  { page: 1, total_pages: 3 },
  { page: 0, nbPages: 3 },
  { page: 1, pages: 3 },
  { current_page: 1, last_page: 3 },
  { page: '1', total_pages: '3' },
  { page: { number: 0, totalPages: 3 } },
  { meta: { page: { current: 1, total: 3 } } },
  { next: { page: 2 } },
  { nextPage: 2 },
  { IsTruncated: true, NextMarker: 'x' },
  { truncated: true },
  { has_more: 'true' },
  { hasMore: 1 },
  { last: false, totalPages: 3 },
  { paging: { cursors: { after: 'QVFI' } } },
  { offset: 'itrABC/rec1' },
  { continuationToken: 'abc' },
  { next_cursor: 'abc' },
  { nextPageToken: 'abc' },
  { LastEvaluatedKey: { id: { S: 'a' } } },
  { page_info: { has_next_page: true, end_cursor: 'x' } },
  { scroll_id: 'DXF1' },
];

/** Envelopes of a list that is whole. */
const WHOLE: readonly object[] = [
  { next: null, page: 1, total_pages: 1 },
  { next: null, page: 2, pages: 3 },
  { page: 3, total_pages: 3 },
  { page: { number: 0, totalPages: 1 } },
  { has_more: false, next_cursor: null },
  { pageInfo: { hasNextPage: false, endCursor: 'x' } },
  { has_more: 'false', next_page_token: '' },
  { last: true },
  { truncated: false },
  { offset: 0, limit: 25 },
  { previous: '/api/marketplace/models?page=1', prev_cursor: 'abc' },
  {
    links: [
      { rel: 'self', href: '/x' },
      { rel: 'prev', href: '/y' },
    ],
  },
  { meta: { request_id: 'r', version: 2 } },
  { token: 'abc', next_billing_date: '2026-01-01' },
];

const wrapped = fc.constantFrom<(body: object) => object>(
  (body) => body,
  (body) => ({ data: body }),
  (body) => ({ success: true, result: body }),
);
const noise = fc.constantFrom({}, { count: 2 }, { request_id: 'r' }, { took_ms: 4, links: { self: '/x' } });
const listName = fc.constantFrom('models', 'items', 'results', 'data');

const read = (envelope: object, list: string, wrap: (body: object) => object, other: object) =>
  readList(wrap({ ...other, [list]: models, ...envelope }));

describe('The next page of a list', () => {
  it('follows from an address at any usual place', () => {
    fc.assert(
      fc.property(fc.constantFrom(...ADDRESSED), listName, wrapped, noise, (envelope, list, wrap, other) => {
        assert.equal(read(envelope, list, wrap, other)?.next, there, JSON.stringify(envelope));
      }),
      { numRuns: 400 },
    );
  });

  it('reads every order of the parameters of a Link header', () => {
    for (const link of [
      `<${there}>; rel="next"`,
      `<${there}>; title="x, y"; rel=next`,
      `</x>; rel="prev", <${there}>; rel="last next"`,
    ])
      assert.equal(readList(models, { link })?.next, there, link);
    assert.equal(readList(models, { link: '</x>; rel="prev"' })?.next, undefined);
  });

  it('makes a list incomplete on signs in headers', () => {
    const signs: readonly Record<string, string>[] = [
      { 'x-next-page': '2' },
      { 'x-page': '1', 'x-total-pages': '3' },
      { 'x-pagination': '{"CurrentPage":1,"TotalPages":3,"HasNext":true}' },
      { 'x-ms-continuation': 'abc' },
      { 'x-has-more': 'true' },
    ];
    for (const headers of signs)
      assert.equal(readList(models, headers)?.goesOn, true, JSON.stringify(headers));
    const ends: readonly Record<string, string>[] = [
      { 'x-next-page': '', 'x-page': '3', 'x-total-pages': '3' },
      { 'x-pagination': '{"CurrentPage":3,"TotalPages":3,"HasNext":false}' },
      { 'x-request-id': 'abc', 'x-page-time-ms': '7', 'x-pagination': 'none' },
    ];
    for (const headers of ends)
      assert.equal(readList(models, headers)?.goesOn, false, JSON.stringify(headers));
    assert.equal(readList({ data: models, meta: { pagination: { total: 60, per_page: 2 } } })?.total, 60);
    for (const name of ['numFound', 'nbHits', 'found'])
      assert.equal(readList({ hits: [], docs: models, items: models, [name]: 60 })?.total, 60, name);
    assert.equal(readList(models, { 'x-pagination': '{"TotalCount":60}' })?.total, 60);
    assert.equal(readList({ 'hydra:member': [], items: models, 'hydra:totalItems': 60 })?.total, 60);
  });

  it('makes a list incomplete on every other sign of more', () => {
    fc.assert(
      fc.property(fc.constantFrom(...MORE), listName, wrapped, noise, (envelope, list, wrap, other) => {
        const found = read(envelope, list, wrap, other);
        assert.deepEqual([found?.next, found?.goesOn], [undefined, true], JSON.stringify(envelope));
      }),
      { numRuns: 500 },
    );
  });

  it('leaves a list complete without one', () => {
    fc.assert(
      fc.property(fc.constantFrom(...WHOLE), listName, wrapped, noise, (envelope, list, wrap, other) => {
        const found = read(envelope, list, wrap, other);
        assert.deepEqual([found?.next, found?.goesOn], [undefined, false], JSON.stringify(envelope));
      }),
      { numRuns: 300 },
    );
  });
});
