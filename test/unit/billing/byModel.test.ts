import assert from 'node:assert/strict';
import type { UsageCell, UsageTable } from '../../../src/domain/usage';
import { usageByModel } from '../../../src/features/usage/byModel';

const text = (value: string): UsageCell => ({ kind: 'text', text: value });
const count = (amount: string): UsageCell => ({ kind: 'number', amount });
const usd = (amount: string): UsageCell => ({ kind: 'money', money: { amount, currency: 'USD' } });
const read = (table: UsageTable) =>
  usageByModel({ figures: [], series: [], emptyLists: 0, tables: [table] }, (slug) =>
    slug === 'sentiment' ? 'Sentiment' : undefined,
  );

describe('Usage by model', () => {
  it('reads runs, failures, costs and median times, with the names of the catalog', () => {
    const columns = ['model', 'runs', 'failed_runs', 'cost', 'median_duration_ms'];
    const rows = [
      [text('sentiment'), count('3'), count('1'), usd('0.3'), count('280')],
      [text('other'), count('2'), undefined, usd('0.1'), count('90')],
    ];
    assert.deepEqual(read({ name: 'by_model', columns, rows }), [
      {
        ...{ name: 'Sentiment', runs: '3', failed: '1' },
        ...{ cost: { amount: '0.3', currency: 'USD' }, medianMs: 280 },
      },
      {
        ...{ name: 'other', runs: '2', failed: undefined },
        ...{ cost: { amount: '0.1', currency: 'USD' }, medianMs: 90 },
      },
    ]);
  });

  it('names the mode where a model has several rows', () => {
    const rows = ['index', 'search'].map((mode) => [text('sentiment'), text(mode), count('1')]);
    assert.deepEqual(
      read({ name: 'rows', columns: ['model', 'mode', 'runs'], rows }).map(({ name }) => name),
      ['Sentiment · index', 'Sentiment · search'],
    );
  });

  it('takes no time without a unit, and no column of which two could be meant', () => {
    const columns = ['model', 'runs', 'median', 'cost', 'cost_with_fee'];
    const rows = [[text('a'), count('1'), count('5'), usd('1'), usd('2')]];
    assert.deepEqual(read({ name: '', columns, rows }), [{ name: 'a', runs: '1', failed: undefined }]);
  });

  it('returns nothing of tables without models or figures', () => {
    assert.deepEqual(read({ name: '', columns: ['day', 'runs'], rows: [[text('a'), count('1')]] }), []);
    assert.deepEqual(read({ name: '', columns: ['model', 'owner'], rows: [[text('a'), text('b')]] }), []);
  });
});
