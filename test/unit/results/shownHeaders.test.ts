import assert from 'node:assert/strict';
import { shownHeaders } from '../../../src/results/shownHeaders';

describe('The shown headers of a response', () => {
  it('keep the order of their names, without those that may contain credentials', () => {
    const secrets = 'set-cookie X-API-Key Authorization x-amz-security-token x-session-id api_key'.split(' ');
    const headers = Object.fromEntries(
      ['x-request-id', 'content-type', ...secrets].map((name) => [name, 'value']),
    );
    assert.deepEqual(shownHeaders(headers), [
      ['content-type', 'value'],
      ['x-request-id', 'value'],
    ]);
  });
});
