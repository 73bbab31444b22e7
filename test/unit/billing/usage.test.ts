import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readActivity, readUsage } from '../../support/atOnce';

const twoDays = { times: ['2026-01-01', '2026-01-02'] };

describe('Usage bodies', () => {
  it('become a table where amounts of one list are in several currencies, which do not add up', () => {
    const rows = ['USD', 'EUR'].map((currency, at) => ({
      date: twoDays.times[at],
      cost: { amount: '1', currency },
    }));
    assert.deepEqual([readUsage(rows).series, readUsage(rows).tables.length], [[], 1]);
  });

  it('keep a table without a time column, with money as money', () => {
    const { tables, figures, series } = readUsage({
      currency: 'USD',
      total_runs: 7,
      total_cost: '1.25',
      by_model: [{ model: 'a', runs: 7, cost: { amount: '1.25', currency: 'USD' } }],
    });
    assert.deepEqual(series, []);
    assert.deepEqual(tables[0]?.columns, ['model', 'runs', 'cost']);
    assert.deepEqual(tables[0]?.rows[0]?.[2], { kind: 'money', money: { amount: '1.25', currency: 'USD' } });
    assert.deepEqual(figures.find(({ name }) => name === 'total_cost')?.cell, {
      kind: 'money',
      money: { amount: '1.25', currency: 'USD' },
    });
    assert.equal(figures.length, 3);
  });

  it('keep every number of a series, in any envelope and under any names', () => {
    const point = fc.record({
      day: fc.integer({ min: 0, max: 300 }),
      runs: fc.nat(10_000),
      cents: fc.nat(100_000),
    });
    const points = fc.uniqueArray(point, { selector: ({ day }) => day, minLength: 1, maxLength: 30 });
    const timeName = fc.constantFrom('date', 'timestamp', 'start', 'bucket_start', 'periodStart', 'ts');
    const costName = fc.constantFrom('cost', 'amount', 'total_cost', 'spend', 'charged_amount');
    const write = fc.constantFrom<(at: number) => unknown>(
      (at) => new Date(at).toISOString(),
      (at) => new Date(at).toISOString().slice(0, 10),
      (at) => at / 1000,
      (at) => at,
    );
    const wrap = fc.constantFrom<(list: unknown[]) => unknown>(
      (list) => list,
      (list) => ({ data: list }),
      (list) => ({ workspace: { id: 'w' }, timeseries: { points: list } }),
    );
    fc.assert(
      fc.property(points, timeName, costName, write, wrap, (list, time, cost, writeTime, envelope) => {
        const start = Date.UTC(2026, 0, 1);
        const body = list.map(({ day, runs, cents }) => ({
          [time]: writeTime(start + day * 86_400_000),
          runs,
          [cost]: (cents / 100).toFixed(2),
        }));
        const { series } = readUsage(envelope(body));
        assert.equal(series.length, 1);
        const sorted = [...list].sort((a, b) => a.day - b.day);
        assert.deepEqual(
          series[0]?.times,
          sorted.map(({ day }) => start + day * 86_400_000),
        );
        const [runs, money] = ['runs', cost].map((name) =>
          series[0]?.measures.find((one) => one.name === name),
        );
        assert.deepEqual(
          runs?.values,
          sorted.map((one) => String(one.runs)),
        );
        assert.equal(money?.isMoney, true);
        assert.deepEqual(
          money?.values.map(Number),
          sorted.map(({ cents }) => Number((cents / 100).toFixed(2))),
        );
      }),
    );
  });
});

describe('Activity bodies', () => {
  it('return entries from any envelope, with identifiers, money and the next page', () => {
    const entry = {
      id: 'act_1',
      run_id: 'run_1',
      type: 'run',
      model: 'm',
      amount: '0.02',
      created_at: '2026-01-01',
    };
    for (const body of [
      [entry],
      { items: [entry] },
      { activity: [entry] },
      { data: { activities: [entry] } },
      { currency: 'USD', transactions: [entry] },
    ]) {
      const [read] = readActivity(body)?.entries ?? [];
      assert.deepEqual(read?.ids, ['run_1', 'act_1']);
      assert.equal(read?.money?.amount, '0.02');
      assert.equal(read?.at, Date.UTC(2026, 0, 1));
      assert.equal(read?.raw, entry);
    }
    assert.equal(
      readActivity({ items: [entry], next: '/api/billing/activity?cursor=2' })?.next,
      '/api/billing/activity?cursor=2',
    );
    assert.equal(readActivity({ items: [entry], has_more: true })?.goesOn, true);
    assert.equal(readActivity({ message: 'hello' }), undefined);
  });
});
