import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { identify } from '../../../src/features/sandbox/proof';
import { sandboxInProcess, type TestSandbox } from '../../support/sandbox';

describe('the proof of the sandbox', () => {
  let sandbox: TestSandbox;
  before(async () => {
    sandbox = await sandboxInProcess();
  });
  after(() => sandbox.stop());

  it('is accepted by the holder of the same key only', async () => {
    assert.equal(await identify(sandbox.baseUrl, sandbox.apiKey), 'sandbox');
    assert.equal(await identify(sandbox.baseUrl, `${sandbox.apiKey}x`), 'other');
  });

  it('cannot be given by another program, which receives no key', async () => {
    const received: string[] = [];
    const replies = ['', '{}', `{"proof":"${'0'.repeat(64)}"}`, 'x'.repeat(1e6), '{"proof":""}'];
    const other = createServer((request, response) => {
      received.push(`${request.url}\n${JSON.stringify(request.headers)}`);
      response.end(replies[received.length - 1]);
    }).listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    for (const _ of replies) {
      assert.equal(await identify(`http://127.0.0.1:${port}`, sandbox.apiKey), 'other');
    }
    other.close();
    assert.equal(received.length, replies.length);
    assert.ok(!received.join('\n').includes(sandbox.apiKey));
  });

  it('cannot be passed on from a sandbox at another port', async () => {
    const relay = createServer((request, response) => {
      get(`${sandbox.baseUrl}${request.url}`, (real) => real.pipe(response));
    }).listen(0, '127.0.0.1');
    await once(relay, 'listening');
    const { port } = relay.address() as AddressInfo;
    assert.equal(await identify(`http://127.0.0.1:${port}`, sandbox.apiKey), 'other');
    relay.close();
    relay.closeAllConnections();
  });

  it('is missing where nothing listens', async () => {
    const closed = await sandboxInProcess();
    await closed.stop();
    assert.equal(await identify(closed.baseUrl, closed.apiKey), 'none');
  });
});
