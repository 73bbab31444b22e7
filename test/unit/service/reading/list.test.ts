import assert from 'node:assert/strict';
import { readList } from '../../../../src/service/reading/list';

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
});
