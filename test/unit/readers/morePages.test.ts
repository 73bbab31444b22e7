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
  { nextLink: there },
  { links: { next: there } },
  { _links: { next: { href: there } } },
  { paging: { next: there } },
];
/** Envelopes that say in another way that there is more. */
const MORE: readonly object[] = [
  { page: 1, total_pages: 3 },
  { page: { number: 0, totalPages: 3 } },
  { pagination: { page: '1', pages: '3' } },
  ...[{ has_more: true }, { pageInfo: { hasNextPage: true } }, { next_cursor: 'abc' }],
  { nextPageToken: '25' },
  { next: { page: 2 } },
];
/** Envelopes of a list that is whole. */
const WHOLE: readonly object[] = [
  { next: null, page: 1, total_pages: 1 },
  { page: { number: 0, totalPages: 1 } },
  { has_more: false, next_cursor: null },
  { previous: '/api/marketplace/models?page=1', prev_cursor: 'abc' },
  { meta: { request_id: 'r', version: 2 } },
  { next_billing_date: '2026-01-01' },
];
const wrapped = fc.constantFrom<(body: object) => object>(
  (body) => body,
  (body) => ({ data: body }),
  (body) => ({ success: true, result: body }),
);
const listName = fc.constantFrom('models', 'items', 'results', 'data', 'published');

const read = (envelope: object, list: string, wrap: (body: object) => object) =>
  readList(wrap({ count: 2, [list]: models, ...envelope }));

describe('A list', () => {
  it('comes from an array, or from the first list of records in an envelope, with its total', () => {
    fc.assert(
      fc.property(listName, wrapped, (list, wrap) => {
        assert.equal(read({}, list, wrap)?.items, models);
      }),
    );
    assert.deepEqual(readList(models)?.items, models);
    assert.equal(readList({ code: 0, data: { list: models, total: 60, page: 1, page_size: 2 } })?.total, 60);
    assert.equal(readList(models, { 'x-total-count': '60' })?.total, 60);
    for (const body of [{}, { a: { b: { c: models } } }, 'x', null]) assert.equal(readList(body), undefined);
  });

  it('goes on at an address at any usual place', () => {
    fc.assert(
      fc.property(fc.constantFrom(...ADDRESSED), listName, wrapped, (envelope, list, wrap) => {
        assert.equal(read(envelope, list, wrap)?.next, there, JSON.stringify(envelope));
      }),
    );
    for (const link of [
      `<${there}>; title="x, y"; rel=next`,
      `</x>; rel="prev", <${there}>; rel="last next"`,
    ])
      assert.equal(readList(models, { link })?.next, there, link);
  });

  it('counts as incomplete on every other sign of more, and as complete without one', () => {
    for (const [envelopes, goesOn] of [
      [MORE, true],
      [WHOLE, false],
    ] as const)
      fc.assert(
        fc.property(fc.constantFrom(...envelopes), listName, wrapped, (envelope, list, wrap) => {
          const found = read(envelope, list, wrap);
          assert.deepEqual([found?.next, found?.goesOn], [undefined, goesOn], JSON.stringify(envelope));
        }),
      );
  });
});
