import assert from 'node:assert/strict';
import { type Fault, type FaultProxy, type StubResponse, startFaultProxy } from '../../support/faultProxy';
import { smallService } from '../../support/smallService';
import { usePanels } from '../usePanels';

const response = (status: number, body: unknown = { error: { message: 'Not today.' } }): Fault => ({
  kind: 'response',
  response: { status, body } satisfies StubResponse,
});

/** The trouble, its message, and the one button; without a button where the message is enough. */
const troubles: readonly [string, Fault, RegExp, string | undefined][] = [
  [
    'a bad key',
    response(401),
    /does not accept the API key\. Service message: “Not today\.”/,
    'Set API Key…',
  ],
  [
    'an empty wallet',
    response(402),
    /wallet balance of this workspace is insufficient\. Service message: “Not today\.”/,
    'Show Usage',
  ],
  [
    'no permission',
    response(403),
    /cannot read the catalog\. Runs can be sent\. Service message: “Not today\.”/,
    'Run Model…',
  ],
  ['nothing there', response(404), /Not found on the service.*\. Service message/, 'Refresh'],
  ['a conflict', response(409), /Conflict with the service’s current state\. Service message/, 'Refresh'],
  ['a rejected request', response(400), /rejected the request\. Service message: “Not today\.”/, undefined],
  ['a failing service', response(503), /The service failed \(status 503\)\. Service message/, 'Try Again'],
  ['a page of HTML', response(200, '<h1>Sign in</h1>'), /not a list of models/, 'Open the Response'],
  [
    'a redirect elsewhere',
    { kind: 'redirect', status: 302, to: 'https://elsewhere.example/login' },
    /redirects to https:\/\/elsewhere\.example\/login\./,
    'Connect…',
  ],
  ['a lost connection', { kind: 'resetBefore' }, /The connection to 127\.0\.0\.1:\d+ failed/, 'Try Again'],
  [
    'a long pause',
    { kind: 'response', response: { status: 429, headers: { 'retry-after': '900' } } },
    /limits the rate of requests\. The next one can be sent at \d/,
    'Try Again',
  ],
];

describe('A service in trouble', () => {
  const suite = usePanels();
  let service: FaultProxy;
  let fault: Fault | undefined;
  before(async () => {
    service = await startFaultProxy({
      behind: smallService('Echo'),
      fault: ({ path }) => (path.startsWith('/api/marketplace') ? fault : undefined),
    });
  });
  after(() => service?.close());

  it('stays unconnected when it returns a page that any key would get', async () => {
    const { panels } = suite;
    fault = response(200, '<h1>Sign in</h1>');
    const { host, pathname } = new URL(service.url);
    await panels.runCommand('Model Bench: Connect to a Service…');
    await panels.enter(/Name/, 'Troubled');
    await panels.enter(/Base URL/, `https://${host}${pathname}`);
    const problem = (text: RegExp) =>
      panels.until(async () => text.test((await panels.question(/Base URL/)).validation ?? ''), `${text}`);
    await problem(/speaks http, not https: try http:\/\/127\.0\.0\.1/);
    await panels.enter(/Base URL/, service.url);
    await problem(/response is not a list of models.*Press Enter again/);
    fault = undefined;
    // Without its scheme, which is added.
    await panels.enter(/Base URL/, `${host}${pathname}`);
    await panels.enter(/API Key/, 'mb-key');
    await panels.row('Catalog', 'Echo');
  });

  for (const [what, wrong, words, button] of troubles)
    it(`names itself and the next step: ${what}`, async () => {
      const { panels } = suite;
      fault = wrong;
      panels.clearNotifications();
      await panels.runCommand('Model Bench: Refresh');
      const { text: said, buttons } = await panels.notification(words);
      assert.doesNotMatch(said, /undefined|\[object|NaN/);
      assert.deepEqual(buttons, button === undefined ? [] : [button]);
      // The list stays: an old one is better than none.
      await panels.row('Catalog', 'Echo');
    });

  it('gets another request at a press of the button', async () => {
    const { panels } = suite;
    // The pause of the test before belongs to its client, which ends with the window.
    fault = undefined;
    panels.clearNotifications();
    await panels.reload();
    await panels.row('Catalog', 'Echo');
    fault = { kind: 'resetBefore' };
    await panels.runCommand('Model Bench: Refresh');
    const words = /The connection to 127\.0\.0\.1:\d+ failed/;
    await panels.notification(words);
    fault = undefined;
    const before = service.seen.length;
    await panels.press(words, 'Try Again');
    await panels.until(() => service.seen.length > before, 'The next request');
    await panels.noNotification(words);
  });
});
