import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Metric } from '../../../../src/experiments/metrics/metrics';
import { type RowQuery, rowOrder } from '../../../../src/experiments/table/rowOrder';
import type { ExperimentTable } from '../../../../src/experiments/table/table';
import { rowOf, tableOf } from '../../../support/experiments/table';

const accuracy: Metric[] = [{ name: 'accuracy', tolerance: 0 }];
const all: RowQuery = { text: '', show: 'all', fold: false, columns: [0, 1] };
const rows = (table: ExperimentTable, query: Partial<RowQuery>) =>
  rowOrder(table, { ...all, ...query }, accuracy).rows;

/** Four rows: equal and right, differing, failed in the second column, not run in the second column. */
const table = tableOf({
  items: [rowOf('hello', 'en'), rowOf('hallo', 'de'), rowOf('Ça va', 'fr'), rowOf('hola', 'es')],
  at: '/language',
  line: ({ variation, item }) => {
    if (variation === 0)
      return { result: { language: ['en', 'nl', 'fr', 'es'][item]! }, duration_ms: 40 - item };
    if (item === 0) return { result: { language: 'en', more: 1 } };
    if (item === 1) return { result: { language: 'de' }, cost: { amount: '0.002', currency: 'USD' } };
    return item === 2 ? { state: 'failed', reason: 'Upstream is down' } : undefined;
  },
});

describe('The rows of the table', () => {
  it('match by their input, by the expected value, and by their outcomes', () => {
    assert.deepEqual(rows(table, { text: 'HALLO' }), [1]);
    assert.deepEqual(rows(table, { text: 'ça' }), [2]);
    assert.deepEqual(rows(table, { text: ' nl ' }), [1]);
    assert.deepEqual(rows(table, { text: 'upstream' }), [2]);
    assert.deepEqual(rows(table, { text: 'upstream', columns: [0] }), [], 'only in shown columns');
  });

  it('match accents in either spelling', () => {
    const [composed, apart] = ['Zürich'.normalize('NFC'), 'Zürich'.normalize('NFD')];
    const cities = tableOf({
      items: [rowOf('a', composed), rowOf('b', ` ${apart} `), rowOf(apart, 'Bern'), rowOf('c', 'Bern')],
      line: ({ item }) => ({ result: item === 3 ? apart : 'Bern' }),
    });
    for (const text of [composed, apart]) assert.deepEqual(rows(cities, { text }), [0, 1, 2, 3]);
    assert.deepEqual(rows(cities, { label: composed }), [0, 1]);
  });

  it('filter by a cell of the confusion matrix', () => {
    assert.deepEqual(rows(table, { pair: { column: 0, expected: 'de', got: 'nl' } }), [1]);
    assert.deepEqual(rows(table, { pair: { column: 1, expected: 'de', got: 'nl' } }), []);
  });

  it('sort by any column, those without a value last either way', () => {
    const by = (column: number, by: 'outcome' | 'metric' | 'cost' | 'time', descending = false) =>
      rows(table, { sort: { column, by, descending } });
    assert.deepEqual(by(0, 'outcome'), [0, 3, 2, 1]);
    assert.deepEqual(by(1, 'outcome', true), [0, 1, 2, 3]);
    assert.deepEqual(by(0, 'time'), [3, 2, 1, 0]);
    assert.deepEqual(by(1, 'cost'), [1, 0, 2, 3]);
    assert.deepEqual(by(0, 'metric'), [1, 0, 2, 3]);
    assert.deepEqual(by(-1, 'outcome'), [2, 1, 0, 3], 'by the input itself');
  });

  it('never lose or double a row, for any query', () => {
    const query = fc.record({
      text: fc.constantFrom('', 'h', 'e', 'zz'),
      show: fc.constantFrom('all', 'wrong', 'failed', 'unconfirmed', 'missing'),
      fold: fc.boolean(),
      columns: fc.subarray([0, 1]),
      sort: fc.option(
        fc.record({
          column: fc.integer({ min: -1, max: 1 }),
          by: fc.constantFrom('outcome', 'metric', 'cost', 'time'),
          descending: fc.boolean(),
        }),
        { nil: undefined },
      ),
    }) as fc.Arbitrary<RowQuery>;
    fc.assert(
      fc.property(query, (asked) => {
        const found = rowOrder(table, asked, accuracy);
        const unsorted = rowOrder(table, { ...asked, sort: undefined }, accuracy);
        assert.deepEqual(found.rows.toSorted(), [...unsorted.rows]);
        assert.equal(new Set(found.rows).size, found.rows.length);
      }),
    );
  });
});
