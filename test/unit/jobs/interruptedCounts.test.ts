import assert from 'node:assert/strict';
import { interruptedCounts } from '../../../src/jobs/interruptedCounts';

describe('An interrupted job', () => {
  it('counts requests in flight, and those that its window no longer waited for, as unconfirmed', () => {
    assert.deepEqual(
      interruptedCounts({ done: 5, failed: 1, inFlight: 2, unknown: 3, planned: 4, ready: 6 }),
      { total: 21, remaining: 10, unconfirmed: 5 },
    );
    assert.deepEqual(interruptedCounts({}), { total: 0, remaining: 0, unconfirmed: 0 });
  });
});
