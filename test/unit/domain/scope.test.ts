import assert from 'node:assert/strict';
import fc from 'fast-check';
import { scopeFault } from '../../../src/domain/scope';

describe('A scope', () => {
  it('is right exactly when the interface says so', () => {
    const near = fc.string({
      unit: fc.constantFrom('a', 'Z', '0', '.', '_', '-', ' ', 'é', '\n'),
      maxLength: 70,
    });
    fc.assert(
      fc.property(fc.oneof(near, fc.string()), (text) => {
        assert.equal(
          scopeFault(text) === undefined,
          /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(text) && !text.endsWith('\n'),
        );
      }),
      { numRuns: 1000 },
    );
  });
});
