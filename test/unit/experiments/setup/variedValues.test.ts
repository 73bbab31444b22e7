import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Varied } from '../../../../src/experiments/file/format';
import { variedFrom, variedText } from '../../../../src/experiments/setup/variedValues';

describe('Values that are typed', () => {
  it('become a list or a range of the field’s type', () => {
    assert.deepEqual(variedFrom('1, 3,5', false), [1, 3, 5]);
    assert.deepEqual(variedFrom('1, 3', true), ['1', '3']);
    assert.deepEqual(variedFrom('0.1 to 0.5 step 0.2', false), { from: 0.1, to: 0.5, step: 0.2 });
    assert.deepEqual(variedFrom('1 to 5', false), { from: 1, to: 5, step: 1 });
    assert.deepEqual(variedFrom('1 to 5', true), ['1 to 5']);
    assert.deepEqual(variedFrom('["a, b", "c"]', true), ['a, b', 'c']);
    assert.equal(variedFrom(' , ', false), undefined);
  });

  it('become random numbers that are multiples of the field’s step', () => {
    const drawn = { from: 1, to: 9, random: 3, seed: 1 };
    assert.deepEqual(variedFrom('3 random from 1 to 9', false), drawn);
    assert.deepEqual(variedFrom('3 random from 1 to 9', false, 2), { ...drawn, from: 2, step: 2 });
    assert.deepEqual(variedFrom('3 random from 1 to 9 step 1 log seed 7', false, 2), {
      ...{ ...drawn, seed: 7, step: 1, scale: 'log' },
    });
    assert.equal(variedFrom('0 random from 1 to 9', false), undefined);
    assert.deepEqual(variedFrom('3 random from 1 to 9', true), ['3 random from 1 to 9']);
  });

  it('become a text that parses to the same values', () => {
    const list = fc.array(fc.oneof(fc.string(), fc.integer(), fc.boolean()), { minLength: 1 });
    fc.assert(
      fc.property(list, fc.boolean(), (values, isText) => {
        assert.deepEqual(variedFrom(variedText(values as Varied, isText), isText), values);
      }),
    );
    for (const range of [
      { from: 1, to: 5, step: 1 },
      { from: -0.5, to: 2, step: 0.25 },
      { from: 1, to: 100, random: 8, seed: 1 },
      { from: 0.5, to: 64, random: 3, seed: -2, step: 0.5, scale: 'log' as const },
    ])
      assert.deepEqual(variedFrom(variedText(range, false), false), range);
  });
});
