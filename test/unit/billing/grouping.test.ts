import assert from 'node:assert/strict';
import fc from 'fast-check';
import { addAmounts } from '../../../src/domain/amounts';
import { bucketOf, groupedBy } from '../../../webview/usage/grouping';

const at = (text: string) => Date.parse(text);

describe('Grouping a series', () => {
  it('puts moments into UTC hours, days, weeks from Monday and months', () => {
    const moment = at('2026-03-01T12:34:56Z'); // a Sunday
    assert.equal(bucketOf(moment, 'hour'), at('2026-03-01T12:00:00Z'));
    assert.equal(bucketOf(moment, 'day'), at('2026-03-01T00:00:00Z'));
    assert.equal(bucketOf(moment, 'week'), at('2026-02-23T00:00:00Z'));
    assert.equal(bucketOf(moment, 'month'), at('2026-03-01T00:00:00Z'));
  });

  it('keeps every summed value', () => {
    const points = fc.uniqueArray(fc.tuple(fc.integer({ min: 0, max: 5000 }), fc.nat(9999)), {
      selector: ([hour]) => hour,
      minLength: 1,
    });
    fc.assert(
      fc.property(points, fc.constantFrom('hour', 'day', 'week', 'month'), (list, granularity) => {
        const sorted = [...list].sort((a, b) => a[0] - b[0]);
        const values = sorted.map(([, cents]) => (cents / 100).toFixed(2));
        const series = {
          name: '',
          times: sorted.map(([hour]) => hour * 3_600_000),
          measures: [{ name: 'cost', isMoney: true, values }],
        };
        const grouped = groupedBy(series, granularity);
        const sum = (list: readonly (string | undefined)[]) =>
          list.reduce<string>((a, b) => addAmounts(a, b ?? '0'), '0');
        assert.equal(sum(grouped.measures[0]!.values), sum(values));
        assert.equal(new Set(grouped.times).size, grouped.times.length);
      }),
    );
  });

  it('shows the days of a time zone under their own dates', () => {
    const dates = fc.uniqueArray(fc.integer({ min: 0, max: 60 }), { minLength: 2, maxLength: 20 });
    const zone = fc.integer({ min: -40, max: 48 }).map((quarters) => quarters / 4);
    fc.assert(
      fc.property(dates, zone, fc.constantFrom(-1, 0, 1), (days, hours, shift) => {
        const sorted = [...days].sort((a, b) => a - b);
        const midnight = (date: number) => Date.UTC(2026, 2, 1 + date);
        // Clocks change on the 29th of March.
        const times = sorted.map((date) => midnight(date) - (hours + (date > 28 ? shift : 0)) * 3_600_000);
        fc.pre(times.every((at, index) => Math.abs(at - midnight(sorted[index]!)) < 12 * 3_600_000));
        const series = {
          name: '',
          times,
          measures: [{ name: 'cost', isMoney: true, values: sorted.map(String) }],
        };
        const grouped = groupedBy(series, 'day');
        assert.deepEqual(grouped.times, sorted.map(midnight));
        assert.deepEqual(grouped.measures[0]!.values, sorted.map(String));
        const march = sorted.filter((date) => date < 31).reduce((sum, date) => sum + date, 0);
        const months = groupedBy(series, 'month');
        if (months.times[0] === midnight(0)) assert.equal(Number(months.measures[0]!.values[0]), march);
        assert.deepEqual(groupedBy(series, 'hour').measures[0]!.values, sorted.map(String));
      }),
    );
    const moments = [at('2026-07-01T22:10:00Z'), at('2026-07-02T22:40:00Z')];
    const series = {
      name: '',
      times: moments,
      measures: [{ name: 'cost', isMoney: true, values: ['1', '2'] }],
    };
    assert.deepEqual(
      groupedBy(series, 'day').times,
      [at('2026-07-01T00:00:00Z'), at('2026-07-02T00:00:00Z')],
      'moments of runs are no days',
    );
  });

  it('leaves out medians and rates, which do not add up', () => {
    const series = {
      name: '',
      times: [0, 3_600_000],
      measures: [
        { name: 'median_duration_ms', isMoney: false, values: ['1', '2'] },
        { name: 'runs', isMoney: false, values: ['1', undefined] },
      ],
    };
    assert.deepEqual(groupedBy(series, 'day').measures, [{ name: 'runs', isMoney: false, values: ['1'] }]);
    assert.equal(groupedBy(series, 'hour').measures.length, 2);
    const isKept = (name: string) =>
      groupedBy({ ...series, measures: [{ name, isMoney: false, values: ['1', '2'] }] }, 'day').measures
        .length;
    for (const name of [
      'operations',
      'generations',
      'duration_ms',
      'generated_tokens',
      'minutes',
      'totalCost',
    ])
      assert.equal(isKept(name), 1, name);
    for (const name of ['errorRate', 'success_ratio', 'p95', 'avgLatencyMs', 'max', 'latency', 'percentage'])
      assert.equal(isKept(name), 0, name);
  });
});
