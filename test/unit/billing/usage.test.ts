import assert from 'node:assert/strict';
import fc from 'fast-check';
import { addAmounts } from '../../../src/domain/amounts';
import type { UsageSeries } from '../../../src/domain/usage';
import { createServiceClient } from '../../../src/service/createClient';
import { readActivity, readUsage } from '../../support/atOnce';
import { sandboxInProcess } from '../../support/sandbox';

/** A series as one reads it: name, times as ISO days, and each measure's values. */
function plain(series: UsageSeries) {
  return {
    name: series.name,
    times: series.times.map((at) => new Date(at).toISOString().slice(0, 10)),
    measures: Object.fromEntries(
      series.measures.map((measure) => [
        measure.isMoney ? `${measure.name} ${measure.currency ?? '?'}` : measure.name,
        measure.values,
      ]),
    ),
  };
}

const twoDays = { times: ['2026-01-01', '2026-01-02'] };

describe('Usage bodies', () => {
  const shapes: readonly [string, unknown, object][] = [
    [
      'a bare array of points',
      [
        { date: '2026-01-01', runs: 3 },
        { date: '2026-01-02', runs: 4 },
      ],
      { name: '', ...twoDays, measures: { runs: ['3', '4'] } },
    ],
    [
      'an envelope that tells the currency once, newest first',
      {
        currency: 'EUR',
        data: {
          points: [
            { start: '2026-01-02T00:00:00Z', end: '2026-01-03T00:00:00Z', cost: '0.10' },
            { start: '2026-01-01T00:00:00Z', end: '2026-01-02T00:00:00Z', cost: 0.2 },
          ],
        },
      },
      { name: 'data.points', ...twoDays, measures: { 'cost EUR': ['0.2', '0.10'] } },
    ],
    [
      'cents in the name',
      [
        { day: '2026-01-01', cost_cents: 1250 },
        { day: '2026-01-02', cost_cents: 5 },
      ],
      { name: '', ...twoDays, measures: { 'cost_cents ?': ['12.50', '0.05'] } },
    ],
    [
      'money as objects, a span as the time',
      [
        { period: { start: '2026-01-01' }, cost: { amount: '1.5', currency: 'USD' } },
        { period: { start: '2026-01-02' }, cost: { amount: '2', currency: 'USD' } },
      ],
      { name: '', ...twoDays, measures: { 'cost USD': ['1.5', '2'] } },
    ],
  ];
  for (const [name, body, expected] of shapes) {
    it(`contain a series in ${name}`, () => {
      assert.deepEqual(readUsage(body).series.map(plain), [expected]);
    });
  }

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
    assert.deepEqual(figures.find(({ name }) => name === 'total_runs')?.cell, {
      kind: 'number',
      amount: '7',
    });
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

describe("The sandbox's own billing", () => {
  it('returns the numbers that the sandbox charged', async () => {
    const sandbox = await sandboxInProcess();
    try {
      const client = createServiceClient({
        environment: 'sandbox',
        baseUrl: sandbox.baseUrl,
        apiKey: async () => sandbox.apiKey,
        network: {},
        log: { debug() {}, info() {}, warn() {} },
      });
      const costs: string[] = [];
      const ids: string[] = [];
      for (let i = 0; i < 55; i++) {
        const response = await client.run({ model: 'sentiment', input: { text: `good ${i}` }, params: {} });
        costs.push(response.cost?.amount ?? 'none');
        ids.push(response.runId ?? 'none');
      }
      const sum = costs.reduce((a, b) => addAmounts(a, b), '0');

      const summary = readUsage((await client.usageSummary()).json);
      const cost = summary.figures.find(({ name }) => name === 'cost')?.cell;
      assert.equal(cost?.kind === 'money' && addAmounts(cost.money.amount, '0'), sum);
      assert.deepEqual(summary.figures.find(({ name }) => name === 'runs')?.cell, {
        kind: 'number',
        amount: '55',
      });
      assert.equal(summary.tables[0]?.name, 'by_model');

      const [series] = readUsage((await client.usageTimeseries({ granularity: 'hour' })).json).series;
      const amounts = series?.measures.find(({ isMoney }) => isMoney);
      assert.equal(amounts?.currency, 'USD');
      assert.equal(
        amounts?.values.reduce<string>((a, b) => addAmounts(a, b ?? '0'), '0'),
        sum,
      );

      const first = await client.activity();
      const read = readActivity(first.json, first.headers);
      const second = await client.activity({ next: read?.next });
      const entries = [...(read?.entries ?? []), ...(readActivity(second.json)?.entries ?? [])];
      assert.deepEqual(entries.map((entry) => entry.ids[0]).reverse(), ids);
      assert.equal(
        entries.reduce((a, { money }) => addAmounts(a, money?.amount ?? '0'), '0'),
        sum,
      );
      client.close();
    } finally {
      await sandbox.stop();
    }
  });
});
