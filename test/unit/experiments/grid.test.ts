import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Json } from '../../../src/domain/json';
import {
  GridTooLarge,
  runPlaces,
  tooLargeText,
  variationKey,
  variationsOf,
  variedValues,
} from '../../../src/experiments/plan/grid';

const size = fc.record({
  variations: fc.integer({ min: 1, max: 8 }),
  items: fc.integer({ min: 1, max: 12 }),
  repeats: fc.integer({ min: 1, max: 4 }),
});
const keyOf = ({ variation, item, repeat }: { variation: number; item: number; repeat: number }) =>
  `${variation} ${item} ${repeat}`;

describe('The grid of an experiment', () => {
  it('writes the numbers of a range like people', () => {
    assert.deepEqual(variedValues({ from: 0.1, to: 0.5, step: 0.1 }), [0.1, 0.2, 0.3, 0.4, 0.5]);
    assert.deepEqual(variedValues({ from: 1, to: 2, step: 0.25 }), [1, 1.25, 1.5, 1.75, 2]);
    assert.deepEqual(variedValues({ from: 1e-7, to: 3e-7, step: 1e-7 }), [1e-7, 2e-7, 3e-7]);
    assert.deepEqual(variedValues({ from: 5, to: 4, step: 1 }), []);
    const tenths = fc.integer({ min: -500, max: 500 });
    fc.assert(
      fc.property(
        tenths,
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 0, max: 60 }),
        (from, step, count) => {
          const to = from + step * count;
          const values = variedValues({ from: from / 10, to: to / 10, step: step / 10 });
          assert.deepEqual(
            values,
            Array.from({ length: count + 1 }, (_, at) => (from + at * step) / 10),
          );
        },
      ),
    );
  });

  it('refuses a grid or a range without end before it makes it', () => {
    const first = (count: number) => ({ from: 1, to: count, step: 1 });
    const two = (count: number) => variationsOf({ '/params/a': first(count), '/params/b': first(100) });
    assert.equal(two(100).length, 10_000);
    assert.throws(() => two(101), { of: 'variations', count: 10_100 });
    assert.equal(variedValues(first(10_000)).length, 10_000);
    assert.throws(() => variedValues(first(10_001)), { count: 10_001 });
    const places = (count: number) =>
      variationsOf(Object.fromEntries(Array.from({ length: count }, (_, at) => [`/params/p${at}`, [at]])));
    assert.equal(places(100).length, 1);
    assert.throws(() => places(101), { of: 'places', count: 101 });
    assert.throws(() => variedValues({ from: 0, to: 1e300, step: 1e-300 }), GridTooLarge);
  });

  it('refuses more values of all variations than can be planned, and names the limit', () => {
    const places = (count: number, values: number) =>
      Object.fromEntries(
        Array.from({ length: count }, (_, at) => [`/input/${at}`, at < 4 ? Array(values).fill(at) : [at]]),
      );
    assert.equal(variationsOf(places(10, 10)).length, 10_000);
    assert.throws(
      () => variationsOf(places(11, 10)),
      (error) => {
        assert.ok(error instanceof GridTooLarge);
        assert.match(tooLargeText(error), /have 110,000 values; 100,000 are possible/);
        return true;
      },
    );
  });

  it('knows a variation by its values, in any order of their places', () => {
    const variation = fc.dictionary(fc.string(), fc.jsonValue() as fc.Arbitrary<Json>, { maxKeys: 4 });
    fc.assert(
      fc.property(variation, (one) => {
        const reversed = Object.fromEntries(Object.entries(one).toReversed());
        assert.equal(variationKey(reversed), variationKey(one));
        for (const place of Object.keys(one))
          assert.notEqual(variationKey({ ...one, [place]: [one[place]!] }), variationKey(one));
      }),
    );
  });

  it('runs each cell once; variations take turns, and every item runs before one is repeated', () => {
    fc.assert(
      fc.property(size, (of) => {
        const cells = [...runPlaces(of)];
        assert.equal(cells.length, of.variations * of.items * of.repeats);
        assert.equal(new Set(cells.map(keyOf)).size, cells.length);
        const seen = new Set(cells.slice(0, of.variations).map(({ variation }) => variation));
        assert.equal(seen.size, of.variations, 'after as many runs as variations, each has been seen');
        assert.ok(cells.every(({ repeat }, at) => at === 0 || repeat >= cells[at - 1]!.repeat));
      }),
    );
  });
});
