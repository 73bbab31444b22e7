import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type Box, intersectionOverUnion, readBox } from '../../../src/experiments/metrics/boxes';
import { compareColumns, measureColumn } from '../../../src/experiments/metrics/columns';
import { wilsonInterval } from '../../../src/experiments/metrics/intervals';
import { confusionMatrix, macroF1 } from '../../../src/experiments/metrics/labels';
import { type MeasuredItem, type MetricName, measureItem } from '../../../src/experiments/metrics/metrics';
import { mean, quantile, standardDeviation } from '../../../src/experiments/metrics/statistics';
import { mcnemar } from '../../../src/experiments/metrics/tests';
import { root } from '../../support/paths';

interface Cases {
  labels: {
    expected: string[];
    got: string[];
    accuracy: number;
    macro_f1: number;
    labels: string[];
    counts: number[][];
  }[];
  numbers: {
    expected: number[];
    got: number[];
    absolute: number;
    squared: number;
    deviation: number;
    share: number;
    quantile: number;
  }[];
  proportions: { successes: number; count: number; low: number; high: number }[];
  discordant: { b: number; c: number; p: number }[];
}
const file = path.join(root, 'test/unit/experiments/fixtures/metrics.json');
const cases = JSON.parse(readFileSync(file, 'utf8')) as Cases;

const close = (got: number | undefined, wanted: number, what: unknown) =>
  assert.ok(
    got !== undefined && Math.abs(got - wanted) <= 1e-9 * Math.max(1, Math.abs(wanted)),
    `${got} is not ${wanted}: ${JSON.stringify(what)}`,
  );
const metric = (name: MetricName, tolerance = 0) => ({ name, tolerance });
const column = (expected: readonly (string | number)[], got: readonly (string | number)[]): MeasuredItem[] =>
  expected.map((wanted, index) => ({ item: String(index), expected: wanted, got: [got[index]!] }));

describe('The metrics of experiments', () => {
  it('match scikit-learn’s of labels, in 1,000 cases', async () => {
    for (const { expected, got, ...wanted } of cases.labels) {
      const items = column(expected, got);
      close((await measureColumn(metric('accuracy'), items)).measured?.value, wanted.accuracy, expected);
      close((await measureColumn(metric('macro_f1'), items)).measured?.value, wanted.macro_f1, expected);
      const pairs = expected.map((label, index) => ({ expected: label, got: got[index]! }));
      close(macroF1(pairs), wanted.macro_f1, expected);
      const { labels, counts } = confusionMatrix(pairs);
      assert.deepEqual({ labels, counts }, { labels: wanted.labels, counts: wanted.counts });
    }
  }).timeout(60_000);

  it('match scikit-learn’s and NumPy’s of numbers, in 1,000 cases', () => {
    for (const { expected, got, ...wanted } of cases.numbers) {
      const values = (name: MetricName) =>
        expected.map((number, index) => measureItem(metric(name), got[index], number)!);
      close(mean(values('absolute_error')), wanted.absolute, expected);
      close(mean(values('squared_error')), wanted.squared, expected);
      close(standardDeviation(got), wanted.deviation, got);
      close(
        quantile(
          got.toSorted((a, b) => a - b),
          wanted.share,
        ),
        wanted.quantile,
        got,
      );
    }
  });

  it('match the intervals and tests of statsmodels and SciPy, in 1,000 cases each', () => {
    for (const { successes, count, low, high } of cases.proportions) {
      const interval = wilsonInterval(successes, count);
      close(interval.low, Math.max(0, low), { successes, count });
      close(interval.high, Math.min(1, high), { successes, count });
    }
    for (const { b, c, p } of cases.discordant) close(mcnemar(b, c), p, { b, c });
  });

  it('let other work continue with ten thousand outcomes', async () => {
    const labels = Array.from({ length: 10_000 }, (_, index) => String(index % 7));
    let ended = false;
    const measuring = measureColumn(metric('edit_distance'), column(labels, labels.toReversed())).then(() => {
      ended = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    assert.ok(!ended, 'it goes on when others have had a turn');
    await measuring;
  }).timeout(120_000);

  it('tell a real difference from chance', async () => {
    const expected = Array.from({ length: 60 }, (_, index) => (index % 2 ? 'a' : 'b'));
    const wrong = (share: number) => expected.map((label, index) => (index % 10 < share ? 'c' : label));
    const compare = async (name: MetricName, first: string[], second: string[]) =>
      (await compareColumns(metric(name), column(expected, first), column(expected, second)))!;
    for (const name of ['accuracy', 'macro_f1'] as const) {
      assert.ok((await compare(name, wrong(1), wrong(5))).p < 0.01, name);
      assert.ok((await compare(name, wrong(1), wrong(5))).difference > 0.15, name);
      assert.equal((await compare(name, wrong(3), wrong(3))).p, 1, name);
      assert.equal((await compare(name, wrong(3), wrong(3))).difference, 0, name);
    }
  });

  it('measure an item once, however often it was repeated', async () => {
    const items: MeasuredItem[] = [
      { item: 'a', expected: 'x', got: ['x', 'y', 'x', 'y'] },
      { item: 'b', expected: 'x', got: ['x'] },
    ];
    const measured = (await measureColumn(metric('accuracy'), items)).measured!;
    assert.equal(measured.value, 0.75);
    assert.equal(measured.count, 2);
  });

  it('measure no error where one of both is no number, and count a missing label as wrong', async () => {
    assert.equal(measureItem(metric('absolute_error'), 'many', 3), undefined);
    assert.equal(measureItem(metric('absolute_error'), undefined, 3), undefined);
    assert.equal(measureItem(metric('absolute_error'), '2.5', '3'), 0.5);
    assert.equal((await measureColumn(metric('squared_error'), column([1], ['?']))).measured, undefined);
    assert.equal(measureItem(metric('accuracy'), undefined, 'x'), 0);
  });

  it('find boxes in the ways people write them, and their overlap', () => {
    const box: Box = [10, 20, 30, 60];
    for (const written of [
      [10, 20, 30, 60],
      { x1: 10, y1: 20, x2: 30, y2: 60 },
      { xmin: 10, ymin: 20, xmax: 30, ymax: 60 },
      { left: 10, top: 20, right: 30, bottom: 60 },
      { x: 10, y: 20, width: 20, height: 40 },
      { left: 10, top: 20, width: 20, height: 40 },
    ])
      assert.deepEqual(readBox(written), box);
    for (const none of [[1, 2, 3], { x: 1 }, 'box', null, ['1', '2', '3', '4']])
      assert.equal(readBox(none), undefined);
    assert.equal(intersectionOverUnion(box, box), 1);
    assert.equal(intersectionOverUnion([0, 0, 2, 2], [1, 1, 3, 3]), 1 / 7);
    assert.equal(intersectionOverUnion([0, 0, 1, 1], [2, 2, 3, 3]), 0);
  });
});

describe('The figure of a column', () => {
  it('counts an input once, however often it is repeated', async () => {
    const items: MeasuredItem[] = [
      { item: 'x', expected: 'a', got: ['a', 'b'] },
      { item: 'y', expected: 'b', got: ['b'] },
    ];
    // Of a: 2 · 0.5 / (1 + 0.5); of b: 2 · 1 / (1 + 1.5).
    const { measured } = await measureColumn(metric('macro_f1'), items);
    assert.ok(Math.abs(measured!.value - (2 / 3 + 4 / 5) / 2) < 1e-12, `${measured?.value}`);
    assert.equal(measured?.count, 2);
  });

  it('limits its interval to possible values of the metric', async () => {
    const overlaps = [...Array<number>(14).fill(1), 0.9, 0.8, 0.7, 0.6, 0.5, 0.05];
    const items = overlaps.map((share, at): MeasuredItem => {
      return { item: String(at), expected: [0, 0, 1, 1], got: [[0, 0, 1, share]], isText: false };
    });
    const { measured } = await measureColumn(metric('iou'), items);
    const { interval } = measured!;
    assert.ok(typeof interval === 'object' && interval.high <= 1 && interval.high > measured!.value);
    const grades = [...Array<number>(14).fill(5), 4, 4, 4, 4, 4, 1].map(
      (got, at): MeasuredItem => ({ item: String(at), expected: undefined, got: [got] }),
    );
    const judged = await measureColumn({ name: 'score', tolerance: 0 }, grades);
    assert.ok(typeof judged.measured?.interval === 'object' && judged.measured.interval.high <= 5);
  });
});

describe('The edit distance', () => {
  it('measures texts up to 5,000 characters, and no longer ones', () => {
    const of = (length: number) =>
      measureItem(metric('edit_distance'), 'a'.repeat(length), 'b'.repeat(length));
    assert.equal(of(5_000), 5_000);
    assert.equal(of(5_001), undefined);
    const [short, long] = ['a', 'b'.repeat(5_001)] as const;
    assert.equal(measureItem(metric('edit_distance'), short, long), undefined);
    assert.equal(measureItem(metric('edit_distance'), long, short), undefined);
  });
});
