import assert from 'node:assert/strict';
import { shownHeaders } from '../../../src/domain/shownHeaders';

describe('The headers of a response, as they are shown', () => {
  it('are in the order of their names, without those that may let somebody in', () => {
    const secrets = [
      'set-cookie',
      'X-API-Key',
      'Authorization',
      'x-amz-security-token',
      'x-session-id',
      'api_key',
    ];
    const headers = Object.fromEntries(
      ['x-request-id', 'content-type', ...secrets].map((name) => [name, 'value']),
    );
    assert.deepEqual(shownHeaders(headers), [
      ['content-type', 'value'],
      ['x-request-id', 'value'],
    ]);
  });
});
