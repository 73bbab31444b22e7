import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type RandomRange, randomValues } from '../../../src/experiments/file/randomValues';
import { readExperiment } from '../../../src/experiments/file/read';
import { GridTooLarge, valueCount, variationsOf } from '../../../src/experiments/plan/grid';

const range: fc.Arbitrary<RandomRange> = fc
  .record({
    first: fc.integer({ min: 1, max: 5000 }),
    length: fc.integer({ min: 0, max: 5000 }),
    by: fc.constantFrom(1, 10, 1000),
    random: fc.integer({ min: 1, max: 60 }),
    seed: fc.integer(),
    step: fc.constantFrom(undefined, 1, 2, 0.25, 0.001),
    scale: fc.constantFrom(undefined, 'linear', 'log'),
  })
  .map(({ first, length, by, ...others }) => ({ from: first / by, to: (first + length) / by, ...others }));

describe('Numbers drawn at random from a range', () => {
  it('lie in the range, ascend, and are all different', () => {
    fc.assert(
      fc.property(range, (of) => {
        const values = randomValues(of);
        assert.ok(values.length >= 1 && values.length <= valueCount(of));
        for (const [at, value] of values.entries()) {
          assert.ok(value >= of.from && value <= of.to + 1e-9, `${value}`);
          if (at > 0) assert.ok(values[at - 1]! < value);
        }
      }),
    );
  });

  it('keep whole steps from the first, as many as wanted or possible', () => {
    fc.assert(
      fc.property(range, (of) => {
        if (of.step === undefined) return;
        const values = randomValues(of);
        for (const value of values) {
          const steps = (value - of.from) / of.step;
          assert.ok(Math.abs(steps - Math.round(steps)) < 1e-6, `${value} is ${steps} steps from ${of.from}`);
        }
        assert.equal(values.length, valueCount(of));
        if (of.step === 1 && Number.isInteger(of.from)) assert.ok(values.every(Number.isInteger));
      }),
    );
  });

  it('stay the same each time, and a larger count keeps them', () => {
    fc.assert(
      fc.property(range, fc.integer({ min: 1, max: 60 }), (of, fewer) => {
        assert.deepEqual(randomValues(of), randomValues({ ...of }));
        if (of.scale === 'log' || fewer > of.random || valueCount(of) < of.random) return;
        const all = new Set(randomValues(of));
        assert.ok(randomValues({ ...of, random: fewer }).every((value) => all.has(value)));
      }),
    );
  });

  it('stay the same on every machine and in every version', () => {
    const of = { from: 1, to: 1000, random: 6, seed: 7 };
    assert.deepEqual(randomValues(of), [76.2, 180.3, 660, 684.6, 811.9, 815.6]);
    assert.deepEqual(randomValues({ ...of, step: 1 }), [377, 424, 631, 641, 680, 976]);
    assert.deepEqual(randomValues({ ...of, scale: 'log' }), [1.084, 12.7, 34.79, 233.4, 468.2, 1000]);
    assert.deepEqual(randomValues({ from: 0, to: 1, random: 4, seed: -1 }), [0.187, 0.31, 0.633, 0.765]);
  });

  it('spread evenly over the range, and over its powers of ten on a log scale', () => {
    const of = { from: 1, to: 10_000, random: 400, seed: 3 };
    const below = (values: readonly number[], most: number) => values.filter((value) => value < most).length;
    const linear = randomValues(of);
    for (const share of [0.25, 0.5, 0.75])
      assert.ok(Math.abs(below(linear, 10_000 * share) / 400 - share) < 0.08, `${share}`);
    const log = randomValues({ ...of, scale: 'log' });
    for (const power of [1, 2, 3])
      assert.ok(Math.abs(below(log, 10 ** power) / log.length - power / 4) < 0.08, `${power}`);
  });

  it('count as values of the grid before they are drawn', () => {
    const many = { from: 0, to: 1, random: 1000, seed: 1, step: 1e-9 };
    assert.throws(() => variationsOf({ '/params/a': many, '/params/b': many }), GridTooLarge);
    assert.equal(variationsOf({ '/params/a': { ...many, random: 3 }, '/params/b': [1, 2] }).length, 6);
  });

  it('need a seed, a number to draw, and a log scale above 0', () => {
    const placesOf = (values: object) =>
      readExperiment(JSON.stringify({ run: { model: 'a' }, vary: { '/params/a': values } })).problems.map(
        ({ pointer }) => pointer,
      );
    assert.deepEqual(placesOf({ from: 1, to: 9, random: 3, seed: 1, step: 1, scale: 'log' }), []);
    assert.deepEqual(placesOf({ from: 0, to: 9, random: 3, seed: 1, scale: 'log' }), [
      '/vary/~1params~1a/from',
    ]);
    assert.deepEqual(placesOf({ from: 9, to: 1, random: 3, seed: 1 }), ['/vary/~1params~1a']);
    for (const wrong of [{ random: 3 }, { random: 0, seed: 1 }, { random: 3, seed: 1, scale: 'square' }])
      assert.notDeepEqual(placesOf({ from: 1, to: 9, ...wrong }), []);
  });
});
