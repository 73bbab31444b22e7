import assert from 'node:assert/strict';
import fc from 'fast-check';
import { compareColumns, measureColumn } from '../../../src/experiments/metrics/columns';
import type { MeasuredItem } from '../../../src/experiments/metrics/metrics';
import { effectiveCount, observations } from '../../../src/experiments/metrics/observations';

const close = (got: number, wanted: number, what: string) =>
  assert.ok(Math.abs(got - wanted) <= 1e-9 * Math.max(1, Math.abs(wanted)), `${what}: ${got}, not ${wanted}`);

describe('Rows that share runs', () => {
  it('form one observation, however they are linked', () => {
    const row = fc.uniqueArray(fc.nat(12).map(String), { maxLength: 2 });
    fc.assert(
      fc.property(fc.array(row, { maxLength: 20 }), (rows) => {
        const named = rows.map((runs, at) => ({ at, runs }));
        const found = observations(
          named,
          ({ runs }) => runs,
          (group) => group.map(({ at }) => at),
        );
        assert.deepEqual(
          found.flat().sort((a, b) => a - b),
          named.map(({ at }) => at),
        );
        // Every row takes the lowest number of all rows that it shares a run with, until none changes.
        const groups = named.map(({ at }) => at);
        for (let pass = 0; pass < rows.length; pass++)
          for (const [one, runs] of rows.entries())
            for (const [other, others] of rows.entries())
              if (runs.some((run) => others.includes(run)))
                groups[one] = Math.min(groups[one]!, groups[other]!);
        for (const group of found) assert.equal(new Set(group.map((at) => groups[at])).size, 1);
        assert.equal(found.length, new Set(groups).size);
      }),
      // A group that has joined another joins a third one.
      { examples: [[['1', '2', '1 2', '3 4', '4 5', '5 6', '1 3', '2'].map((runs) => runs.split(' '))]] },
    );
  });

  it('count as fewer rows than there are, and as all of them only where none shares a run', () => {
    assert.equal(effectiveCount([1, 1, 1, 1]), 4);
    assert.equal(effectiveCount([2, 2, 2]), 3);
    close(effectiveCount([9, 1]), 100 / 82, 'one run in nine rows of ten');
  });

  it('change figures as all rows do, and neither intervals nor tests', async () => {
    const label = fc.constantFrom('a', 'b', 'c');
    const size = fc.constantFrom(0, 1, 2, 3, 8, 0.1);
    const row = fc.record({ label, one: label, other: label, first: size, second: size });
    const rows = fc.array(row, { minLength: 1, maxLength: 40 });
    let intervals = 0;
    await fc.assert(
      fc.asyncProperty(rows, fc.integer({ min: 2, max: 4 }), async (all, times) => {
        for (const name of ['accuracy', 'macro_f1', 'absolute_error'] as const) {
          const metric = { name, tolerance: 0 };
          const columnOf = (side: 0 | 1, copies: number) =>
            all.flatMap((one, at) =>
              Array.from({ length: copies }, (_, copy): MeasuredItem => {
                const place = { item: `${at} ${copy}`, runs: [`${side} ${at}`] };
                return name === 'absolute_error'
                  ? { ...place, expected: 0, got: [[one.first, one.second][side]], isText: false }
                  : { ...place, expected: one.label, got: [[one.one, one.other][side]] };
              }),
            );
          const figuresOf = async (copies: number) => {
            const [first, second] = [columnOf(0, copies), columnOf(1, copies)];
            const { measured } = await measureColumn(metric, first);
            return { ...measured!, compared: (await compareColumns(metric, first, second))! };
          };
          const [once, often] = [await figuresOf(1), await figuresOf(times)];
          close(often.value, once.value, name);
          assert.deepEqual([often.count, often.different], [times * all.length, all.length]);
          assert.deepEqual(
            [often.compared.count, often.compared.different],
            [times * all.length, all.length],
          );
          close(often.compared.difference, once.compared.difference, name);
          close(often.compared.p, once.compared.p, name);
          if (typeof once.interval === 'string') assert.equal(often.interval, once.interval);
          else if (typeof often.interval === 'string') assert.fail(often.interval);
          else {
            close(often.interval.low, once.interval.low, name);
            close(often.interval.high, once.interval.high, name);
            intervals += 1;
          }
        }
      }),
      { numRuns: 60 },
    );
    assert.ok(intervals > 30, `${intervals} intervals`);
  });

  it('weigh by their number in intervals and tests of groups of several sizes', async () => {
    const error = fc.constantFrom(0, 1, 2, 5);
    const group = fc.record({ first: error, second: error, size: fc.integer({ min: 1, max: 4 }) });
    let different = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(group, { minLength: 1, maxLength: 9 }),
        fc.boolean(),
        async (groups, isOne) => {
          const rows = groups.flatMap(({ size, ...values }, run) =>
            Array.from({ length: size }, () => ({ ...values, run: `${run}` })),
          );
          for (const name of ['accuracy', 'absolute_error'] as const) {
            const metric = { name, tolerance: 0 };
            const [first = [], second = []] = (['first', 'second'] as const).map((side) =>
              rows.map((row, at): MeasuredItem => {
                const got = name === 'accuracy' ? Math.min(1, row[side]) : row[side];
                // Runs that one of both columns shares make its rows one observation of their difference.
                const run = `${side} ${isOne && side === 'first' ? `row ${at}` : row.run}`;
                return { item: `${at}`, expected: 0, got: [got], isText: false, runs: [run] };
              }),
            );
            const valueIn = (one: number) => (name === 'accuracy' ? Number(one === 0) : one);
            const sums = groups.map((one) => one.size * (valueIn(one.first) - valueIn(one.second)));
            const totals = sums.reduce((all, sum) => all.flatMap((one) => [one + sum, one - sum]), [0]);
            const p =
              totals.filter((total) => Math.abs(total) >= Math.abs(totals[0]!)).length / totals.length;
            close((await compareColumns(metric, first, second))!.p, p, name);
            different += Number(p < 1);
            if (name !== 'accuracy') continue;
            const squares = groups.reduce((sum, { size }) => sum + size ** 2, 0);
            const count = isOne ? rows.length : rows.length ** 2 / squares;
            const share = rows.filter((row) => row.first === 0).length / rows.length;
            const { interval } = (await measureColumn(metric, first)).measured!;
            if (count < 5) assert.equal(interval, 'tooFew');
            else if (typeof interval === 'string') assert.fail(interval);
            else {
              // The ends of Wilson's interval are 1.96 of their own standard errors from the share.
              for (const end of [interval.low, interval.high])
                close(
                  (share - end) ** 2,
                  (1.959963984540054 ** 2 * end * (1 - end)) / count,
                  `${share} ${end}`,
                );
              assert.ok(interval.low <= share && share <= interval.high);
            }
          }
        },
      ),
      { numRuns: 80 },
    );
    assert.ok(different > 50, `${different} differences`);
  });
});
