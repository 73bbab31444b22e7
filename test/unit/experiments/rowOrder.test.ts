import assert from 'node:assert/strict';
import fc from 'fast-check';
import { compareColumns, measureColumn } from '../../../src/experiments/metrics/columns';
import type { MeasuredItem } from '../../../src/experiments/metrics/metrics';

const near = (one: number | undefined, other: number | undefined, name: string) =>
  assert.ok(one === other || Math.abs(one! - other!) <= 1e-9, `${name}: ${one}, not ${other}`);

describe('The figures of rows in another order', () => {
  const label = fc.constantFrom('a', 'b', 'c');
  const size = fc.constantFrom(0, 1, 2, 3, 8);
  const row = fc.record({ label, one: label, other: label, first: size, second: size });
  const rows = fc
    .array(row, { minLength: 25, maxLength: 40 })
    .chain((all) =>
      fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length, maxLength: all.length })),
    );

  it('keep their intervals and tests', async () => {
    await fc.assert(
      fc.asyncProperty(rows, async ([all, shuffled]) => {
        for (const name of ['macro_f1', 'absolute_error'] as const) {
          const metric = { name, tolerance: 0 };
          const figuresOf = async (some: typeof all) => {
            const column = (side: 0 | 1) =>
              some.map(
                (one, at): MeasuredItem =>
                  name === 'macro_f1'
                    ? { item: `${at}`, expected: one.label, got: [[one.one, one.other][side]] }
                    : { item: `${at}`, expected: 0, got: [[one.first, one.second][side]], isText: false },
              );
            const [first, second] = [column(0), column(1)];
            const { interval } = (await measureColumn(metric, first)).measured!;
            return { interval, p: (await compareColumns(metric, first, second))!.p };
          };
          const [given, other] = [await figuresOf(all), await figuresOf(shuffled)];
          near(other.p, given.p, name);
          if (typeof given.interval === 'string') assert.equal(other.interval, given.interval);
          else if (typeof other.interval === 'string') assert.fail(other.interval);
          else
            for (const end of ['low', 'high'] as const) near(other.interval[end], given.interval[end], name);
        }
      }),
      { numRuns: 8 },
    );
  });
});
