import assert from 'node:assert/strict';
import { getAt, setAt } from '../../../src/domain/value';

describe('A place in a value', () => {
  it('takes a new value at any depth, and shares the unchanged parts', () => {
    const before = { a: { b: [1, { c: 2 }] }, d: { e: 1 } };
    const after = setAt(before, '/a/b/1/c', 3) as typeof before;
    assert.deepEqual(after, { a: { b: [1, { c: 3 }] }, d: { e: 1 } });
    assert.equal(after.d, before.d);
    const place = '/x'.repeat(20_000);
    assert.equal(getAt(setAt({}, place, 1), place), 1);
  });
});
