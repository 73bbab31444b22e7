import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Json } from '../../../src/domain/json';
import { compareColumns, measureColumn } from '../../../src/experiments/metrics/columns';
import { isBlank, isLabel, kindsIn, labelKey } from '../../../src/experiments/metrics/equality';
import { LabelF1, labelNumbers, labelPair } from '../../../src/experiments/metrics/labels';
import {
  failureValue,
  METRICS,
  type MeasuredItem,
  type MetricName,
  measureItem,
  setupFault,
} from '../../../src/experiments/metrics/metrics';

/** Figures by their definitions in the plainest way, without optimizations. */

const label = fc.constantFrom<Json | undefined>('a', 'a', 'b', 'b', 'c', '1', 1, true, 'TRUE');
const got = fc.oneof(
  { weight: 5, arbitrary: label },
  { weight: 1, arbitrary: fc.constantFrom(undefined, null, {}) },
);
const expected = fc.oneof(
  { weight: 6, arbitrary: label },
  { weight: 1, arbitrary: fc.constantFrom(undefined, null, '', ['a']) },
);
const itemOf = (values: fc.Arbitrary<Json | undefined>, wanted: fc.Arbitrary<Json | undefined>) =>
  fc.record({
    expected: wanted,
    got: fc.array(values, { maxLength: 3 }),
    // Rows may share a failed run.
    failed: fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 2 }),
    unreadable: fc.constantFrom(0, 0, 1),
  });
type Part = Omit<MeasuredItem, 'item'>;
const named = (parts: readonly Part[]): MeasuredItem[] =>
  parts.map((part, at) => ({ ...part, item: `row ${at}` }));
const columnOf = (
  values: fc.Arbitrary<Json | undefined>,
  wanted: fc.Arbitrary<Json | undefined>,
  most = 12,
) => fc.array(itemOf(values, wanted), { minLength: 1, maxLength: most }).map(named);

const average = (values: readonly number[]) => values.reduce((sum, one) => sum + one, 0) / values.length;
const isNear = (one: number, other: number) => Math.abs(one - other) <= 1e-9 * Math.max(1, Math.abs(other));
const near = (one: number | undefined, other: number | undefined, what?: unknown) =>
  assert.ok(
    one === other || (one !== undefined && other !== undefined && isNear(one, other)),
    `${one}, not ${other}: ${JSON.stringify(what)}`,
  );

/** Of one item: the mean of its runs, failed ones 0 where they count. */
function plainValue(name: MetricName, item: MeasuredItem): number | undefined {
  if (isBlank(item.expected)) return undefined;
  const failure = failureValue({ name, tolerance: 0 });
  const values = [
    ...item.got.map((one) => measureItem({ name, tolerance: 0 }, one, item.expected, item.isText)),
    ...(failure === undefined ? [] : (item.failed ?? []).map(() => failure)),
  ].filter((one) => one !== undefined);
  return values.length === 0 ? undefined : average(values);
}

interface Weighted {
  readonly expected: string;
  readonly got: string;
  readonly weight: number;
}

function plainPairs(item: MeasuredItem, kinds: ReturnType<typeof kindsIn>): Weighted[] {
  const { expected: wanted } = item;
  const all = [...item.got, ...(item.failed ?? []).map(() => undefined)];
  if (Array.isArray(wanted) && wanted.every(isLabel)) {
    const keysIn = (labels: readonly Json[]) =>
      new Set(labels.filter(isLabel).map((label) => labelKey(label, kinds).slice(1)));
    const asked = keysIn(wanted);
    return all.flatMap((one) => {
      const areLabels = Array.isArray(one) && one.every(isLabel);
      const own = keysIn(areLabels ? one : isLabel(one) ? [one] : []);
      return [...new Set([...asked, ...own])].map((label) => ({
        expected: asked.has(label) ? label : '',
        got: own.has(label) ? label : '',
        weight: 1 / all.length,
      }));
    });
  }
  if (isBlank(wanted) || !isLabel(wanted)) return [];
  return all.map((one) => ({ ...labelPair(one, wanted, kinds), weight: 1 / all.length }));
}

/** By precision and recall, over the labels of `classes`. */
function plainMacroF1(pairs: readonly Weighted[], classes: readonly string[]): number {
  const weightOf = (some: readonly Weighted[]) => some.reduce((sum, { weight }) => sum + weight, 0);
  return average(
    classes.map((one) => {
      const right = weightOf(pairs.filter((pair) => pair.expected === one && pair.got === one));
      if (right < 1e-9) return 0;
      const precision = right / weightOf(pairs.filter((pair) => pair.got === one));
      const recall = right / weightOf(pairs.filter((pair) => pair.expected === one));
      return (2 * precision * recall) / (precision + recall);
    }),
  );
}

const classesIn = (pairs: readonly Weighted[]) =>
  [...new Set(pairs.map((pair) => pair.expected))].filter((label) => label !== '');
const kindsOf = (items: readonly MeasuredItem[]) => kindsIn(items.flatMap((item) => item.got));

/** p of all ways to exchange the sides of these rows, by brute force. */
function plainP(rows: number, differenceOf: (isFlipped: (row: number) => boolean) => number): number {
  const observed = Math.abs(differenceOf(() => false));
  const all = Array.from({ length: 2 ** rows }, (_, bits) =>
    Math.abs(differenceOf((row) => Boolean((bits >> row) & 1))),
  );
  return all.filter((one) => one >= observed - 1e-9).length / all.length;
}

describe('The figure of a column by its definition', () => {
  it('equals the mean over its rows, of each the mean of its runs', async () => {
    for (const name of ['accuracy', 'contains', 'json_equal', 'edit_distance', 'absolute_error'] as const)
      await fc.assert(
        fc.asyncProperty(columnOf(got, expected), fc.boolean(), async (items, isText) => {
          const own = items.map((item) => ({ ...item, isText }));
          const metric = { name, tolerance: 0 };
          const { measured, fault, blank, unreadable, items: count } = await measureColumn(metric, own);
          assert.equal(count, own.length);
          assert.equal(blank, own.filter((item) => isBlank(item.expected)).length);
          assert.equal(
            unreadable,
            own.reduce((sum, item) => sum + item.unreadable!, 0),
          );
          assert.deepEqual(fault, setupFault(metric, own));
          const values = own.map((item) => [item, plainValue(name, item)] as const);
          const found = values.filter(([, value]) => value !== undefined);
          if (fault || found.length === 0) return assert.equal(measured, undefined);
          near(measured?.value, average(found.map(([, value]) => value!)));
          assert.equal(measured?.count, found.length);
          const failed = new Set(found.flatMap(([item]) => item.failed!)).size;
          assert.equal(measured?.failed, failureValue(metric) === undefined ? 0 : failed);
        }),
        { numRuns: 150 },
      );
  });

  it('equals for macro F1 the mean over all expected labels, of precision and recall', async () => {
    await fc.assert(
      fc.asyncProperty(columnOf(got, expected), async (items) => {
        const metric = { name: 'macro_f1', tolerance: 0 } as const;
        const { measured, fault } = await measureColumn(metric, items);
        const kinds = kindsOf(items);
        const byItem = items.map((item) => plainPairs(item, kinds)).filter((pairs) => pairs.length > 0);
        const pairs = byItem.flat();
        if (fault || pairs.length === 0) return assert.equal(measured, undefined);
        near(measured?.value, plainMacroF1(pairs, classesIn(pairs)));
        assert.equal(measured?.count, byItem.length);
        const unexpected = pairs.filter((pair) => pair.got !== '' && !classesIn(pairs).includes(pair.got));
        assert.equal(measured?.unexpected ?? 0, unexpected.length);
      }),
      { numRuns: 400 },
    );
  });

  it('uses for macro F1 the jackknife’s interval on the logit scale', async () => {
    const pair = fc.record({
      expected: fc.constantFrom('a', 'b', 'c'),
      got: fc.constantFrom('a', 'b', 'c', 'x').map((one) => [one]),
    });
    // 0.975 quantiles of Student's t, by SciPy, from 6 degrees of freedom.
    const quantiles = [
      2.4469118511449786, 2.364624251592784, 2.306004135204166, 2.262157162798205, 2.228138851986274,
      2.200985160091639, 2.1788128296672284, 2.1603686564627913, 2.144786687917804, 2.131449545559776,
      2.1199052992212546, 2.1098155778333156,
    ];
    let given = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(pair, { minLength: 13, maxLength: 18 }).map(named), async (items) => {
        const { measured } = await measureColumn({ name: 'macro_f1', tolerance: 0 }, items);
        const pairs = items.map((item) => plainPairs(item, kindsOf(items)));
        const classes = classesIn(pairs.flat());
        const value = plainMacroF1(pairs.flat(), classes);
        const withoutEachOf = (all: typeof pairs) =>
          all.map((_, left) =>
            plainMacroF1(
              all.flatMap((one, at) => (at === left ? [] : one)),
              classes,
            ),
          );
        const without = withoutEachOf(pairs);
        const errorOf = (values: readonly number[]) => {
          const own = average(values);
          const squares = values.reduce((sum, one) => sum + (one - own) ** 2, 0);
          return Math.sqrt(((values.length - 1) / values.length) * squares);
        };
        const f1 = new LabelF1(pairs);
        for (const [at, one] of f1.withoutEach().entries()) near(one, without[at], at);
        near(f1.value, value, 'unchanged afterwards');
        const interval = measured!.interval;
        const n = items.length;
        const centre = average(without);
        const error = errorOf(without);
        if (n < 15) return assert.equal(interval, 'tooFew');
        if (value === 0 || value === 1 || error < 1e-12) return assert.equal(interval, 'alike');
        // By Satterthwaite: of the variances of labels that weigh the same, each of 1 / its rows.
        const variances = classes.map((one) => 1 / items.filter((item) => item.expected === one).length);
        const sumOf = (power: number) => variances.reduce((sum, variance) => sum + variance ** power, 0);
        const freedom = Math.floor(Math.min(n - 1, sumOf(1) ** 2 / sumOf(3)));
        if (freedom < 6) return assert.equal(interval, 'fewOfLabel');
        const unbiased = n * value - (n - 1) * centre;
        const middle = Math.min((1 + value) / 2, Math.max(value / 2, unbiased));
        // Half a wrong row of each label more.
        const halves = classes.map((expected) => [{ expected, got: '', weight: 0.5 }]);
        const widest = Math.max(error, errorOf(withoutEachOf([...pairs, ...halves])));
        const half = (quantiles[freedom - 6]! * widest) / (middle * (1 - middle));
        const odds = [-half, half].map((shift) => (middle / (1 - middle)) * Math.exp(shift));
        const ends = odds.map((one) => (one === Infinity ? 1 : one / (1 + one)));
        if (typeof interval === 'string') return assert.fail(interval);
        near(interval.low, Math.min(value, ends[0]!));
        near(interval.high, Math.max(value, ends[1]!));
        given += 1;
      }),
      { numRuns: 150 },
    );
    assert.ok(given > 30, `${given} intervals`);
  });
});

describe('The difference of two columns by its definition', () => {
  /** The first column is right in most rows, the other one in few, so that differences are not all small. */
  const row = fc
    .record({
      one: itemOf(got, fc.constant('?')),
      other: itemOf(got, fc.constant('?')),
      wanted: expected,
      isRight: fc.constantFrom(true, true, false),
    })
    .map(({ one, other, wanted, isRight }) => ({
      one: { ...one, expected: wanted, ...(isRight && { got: [wanted], failed: [] }) },
      other: { ...other, expected: wanted },
    }));
  const both = (most: number) =>
    fc.array(row, { minLength: 1, maxLength: most }).chain((rows) =>
      fc.tuple(
        fc.constant(named(rows.map(({ one }) => one))),
        // Some rows are in one column only.
        fc.oneof(
          fc.constant(named(rows.map(({ other }) => other))),
          fc.subarray(named(rows.map(({ other }) => other)), { minLength: 1 }),
        ),
      ),
    );

  it('uses the rows that both columns have measured', async () => {
    let exact = 0;
    for (const name of ['accuracy', 'edit_distance'] as const)
      await fc.assert(
        fc.asyncProperty(both(7), async ([first, second]) => {
          const metric = { name, tolerance: 0 };
          const compared = await compareColumns(metric, first, second);
          const rows = first.flatMap((item) => {
            const other = second.find((one) => one.item === item.item);
            const values = [plainValue(name, item), other && plainValue(name, other)] as const;
            return values[0] === undefined || values[1] === undefined
              ? []
              : [[values[0], values[1]] as const];
          });
          if (setupFault(metric, first) || setupFault(metric, second) || rows.length === 0)
            return assert.equal(compared, undefined);
          near(compared?.first, average(rows.map(([one]) => one)));
          near(compared?.second, average(rows.map(([, other]) => other)));
          near(compared?.difference, average(rows.map(([one, other]) => one - other)));
          assert.equal(compared?.count, rows.length);
          const measured = (items: readonly MeasuredItem[]) =>
            items.filter((item) => plainValue(name, item) !== undefined).length;
          assert.equal(
            compared?.isOfAllItems,
            measured(first) === rows.length && measured(second) === rows.length,
          );
          const p = plainP(rows.length, (isFlipped) =>
            rows.reduce((sum, [one, other], at) => sum + (isFlipped(at) ? other - one : one - other), 0),
          );
          near(compared?.p, p, rows);
          exact += Number(p < 1);
        }),
        { numRuns: 150 },
      );
    assert.ok(exact > 30, `${exact} differences`);
  });

  it('exchanges for macro F1 the runs of a row', async () => {
    let different = 0;
    await fc.assert(
      fc.asyncProperty(both(6), async ([first, second]) => {
        const metric = { name: 'macro_f1', tolerance: 0 } as const;
        const compared = await compareColumns(metric, first, second);
        const common = first.flatMap((item) => {
          const other = second.find((one) => one.item === item.item);
          return other ? [[item, other] as const] : [];
        });
        const kinds = kindsOf(common.flat());
        const rows = common
          .map(([one, other]) => [plainPairs(one, kinds), plainPairs(other, kinds)] as const)
          .filter((sides) => sides.every((pairs) => pairs.length > 0));
        if (setupFault(metric, first) || setupFault(metric, second) || rows.length === 0)
          return assert.equal(compared, undefined);
        const classes = classesIn(rows.flat(2));
        const sideOf = (side: number, isFlipped: (row: number) => boolean) =>
          plainMacroF1(
            rows.flatMap((sides, row) => sides[isFlipped(row) ? 1 - side : side]!),
            classes,
          );
        near(
          compared?.first,
          sideOf(0, () => false),
        );
        near(
          compared?.second,
          sideOf(1, () => false),
        );
        assert.equal(compared?.count, rows.length);
        const p = plainP(rows.length, (isFlipped) => sideOf(0, isFlipped) - sideOf(1, isFlipped));
        near(compared?.p, p);
        different += Number(p < 1);
      }),
      { numRuns: 200 },
    );
    assert.ok(different > 30, `${different} differences`);
  });

  it('reads labels by the results of the whole table, on request', async () => {
    const items = (kinds?: ReturnType<typeof kindsIn>): MeasuredItem[] =>
      ['1', '1.0', '2'].map((one, at) => ({
        item: `${at}`,
        expected: one,
        got: [one],
        ...(kinds && { kinds }),
      }));
    const labels = async (kinds?: ReturnType<typeof kindsIn>) => {
      const wrong = items(kinds).map((item) => ({ ...item, got: ['3'] }));
      const { difference = 0 } =
        (await compareColumns({ name: 'macro_f1', tolerance: 0 }, items(kinds), wrong)) ?? {};
      return difference;
    };
    assert.equal(await labels(), 1);
    assert.equal(await labels({ numbers: true, booleans: false }), 1);
    const pairs = (kinds: ReturnType<typeof kindsIn>) =>
      labelNumbers(
        items().map(({ got: [one], expected: wanted }) => [labelPair(one, wanted as string, kinds)]),
      ).size;
    assert.deepEqual(
      [pairs({ numbers: false, booleans: false }), pairs({ numbers: true, booleans: false })],
      [3, 2],
      '“1” and “1.0” are one class beside numbers',
    );
  });
});

describe('The value of a failed run', () => {
  it('equals 0 for right or wrong, and is missing for distances', () => {
    const names = Object.keys(METRICS) as MetricName[];
    const zero = names.filter((name) => failureValue({ name, tolerance: 0 }) === 0);
    const distances = ['absolute_error', 'edit_distance', 'squared_error'];
    assert.deepEqual(zero.sort(), names.filter((name) => !distances.includes(name)).sort());
    assert.equal(failureValue({ name: 'score', tolerance: 0 }), undefined);
  });
});
