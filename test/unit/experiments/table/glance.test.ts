import assert from 'node:assert/strict';
import type { ColumnSummary } from '../../../../src/experiments/figures/summary';
import type { ColumnFigure } from '../../../../src/experiments/metrics/columns';
import type { Sign } from '../../../../src/experiments/metrics/decision';
import type { Metric } from '../../../../src/experiments/metrics/metrics';
import type { CorrectedComparison } from '../../../../src/experiments/table/figureTexts';
import { type GlanceOptions, glanceRows } from '../../../../src/experiments/table/glance';
import type { GlanceRow } from '../../../../src/protocol/experimentFigures';

const columnOf = (more: Partial<ColumnSummary>): ColumnSummary => ({
  ...{ variation: {}, finished: 9, failed: 0, unconfirmed: 0, missing: 0, metrics: [] },
  ...{ cost: [], unpriced: 0, shared: 0, timed: 0 },
  ...more,
});
const figureOf = (
  value: number,
  { count = 9, ...more }: Partial<NonNullable<ColumnFigure['measured']>> = {},
): ColumnFigure => ({
  measured: { value, count, different: count, interval: 'tooFew', failed: 0, ...more },
  ...{ items: 9, blank: 0, unreadable: 0 },
});
const comparisonOf = (
  difference: number,
  sign: Sign,
  interval: CorrectedComparison['interval'] = 'tooFew',
): CorrectedComparison => ({
  ...{ difference, corrected: 0.01, first: 0.5 + difference, second: 0.5, p: 0.01, together: 1 },
  ...{ count: 40, different: 40, isOfAllItems: true, interval, sign },
});

const rowsOf = (columns: readonly ColumnSummary[], more: Partial<GlanceOptions> = {}) =>
  glanceRows(
    { columns },
    {
      ...{
        metrics: [],
        comparisons: [],
        unbeaten: [],
        placeOf: () => '',
        shown: [...columns.keys()],
        locale: 'en',
      },
      ...more,
    },
  );
const cellsOf = (rows: readonly GlanceRow[], kind: GlanceRow['kind']) =>
  rows.find((row) => row.kind === kind)?.cells;
/** "text (note) ★": of each cell. */
const shortOf = (rows: readonly GlanceRow[], kind: GlanceRow['kind']) =>
  cellsOf(rows, kind)?.map((cell) => {
    if (!cell) return undefined;
    const { text, note, isBest } = cell;
    return [text, ...(note === undefined ? [] : [`(${note})`]), ...(isBest ? ['★'] : [])].join(' ');
  });

describe('The figures of a metric at a glance', () => {
  const accuracy: Metric = { name: 'accuracy', tolerance: 0 };
  const distance: Metric = { name: 'edit_distance', tolerance: 0 };
  const oneMetric = (metric: Metric, figures: readonly ColumnFigure[], more: Partial<GlanceOptions> = {}) =>
    rowsOf(
      figures.map((figure) => columnOf({ metrics: [figure] })),
      { metrics: [metric], ...more },
    );

  it('name the rows that differ, where some share runs', () => {
    const [cell] = cellsOf(
      rowsOf([columnOf({ metrics: [figureOf(0.5, { different: 7 })] })], { metrics: [accuracy] }),
      'metric',
    )!;
    assert.deepEqual([cell!.note, cell!.different], ['n 9', '7 different']);
    assert.match(cell!.words[0]!, /9 rows \(7 different\)/);
    const [all] = cellsOf(
      rowsOf([columnOf({ metrics: [figureOf(0.5)] })], { metrics: [accuracy] }),
      'metric',
    )!;
    assert.equal(all!.different, undefined);
  });

  it('share digits and a scale in all shown columns, and name the rows left out', () => {
    const interval = { low: 2, high: 8 };
    const figures = [figureOf(4, { interval }), figureOf(0.00125, { count: 7 }), figureOf(16)];
    const rows = oneMetric(distance, figures);
    assert.deepEqual(shortOf(rows, 'metric'), ['4.00000 (n 9)', '0.00125 (n 7 of 9)', '16.00000 (n 9)']);
    assert.deepEqual(cellsOf(rows, 'metric')![0]!.interval, {
      ...{ text: '2.00000 to 8.00000', low: 0.125, high: 0.5, at: 0.25 },
    });
    const few = oneMetric(distance, figures, { shown: [0, 2] });
    assert.deepEqual(shortOf(few, 'metric')![0], '4.000 (n 9)');
    const wide = oneMetric(distance, [figureOf(4, { interval: { low: 0, high: 20 } })]);
    assert.equal(cellsOf(wide, 'metric')![0]!.interval!.at, 0.2, 'up to the end of the widest interval');
    const share = oneMetric(accuracy, [figureOf(0.5, { interval: { low: 0.25, high: 0.75 } })]);
    assert.equal(cellsOf(share, 'metric')![0]!.interval!.high, 0.75, 'shares have a scale up to 1');
  });

  it('mark every column that none beats', () => {
    const figures = [0.5, 0.75, 0.7].map((value) => figureOf(value));
    assert.deepEqual(shortOf(oneMetric(accuracy, figures, { unbeaten: [[1, 2]] }), 'metric'), [
      '0.500 (n 9)',
      '0.750 (n 9) ★',
      '0.700 (n 9) ★',
    ]);
    assert.doesNotMatch(shortOf(oneMetric(accuracy, figures), 'metric')!.join(), /★/);
  });

  it('show a column without a figure as a fault, or not at all', () => {
    const counts = { items: 9, blank: 0, unreadable: 0 };
    const fault = { ...counts, fault: { kind: 'missing', results: 9 } } as const;
    for (const metric of [accuracy, distance])
      assert.deepEqual(shortOf(oneMetric(metric, [fault, figureOf(1), counts, figureOf(1)]), 'metric'), [
        '–',
        '1.000 (n 9)',
        undefined,
        '1.000 (n 9)',
      ]);
    assert.equal(cellsOf(oneMetric(accuracy, [counts]), 'metric'), undefined, 'a row without any figure');
  });

  it('show the sign of a difference with a word, and its interval around no difference', () => {
    const difference = (comparison: CorrectedComparison) =>
      cellsOf(
        oneMetric(accuracy, [figureOf(0.5, { count: 40 }), figureOf(0.5, { count: 60 })], {
          comparisons: [[], [comparison]],
        }),
        'metric',
      )![1]!.difference!;
    const interval = { low: -0.25, high: 0.5 };
    assert.deepEqual(difference({ ...comparisonOf(0.25, 'unknown', interval), moreRows: 240 }), {
      ...{
        sign: 'unknown',
        text: '+0.250',
        word: 'cannot tell yet, about 240 more rows',
        note: 'on 40 rows',
      },
      interval: { text: '−0.250 to +0.500', low: 0.25, high: 1, at: 0.75, even: 0.5 },
    });
    assert.deepEqual(difference(comparisonOf(-0.25, 'worse')), {
      ...{ sign: 'worse', text: '−0.250', word: 'worse', note: 'on 40 rows' },
    });
    assert.equal(difference(comparisonOf(0, 'alike', { low: -0.01, high: 0.01 })).word, 'alike');
  });
});

describe('The runs, costs and times of columns at a glance', () => {
  it('count finished runs where a shown column lacks some, and say why', () => {
    const columns = [
      columnOf({}),
      columnOf({ finished: 1_000, failed: 1, unconfirmed: 2, missing: 3 }),
      columnOf({ finished: 5, missing: 4 }),
    ];
    const ended = new Map([[2, 'It is worse.']]);
    const rows = rowsOf(columns, { ended });
    assert.deepEqual(shortOf(rows, 'runs'), [
      '9 of 9',
      '1,000 of 1,006 (2 unconfirmed)',
      '5 of 9 (ended early)',
    ]);
    assert.deepEqual(
      cellsOf(rows, 'runs')!.map((cell) => cell!.words),
      [[], ['3 not run', '2 unconfirmed'], ['It is worse.', '4 not run']],
    );
    assert.equal(cellsOf(rowsOf(columns, { shown: [0] }), 'runs'), undefined);
    assert.ok(cellsOf(rowsOf([columnOf({ unconfirmed: 1 })]), 'runs'));
  });

  it('count failed runs, and say whether they count as wrong', () => {
    const wrong = [figureOf(0.5, { failed: 1 })];
    const columns = [
      columnOf({}),
      columnOf({ failed: 1, metrics: wrong }),
      columnOf({ failed: 2, metrics: wrong }),
      columnOf({ failed: 1, metrics: [figureOf(0.5)] }),
      columnOf({ failed: 2 }),
    ];
    const rows = rowsOf(columns);
    assert.deepEqual(shortOf(rows, 'failed'), ['0', '1 (counts as wrong)', '2 (count as wrong)', '1', '2']);
    assert.deepEqual(
      cellsOf(rows, 'failed')!.flatMap((cell) => cell!.words),
      [...['1 failed run counts as wrong', '2 failed runs count as wrong', '1 run failed', '2 runs failed']],
    );
  });

  it('mark the cheapest column where all costs are known, in one currency', () => {
    const usd = (amount: string, more: Partial<ColumnSummary> = {}) =>
      columnOf({ cost: [{ amount, currency: 'USD' }], ...more });
    const costs = (...columns: readonly ColumnSummary[]) => shortOf(rowsOf(columns), 'cost');
    assert.deepEqual(costs(usd('10'), usd('9.50')), ['$10.00', '$9.50 ★']);
    assert.deepEqual(costs(usd('10'), usd('9', { unpriced: 2 })), ['$10.00', '$9.00 (2 without)']);
    assert.deepEqual(costs(usd('10'), usd('9', { missing: 1 })), ['$10.00', '$9.00 (9 of 10)']);
    assert.deepEqual(costs(usd('10'), columnOf({ cost: [{ amount: '9', currency: 'EUR' }] })), [
      '$10.00',
      '€9.00',
    ]);
    assert.deepEqual(costs(usd('10'), columnOf({})), ['$10.00', undefined]);
    assert.equal(costs(columnOf({}), columnOf({})), undefined);
    const hidden = [usd('10'), usd('9'), columnOf({}), usd('1')];
    assert.deepEqual(shortOf(rowsOf(hidden, { shown: [0, 1] }), 'cost')!.slice(0, 2), ['$10.00', '$9.00 ★']);
    const both = columnOf({ cost: ['USD', 'EUR'].map((currency) => ({ amount: '1', currency })) });
    assert.doesNotMatch(costs(usd('10'), both)!.join(), /★/);
  });

  it('mark the columns that are not slower, where intervals are apart and runs were interleaved', () => {
    const timed = (low: number, high: number, began: readonly [number, number, number]) =>
      columnOf({
        median: (low + high) / 2,
        percentile95: 1_500,
        timed: 60,
        medianInterval: { low, high },
        began,
      });
    const both = [0, 50, 100] as const;
    const marked = (...columns: readonly ColumnSummary[]) =>
      cellsOf(rowsOf(columns), 'time')!.flatMap((cell, at) => (cell?.isBest ? [at] : []));
    assert.deepEqual(marked(timed(100, 140, both), timed(200, 260, both), timed(120, 150, both)), [0, 2]);
    assert.deepEqual(marked(timed(100, 140, both), timed(130, 260, both)), [], 'intervals overlap');
    assert.deepEqual(marked(timed(100, 140, both), timed(200, 260, [200, 250, 300])), [], 'another time');
    const few = columnOf({ median: 42, percentile95: 44, timed: 2 });
    assert.deepEqual(marked(few, timed(51, 60, both)), [], 'too few to have an interval');
    assert.deepEqual(shortOf(rowsOf([few]), 'time'), ['42 ms (n 2)']);
    assert.deepEqual(cellsOf(rowsOf([few]), 'time')![0]!.words, ['median 42 ms, all within 44 ms, n 2']);
  });

  it('say of how many runs they are, where some are missing', () => {
    const part = { finished: 9, failed: 1, missing: 50, median: 42, percentile95: 44, timed: 9 };
    const rows = rowsOf([columnOf({ ...part, cost: [{ amount: '1', currency: 'USD' }] }), columnOf({})]);
    assert.deepEqual(
      ['failed', 'cost', 'time'].map((kind) => shortOf(rows, kind as GlanceRow['kind'])![0]),
      ['1 (10 of 60)', '$1.00 (10 of 60)', '42 ms (10 of 60, n 9)'],
    );
  });
});
