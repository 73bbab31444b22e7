import assert from 'node:assert/strict';
import { summarise } from '../../../../src/experiments/figures/summary';
import { decided } from '../../../../src/experiments/table/best';
import { rowOf, tableOf } from '../../../support/experiments/table';

const metrics = [{ name: 'accuracy', tolerance: 0 }] as const;

/** Columns of 60 rows: how many of how many that have run are right. */
async function signsOf(columns: readonly (readonly [right: number, run: number])[], margin?: number) {
  const table = tableOf({
    variations: columns.map((_, at) => ({ '/model': `model ${at}` })),
    items: Array.from({ length: 60 }, (_, at) => rowOf(`text ${at}`, 'yes')),
    line: ({ variation, item }) => {
      const [right, run] = columns[variation]!;
      return item < run ? { result: item < right ? 'yes' : 'no' } : undefined;
    },
  });
  const { comparisons, unbeaten } = await decided(table, metrics, await summarise(table, metrics), {
    margin,
  });
  return { best: unbeaten[0], signs: comparisons.map(([one]) => one && [one.sign, one.moreRows]) };
}

describe('The best columns', () => {
  it('include each column that no other beats on the same rows', async () => {
    assert.deepEqual(
      (
        await signsOf([
          [54, 60],
          [50, 60],
          [20, 60],
        ])
      ).best,
      [0, 1],
    );
    assert.deepEqual(
      (
        await signsOf([
          [20, 60],
          [54, 60],
          [52, 60],
        ])
      ).best,
      [1, 2],
    );
  });

  it('leave out a column of 10 of 60 rows that were all right', async () => {
    assert.deepEqual(
      (
        await signsOf([
          [54, 60],
          [10, 10],
        ])
      ).best,
      [],
    );
    assert.deepEqual(
      (
        await signsOf([
          [54, 60],
          [10, 10],
          [53, 60],
        ])
      ).best,
      [0, 2],
    );
  });
});

describe('The sign of a difference', () => {
  it('stays open where few rows cannot tell, with the rows that would', async () => {
    const { signs } = await signsOf([
      [5, 5],
      [0, 5],
    ]);
    assert.deepEqual(signs, [undefined, ['unknown', 1]], 'all of six rows would');
    const { signs: ten } = await signsOf([
      [10, 10],
      [5, 10],
    ]);
    assert.equal(ten[1]![0], 'unknown');
  });

  it('reports alike only where the whole interval lies within the margin', async () => {
    const of = async (margin?: number) =>
      (
        await signsOf(
          [
            [54, 60],
            [54, 60],
          ],
          margin,
        )
      ).signs[1]!;
    assert.deepEqual(await of(), ['unknown', undefined]);
    assert.equal((await of(0.2))[0], 'alike');
    const [sign, moreRows] = await of(0.02);
    assert.equal(sign, 'unknown');
    assert.ok(Number(moreRows) > 100, `${moreRows} more rows`);
  });

  it('says better and worse beyond chance', async () => {
    const { signs } = await signsOf([
      [30, 60],
      [50, 60],
      [5, 60],
    ]);
    assert.deepEqual(signs, [undefined, ['better', undefined], ['worse', undefined]]);
  });
});
