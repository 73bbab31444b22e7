import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { UsageFindings, UsageSeries } from '../../../src/domain/usage';
import { firstRecentDay, spentLately } from '../../../src/features/usage/spent';

const day = 86_400_000;
const now = Date.UTC(2026, 10, 26, 15, 30);
const today = Date.UTC(2026, 10, 26);
const found = (...series: UsageSeries[]): UsageFindings => ({
  ...{ tables: [], figures: [], emptyLists: 0 },
  series,
});
/** @param values days ago and cents: "6:10 0:7" */
const daysOf = (values: string, step = day) =>
  daily(
    values.split(' ').map((one) => one.split(':').map(Number) as [number, number]),
    step,
  );
const lately = (values: string, step?: number) => spentLately(found(daysOf(values, step)), now);
const daily = (values: readonly [daysAgo: number, cents: number][], step = day): UsageSeries => ({
  name: 'points',
  times: values.map(([ago]) => today - ago * step),
  measures: [
    {
      name: 'amount',
      isMoney: true,
      currency: 'USD',
      values: values.map(([, cents]) => (cents / 100).toFixed(2)),
    },
    { name: 'runs', isMoney: false, values: values.map(() => '2') },
    { name: 'failed', isMoney: false, values: values.map(() => '1') },
  ],
});

describe('The money spent lately', () => {
  it('sums today and 30 days, exactly, with the runs', () => {
    const days = fc.array(fc.tuple(fc.integer({ min: 0, max: 60 }), fc.nat(5000)), { minLength: 2 });
    fc.assert(
      fc.property(days, (given) => {
        const values = [...new Map(given)].sort(([a], [b]) => b - a);
        const gaps = values.slice(1).map(([ago], at) => values[at]![0] - ago);
        fc.pre(gaps.some((gap) => gap < 6));
        const cents = (within: number) =>
          values.filter(([ago]) => ago < within).reduce((sum, [, value]) => sum + value, 0);
        const spent = spentLately(found(daily(values)), now);
        const hasToday = values.some(([ago]) => ago === 0);
        assert.equal(Number(spent.today?.money.amount), hasToday ? cents(1) / 100 : Number.NaN);
        assert.equal(spent.until === undefined, hasToday);
        assert.equal(Number(spent.recent?.money.amount), cents(30) / 100);
        assert.equal(Number(spent.recent?.runs), 2 * values.filter(([ago]) => ago < 30).length);
      }),
    );
  });

  it('needs a day before the 30 days in UTC, which begin earlier in other time zones', () => {
    assert.equal(firstRecentDay(now), Date.UTC(2026, 9, 27));
  });

  it('names the first day where the service told fewer days', () => {
    const spent = lately('6:10 5:10 0:7');
    assert.deepEqual(spent.today, { money: { amount: '0.07', currency: 'USD' }, runs: '2', failed: '1' });
    assert.equal(spent.recent?.since, today - 6 * day);
    assert.equal(lately('29:10 28:10').recent?.since, undefined);
  });

  it('tells nothing where a sum may be wrong', () => {
    const one = daysOf('1:5 0:5');
    assert.deepEqual(spentLately(found(one, { ...one, name: 'by_model' }), now), {});
    assert.deepEqual(lately('2:5 1:5 0:5', 7 * day), {});
    const [amount] = one.measures;
    const twice = { ...one, measures: [amount!, { ...amount!, name: 'cost_with_fee' }] };
    assert.deepEqual(spentLately(found(twice), now), {});
    for (const name of ['balance', 'credit_limit', 'avg_cost', 'credits', 'cost_per_run', 'feedback'])
      assert.deepEqual(spentLately(found({ ...one, measures: [{ ...amount!, name }] }), now), {}, name);
    assert.deepEqual(spentLately(found(), now), {});
    for (const name of ['generated_cost', 'credits_spent', 'usageCost', 'fees'])
      assert.ok(spentLately(found({ ...one, measures: [{ ...amount!, name }] }), now).today, name);
  });

  it('says nothing of today by one bucket that may be a month', () => {
    const month = { ...daysOf('25:900'), name: 'months' };
    const { today: known, recent } = spentLately(found(month), now);
    assert.equal(known, undefined);
    assert.deepEqual([recent?.money.amount, recent?.since], ['9', today - 25 * day]);
    assert.equal(lately('0:900').today?.money.amount, '9');
  });

  it('takes the day of a service that begins it at another time, even after its clock has changed', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -12, max: 14 }),
        fc.constantFrom(-1, 0, 1),
        fc.integer({ min: 0, max: 24 * 60 - 1 }),
        (zone, shift, minute) => {
          fc.pre(zone !== 0 || shift !== 0);
          const at = today + minute * 60_000;
          // Days of the service up to now, of ever other amounts; the clock has changed three days ago.
          const start = (ago: number) =>
            Math.floor((at + zone * 3_600_000) / day) * day -
            zone * 3_600_000 -
            ago * day +
            (ago > 2 ? shift : 0) * 3_600_000;
          const agos = [6, 5, 4, 3, 2, 1, 0];
          const series = { ...daily(agos.map((ago) => [ago, 100 + ago])), times: agos.map(start) };
          const spent = spentLately(found(series), at).today;
          assert.equal(spent?.money.amount, '1');
          assert.equal(spent?.since ?? today, start(0));
          const all = Array.from({ length: 32 }, (_, ago) => 31 - ago);
          const month = { ...daily(all.map((ago) => [ago, 100 + ago])), times: all.map(start) };
          const { recent } = spentLately(found(month), at);
          assert.equal(Number(recent?.money.amount), 30 + (29 * 30) / 200, '30 days');
          assert.equal(recent?.since, undefined);
        },
      ),
    );
  });

  it('leaves out days to come', () => {
    const spent = lately('1:5 0:5 -1:70');
    assert.deepEqual([spent.today?.money.amount, spent.recent?.money.amount], ['0.05', '0.1']);
  });

  it('knows nothing from an empty list: it may be counted later', () => {
    assert.deepEqual(spentLately({ ...found(), emptyLists: 1 }, now), {});
  });

  it('names the last day of a series that ends before today, and no figure for today', () => {
    const spent = lately('29:290 28:10');
    assert.equal(spent.today, undefined);
    assert.equal(spent.recent?.money.amount, '3');
    assert.equal(spent.until, today - 28 * day);
    const hours = { ...daysOf('1:5'), times: [today - 7_200_000, today - 3_600_000] };
    assert.equal(spentLately(found(hours), now).until, today - 3_600_000);
  });
});
