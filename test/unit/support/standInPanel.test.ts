import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { Panel } from '../../support/panels/standInPanel';

describe('A stand-in of a panel', () => {
  it('gives its page all messages in their order, even while earlier ones are still being delivered', async () => {
    const { webview } = new Panel('search', 'Search', undefined);
    const delivered: unknown[] = [];
    await Promise.all(['searching', 'still searching'].map((state) => webview.postMessage(state)));
    const connected = webview.connect(async (message) => {
      await turn();
      delivered.push(message);
    });
    await webview.postMessage('found');
    await connected;
    await webview.postMessage('found more');
    assert.deepEqual(delivered, ['searching', 'still searching', 'found', 'found more']);
  });
});
