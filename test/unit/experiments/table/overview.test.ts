import assert from 'node:assert/strict';
import type { Metric } from '../../../../src/experiments/metrics/metrics';
import type { ResultLine } from '../../../../src/experiments/results/resultLine';
import { tableOverview } from '../../../../src/experiments/table/overview';
import { rowOf, tableOf } from '../../../support/experiments/table';

const usd = (amount: string) => ({ amount, currency: 'USD' });

describe('The overview of an experiment', () => {
  /** By row and column; the run of the first row in the last column is the latest. */
  const states: readonly (readonly (ResultLine['state'] | undefined)[])[] = [
    ['finished', 'finished', 'finished'],
    ['finished', 'unconfirmed', 'finished'],
    ['failed', 'finished', undefined],
  ];
  const table = tableOf({
    variations: ['a', 'b', 'c'].map((model) => ({ '/model': model })),
    items: [rowOf('x', '1'), rowOf('yy', '2'), rowOf('zzz', '3')],
    line: ({ item, variation }) => {
      const state = states[item]![variation];
      return (
        state && {
          ...{ state, result: variation === 1 ? item + 1 : 1 },
          started_at: `2026-11-2${(3 * item + 2 * variation) % 5}T10:00:00Z`,
          ...(state === 'finished' && { cost: usd('0.1') }),
        }
      );
    },
  });
  const overview = (name: 'accuracy' | 'absolute_error' | undefined, of = table) =>
    tableOverview(of, name ? [{ name, tolerance: 0 } satisfies Metric] : [], ['A', 'B', 'C'], {
      locale: 'en',
    });

  it('names the columns of the same rows that none beats, by the first metric', async () => {
    assert.equal((await overview('accuracy')).best, undefined, 'each has other rows');
    assert.deepEqual((await overview('absolute_error')).best, {
      figure: 'absolute_error 0.500, n 2',
      column: 'A, C',
    });
    const same = tableOf({ items: [rowOf('x', '2')], line: () => ({ result: 1 }) });
    assert.deepEqual((await overview('absolute_error', same)).best!.column, 'A, B');
    const none = tableOf({ items: [rowOf('x', '1')], line: () => undefined });
    assert.deepEqual(await overview('accuracy', none), {
      ...{ total: 2, finished: 0, failed: 0, unconfirmed: 0, cost: [] },
    });
  });
});
