import assert from 'node:assert/strict';
import { connect } from '../../support/connect';
import { type Fault, type FaultProxy, type StubResponse, startFaultProxy } from '../../support/faultProxy';
import { useVSCode } from '../../support/journey';

const response = (status: number, body: unknown = { error: { message: 'Not today.' } }): Fault => ({
  kind: 'response',
  response: { status, body } satisfies StubResponse,
});

/** What goes wrong, the words for it, and the one button; none where the words say all. */
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
  ['no permission', response(403), /no permission for this\. Service message: “Not today\.”/, 'Set API Key…'],
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
  const journey = useVSCode();
  let service: FaultProxy;
  let fault: Fault | undefined;
  before(async () => {
    service = await startFaultProxy({
      behind: ({ path }) =>
        path.startsWith('/api/marketplace')
          ? { body: [{ slug: 'echo', name: 'Echo' }] }
          : { body: { balance: '5.00', currency: 'USD' } },
      fault: ({ path }) => (path.startsWith('/api/marketplace') ? fault : undefined),
    });
  });
  after(() => service?.close());

  it('is not taken for connected when it responses with a page that any key would get', async () => {
    const { vscode } = journey;
    fault = response(200, '<h1>Sign in</h1>');
    const { host, pathname } = new URL(service.url);
    await vscode.runCommand('Model Bench: Connect to a Service…');
    await vscode.answerQuickInput('Troubled', /Name/);
    await vscode.answerQuickInput(`${host}${pathname}`, /Base URL/);
    await vscode.expectQuickInput(`Enter the whole address: http://${host}`);
    await vscode.screenshot('journeys/service/connect-without-scheme');
    await vscode.answerQuickInput(`https://${host}${pathname}`, /Base URL/);
    await vscode.answerQuickInput('mb-key', /API Key/);
    assert.match(await vscode.dialogText(), /speaks http, not https: try http:\/\/127\.0\.0\.1/);
    await vscode.screenshot('journeys/service/connect-wrong-scheme');
    await vscode.page.keyboard.press('Escape');
    await connect(vscode, { name: 'Troubled', baseUrl: service.url, apiKey: 'mb-key' });
    assert.match(
      await vscode.dialogText(),
      /The key could not be checked\. The service’s response is not a list of models/,
    );
    await vscode.screenshot('journeys/service/connect-unchecked');
    fault = undefined;
    await vscode.clickDialogButton('Try Again');
    await vscode.answerQuickInput('mb-key', /API Key/);
    await vscode.treeRow('Catalog', 'Echo').waitFor();
  });

  for (const [what, wrong, words, button] of troubles)
    it(`says what it is and what leads on: ${what}`, async () => {
      const { vscode } = journey;
      fault = wrong;
      await vscode.clearNotifications();
      await vscode.runCommand('Model Bench: Refresh');
      const said = await vscode.notificationText(words);
      assert.doesNotMatch(said, /undefined|\[object|NaN/);
      const buttons = vscode
        .notification(words)
        .locator('.notification-list-item-buttons-container .monaco-button');
      assert.deepEqual(await buttons.allInnerTexts(), button === undefined ? [] : [button]);
      // What was there stays: an old list is better than none.
      await vscode.treeRow('Catalog', 'Echo').waitFor();
      await vscode.screenshot(`journeys/service/trouble-${what.replaceAll(' ', '-')}`);
    });

  it('is asked again at a press of the button', async () => {
    const { vscode } = journey;
    // The pause of the test before belongs to its client, which ends with the window.
    fault = undefined;
    await vscode.clearNotifications();
    await vscode.reload();
    await vscode.treeRow('Catalog', 'Echo').waitFor();
    fault = { kind: 'resetBefore' };
    await vscode.runCommand('Model Bench: Refresh');
    const words = /The connection to 127\.0\.0\.1:\d+ failed/;
    await vscode.notification(words).waitFor();
    fault = undefined;
    const before = service.seen.length;
    await vscode.clickNotificationAction(words, 'Try Again');
    while (service.seen.length === before)
      await vscode.page.evaluate(() => new Promise(requestAnimationFrame));
    await vscode.notification(words).waitFor({ state: 'hidden' });
  });
});
