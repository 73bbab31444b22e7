import assert from 'node:assert/strict';
import path from 'node:path';
import { filesWith } from '../../support/canary';
import { connect } from '../../support/connect';
import { type HostileService, startHostileService } from '../../support/hostileService';
import {
  actingLinks,
  countOpened,
  endHostWatch,
  installHostWatch,
  loggedLines,
  readableByOthers,
} from '../../support/hostWatch';
import { makePictures } from '../../support/pictures';
import { RunPanel } from '../../support/runPanel';
import { useVSCode } from '../journey';

/** The user's text: the log must not contain it. */
const TYPED = 'my own words that Nobody else reads';
const GENERATED = 20;
const TABS = ['JSON', 'Raw', 'Request', 'Headers', 'Preview'];
/** Whose every tab is opened; of the rest, the one that comes first. */
const looksInto = (answer: string) =>
  /__proto__|one text|beside one another|outside|malformed|markup|formulas|generated [05]$/.test(answer);

describe('A service that is hostile in every response', () => {
  let service: HostileService;
  let opened: () => readonly string[];
  const journey = useVSCode({
    prepare: async (workspace) => {
      await installHostWatch(workspace);
      await makePictures(path.join(workspace, 'images'), 3);
    },
  });
  before(async () => {
    service = await startHostileService(GENERATED);
    opened = countOpened(journey.vscode);
  });
  after(() => service?.close());

  it('connects, and shows a rejection as text in the key’s box', async () => {
    const { vscode } = journey;
    await connect(vscode, { name: 'Hostile', baseUrl: service.url, apiKey: 'mb-wrong' });
    await vscode.quickInput.getByText(/Your key has expired/).waitFor();
    await vscode.screenshot('journeys/hostile/key-box');
    assert.deepEqual(await actingLinks(vscode), []);
    await vscode.answerQuickInput(service.apiKey, /API Key/);
    await vscode.treeRow('Catalog', /which is another server than the base URL/).waitFor();
    await vscode.screenshot('journeys/hostile/catalog');
    assert.deepEqual(await actingLinks(vscode), []);
  });

  it('ends each run in the panel without an action, for any response', async () => {
    const { vscode } = journey;
    const panel = await RunPanel.open(vscode, 'Target');
    await panel.fill('Text', TYPED);
    await vscode.screenshot('journeys/hostile/panel');
    const seen = new Set<string>();
    for (const [at, answer] of service.runAnswers.entries()) {
      await panel.run();
      assert.ok(service.runs > at, `“${answer}” was not asked for`);
      for (const tab of looksInto(answer) ? TABS : []) {
        if ((await panel.result.getByRole('tab').count()) === 0) continue;
        await panel.showResult(tab);
        await panel.result.getByRole('tabpanel').first().waitFor();
        assert.deepEqual(await actingLinks(vscode), [], `${answer}, ${tab}`);
        seen.add(tab);
      }
      assert.deepEqual(await actingLinks(vscode), [], answer);
    }
    await vscode.screenshot('journeys/hostile/result');
    assert.deepEqual([...seen].sort(), ['Headers', 'JSON', 'Preview', 'Raw', 'Request']);
  });

  it('shows usage and history with texts as rows', async () => {
    const { vscode } = journey;
    await vscode.runCommand('Model Bench: Show Usage and Billing');
    const page = await vscode.webview('Usage and Billing');
    await page.getByRole('region', { name: 'Activity' }).waitFor();
    await vscode.screenshot('journeys/hostile/usage');
    await vscode.showModelBench();
    await vscode
      .view('History')
      .getByRole('treeitem', { name: /Target/ })
      .first()
      .hover();
    assert.deepEqual(await actingLinks(vscode), []);
  });

  it('indexes pictures, and shows no file that the service names', async () => {
    const { vscode } = journey;
    await vscode.contextMenu(await vscode.revealInExplorer('images'), 'Index Image with Model');
    await vscode.pick(/Target/, /Index with which model/);
    await vscode.pick('playground', /Into which scope/);
    await vscode.clickDialogButton('Index 3 Files');
    await vscode.notificationText(/into playground/);
    await vscode.screenshot('journeys/hostile/indexed');
    assert.deepEqual(await actingLinks(vscode), []);
  });

  it('searches, and shows no file for the named hits', async () => {
    const { vscode } = journey;
    const item = await vscode.revealInExplorer('images', 'set-0', 'picture-0.png');
    await vscode.contextMenu(item, 'Find Similar');
    const page = await vscode.webview('Search playground');
    await page.getByText('etc/passwd').first().waitFor();
    await vscode.screenshot('journeys/hostile/search-hits');
    assert.equal(await page.locator('img[src*="passwd"], img[src*="secret"]').count(), 0);
    assert.deepEqual(await actingLinks(vscode), []);
  });

  it('opens no address, runs no command, and leaves no file that others can read', async () => {
    const { vscode } = journey;
    await vscode.clearNotifications();
    assert.deepEqual(opened(), []);
    assert.deepEqual(
      service.lured.map(({ path: route }) => route),
      [],
    );
    assert.deepEqual(await loggedLines(vscode, TYPED), []);
    assert.deepEqual(await filesWith(path.join(vscode.userData, 'logs'), [service.apiKey]), []);
    assert.deepEqual(await readableByOthers(vscode.globalStorage), []);
    const figures = await endHostWatch(vscode);
    assert.equal(figures.acted, 0);
    assert.ok(figures.mostMemoryBytes < 1.5e9, `${figures.mostMemoryBytes} bytes`);
  });
});
