import assert from 'node:assert/strict';
import path from 'node:path';
import { connect, switchTo } from '../support/connect';
import { type FaultProxy, startFaultProxy } from '../support/faultProxy';
import { type HeldRuns, startHeldRuns } from '../support/heldRuns';
import { useVSCode } from '../support/journey';
import { makePictures } from '../support/pictures';
import { RunPanel } from '../support/runPanel';
import { type ChildSandbox, sandboxInChild } from '../support/sandbox';

const WALLET = 'modelBench.wallet';
const IMAGES = 40;

describe('Switching the environment in the midst of a run and of a job', () => {
  let staging: ChildSandbox;
  let live: ChildSandbox;
  /** In front of the staging service. */
  let stagingRuns: HeldRuns;
  /** In front of the live service. */
  let gateway: FaultProxy;
  /** Until then the live service lists no models. */
  let listed: Promise<void> | undefined;
  before(async () => {
    [staging, live] = await Promise.all([sandboxInChild(), sandboxInChild()]);
    stagingRuns = await startHeldRuns(staging.baseUrl);
    gateway = await startFaultProxy({
      behind: live.baseUrl,
      fault: ({ path: route }) =>
        listed && (route.startsWith('/api/marketplace/models?') || route === '/api/marketplace/models')
          ? { kind: 'hold', until: listed }
          : undefined,
    });
  });
  after(() => Promise.all([gateway?.close(), stagingRuns?.close(), staging?.stop(), live?.stop()]));
  const journey = useVSCode({
    settings: { 'modelBench.productionEnvironments': ['Live'] },
    prepare: async (workspace) => {
      await makePictures(path.join(workspace, 'first'), IMAGES);
      await makePictures(path.join(workspace, 'second'), IMAGES, 300);
    },
  });

  async function connectTo(name: string, baseUrl: string, apiKey: string): Promise<void> {
    const { vscode } = journey;
    await connect(vscode, { name, baseUrl, apiKey });
    await vscode.statusBarItem('modelBench.wallet').filter({ hasText: name }).waitFor();
  }

  const indexed = async (sandbox: ChildSandbox, scope: string) =>
    Object.entries((await sandbox.ledger()).indexed).filter(([key]) => key.split(' ')[1] === scope);

  it('connects to two services, and marks one as production', async () => {
    const { vscode } = journey;
    await connectTo('Live', gateway.url, live.apiKey);
    await connectTo('Staging', stagingRuns.url, staging.apiKey);
    await vscode.statusBarItem(WALLET).filter({ hasText: 'Staging' }).waitFor();
    await vscode.treeRow('Catalog', 'Sentiment').waitFor();
    assert.equal(await vscode.statusBarItem(WALLET).locator('.codicon-shield').count(), 0);
  });

  it('ends a run where it was started, and shows the next environment’s models only when they are there', async () => {
    const { vscode } = journey;
    const panel = await RunPanel.open(vscode, 'Sentiment (English)');
    await panel.fill('Text', 'What a lovely day.');
    stagingRuns.hold(0);
    let list = () => {};
    listed = new Promise((resolve) => {
      list = resolve;
    });
    await panel.button('Run').click();
    await panel.button('Stop waiting').waitFor();
    await panel.frame.getByText('Running…').first().waitFor();
    await switchTo(journey.vscode, 'Live');
    await vscode.showModelBench();
    await vscode.treeRow('Catalog', 'Loading the models of Live…').waitFor();
    assert.equal(await vscode.treeRow('Catalog', 'Sentiment').count(), 0);
    await vscode.statusBarItem(WALLET).locator('.codicon-shield').waitFor();
    await vscode.screenshot('journeys/switching-run');
    list();
    stagingRuns.release();
    await vscode.treeRow('Catalog', 'Sentiment').waitFor();
    const back = await RunPanel.in(vscode, 'Sentiment (English)');
    await back.result
      .getByText(/^Finished in/)
      .last()
      .waitFor();
    await back.result.getByRole('tabpanel').first().waitFor();
    assert.match(await back.result.innerText(), /positive/);
    assert.match(await back.result.innerText(), /Staging/);
    await back.button('Environment: Staging').waitFor();
    await vscode.screenshot('journeys/switching-result');
    assert.deepEqual((await live.ledger()).runs, {}, 'nothing went to the other environment');
  });

  it('asks where to repeat a run of another environment, and colors a panel', async () => {
    const { vscode } = journey;
    await vscode.showModelBench();
    const row = vscode
      .view('History')
      .getByRole('treeitem', { name: /Sentiment \(English\)/ })
      .first();
    assert.ok((await vscode.treeRows('History')).some((text) => /Staging · execute/.test(text)));
    await vscode.contextMenu(row, 'Edit and Run Again…');
    assert.match(await vscode.dialogText(), /was sent to Staging, but Live is active/);
    await vscode.screenshot('journeys/switching-run-again');
    await vscode.clickDialogButton('Open in Live');
    const panel = await RunPanel.in(vscode, 'Sentiment (English)', 'Environment: Live, production');
    await vscode.screenshot('journeys/switching-production-dark');
    await vscode.setTheme('light');
    await vscode.screenshot('journeys/switching-production-light');
    // By keyboard: the panel is moved to another environment, and back.
    await panel.button('Environment: Live, production').focus();
    await vscode.page.keyboard.press('Enter');
    await vscode.expectQuickInput(/its own key/);
    await vscode.quickInputBox.fill('Staging');
    await vscode.quickInputBox.press('Enter');
    await panel.button('Environment: Staging').waitFor();
    await panel.frame.getByText('(not active)').waitFor();
    assert.match(await panel.run(), /positive/);
    assert.match(await panel.result.innerText(), /Staging/);
    assert.deepEqual((await live.ledger()).runs, {});
    await vscode.screenshot('journeys/switching-moved-light');
    await vscode.setTheme('dark');
  });

  it('runs jobs of two environments side by side, each to its end', async () => {
    const { vscode } = journey;
    await switchTo(journey.vscode, 'Staging');
    stagingRuns.hold(0);
    const index = async (folder: string, scope: string) => {
      await vscode.contextMenu(await vscode.revealInExplorer(folder), 'Index Image with Model');
      await vscode.pick(/image similarity/i, /Index with which model/);
      await vscode.expectQuickInput(/Into which scope/);
      await vscode.quickInputBox.fill(scope);
      await vscode.quickPickRow(scope).first().click();
    };
    await index('first', 'one');
    assert.match(await vscode.dialogText(), /Environment: Staging\./);
    await vscode.clickDialogButton(`Index ${IMAGES} Files`);
    await vscode.notification(/Staging: Indexing into one/).waitFor();
    await switchTo(journey.vscode, 'Live');
    await index('second', 'two');
    assert.match(await vscode.dialogText(), /Environment: Live, marked as production\./);
    await vscode.screenshot('journeys/switching-production-question');
    await vscode.clickDialogButton(`Index ${IMAGES} Files`);
    await vscode.showModelBench();
    await vscode.treeRow('Scopes', 'Indexing into one').waitFor();
    await vscode.screenshot('journeys/switching-jobs');
    stagingRuns.release();
    assert.match(
      await vscode.notificationText(/Live: Indexed \d+ of/),
      new RegExp(`Indexed ${IMAGES} of ${IMAGES}`),
    );
    assert.match(
      await vscode.notificationText(/Staging: Indexed \d+ of/),
      new RegExp(`Indexed ${IMAGES} of ${IMAGES}`),
    );
    for (const [sandbox, scope, other] of [
      [staging, 'one', 'two'],
      [live, 'two', 'one'],
    ] as const) {
      const times = await indexed(sandbox, scope);
      assert.equal(times.length, IMAGES);
      assert.ok(times.every(([, often]) => often === 1));
      assert.equal((await indexed(sandbox, other)).length, 0);
    }
  });
});
