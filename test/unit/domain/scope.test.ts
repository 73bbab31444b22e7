import assert from 'node:assert/strict';
import fc from 'fast-check';
import { scopeFault, scopeNamed } from '../../../src/domain/scope';

describe('A scope', () => {
  it('passes exactly when the interface allows it', () => {
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

describe('The scope named after a folder', () => {
  it('always passes the check of scopes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => {
        const scope = scopeNamed(name);
        return scope === undefined || scopeFault(scope) === undefined;
      }),
    );
  });
});
