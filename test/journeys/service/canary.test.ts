import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import {
  browserStorageWith,
  documentsOf,
  filesWith,
  recordMessages,
  type SeenDocument,
  seenWith,
  spellingsOf,
} from '../../support/canary';
import { type FaultProxy, startFaultProxy } from '../../support/faultProxy';
import { makePictures } from '../../support/pictures';
import { RunPanel } from '../../support/runPanel';
import { sandboxInProcess, type TestSandbox } from '../../support/sandbox';
import { disc } from '../../support/sandboxPictures';
import { useVSCode } from '../journey';

const WALLET = 'modelBench.wallet';

describe('An API key, while everything is used with it', () => {
  let sandbox: TestSandbox;
  let proxy: FaultProxy;
  let evil: FaultProxy;
  const journey = useVSCode({
    prepare: async (workspace) => {
      await makePictures(path.join(workspace, 'images'), 6);
      evil = await startFaultProxy({ behind: () => ({ body: [] }) });
      await mkdir(path.join(workspace, '.vscode'));
      // Workspace trust is off in this host: the workspace is as trusted as it gets.
      await writeFile(
        path.join(workspace, '.vscode/settings.json'),
        JSON.stringify({ 'modelBench.environments': { Evil: evil.url, Staging: evil.url } }),
      );
    },
  });
  /** The recorded content of documents that are gone at the end: panels that were replaced. */
  const seen: SeenDocument[] = [];
  const look = async () => void seen.push(...(await documentsOf(journey.vscode.page)));

  before(async () => {
    sandbox = await sandboxInProcess();
    proxy = await startFaultProxy({
      behind: sandbox.baseUrl,
      // A debugging gateway that says the key back, in a refusal of a run and in the activity.
      fault: ({ method, path: route, headers, body }) =>
        (method === 'POST' && route === '/api/runs' && body.includes('say the key')) ||
        route.startsWith('/api/billing/activity')
          ? {
              kind: 'response',
              response: {
                status: method === 'POST' ? 400 : 200,
                headers: { 'x-echo': String(headers['x-api-key']), 'x-request-id': 'echo-1' },
                body: { message: `not with ${headers['x-api-key']}`, headers },
              },
            }
          : undefined,
    });
  });
  after(async () => {
    await proxy?.close();
    await evil?.close();
    await sandbox?.stop();
  });

  it('passes a check after entry by keyboard alone, before it is kept', async () => {
    const { vscode } = journey;
    await recordMessages(vscode.page);
    await vscode.reload();
    await vscode.statusBarItem(WALLET).filter({ hasText: 'Connect' }).waitFor();
    await vscode.runCommand('Model Bench: Connect to a Service…');
    await vscode.answerQuickInput('Staging', /Name/);
    await vscode.answerQuickInput(proxy.url, /Base URL/);
    await vscode.expectQuickInput(/API Key/);
    assert.equal(await vscode.quickInputBox.getAttribute('type'), 'password');
    await vscode.answerQuickInput('mb-wrong', /API Key/);
    await vscode.quickInput.getByText(/does not accept the API key/).waitFor();
    await vscode.answerQuickInput(sandbox.apiKey, /API Key/);
    await vscode.treeRow('Catalog', /Sentiment/).waitFor();
    await vscode.statusBarItem(WALLET).filter({ hasText: 'Staging' }).waitFor();
    // The log shall say all that it ever says.
    await vscode.runCommandThatAsks('Developer: Set Log Level...', /log level/i, async () => {
      await vscode.pick('Model Bench');
      await vscode.pick(/^Trace/);
    });
  });

  it('runs a model on a file', async () => {
    const { vscode } = journey;
    await vscode.runCommandThatAsks('Model Bench: Run Model…', 'Choose a model to run', () =>
      vscode.pick(/Image Description/),
    );
    const panel = await RunPanel.in(vscode, 'Image Description');
    const bytes = disc(200, 30, 30);
    const zone = panel.frame.locator('.drop-zone').first();
    await panel.dropOn(zone, { name: 'disc.png', mimeType: 'image/png', bytes });
    await panel.button('Run').click();
    await panel.result
      .getByText(/Finished in/)
      .last()
      .waitFor();
    const tabs = [...['Code', 'JSON'].map((name) => panel.tab(name))];
    for (const name of ['JSON', 'Raw', 'Request', 'Headers']) {
      await panel.showResult(name);
      await look();
    }
    for (const tab of tabs) {
      await tab.first().click();
      await look();
    }
    await panel.tab('Code').click();
    const code = await panel.frame.getByRole('tabpanel').filter({ hasText: 'X-API-Key' }).first().innerText();
    assert.match(code, /API_KEY/);
    await vscode.screenshot('journeys/service/code');
  });

  it('disappears from a rejection that repeats it', async () => {
    const { vscode } = journey;
    await vscode.runCommandThatAsks('Model Bench: Run Model…', 'Choose a model to run', () =>
      vscode.pick(/Sentiment/),
    );
    const panel = await RunPanel.in(vscode, 'Sentiment (English)');
    await panel.frame.getByRole('textbox', { name: /text/i }).first().fill('say the key');
    await panel.button('Run').click();
    await panel.result
      .getByText(/API key removed/)
      .first()
      .waitFor();
    await look();
    await vscode.screenshot('journeys/service/echo');
  });

  it('indexes a folder and searches it', async () => {
    const { vscode } = journey;
    await vscode.contextMenu(await vscode.revealInExplorer('images'), 'Index Image with Model');
    await vscode.pick('playground', /Into which scope/);
    await vscode.clickDialogButton('Index 6 Files');
    await vscode.notificationText(/Indexed \d+ of \d+ files? into playground/);
    const item = await vscode.revealInExplorer('images', 'set-0', 'picture-3.png');
    await vscode.contextMenu(item, 'Find Similar');
    const page = await vscode.webview('Search playground');
    await page.getByRole('button', { name: /^Hit 1: / }).waitFor();
    await look();
  });

  it('reads usage, activity and history', async () => {
    const { vscode } = journey;
    await vscode.runCommand('Model Bench: Show Usage and Billing');
    const page = await vscode.webview('Usage and Billing');
    await page.getByText('By model').first().waitFor();
    await look();
    await vscode.screenshot('journeys/service/usage');
    await page
      .getByRole('region', { name: 'Activity' })
      .getByRole('button', { name: 'Open Raw Response' })
      .click();
    await vscode.page
      .locator('.monaco-editor .view-lines')
      .filter({ hasText: /not\swith\s\[API\skey\sremoved\]/ })
      .waitFor();
    await look();
    await vscode.showModelBench();
    await vscode
      .view('History')
      .getByRole('treeitem', { name: /Sentiment|Image/ })
      .first()
      .waitFor();
    await vscode.runCommand('Model Bench: Show Log');
    await vscode.page
      .locator('.part.panel .view-lines')
      .filter({ hasText: /GET\s\/api\/billing/ })
      .first()
      .waitFor();
    await look();
    await vscode.screenshot('journeys/service/log');
  });

  it('leaves in X-API-Key only, and to its own origin only', async () => {
    assert.ok(proxy.seen.length > 20);
    for (const { headers, path: route, body } of proxy.seen) {
      assert.ok([sandbox.apiKey, 'mb-wrong', undefined].includes(headers['x-api-key'] as string | undefined));
      assert.equal(headers.authorization, undefined);
      assert.ok(!route.includes(sandbox.apiKey) && !body.includes(sandbox.apiKey));
    }
    // A workspace named environments of its own, one of them by the name that the user chose.
    assert.equal(evil.seen.length, 0);
    const { vscode } = journey;
    await vscode.runCommandThatAsks('Model Bench: Switch Environment…', /its own key/, () =>
      vscode.quickPickRow('Staging').waitFor(),
    );
    assert.equal(await vscode.quickPickRow('Evil').count(), 0);
    assert.equal(await vscode.quickInput.getByText(evil.url).count(), 0);
    await vscode.page.keyboard.press('Escape');
  });

  it('occurs in no log, setting, journal, storage, message or document', async () => {
    const { vscode } = journey;
    await look();
    const spellings = spellingsOf(sandbox.apiKey);
    const withRemoved = seen.filter(({ dom }) => dom.includes('API key removed'));
    const posted = seen.filter(({ messages }) =>
      messages.some((message) => message.includes('API key removed')),
    );
    assert.ok(
      withRemoved.length > 0,
      `the key was missed in ${seen.length} documents: ${[...new Set(seen.map(({ url }) => url))]}`,
    );
    assert.ok(posted.length > 0, 'the messages between a panel and its host were seen');
    assert.deepEqual(seenWith(seen, spellings), []);
    assert.deepEqual(await filesWith(vscode.userData, spellings), []);
    assert.deepEqual(await filesWith(vscode.workspace, spellings), []);
    // The log itself is there, and was searched.
    assert.ok((await filesWith(vscode.userData, ['POST /api/media/upload/init'])).length > 0);
    assert.ok((await filesWith(vscode.globalStorage, ['say the key'])).length > 0);
    // VS Code in a browser keeps its SecretStorage in the browser, encrypted; so it is nowhere in plain sight.
    assert.deepEqual(await browserStorageWith(vscode.page, spellings), []);
  });

  it('outlives a reload, and is gone everywhere once it is forgotten', async () => {
    const { vscode } = journey;
    await vscode.reload();
    await vscode.statusBarItem(WALLET).filter({ hasText: 'Staging' }).waitFor();
    await vscode.runCommand('Model Bench: Forget API Key…');
    await vscode.clickDialogButton('Forget Key');
    await vscode.statusBarItem(WALLET).filter({ hasText: 'Connect' }).waitFor();
    await vscode.showModelBench();
    await vscode.welcome('Catalog').waitFor();
    const sent = proxy.seen.length;
    await vscode.runCommand('Model Bench: Refresh');
    await vscode.reload();
    await vscode.statusBarItem(WALLET).filter({ hasText: 'Connect' }).waitFor();
    const after = proxy.seen.slice(sent);
    assert.deepEqual(
      after.map(({ method, path: route }) => `${method} ${route}`),
      [],
    );
  });
});
