import assert from 'node:assert/strict';
import { sandboxInProcess, type TestSandbox } from '../../support/sandbox';
import { call, run } from '../../support/sandboxCalls';

describe("the sandbox's models", () => {
  let sandbox: TestSandbox;
  before(async () => {
    sandbox = await sandboxInProcess({ wallet: '100' });
  });
  after(() => sandbox.stop());

  it('run their own published examples unchanged', async () => {
    const list = await call(sandbox, 'GET', '/api/marketplace/models');
    let tried = 0;
    for (const { slug } of list.body.models) {
      if (slug === 'always-fails') continue;
      const { body } = await call(sandbox, 'GET', `/api/marketplace/models/${slug}`);
      for (const [mode, contract] of Object.entries<{ examples: { input: object; params: object }[] }>(
        body.modes,
      )) {
        assert.ok(contract.examples.length > 0, `${slug} ${mode} has no example`);
        for (const { input, params } of contract.examples) {
          const quick = slug === 'slow-echo' ? { seconds: 0.01 } : params;
          const done = await run(sandbox, { model: slug, mode, scope: 'examples', input, params: quick });
          const expected = slug === 'later-echo' ? 202 : 200;
          assert.equal(done.status, expected, `${slug} ${mode}: ${JSON.stringify(done.body)}`);
          tried += 1;
        }
      }
    }
    assert.ok(tried >= 15);
  });
});
