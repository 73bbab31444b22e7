import assert from 'node:assert/strict';
import fc from 'fast-check';
import { HttpError } from '../../../src/sandbox/http/errors';
import { sandboxInProcess } from '../../support/sandbox';
import { RateLimit } from '../../support/sandbox/rateLimit';
import { run } from '../../support/sandboxCalls';

const BODY = { model: 'sentiment', input: { text: 'Fine.' } };

describe('injected faults', () => {
  it('leave no run before its execution, and a paid one after it', async () => {
    const sandbox = await sandboxInProcess();
    const executed = async () => (await sandbox.ledger()).runs['sentiment execute'] ?? 0;
    for (const [action, runs] of [
      ['reset-before', 0],
      ['status:500', 0],
      ['429', 0],
      ['reset-after-execute', 1],
      ['status-after-execute:502', 1],
      ['truncate', 1],
      ['html', 1],
      ['garbage', 1],
      ['delay', 1],
    ] as const) {
      const before = await executed();
      sandbox.sandbox.faults.set([{ route: 'runs', action, ms: 1 }]);
      const outcome = await run(sandbox, BODY).then(
        ({ status }) => status,
        (error: Error) => error.name,
      );
      assert.equal((await executed()) - before, runs, action);
      if (action.startsWith('status')) assert.equal(outcome, Number(action.split(':')[1]));
      else if (action === '429') assert.equal(outcome, 429);
      else if (action === 'delay') assert.equal(outcome, 200);
      else assert.equal(typeof outcome, 'string', `${action} gave ${outcome}`);
    }
    const spent = 10_000_000 - sandbox.sandbox.accounts.balance;
    assert.equal(spent, (await executed()) * 1000);
    await sandbox.stop();
  });
});

describe('the rate limit', () => {
  it('never admits more than the bucket holds and refills, and Retry-After suffices', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 50 }),
        fc.integer({ min: 1, max: 60 }),
        fc.array(fc.integer({ min: 0, max: 3000 }), { minLength: 1, maxLength: 200 }),
        (limit, windowSeconds, pauses) => {
          let clock = 1_700_000_000_000;
          const start = clock;
          const bucket = new RateLimit({ limit, windowSeconds }, () => clock);
          let taken = 0;
          for (const pause of pauses) {
            clock += pause;
            try {
              const headers = bucket.take();
              taken += 1;
              assert.ok(Number(headers['X-RateLimit-Remaining']) < limit);
              assert.ok(Number(headers['X-RateLimit-Reset']) * 1000 >= clock);
            } catch (error) {
              assert.ok(error instanceof HttpError && error.status === 429);
              clock += Number(error.extras.headers?.['Retry-After']) * 1000;
              bucket.take();
              taken += 1;
            }
            const most = limit + ((clock - start) / 1000 / windowSeconds) * limit;
            assert.ok(taken <= most + 1e-6);
          }
        },
      ),
    );
  });
});
