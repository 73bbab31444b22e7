import assert from 'node:assert/strict';
import fc from 'fast-check';
import { confusionOf, figuresOf } from '../../../../src/experiments/charts/figures';
import { summarise } from '../../../../src/experiments/figures/summary';
import { variationsOf } from '../../../../src/experiments/plan/grid';
import { rowOrder } from '../../../../src/experiments/table/rowOrder';
import { differencesOf } from '../../../../webview/experiment/charts/differences';
import { onFront } from '../../../../webview/experiment/charts/front';
import { HEIGHT, niceTicks, PLOT } from '../../../../webview/experiment/charts/plot';
import { apart } from '../../../../webview/experiment/charts/quality';
import { rowOf, tableOf } from '../../../support/experiments/table';

const point = fc.record({ quality: fc.integer({ min: 0, max: 4 }), price: fc.integer({ min: 0, max: 4 }) });

describe('The chart of differences', () => {
  it('shows pairs won against the baseline around half of them, even where all were won', () => {
    const interval = { text: '0.488 to 0.808', low: 0.488, high: 0.808, at: 0.667, even: 0.5 };
    const cells = [
      null,
      { text: '0.667', note: 'n 30: 20 won, 10 lost, 0 tied', interval, words: [] },
      { text: '1.000', note: 'n 30: 30 won, 0 lost, 0 tied', words: [] },
    ];
    const rows = [{ kind: 'metric' as const, name: 'better', isOfPairs: true, cells }];
    const named = ['one', 'two', 'three'].map((name, column) => ({ name, column }));
    const chart = differencesOf({ runs: [], changes: [], rows }, named, 'better')!;
    assert.deepEqual(chart.table.rows, [
      ['two', '0.667 n 30: 20 won, 10 lost, 0 tied', '0.488 to 0.808'],
      ['three', '1.000 n 30: 30 won, 0 lost, 0 tied', '–'],
    ]);
    assert.equal(differencesOf({ runs: [], changes: [], rows }, named, 'accuracy'), undefined);
  });
});

describe('Names beside points', () => {
  it('stay a line apart and above the axis, for any distance of the points', () => {
    const axis = HEIGHT - PLOT.bottom;
    assert.deepEqual(apart([axis - 6, axis - 6]), [axis - 16, axis - 4]);
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 6, max: axis - 6 }), { minLength: 1, maxLength: 16 }),
        (places) => {
          const lines = apart(places.toSorted((a, b) => a - b));
          assert.ok(lines.at(-1)! <= axis - 4);
          for (const [at, line] of lines.entries()) assert.ok(at === 0 || line - lines[at - 1]! >= 12);
        },
      ),
    );
  });
});

describe('The front of quality and price', () => {
  it('contains every unbeaten point, and a better one for each other point', () => {
    fc.assert(
      fc.property(fc.array(point, { minLength: 1 }), fc.constantFrom('higher', 'lower'), (points, better) => {
        const exact = points.map(({ quality, price }) => ({
          quality: { value: quality, low: quality, high: quality },
          price: { value: price, low: price, high: price },
        }));
        const front = onFront(exact, better);
        const worth = (one: (typeof points)[number]) => (better === 'higher' ? one.quality : -one.quality);
        const best = points.filter((_, at) => front[at]);
        assert.ok(best.length > 0);
        for (const [at, one] of points.entries()) {
          const isBeaten = best.some(
            (other) =>
              worth(other) >= worth(one) &&
              other.price <= one.price &&
              (other.price < one.price || worth(other) > worth(one)),
          );
          assert.equal(front[at], !isBeaten);
        }
      }),
    );
  });
});

describe('The front of values that are known within intervals', () => {
  const known = (value: number, half: number) => ({ value, low: value - half, high: value + half });

  /** Each is beaten by another of them. */
  const circle: { quality: [number, number]; price: [number, number] }[] = [
    { quality: [1, 0], price: [0, 2] },
    { quality: [0, 2], price: [1, 0] },
    { quality: [0, 0], price: [0, 0] },
    { quality: [2, 0], price: [2, 0] },
  ];

  it('ignores a difference within the intervals', () => {
    const slower = { quality: known(0.9, 0.05), price: known(101, 8) };
    const wrongButFaster = { quality: known(0, 0.05), price: known(100, 8) };
    const alike = { quality: known(0.88, 0.05), price: known(99, 8) };
    assert.deepEqual(onFront([slower, wrongButFaster, alike], 'higher'), [true, false, true]);
    const cheaper = { quality: known(0.88, 0.05), price: known(50, 8) };
    assert.deepEqual(onFront([slower, cheaper], 'higher'), [false, true]);
    const muchWorse = { quality: known(0.1, 0.05), price: known(50, 8) };
    assert.deepEqual(onFront([slower, muchWorse], 'higher'), [true, true], 'worse, and clearly cheaper');
  });

  it('contains each point that is not beaten beyond chance, where too few rows have no interval', () => {
    const unknown = (value: number) => ({ value });
    const better = { quality: unknown(1), price: unknown(1) };
    assert.deepEqual(onFront([better, { quality: unknown(0), price: unknown(2) }], 'higher'), [true, true]);
    const cheap = { quality: unknown(0), price: known(50, 8) };
    assert.deepEqual(
      onFront([{ quality: unknown(1), price: known(100, 8) }, cheap], 'higher'),
      [true, true],
      'it looks worse',
    );
    assert.deepEqual(onFront([{ quality: unknown(0), price: known(100, 8) }, cheap], 'higher'), [
      false,
      true,
    ]);
  });

  it('always contains a point', () => {
    const value = fc.tuple(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 0, max: 6 }));
    const some = fc.array(fc.record({ quality: value, price: value }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(some, (points) => {
        const all = points.map(({ quality, price }) => ({
          quality: known(...quality),
          price: known(...price),
        }));
        assert.ok(onFront(all, 'higher').includes(true));
      }),
      { numRuns: 2_000, examples: [[circle]] },
    );
  });

  it('contains all points that beat one another in a circle, but no point that one of these beats', () => {
    const all = circle.map(({ quality, price }) => ({ quality: known(...quality), price: known(...price) }));
    const last = { quality: known(-9, 0), price: known(9, 0) };
    assert.deepEqual(onFront([...all, last], 'higher'), [true, true, true, true, false]);
  });
});

describe('The ticks of an axis', () => {
  const value = fc
    .double({ noNaN: true, noDefaultInfinity: true, min: -1e12, max: 1e12 })
    .map((one) => (Math.abs(one) < 1e-9 ? 0 : one));
  /** Values of which some differ in their last digits only. */
  const near = fc
    .tuple(value, fc.double({ noNaN: true, min: -1e-6, max: 1e-6 }))
    .map(([one, by]) => [one, one * (1 + by)]);

  it('cover all values with few round numbers, in their order', () => {
    fc.assert(
      fc.property(fc.oneof(fc.array(value, { minLength: 1 }), near), (values) => {
        const ticks = niceTicks(values);
        const [first, last] = [ticks[0]!, ticks.at(-1)!];
        const slack = 1e-6 * (last - first);
        assert.ok(ticks.length >= 2 && ticks.length <= 12, `${ticks.length} ticks`);
        assert.ok(first <= Math.min(...values) + slack, `begin at ${first}`);
        assert.ok(last >= Math.max(...values) - slack, `end at ${last}`);
        const isRising = ticks.every((tick, at) => at === 0 || tick > ticks[at - 1]!);
        assert.ok(isRising, ticks.join());
      }),
      { examples: [[[-1.0000000000000003e-9, -1e-9]], [[999_999_999_999, 999_999_999_999.0001]]] },
    );
  });
});

const LABELS = ['en', 'de', 'fr'];
const outcomes = fc.array(fc.tuple(fc.constantFrom(...LABELS), fc.constantFrom(...LABELS, 7, null)), {
  minLength: 1,
  maxLength: 20,
});
const tableWith = (pairs: readonly (readonly [string, string | number | null])[]) =>
  tableOf({
    variations: variationsOf({ '/params/k': [1, 2] }),
    items: pairs.map(([expected], at) => rowOf(`${at}`, expected)),
    at: '/label',
    line: ({ item, variation }) =>
      variation === 1 && item === 0
        ? { state: 'failed', reason: 'down' }
        : {
            result: { label: pairs[item]![1] },
            cost: { amount: '0.002', currency: item === 1 ? 'EUR' : 'USD' },
            duration_ms: 100 + item,
          },
  });

describe('The confusion matrix', () => {
  it('counts in each cell as many rows as the table shows when it filters by that cell', () => {
    fc.assert(
      fc.property(outcomes, (pairs) => {
        const table = tableWith(pairs);
        for (const column of [0, 1]) {
          const { labels, counts } = confusionOf(table, column);
          for (const [row, expected] of labels.entries())
            for (const [at, got] of labels.entries()) {
              const query = { text: '', show: 'all' as const, fold: false, columns: [0, 1] };
              const { rows } = rowOrder(table, { ...query, pair: { column, expected, got } }, []);
              assert.equal(rows.length, counts[row]![at]);
            }
        }
      }),
      { numRuns: 30 },
    );
  });

  it('keeps the most frequent labels where there are too many to be read', () => {
    const many = Array.from({ length: 60 }, (_, at) => [`label ${at < 20 ? 0 : at}`, 'label 0'] as const);
    const { labels, counts, total } = confusionOf(tableWith(many), 0);
    assert.deepEqual([labels.length, total, labels.includes('label 0')], [20, 41, true]);
    assert.ok(counts.length === 20 && counts.every((row) => row.length === 20));
  });
});

describe('The figures of charts', () => {
  it('come from finished runs of one currency', async () => {
    const table = tableWith(['en en', 'de de', 'fr en'].map((one) => one.split(' ') as [string, string]));
    const metrics = [{ name: 'accuracy', tolerance: 0 }] as const;
    const { columns, currency, otherCurrencies } = figuresOf(table, metrics, await summarise(table, metrics));
    assert.deepEqual([currency, otherCurrencies], ['USD', 2]);
    assert.equal(
      columns.map(({ numbers, costs }) => `${numbers['/params/k']} ${costs?.count}`).join(),
      '1 2,2 1',
    );
    assert.equal(columns[0]!.times!.quantiles[2], 101);
    assert.equal(columns[0]!.metrics[0]!.value.toFixed(3), '0.667');
    assert.equal(columns[0]!.times!.low, undefined, 'three runs are too few for an interval');
  });

  it('come with the digits of the table, and with whether rows are alike', async () => {
    const table = tableOf({
      items: Array.from({ length: 20 }, (_, at) => rowOf(`${at}`, '0.5')),
      line: ({ item, variation }) => ({ result: 0.5 + (variation === 0 ? 0.0004 : item * 1e-5) }),
    });
    const metrics = [{ name: 'squared_error', tolerance: 0 }] as const;
    const { columns } = figuresOf(table, metrics, await summarise(table, metrics));
    const [alike, other] = columns.map((column) => column.metrics[0]!);
    assert.deepEqual([alike!.isAlike, other!.isAlike], [true, false]);
    for (const { value, digits } of [alike!, other!])
      assert.ok(Math.abs(Number(value.toFixed(digits)) / value - 1) < 0.01, `${digits} digits of ${value}`);
  });

  it('name the better direction, and take intervals and costs of the most frequent currency', async () => {
    const line = (amount: string, currency?: string) => ({
      ...{ result: 1, cost: { amount, ...(currency !== undefined && { currency }) } },
    });
    const metrics = [
      { name: 'absolute_error', tolerance: 0 },
      { name: 'accuracy', tolerance: 0 },
    ] as const;
    const figures = async (lines: readonly ReturnType<typeof line>[], more: object = {}) => {
      const table = tableOf({
        variations: [{ '/params/k': 3, '/params/size': 'small', ...more }],
        items: lines.map((_, at) => rowOf(`${at}`, at % 2)),
        line: ({ item }) => lines[item]!,
      });
      return figuresOf(table, metrics, await summarise(table, metrics));
    };
    const mixed = await figures([line('1', 'EUR'), line('2', 'USD'), line('4', 'USD'), line('8')]);
    assert.deepEqual(
      mixed.metrics.map(({ better }) => better),
      ['lower', 'higher'],
    );
    const [{ costs, times, numbers, metrics: own } = { metrics: [], numbers: {} }] = mixed.columns;
    assert.deepEqual([mixed.currency, costs?.count, costs?.quantiles[2], times], ['USD', 2, 3, undefined]);
    assert.deepEqual(numbers, { '/params/k': 3 });
    const { value, count, low: none } = own[1]!;
    assert.deepEqual([value, count, none], [0.5, 4, undefined], 'too few rows for an interval');
    const many = await figures(Array.from({ length: 20 }, () => line('1')));
    assert.deepEqual([many.currency, many.columns[0]!.costs!.count], [undefined, 20]);
    const { low = 1, high = 0 } = many.columns[0]!.metrics[1]!;
    assert.ok(low < 0.5 && high > 0.5);
  });
});
