import assert from 'node:assert/strict';
import type { ColumnFigure } from '../../../../src/experiments/metrics/columns';
import type { Metric } from '../../../../src/experiments/metrics/metrics';
import type { ColumnSummary } from '../../../../src/experiments/summary';
import type { CorrectedComparison } from '../../../../src/experiments/table/figureTexts';
import { type GlanceOptions, type GlanceRow, glanceRows } from '../../../../src/experiments/table/glance';

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
const comparisonOf = (difference: number, corrected: number): CorrectedComparison => ({
  ...{ difference, corrected, first: 0.5 + difference, second: 0.5, p: corrected, together: 1 },
  ...{ test: 'permutation', count: 40, different: 40, isOfAllItems: true },
});

const rowsOf = (columns: readonly ColumnSummary[], more: Partial<GlanceOptions> = {}) =>
  glanceRows(
    { columns },
    {
      ...{ metrics: [], comparisons: [], placeOf: () => '', shown: [...columns.keys()], locale: 'en' },
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
    assert.deepEqual(shortOf(rows, 'metric'), ['4.00000 (n 9)', '0.00125 (n 7 of 9) ★', '16.00000 (n 9)']);
    assert.deepEqual(cellsOf(rows, 'metric')![0]!.interval, {
      ...{ text: '2.00000 to 8.00000', low: 0.125, high: 0.5, at: 0.25 },
    });
    const few = oneMetric(distance, figures, { shown: [0, 2] });
    assert.deepEqual(shortOf(few, 'metric')![0], '4.000 (n 9) ★');
    const wide = oneMetric(distance, [figureOf(4, { interval: { low: 0, high: 20 } })]);
    assert.equal(cellsOf(wide, 'metric')![0]!.interval!.at, 0.2, 'up to the end of the widest interval');
    const share = oneMetric(accuracy, [figureOf(0.5, { interval: { low: 0.25, high: 0.75 } })]);
    assert.equal(cellsOf(share, 'metric')![0]!.interval!.high, 0.75, 'shares have a scale up to 1');
  });

  it('mark the best column, unless all are alike or only one is shown', () => {
    const best = (metric: Metric, values: readonly number[], shown?: readonly number[]) =>
      cellsOf(
        oneMetric(
          metric,
          values.map((value) => figureOf(value)),
          shown && { shown },
        ),
        'metric',
      )!.flatMap((cell, at) => (cell!.isBest ? [at] : []));
    assert.deepEqual(best(accuracy, [0.5, 0.75, 0.75]), [1, 2]);
    assert.deepEqual(best(distance, [0.5, 0.75, 0.25]), [2]);
    assert.deepEqual(best(accuracy, [0.5, 0.75, 1], [0, 1]), [1]);
    assert.deepEqual(best(accuracy, [0.5, 0.5]), []);
    assert.deepEqual(best(accuracy, [0.5, 0.75], [1]), []);
  });

  it('show a column without a figure as a fault, or not at all, and never as the best', () => {
    const counts = { items: 9, blank: 0, unreadable: 0 };
    const fault = { ...counts, fault: { kind: 'missing', results: 9 } } as const;
    for (const metric of [accuracy, distance])
      assert.deepEqual(shortOf(oneMetric(metric, [fault, figureOf(1), counts, figureOf(1)]), 'metric'), [
        '–',
        '1.000 (n 9) ★',
        undefined,
        '1.000 (n 9) ★',
      ]);
    assert.equal(cellsOf(oneMetric(accuracy, [counts]), 'metric'), undefined, 'a row without any figure');
  });

  it('say whether a difference is better, where it is unlikely to be chance', () => {
    const difference = (metric: Metric, by: number, corrected: number) =>
      cellsOf(
        oneMetric(metric, [figureOf(0.5), figureOf(0.5 + by)], {
          comparisons: [[], [comparisonOf(by, corrected)]],
        }),
        'metric',
      )![1]!.difference;
    assert.deepEqual(difference(accuracy, 0.25, 0.049), { mark: 'up', text: '+0.250', isBetter: true });
    assert.deepEqual(difference(accuracy, -0.25, 0.01), { mark: 'down', text: '−0.250', isBetter: false });
    assert.deepEqual(difference(distance, 0.25, 0.01), { mark: 'up', text: '+0.250', isBetter: false });
    assert.deepEqual(difference(distance, -0.25, 0.01), { mark: 'down', text: '−0.250', isBetter: true });
    assert.deepEqual(difference(accuracy, 0.25, 0.05), { mark: 'alike', text: '+0.250' });
    assert.deepEqual(difference(accuracy, 0, 0), { mark: 'alike', text: '±0.000' });
  });

  it('repeat as sentences, with failed runs that count as wrong', () => {
    const figures = [figureOf(0.5), figureOf(0.75, { failed: 1 })];
    const rows = oneMetric(accuracy, figures, { comparisons: [[], [comparisonOf(0.25, 0.01)]] });
    assert.deepEqual(
      cellsOf(rows, 'metric')!.map((cell) => cell!.words),
      [
        ['accuracy 0.500, 9 rows (too few rows to tell how exact)'],
        [
          'accuracy 0.750, 9 rows (too few rows to tell how exact)',
          'accuracy +0.250, 40 rows: unlikely to be chance (p = 0.010)',
          '1 failed run counts as wrong',
        ],
      ],
    );
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
    assert.deepEqual(costs(usd('10'), usd('9', { missing: 1 })), ['$10.00', '$9.00']);
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

  it('mark the fastest column', () => {
    const rows = rowsOf([
      columnOf({ median: 300, percentile95: 900, timed: 40 }),
      columnOf({ median: 120, percentile95: 1_500, timed: 60 }),
      columnOf({}),
    ]);
    assert.deepEqual(shortOf(rows, 'time'), ['300 ms (n 40)', '120 ms (n 60) ★', undefined]);
    assert.deepEqual(cellsOf(rows, 'time')![1]!.words, ['median 120 ms, 95% within 1.5 s, n 60']);
  });
});
