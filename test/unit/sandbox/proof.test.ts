import assert from 'node:assert/strict';
import { get } from 'node:http';
import { isOurSandbox } from '../../../src/features/sandbox/proof';
import { listenOnLoopback } from '../../support/loopback';
import { sandboxInProcess, type TestSandbox } from '../../support/sandbox';

describe('the proof of the sandbox', () => {
  let sandbox: TestSandbox;
  before(async () => {
    sandbox = await sandboxInProcess();
  });
  after(() => sandbox.stop());

  it('succeeds only for the holder of the same key', async () => {
    assert.equal(await isOurSandbox(sandbox.baseUrl, sandbox.apiKey), true);
    assert.equal(await isOurSandbox(sandbox.baseUrl, `${sandbox.apiKey}x`), false);
  });

  it('cannot be given by another program, which receives no key', async () => {
    const received: string[] = [];
    const replies = ['', '{}', `{"proof":"${'0'.repeat(64)}"}`, 'x'.repeat(1e6), '{"proof":""}'];
    const other = await listenOnLoopback((request, response) => {
      received.push(`${request.url}\n${JSON.stringify(request.headers)}`);
      response.end(replies[received.length - 1]);
    });
    for (const _ of replies) {
      assert.equal(await isOurSandbox(other.url, sandbox.apiKey), false);
    }
    await other.close();
    assert.equal(received.length, replies.length);
    assert.ok(!received.join('\n').includes(sandbox.apiKey));
  });

  it('cannot be passed on from a sandbox at another port', async () => {
    const relay = await listenOnLoopback((request, response) => {
      get(`${sandbox.baseUrl}${request.url}`, (real) => real.pipe(response));
    });
    assert.equal(await isOurSandbox(relay.url, sandbox.apiKey), false);
    await relay.close();
  });

  it('fails for a closed port', async () => {
    const closed = await sandboxInProcess();
    await closed.stop();
    assert.equal(await isOurSandbox(closed.baseUrl, closed.apiKey), false);
  });
});
