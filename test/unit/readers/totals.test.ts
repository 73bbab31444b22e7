import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readActivity } from '../../../src/readers/activity';
import { readList } from '../../../src/readers/list';
import { readLeftOut } from '../../../src/readers/totals';
import { startFaultProxy } from '../../support/faultProxy';
import { testClient } from '../../support/serviceClient';

const rows = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ id: `r${i}`, slug: `m${i}`, day: '2026-01-02' }));

/** Where bodies say how many there are: beside the list, or in a record about its pages; a number or text. */
const saying = fc
  .record({
    name: fc.constantFrom('total_count', 'totalItems', 'total', 'total_results', 'totalRecords'),
    inside: fc.constantFrom(undefined, 'meta', 'pagination', 'page_info'),
    isText: fc.boolean(),
  })
  .map(({ name, inside, isText }) => (total: number) => {
    const said = { [name]: isText ? String(total) : total };
    return inside === undefined ? said : { [inside]: said };
  });

describe('A total above the number of received items', () => {
  it('comes from every usual member beside a list, and from headers', () => {
    fc.assert(
      fc.property(
        saying,
        fc.constantFrom('items', 'data', 'results'),
        fc.integer({ min: 3, max: 1e6 }),
        (say, list, total) => {
          const body = { [list]: rows(3), ...say(total) };
          assert.equal(readList(body)?.total, total, JSON.stringify(body));
          assert.equal(readActivity(body)?.total, total);
        },
      ),
    );
    assert.equal(readList(rows(2), { 'x-total-count': '40' })?.total, 40);
    assert.equal(readList(rows(2), { 'content-range': 'items 0-1/41' })?.total, 41);
    assert.equal(readList({ items: rows(2), total: { amount: '3' } })?.total, undefined);
    assert.equal(readList({ items: rows(2), total: 2.5 })?.total, undefined);
  });

  it('never comes from money or tokens in a usage body', () => {
    assert.deepEqual(readLeftOut({ points: rows(3), total_count: 30 }), { came: 3, total: 30 });
    assert.deepEqual(readLeftOut({ data: { rows: rows(3) }, pagination: { total: 9 } }), {
      came: 3,
      total: 9,
    });
    assert.deepEqual(readLeftOut({ by_model: rows(3), has_more: true }), { came: 3 });
    for (const body of [
      ...[
        { points: rows(3), total: 812 },
        { points: rows(3), total: 3 },
        { total: 812 },
        { points: [], total_count: 4 },
      ],
      ...[
        { points: rows(3), total_count: 3 },
        { points: rows(3), usage: { total: 12, count: 99 } },
        rows(3),
        null,
        5,
      ],
    ])
      assert.equal(readLeftOut(body), undefined, JSON.stringify(body));
  });

  it('appears for a catalog whose pages have fewer models, and for no other', async () => {
    const cases: [unknown[], object | undefined][] = [
      [[{ models: rows(2), total: 5 }], { reason: 'fewer', came: 2, total: 5 }],
      [[{ models: rows(2), total: 2 }], undefined],
      [
        [
          { models: rows(2), total: 4, next: '/api/marketplace/models?page=1' },
          { models: rows(2), total: 4 },
        ],
        undefined,
      ],
      [
        [
          { models: rows(2), total: 9, next: '/api/marketplace/models?page=1' },
          { models: rows(2), total: 9 },
        ],
        { reason: 'fewer', came: 4, total: 9 },
      ],
      [[{ models: rows(2), has_more: true }], { reason: 'noAddress' }],
    ];
    for (const [bodies, expected] of cases) {
      let page = 0;
      const service = await startFaultProxy({
        behind: () => {
          const body = bodies[page++] as { readonly next?: string };
          return { body: { ...body, ...(body.next && { next: service.prefix + body.next }) } };
        },
      });
      const client = testClient(service.url);
      const ends: unknown[] = [];
      for await (const { incomplete } of client.listModels()) ends.push(incomplete);
      client.close();
      await service.close();
      assert.deepEqual(ends.at(-1), expected, JSON.stringify(bodies));
      assert.ok(ends.slice(0, -1).every((end) => end === undefined));
    }
  });
});
