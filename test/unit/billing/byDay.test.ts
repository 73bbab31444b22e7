import assert from 'node:assert/strict';
import fc from 'fast-check';
import { addAmounts } from '../../../src/domain/amounts';
import type { UsageSeries } from '../../../src/domain/usage';
import { chartsByDay } from '../../../src/features/usage/byDay';

const at = (text: string) => Date.parse(text);
const byDay = (series: UsageSeries, from: number, to = Number.MAX_SAFE_INTEGER) =>
  chartsByDay([series], from, to)[0]!.days;

describe('A series by day', () => {
  it('keeps every summed value', () => {
    const points = fc.uniqueArray(fc.tuple(fc.integer({ min: 0, max: 5000 }), fc.nat(9999)), {
      selector: ([hour]) => hour,
      minLength: 1,
    });
    fc.assert(
      fc.property(points, (list) => {
        const sorted = [...list].sort((a, b) => a[0] - b[0]);
        const values = sorted.map(([, cents]) => (cents / 100).toFixed(2));
        const series = {
          name: '',
          times: sorted.map(([hour]) => hour * 3_600_000),
          measures: [{ name: 'cost', isMoney: true, values }],
        };
        const days = byDay(series, 0);
        const sum = (all: readonly string[]) => all.reduce(addAmounts, '0');
        assert.equal(sum(days.map(({ amount }) => amount)), sum(values));
        assert.equal(new Set(days.map((day) => day.at)).size, days.length);
      }),
    );
  });

  it('leaves out days before the range and days to come', () => {
    const times = ['2026-03-01', '2026-03-02', '2026-03-03'].map(at);
    const series = { name: '', times, measures: [{ name: 'runs', isMoney: false, values: ['1', '2', '4'] }] };
    assert.deepEqual(byDay(series, times[1]!, times[1]!), [{ at: times[1], amount: '2' }]);
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
        fc.pre(times.every((time, index) => Math.abs(time - midnight(sorted[index]!)) < 12 * 3_600_000));
        const measures = [{ name: 'cost', isMoney: true, values: sorted.map(String) }];
        const shown = byDay({ name: '', times, measures }, 0);
        assert.deepEqual(
          shown,
          sorted.map((date) => ({ at: midnight(date), amount: String(date) })),
        );
      }),
    );
    const times = [at('2026-07-01T22:10:00Z'), at('2026-07-02T22:40:00Z')];
    const measures = [{ name: 'cost', isMoney: true, values: ['1', '2'] }];
    assert.deepEqual(
      byDay({ name: '', times, measures }, 0).map((day) => day.at),
      [at('2026-07-01T00:00:00Z'), at('2026-07-02T00:00:00Z')],
      'moments of runs are no days',
    );
  });
});
