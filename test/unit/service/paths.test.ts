import assert from 'node:assert/strict';
import { path } from '../../../src/service/paths';

describe('a path', () => {
  it('encodes its parameters and rejects those that could leave the segment', () => {
    assert.equal(path`/api/models/${'a b/ü?#%'}`, '/api/models/a%20b%2F%C3%BC%3F%23%25');
    for (const bad of ['', '.', '..', 'a/../b', '..\\x', '%2e%2e', '.%2E', 'a%2f..', '\ud800'])
      assert.throws(() => path`/x/${bad}`, { name: 'ServiceError' }, bad);
  });
});
