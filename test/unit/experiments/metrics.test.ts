import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Json } from '../../../src/domain/json';
import { compareColumns, measureColumn } from '../../../src/experiments/metrics/columns';
import { wilsonInterval } from '../../../src/experiments/metrics/intervals';
import { confusionMatrix } from '../../../src/experiments/metrics/labels';
import { type MeasuredItem, type MetricName, measureItem } from '../../../src/experiments/metrics/metrics';
import { mean, quantile, standardDeviation } from '../../../src/experiments/metrics/statistics';
import { mcnemar } from '../../../src/experiments/metrics/tests';
import { root } from '../../support/paths';

interface Labels extends Record<'accuracy' | 'macro_f1', number> {
  labels: string[];
  counts: number[][];
}
type Numbers = Record<'absolute' | 'squared' | 'deviation' | 'share' | 'quantile', number>;
interface Cases {
  labels: (Labels & { expected: string[]; got: string[] })[];
  numbers: (Numbers & { expected: number[]; got: number[] })[];
  proportions: Record<'successes' | 'count' | 'low' | 'high', number>[];
  discordant: Record<'b' | 'c' | 'p', number>[];
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

describe('Sets of labels', () => {
  const rows: readonly (readonly [string[], string[]])[] = [
    [['a', 'b'], ['a']],
    [['a'], ['a', 'c']],
    [
      ['b', 'c'],
      ['c', 'b'],
    ],
  ];
  const items = (isText: boolean) =>
    rows.map(([expected, own], at) => ({
      item: `${at}`,
      expected: isText ? JSON.stringify(expected) : expected,
      got: [own],
      isText,
    }));

  it('match the figures of scikit-learn, from JSON and from text of a table', async () => {
    // f1_score(average="micro"), f1_score(average="macro"), jaccard_score(average="samples"), accuracy_score
    const wanted = { micro_f1: 0.8, macro_f1: 7 / 9, jaccard: 2 / 3, accuracy: 1 / 3 } as const;
    for (const isText of [true, false])
      for (const [name, value] of Object.entries(wanted) as [keyof typeof wanted, number][]) {
        const { measured, fault } = await measureColumn({ name, tolerance: 0 }, items(isText));
        assert.equal(fault, undefined, name);
        assert.ok(Math.abs(measured!.value - value) < 1e-9, `${name} ${measured!.value}`);
      }
  });

  it('count labels that are never expected against micro F1', async () => {
    const strange = items(false).map((item) => ({ ...item, got: [[...item.got[0]!, 'z']] }));
    for (const [name, value] of [
      ['micro_f1', 8 / 13],
      ['macro_f1', 7 / 9],
    ] as const) {
      const { measured } = await measureColumn({ name, tolerance: 0 }, strange);
      assert.ok(Math.abs(measured!.value - value) < 1e-9, `${name} ${measured!.value}`);
    }
  });

  it('differ between columns by an exact test', async () => {
    const none = items(false).map((item) => ({ ...item, got: [['z']] }));
    const compared = await compareColumns({ name: 'micro_f1', tolerance: 0 }, items(false), none);
    assert.deepEqual([compared!.difference.toFixed(9), compared!.p], ['0.800000000', 0.25]);
  });
});

describe('The pairs of a judge', () => {
  const metric = {
    name: 'better',
    judge: { kind: 'pairwise', first: 'A', second: 'B', tie: 'tie', baseline: {} },
  } as const;
  const rows = (won: number, lost: number, tied: number, contradicted: number) =>
    [...Array(won + lost + tied + contradicted).keys()].map((at) => ({
      item: `${at}`,
      expected: undefined,
      got: [at < won ? 1 : at < won + lost ? 0 : 0.5],
      contradicted: Number(at >= won + lost + tied),
    }));

  it('count separately as wins, losses, ties and contradictions, with the exact sign test', async () => {
    // scipy.stats.binomtest(20, 25).pvalue is 0.004077315330505371
    const cases = [
      [[30, 0, 0, 0], 2 * 0.5 ** 30],
      [[5, 0, 0, 0], 0.0625],
      [[20, 5, 3, 2], 0.004077315330505371],
      [[0, 0, 0, 30], 1],
    ] as const;
    for (const [[won, lost, tied, contradicted], p] of cases) {
      const { measured } = await measureColumn(metric, rows(won, lost, tied, contradicted));
      const { p: own, ...counts } = measured!.pairs!;
      assert.deepEqual(counts, { won, lost, tied, contradicted });
      assert.ok(Math.abs(own - p) < 1e-9, `${own}`);
    }
  });
});

describe('The metrics of experiments', () => {
  it('match scikit-learn’s of labels, in 1,000 cases', async () => {
    for (const { expected, got, ...wanted } of cases.labels) {
      const items = column(expected, got);
      close((await measureColumn(metric('accuracy'), items)).measured?.value, wanted.accuracy, expected);
      close((await measureColumn(metric('macro_f1'), items)).measured?.value, wanted.macro_f1, expected);
      const pairs = expected.map((label, index) => ({ expected: label, got: got[index]! }));
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

  it('let other work continue with a thousand outcomes', async () => {
    const labels = Array.from({ length: 1_000 }, (_, index) => String(index % 7));
    let ended = false;
    const measuring = measureColumn(metric('edit_distance'), column(labels, labels.toReversed())).then(() => {
      ended = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    assert.ok(!ended, 'it goes on when others have had a turn');
    await measuring;
  }).timeout(120_000);
});

describe('The figure of a column', () => {
  it('limits its interval to possible values of the metric', async () => {
    const overlaps = [...Array<number>(14).fill(1), 0.95, 0.9, 0.85, 0.8, 0.75, 0.7, 0.65, 0.6, 0.5, 0.05];
    const items = overlaps.map((share, at): MeasuredItem => {
      return { item: String(at), expected: [0, 0, 1, 1], got: [[0, 0, 1, share]], isText: false };
    });
    const { measured } = await measureColumn(metric('iou'), items);
    const { interval } = measured!;
    assert.ok(typeof interval === 'object' && interval.high <= 1 && interval.high > measured!.value);
    const grades = [...Array<number>(14).fill(5), ...Array<number>(9).fill(4), 1].map(
      (got, at): MeasuredItem => ({ item: String(at), expected: undefined, got: [got] }),
    );
    const judged = await measureColumn({ name: 'score', tolerance: 0 }, grades);
    const { value, interval: ofGrades } = judged.measured!;
    assert.ok(typeof ofGrades === 'object' && value < ofGrades.high && ofGrades.high <= 5);
  });
});

describe('The metric of a row', () => {
  it('equals its definition', async () => {
    for (const [name, got, expected, wanted] of [
      ['contains', 'a cat', 'cat', 1],
      ['contains', ['a', 'b', 'c'], ['a', 'c'], 1],
      ['contains', ['a', 'b'], ['a', 'c'], 0],
      ['contains', { a: 1, b: 2 }, { a: 1 }, 1],
      ['contains', { a: 1 }, { a: 1, b: 2 }, 0],
      // C.-Y. Lin, "ROUGE", 2004, section 3.1.
      ['rouge_l', 'police kill the gunman', 'police killed the gunman', 0.75],
      ['rouge_l', 'the gunman kill police', 'police killed the gunman', 0.5],
      ['rouge_l', 'the the the', 'the', 0.5],
      ['json_equal', { a: [1.05] }, { a: [1] }, 1],
      ['json_equal', { a: [1.2] }, { a: [1] }, 0],
    ] as const)
      assert.equal(
        measureItem(metric(name, 0.1), got as Json, expected as Json, false),
        wanted,
        `${name} ${got}`,
      );
    const { blank, measured } = await measureColumn(metric('accuracy'), column([' ', 'a'], ['x', 'a']));
    assert.deepEqual([blank, measured?.count], [1, 1], 'white space expects nothing');
  });
});

describe('The similarity of texts', () => {
  it('counts a result without a text as wrong, as one without the compared part', () => {
    for (const name of ['similarity', 'rouge_l'] as const) {
      for (const got of [undefined, null, ['text'], { text: 'text' }])
        assert.equal(measureItem(metric(name), got, 'text'), 0, JSON.stringify(got));
      assert.equal(measureItem(metric(name), 'text', 'text'), 1);
      assert.equal(
        measureItem(metric(name), 'a'.repeat(5_001), 'text'),
        undefined,
        'too long to be compared',
      );
    }
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
