import assert from 'node:assert/strict';
import { hasMember } from '../../../src/domain/value';

describe('A word of the service that every object has as a name', () => {
  it('shows up in the check of a page’s message', () => {
    const sent = JSON.parse('{"input":{"deep":[{"__proto__":{"x":1}}]}}') as unknown;
    assert.ok(hasMember(sent, '__proto__'));
    assert.ok(!hasMember({ input: { deep: [{ proto: 1 }] }, bytes: new Uint8Array(1e7) }, '__proto__'));
  });
});
