import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { networkSettings } from '../../src/platform/network';
import { startFaultProxy } from '../support/faultProxy';
import { REQUEST, testClient } from '../support/serviceClient';

const DISPATCHERS = [Symbol.for('undici.globalDispatcher.1'), Symbol.for('undici.globalDispatcher.2')];
const globals = globalThis as unknown as Record<symbol, unknown>;

describe('the transport inside the extension host', () => {
  it('leaves the global dispatcher of the extension host as it was, and everybody’s fetch works on', async () => {
    const service = await startFaultProxy({ behind: () => ({ body: { status: 'succeeded', output: 1 } }) });
    // Other extensions fetch; what their fetch uses must stay.
    await fetch(service.url);
    const before = DISPATCHERS.map((key) => globals[key]);
    const client = testClient(service.url, { network: networkSettings });
    assert.equal((await client.run(REQUEST)).state, 'finished');
    assert.deepEqual(
      DISPATCHERS.map((key, index) => globals[key] === before[index]),
      [true, true],
    );
    assert.equal((await fetch(service.url)).status, 200);
    client.close();
    await service.close();
  });

  it('takes proxy settings from the user, as they are now', async () => {
    const http = vscode.workspace.getConfiguration('http');
    await http.update('proxy', 'http://user-proxy.example:3128', vscode.ConfigurationTarget.Global);
    await http.update('noProxy', ['internal.example'], vscode.ConfigurationTarget.Global);
    try {
      const settings = networkSettings();
      assert.equal(settings.proxy, 'http://user-proxy.example:3128');
      assert.deepEqual(settings.noProxy, ['internal.example']);
      assert.equal(settings.strictSsl, true);
    } finally {
      await http.update('proxy', undefined, vscode.ConfigurationTarget.Global);
      await http.update('noProxy', undefined, vscode.ConfigurationTarget.Global);
    }
    assert.equal(networkSettings().proxy, undefined);
  });
});
