import assert from 'node:assert/strict';
import { refillPlayMoney } from '../../../src/features/sandbox/proof';
import { sandboxInProcess, type TestSandbox } from '../../support/sandbox';
import { call, run } from '../../support/sandboxCalls';

describe('the play money of the sandbox', () => {
  let sandbox: TestSandbox;
  before(async () => {
    sandbox = await sandboxInProcess();
  });
  after(() => sandbox.stop());

  it('fills up for the holder of its key only', async () => {
    assert.equal(await refillPlayMoney(sandbox.baseUrl, `${sandbox.apiKey}x`), false);
    await run(sandbox, { model: 'sentiment', input: { text: 'Fine.' } });
    const before = await call(sandbox, 'GET', '/api/billing/wallet');
    assert.ok(before.body.balance < 10);
    assert.equal(await refillPlayMoney(sandbox.baseUrl, sandbox.apiKey), true);
    const after = await call(sandbox, 'GET', '/api/billing/wallet');
    assert.equal(Number(after.body.balance), 10);
  });
});
