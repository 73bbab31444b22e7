import assert from 'node:assert/strict';
import fc from 'fast-check';
import { oneValue, oneValueText, withValue } from '../../../../src/experiments/setup/oneValue';

describe('One value that is typed', () => {
  it('comes back from its own text, on one line', () => {
    const value = fc.oneof(fc.string({ unit: 'binary' }), fc.string(), fc.jsonValue());
    fc.assert(
      fc.property(value, (one) => {
        const normal = JSON.parse(JSON.stringify(one));
        const text = oneValueText(normal);
        assert.ok(!/[\r\n]/.test(text));
        assert.deepEqual(oneValue(text, normal), normal);
      }),
    );
  });

  it('stays text beside text, and becomes a number beside a number', () => {
    assert.equal(oneValue('Translate, please: 5', 'a'), 'Translate, please: 5');
    assert.equal(oneValue('5', 'a'), '5');
    assert.equal(oneValue('5', 1), 5);
    assert.deepEqual(withValue([1, 2], 3), [1, 2, 3]);
    assert.equal(withValue([1, 2], 2), undefined);
  });
});
