import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Json } from '../../../../src/domain/json';
import { getAt } from '../../../../src/domain/value';
import { differenceFrom } from '../../../../src/experiments/table/differences';
import { numberDifferences, shownDifferences } from '../../../../src/experiments/table/numberDifferences';
import { rowOf, tableOf } from '../../../support/experiments/table';

describe('The numbers of two cells', () => {
  it('compare when both have one, for repeats by their means', () => {
    const first = [{ label: 'cat', score: 0.5, boxes: [{ x: 10, y: 4 }] }];
    const second: Json[] = [
      { label: 'dog', score: 0.75, boxes: [{ x: 10, y: 2 }, { x: 1 }] },
      { label: 'dog', score: 0.85, boxes: [{ x: 10, y: 3 }] },
    ];
    assert.deepEqual(shownDifferences(first, second, 'en'), {
      rows: [
        { pointer: '/score', first: '0.5', second: '0.8', difference: '+0.3' },
        { pointer: '/boxes/0/y', first: '4', second: '2.5', difference: '-1.5' },
      ],
      more: 0,
    });
    assert.deepEqual(numberDifferences([3], [5]), [{ pointer: '', first: 3, second: 5 }]);
    assert.deepEqual(numberDifferences([], [5]), []);
  });

  it('never look equal, or 0, where they are not', () => {
    const size = fc
      .double({ min: 1e-12, max: 1e18, noNaN: true })
      .map((value) => Number(value.toPrecision(3)));
    fc.assert(
      fc.property(size, fc.integer({ min: 2, max: 9 }), (one, times) => {
        const [row] = shownDifferences([one], [Number((one * times).toPrecision(3))], 'en').rows;
        assert.notEqual(row!.first, row!.second);
        assert.ok(Number(row!.first.replaceAll(',', '')) > 0, `${one} is ${row!.first}`);
      }),
    );
  });

  it('ignore vectors, and stop at a limit in the largest result', () => {
    const vector = (seed: number) => Array.from({ length: 768 }, (_, at) => at + seed);
    assert.deepEqual(numberDifferences([{ vector: vector(0) }], [{ vector: vector(1) }]), []);
    const many = (by: number): Json => Array.from({ length: 100_000 }, (_, at) => ({ at: at + by }));
    const { rows, more } = shownDifferences([many(0)], [many(1)], 'en');
    assert.equal(rows.length, 50);
    assert.ok(more > 0 && more <= 2_000);
  });

  it('equal the values at the same pointer, in any two results', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), fc.jsonValue({ maxDepth: 4 }), (one, other) => {
        for (const { pointer, first, second } of numberDifferences([one as Json], [other as Json])) {
          // 0 and -0 are the same number, and the mean of one -0 is 0.
          assert.ok(getAt(one as Json, pointer) === first);
          assert.ok(getAt(other as Json, pointer) === second);
          assert.ok(first !== second);
        }
      }),
    );
  });

  it('differ from those of the baseline by their means; a label is not a number', () => {
    const results: Json[][] = [
      [1, 2],
      [4, 6],
    ];
    const numbers = tableOf({
      items: [rowOf('a')],
      repeats: 2,
      line: ({ variation, repeat }) => ({ result: results[variation]![repeat]! }),
    });
    assert.equal(differenceFrom(numbers, 0, 1, 0), 3.5);
    const labels = tableOf({
      items: [rowOf('a')],
      line: ({ variation }) => ({ result: variation ? 'cat' : 1 }),
    });
    assert.equal(differenceFrom(labels, 0, 1, 0), undefined);
  });
});
