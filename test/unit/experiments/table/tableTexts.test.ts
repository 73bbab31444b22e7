import assert from 'node:assert/strict';
import { tableTitles } from '../../../../src/experiments/table/columnHead';

describe('The names of columns', () => {
  it('name other results by their label, with the column that they are of', () => {
    const of = { label: 'before', file: '/a', read: { results: [], costs: new Map(), judgements: [] } };
    const all = ['a', 'b', 'a', 'c', 'd'].map((model) => ({ '/model': model }));
    const named = (...others: readonly { column: number; own?: number }[]) =>
      tableTitles(
        { variations: all.slice(0, 2) },
        others.map((one) => ({ ...one, of })),
        all,
      ).columns.map(({ name, other }) => [name, ...(other ? [other.label, other.own] : [])]);
    const own = [['a'], ['b']];
    assert.deepEqual(named({ column: 2, own: 0 }), [...own, ['a, before', 'before', 0]]);
    assert.deepEqual(named({ column: 3 }, { column: 4 }), [
      ...own,
      ['c, before', 'before', undefined],
      ['d, before', 'before', undefined],
    ]);
  });
});
