import assert from 'node:assert/strict';
import fc from 'fast-check';
import { oneValue, oneValueText } from '../../../../src/experiments/setup/typedValues';

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
});
