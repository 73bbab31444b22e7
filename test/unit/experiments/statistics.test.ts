import assert from 'node:assert/strict';
import fc from 'fast-check';
import { compareColumns, measureColumn } from '../../../src/experiments/metrics/columns';
import {
  jackknifeInterval,
  meanInterval,
  medianInterval,
  pairedShareInterval,
} from '../../../src/experiments/metrics/intervals';
import type { MeasuredItem } from '../../../src/experiments/metrics/metrics';
import { mean, tQuantile } from '../../../src/experiments/metrics/statistics';
import { holm, mcnemar, signFlipTest } from '../../../src/experiments/metrics/tests';

const number = fc.integer({ min: -40, max: 40 }).map((value) => value / 8);

/** Each row by itself. */
const singly = (values: readonly number[]) => values.map((value) => [value]);

/** All ways to exchange the signs, one by one. */
function bruteForce(differences: readonly number[]): number {
  const sums = differences.reduce((all, value) => all.flatMap((sum) => [sum + value, sum - value]), [0]);
  const observed = Math.abs(sums[0]!);
  return sums.filter((sum) => Math.abs(sum) >= observed - 1e-9).length / sums.length;
}

describe('The test of a paired difference', () => {
  it('counts all assignments of signs, and never returns less than that few rows allow', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(number, { minLength: 1, maxLength: 10 }), async (differences) => {
        const p = await signFlipTest(differences);
        assert.ok(Math.abs(p - bruteForce(differences)) < 1e-12);
        assert.ok(p >= Math.min(1, 2 ** (1 - differences.length)) - 1e-12);
      }),
    );
  });

  it('returns the values of SciPy', async () => {
    assert.equal(await signFlipTest([1.5, -2, 0.5, 3, 1, -0.2]), 0.4375);
    assert.equal(await signFlipTest([0.1, 0.2, 0.3]), 0.25);
    assert.equal(await signFlipTest([1, 2, 3, 4, 5, 6, 7, -8]), 0.1953125);
    const quantiles = { 1: 12.706204736432095, 2: 4.302652729911275, 3: 3.182446305284263 };
    const more = { 10: 2.2281388519649385, 99: 1.9842169515086827, 9999: 1.9602012636213575 };
    for (const [freedom, quantile] of Object.entries({ ...quantiles, ...more }))
      assert.ok(Math.abs(tQuantile(Number(freedom)) - quantile) < 1e-9, freedom);
  });

  it('equals McNemar’s for rows that are right or wrong', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(12), fc.nat(12), async (first, second) => {
        const signs = [...Array<number>(first).fill(1), ...Array<number>(second).fill(-1)];
        const [exact, flipped] = [mcnemar(first, second), await signFlipTest(signs)];
        // Beyond 20 rows a sample of assignments is drawn.
        assert.ok(Math.abs(exact - flipped) < (first + second <= 20 ? 1e-9 : 0.03), `${first} ${second}`);
      }),
      { numRuns: 40 },
    );
  });

  it('finds nothing in errors that are infinite', async () => {
    const column = (errors: readonly number[]) =>
      errors.map((got, at): MeasuredItem => ({ item: `${at}`, expected: 0, got: [got], isText: false }));
    const finite = column(Array<number>(20).fill(2));
    const one = column([1e200, ...Array<number>(19).fill(1)]);
    const metric = { name: 'squared_error', tolerance: 0 } as const;
    for (const [first, second, difference] of [
      [one, finite, Infinity],
      [finite, one, -Infinity],
      [one, column([1e200, ...Array<number>(19).fill(2)]), 0],
    ] as const) {
      const compared = (await compareColumns(metric, first, second))!;
      assert.deepEqual([compared.p, compared.difference], [1, difference]);
    }
  });

  it('samples the assignments of many rows, the same each time', async () => {
    const differences = Array.from({ length: 60 }, (_, at) => Math.sin(at) + 0.4);
    const p = await signFlipTest(differences);
    assert.equal(await signFlipTest(differences), p);
    assert.ok(p < 0.002 && p >= 1 / 5000);
  });
});

describe('The difference of two columns', () => {
  it('equals 0 when only the rounding of sums differs', async () => {
    const labels = ['a', 'b', 'c'];
    const column = (turn: number): MeasuredItem[] =>
      Array.from({ length: 99 }, (_, at) => {
        const expected = labels[at % 3]!;
        return { item: String(at), expected, got: [at % 33 === turn ? labels[(at + 1) % 3] : expected] };
      });
    const compared = await compareColumns({ name: 'macro_f1', tolerance: 0 }, column(1), column(2));
    assert.equal(compared?.difference, 0);
  });
});

describe('The interval of a difference', () => {
  const close = (interval: unknown, low: number, high: number) => {
    const ends = interval as { readonly low: number; readonly high: number };
    assert.ok(Math.abs(ends.low - low) < 5e-4 && Math.abs(ends.high - high) < 5e-4, JSON.stringify(ends));
  };

  it('matches the published one of shares by Newcombe’s method', () => {
    // Fagerland, Lydersen, Laake, "Recommended tests and confidence intervals for paired binomial proportions", 2014.
    const airways = pairedShareInterval({ both: 1, onlyFirst: 1, onlySecond: 7, neither: 12 });
    close(airways, -0.507, -0.026);
  });

  it('changes its sign with the order of the columns for shares, and holds the difference', () => {
    const count = fc.integer({ min: 0, max: 30 });
    fc.assert(
      fc.property(count, count, count, count, (both, onlyFirst, onlySecond, neither) => {
        const rows = both + onlyFirst + onlySecond + neither;
        const interval = pairedShareInterval({ both, onlyFirst, onlySecond, neither });
        const turned = pairedShareInterval({ both, onlyFirst: onlySecond, onlySecond: onlyFirst, neither });
        if (typeof interval === 'string' || typeof turned === 'string') return assert.ok(rows < 5);
        const difference = (onlyFirst - onlySecond) / rows;
        const { low, high } = interval;
        assert.ok(-1 <= low && low <= difference && difference <= high && high <= 1);
        assert.ok(Math.abs(low + turned.high) < 1e-12 && Math.abs(high + turned.low) < 1e-12);
      }),
    );
  });

  it('counts rows that share a run as one', async () => {
    const column = (right: number, shared: boolean): MeasuredItem[] =>
      Array.from({ length: 40 }, (_, at) => ({
        ...{ item: String(at), expected: 'yes', got: [at < right ? 'yes' : 'no'] },
        ...(shared && { runs: [`${right} ${Math.floor(at / 2)}`] }),
      }));
    const accuracy = { name: 'accuracy', tolerance: 0 } as const;
    const widthOf = async (shared: boolean) => {
      const { interval } = (await compareColumns(accuracy, column(30, shared), column(20, shared)))!;
      return typeof interval === 'string' ? 0 : interval.high - interval.low;
    };
    assert.ok((await widthOf(true)) > 1.2 * (await widthOf(false)));
  });
});

describe('A correction for several tests', () => {
  it('returns Holm’s values, in the order of the tests', () => {
    const corrected = holm([0.01, 0.04, 0.03, 0.005]);
    for (const [at, wanted] of [0.03, 0.06, 0.06, 0.02].entries())
      assert.ok(Math.abs(corrected[at]! - wanted) < 1e-12);
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true })), (values) => {
        const all = holm(values);
        for (const [at, p] of values.entries()) assert.ok(all[at]! >= p && all[at]! <= 1);
      }),
    );
  });
});

describe('The interval of a figure', () => {
  it('holds its own estimate, has a width, and stays in its range', async () => {
    const value = fc.double({ min: 0, max: 1, noNaN: true });
    await fc.assert(
      fc.asyncProperty(fc.array(value, { minLength: 1, maxLength: 40 }), async (values) => {
        const interval = await meanInterval(singly(values), { low: 0, high: 1 });
        if (typeof interval === 'string') return;
        const own = mean(values);
        assert.ok(0 <= interval.low && interval.low <= own && own <= interval.high && interval.high <= 1);
        assert.ok(interval.high > interval.low);
      }),
      { numRuns: 30 },
    );
    const labels = fc.array(
      fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.constantFrom('a', 'b', 'c', 'x', 'y', 'z')),
      { minLength: 1, maxLength: 60 },
    );
    await fc.assert(
      fc.asyncProperty(labels, async (pairs) => {
        const items = pairs.map(([expected, got], at) => ({ item: String(at), expected, got: [got] }));
        const { measured } = await measureColumn({ name: 'macro_f1', tolerance: 0 }, items);
        const { value: own, interval } = measured!;
        if (typeof interval === 'string') return;
        assert.ok(0 <= interval.low && interval.low < own && own < interval.high && interval.high <= 1);
      }),
    );
  });

  it('stays out with few rows, or when all are alike', async () => {
    const scores = (values: readonly number[]) =>
      measureColumn(
        { name: 'score', tolerance: 0 },
        values.map((value, at) => ({ item: String(at), expected: undefined, got: [value] })),
      );
    assert.equal((await scores([4])).measured?.interval, 'tooFew');
    assert.equal((await scores([4, 4, 4, 4, 4, 4])).measured?.interval, 'tooFew');
    assert.equal((await scores(Array<number>(15).fill(4))).measured?.interval, 'alike');
    assert.equal((await scores([1, 2, 3, 4, 5])).measured?.interval, 'tooFew');
    const oneDiffers = singly([...Array<number>(18).fill(4), 5]);
    assert.equal(await meanInterval(oneDiffers), 'fewDiffer');
    assert.equal(jackknifeInterval(1, Array<number>(18).fill(1), [], new Map([['a', 18]])), 'alike');
  });

  it('ends at the largest value that was seen, and says where too few rows differ', async () => {
    // 24 errors with a mean of 0.958: the bootstrap-t alone goes to 845 for their squares.
    const errors = [10, 5, 2, 2, 1, 1, 1, 1, ...Array<number>(16).fill(0)];
    const ends = async (values: readonly number[]) =>
      meanInterval(singly(values), { low: 0, high: Infinity });
    for (const power of [1, 2]) {
      const interval = await ends(errors.map((value) => value ** power));
      if (typeof interval === 'string') assert.equal(interval, 'fewDiffer');
      else assert.ok(interval.low >= 0 && interval.high <= 10 ** power, JSON.stringify(interval));
    }
    assert.equal(await ends([10, 10, 1, 1, 1, ...Array<number>(19).fill(0)]), 'fewDiffer');
  });

  it('stays out of macro F1 where it hangs on few rows of one label', async () => {
    const figureOf = async (...counts: readonly number[]) => {
      const rows = counts.flatMap((count, label) => Array.from({ length: count }, () => `label ${label}`));
      const items = rows.map((expected, at) => ({
        ...{ item: String(at), expected },
        got: [at % 9 === 0 ? 'label 0' : expected],
      }));
      return (await measureColumn({ name: 'macro_f1', tolerance: 0 }, items)).measured!;
    };
    const { interval, rarest } = await figureOf(26, 3, 1);
    assert.deepEqual([interval, rarest], ['fewOfLabel', 'label 2']);
    assert.equal(typeof (await figureOf(10, 10, 10)).interval, 'object');
    assert.equal(typeof (await figureOf(60, 25, 15)).interval, 'object');
  });

  it('holds a median in 95%, between the nearest two of its values that do', () => {
    /** The probability that at most `most` of `count` values are below the median, by whole numbers. */
    const atMost = (most: number, count: number) => {
      let [term, sum] = [1n, 0n];
      for (let k = 0; k <= most; k++) {
        sum += term;
        term = (term * BigInt(count - k)) / BigInt(k + 1);
      }
      return Number((sum * 10n ** 12n) / 2n ** BigInt(count)) / 1e12;
    };
    for (let count = 1; count <= 60; count++) {
      const interval = medianInterval(Array.from({ length: count }, (_, at) => at));
      if (!interval) {
        assert.ok(1 - 2 * atMost(0, count) < 0.95, `${count} values`);
        continue;
      }
      const { low, high } = interval;
      assert.equal(low + high, count - 1, 'as many values on either side');
      assert.ok(
        1 - 2 * atMost(low, count) >= 0.95 && 1 - 2 * atMost(low + 1, count) < 0.95,
        `${count} values`,
      );
    }
  });
});
