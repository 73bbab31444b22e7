import assert from 'node:assert/strict';
import fc from 'fast-check';
import { summarise } from '../../../../src/experiments/figures/summary';
import { decided } from '../../../../src/experiments/table/best';
import { rowOf, tableOf } from '../../../support/experiments/table';

const metrics = [{ name: 'accuracy', tolerance: 0 }] as const;

/** Columns of 60 rows. @param columns "54/60 10/10": how many of how many that have run are right */
async function signsOf(columns: string, margin?: number) {
  const counts = columns.split(' ').map((one) => one.split('/').map(Number) as [number, number]);
  const table = tableOf({
    variations: counts.map((_, at) => ({ '/model': `model ${at}` })),
    items: Array.from({ length: 60 }, (_, at) => rowOf(`text ${at}`, 'yes')),
    line: ({ variation, item }) => {
      const [right, run] = counts[variation]!;
      return item < run ? { result: item < right ? 'yes' : 'no' } : undefined;
    },
  });
  const { comparisons, unbeaten } = await decided(table, metrics, await summarise(table, metrics), {
    margin,
  });
  return { best: unbeaten[0], signs: comparisons.map(([one]) => one && [one.sign, one.moreRows]) };
}

describe('The best columns', () => {
  for (const [title, columns, best] of [
    ['include each that no other beats on the same rows', '54/60 50/60 20/60', [0, 1]],
    ['are led by the best one', '20/60 54/60 52/60', [1, 2]],
    ['include one that is worse in 6 of 6 rows, corrected for two comparisons', '20/60 54/60 48/60', [1, 2]],
    ['leave out one that is worse in 7 of 7', '20/60 54/60 47/60', [1]],
    ['leave out 10 of 60 rows that were all right', '54/60 10/10', []],
    ['compare the others then', '54/60 10/10 53/60', [0, 2]],
  ] as const)
    it(title, async () => assert.deepEqual((await signsOf(columns)).best, best));
});

describe('The best columns by their definition', () => {
  /** Exact two-sided p of a sign test: of all ways to toss a coin, those at least as uneven. */
  function signTest(won: number, lost: number): number {
    const tosses = won + lost;
    let [ways, uneven] = [1, 0];
    for (let heads = 0; heads <= tosses; heads++) {
      if (Math.abs(2 * heads - tosses) >= Math.abs(won - lost)) uneven += ways;
      ways = (ways * (tosses - heads)) / (heads + 1);
    }
    return uneven / 2 ** tosses;
  }

  it('include those of the same rows, the most that any has, but for those that are worse beyond chance', async () => {
    const outcomes = fc.record({
      right: fc.integer({ min: 0, max: 10 }),
      seed: fc.nat(9),
      missing: fc.constantFrom(0, 0, 0, 1, 2),
    });
    let [beaten, several] = [0, 0];
    await fc.assert(
      fc.asyncProperty(fc.array(outcomes, { minLength: 2, maxLength: 4 }), async (columns) => {
        // Undefined: not run.
        const isRight = columns.map(({ right, seed, missing }) =>
          Array.from({ length: 40 }, (_, row) =>
            row % 20 < missing ? undefined : (7 * row + 3 * seed) % 10 < right,
          ),
        );
        const table = tableOf({
          variations: columns.map((_, at) => ({ '/model': `model ${at}` })),
          items: Array.from({ length: 40 }, (_, at) => rowOf(`text ${at}`, 'yes')),
          line: ({ variation, item }) => {
            const right = isRight[variation]![item];
            return right === undefined ? undefined : { result: right ? 'yes' : 'no' };
          },
        });
        const { unbeaten } = await decided(table, metrics, await summarise(table, metrics), {
          margin: undefined,
        });
        const rowsIn = (column: number) => isRight[column]!.filter((one) => one !== undefined).length;
        const rightIn = (column: number) => isRight[column]!.filter((one) => one).length;
        const most = Math.max(...columns.map((_, column) => rowsIn(column)));
        const same = [...columns.keys()].filter((column) => rowsIn(column) === most);
        const best = unbeaten[0]!;
        if (same.length < 2) return assert.deepEqual(best, []);
        const leading = Math.max(...same.map(rightIn));
        const leader = same.find((column) => rightIn(column) === leading)!;
        assert.ok(best.includes(leader));
        assert.ok(best.every((column) => same.includes(column)));
        for (const column of same) {
          const apart = (wins: boolean) =>
            isRight[column]!.filter((one, row) => one === wins && isRight[leader]![row] === !wins).length;
          const p = signTest(apart(true), apart(false));
          // Corrected for at most all pairs of these columns, and at least for none.
          if (!best.includes(column)) assert.ok(rightIn(column) < leading && p < 0.05);
          else if (rightIn(column) < leading) assert.ok(p * columns.length ** 2 >= 0.05);
        }
        beaten += Number(best.length < same.length);
        several += Number(best.length > 1);
      }),
      { numRuns: 200 },
    );
    assert.ok(
      beaten > 20 && several > 20,
      `${beaten} with a beaten column, ${several} with several best ones`,
    );
  });
});

describe('The sign of a difference', () => {
  it('stays open where few rows cannot tell, with the rows that would', async () => {
    const { signs } = await signsOf('5/5 0/5');
    assert.deepEqual(signs, [undefined, ['unknown', 1]], 'all of six rows would');
    assert.equal((await signsOf('10/10 5/10')).signs[1]![0], 'unknown');
  });

  it('reports alike only where the whole interval lies within the margin', async () => {
    const of = async (margin?: number) => (await signsOf('54/60 54/60', margin)).signs[1]!;
    assert.deepEqual(await of(), ['unknown', undefined]);
    assert.equal((await of(0.2))[0], 'alike');
    const [sign, moreRows] = await of(0.02);
    assert.equal(sign, 'unknown');
    assert.ok(Number(moreRows) > 100, `${moreRows} more rows`);
  });

  it('says better and worse beyond chance', async () => {
    const { signs } = await signsOf('30/60 50/60 5/60');
    assert.deepEqual(signs, [undefined, ['better', undefined], ['worse', undefined]]);
  });
});
