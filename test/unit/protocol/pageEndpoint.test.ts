import assert from 'node:assert/strict';
import { type Endpoint, readyCall } from '../../../src/protocol/channel';

describe('The page’s end of the channel', () => {
  let sent: unknown[];
  let heard: unknown[];
  let target: EventTarget;
  let endpoint: Endpoint;
  let loads = 0;

  /** As the page’s HTML leaves the window to its script. */
  beforeEach(async () => {
    sent = [readyCall];
    heard = [];
    const asked = {
      api: { postMessage: (message: unknown) => sent.push(message) },
      heard: [] as unknown[],
      hear: (event: Event) => asked.heard.push((event as MessageEvent).data),
    };
    target = Object.assign(new EventTarget(), { asked });
    target.addEventListener('message', asked.hear);
    Object.assign(globalThis, { window: target });
    // Loads the module again, like a page.
    const loaded = await import(`../../../webview/shared/host.ts?${++loads}`);
    endpoint = loaded.hostEndpoint;
    endpoint.listen((message) => heard.push(message));
  });
  afterEach(async () => {
    // Messages that are still to be delivered read the window.
    await new Promise((resolve) => setTimeout(resolve));
    Reflect.deleteProperty(globalThis, 'window');
  });

  const arrives = (data: unknown) => target.dispatchEvent(new MessageEvent('message', { data }));

  it('does not send the call again that the HTML has sent', () => {
    endpoint.post(readyCall);
    endpoint.post('next');
    assert.deepEqual(sent, [readyCall, 'next']);
  });

  it('delivers messages from before its first call, in order and once, and then later ones', async () => {
    arrives('response');
    arrives('notification');
    assert.deepEqual(heard, []);
    endpoint.post(readyCall);
    arrives('later');
    const all = ['response', 'notification', 'later'];
    while (heard.length < all.length) await new Promise((resolve) => setTimeout(resolve));
    assert.deepEqual(heard, all);
    await new Promise((resolve) => setTimeout(resolve));
    arrives('live');
    assert.deepEqual(heard, [...all, 'live']);
  });

  it('lets code that awaits a response continue before the notification that arrived after it', async () => {
    const order: string[] = [];
    /** As far as a call's own awaits may be from its response. */
    const deep = async (awaits: number): Promise<void> => (awaits > 0 ? deep(awaits - 1) : undefined);
    endpoint.listen((message) => {
      const said = String(message);
      if (said === 'response') void deep(20).then(() => order.push('continued'));
      else order.push(said);
    });
    arrives('response');
    arrives('notification');
    endpoint.post(readyCall);
    while (order.length < 2) await new Promise((resolve) => setTimeout(resolve));
    assert.deepEqual(order, ['continued', 'notification']);
  });
});
