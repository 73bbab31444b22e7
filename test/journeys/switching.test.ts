import assert from 'node:assert/strict';
import path from 'node:path';
import { connect, switchTo } from '../support/connect';
import { eventually } from '../support/eventually';
import { gate } from '../support/gate';
import { makePictures } from '../support/pictures';
import { RunPanel } from '../support/runPanel';
import { timesIndexed } from '../support/sandbox';
import { type Services, useServices } from '../support/services';
import { useVSCode } from './journey';

const WALLET = 'modelBench.wallet';
const IMAGES = 40;

describe('Switching the environment in the midst of a run and of a job', () => {
  const staging = useServices();
  const live = useServices();
  const journey = useVSCode({
    settings: { 'modelBench.productionEnvironments': ['Live'] },
    prepare: async (workspace) => {
      await makePictures(path.join(workspace, 'first'), IMAGES);
      await makePictures(path.join(workspace, 'second'), IMAGES, 300);
    },
  });

  async function connectTo(name: string, { service, sandbox }: Services): Promise<void> {
    const { vscode } = journey;
    await connect(vscode, { name, baseUrl: service.url, apiKey: sandbox.apiKey });
    await vscode.statusBarItem('modelBench.wallet').filter({ hasText: name }).waitFor();
  }

  it('connects to two services, and marks one as production', async () => {
    const { vscode } = journey;
    await connectTo('Live', live);
    await connectTo('Staging', staging);
    await vscode.statusBarItem(WALLET).filter({ hasText: 'Staging' }).waitFor();
    await vscode.treeRow('Catalog', 'Sentiment').waitFor();
    assert.equal(await vscode.statusBarItem(WALLET).locator('.codicon-shield').count(), 0);
  });

  it('ends a run where it was started, and shows the next environment’s models only when they are there', async () => {
    const { vscode } = journey;
    const panel = await RunPanel.open(vscode, 'Sentiment (English)');
    await panel.fill('Text', 'What a lovely day.');
    staging.service.hold(0);
    const { opened: listed, open: list } = gate();
    live.service.change('/api/marketplace/models', async () => {
      await listed;
      return {};
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
    staging.service.release();
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
    assert.deepEqual((await live.sandbox.ledger()).runs, {}, 'nothing went to the other environment');
  });

  it('asks where to repeat a run of another environment, and colors a panel', async () => {
    const { vscode } = journey;
    await vscode.showModelBench();
    const row = vscode
      .view('History')
      .getByRole('treeitem', { name: /Sentiment \(English\)/ })
      .first();
    await eventually(async () =>
      (await vscode.treeRows('History')).some((text) => /Staging · execute/.test(text)),
    );
    await vscode.contextMenu(row, 'Edit and Run Again…');
    assert.match(await vscode.dialogText(), /was sent to Staging, but Live is active/);
    await vscode.screenshot('journeys/switching-run-again');
    await vscode.clickDialogButton('Open in Live');
    const panel = await RunPanel.in(vscode, 'Sentiment (English)', 'Environment: Live, production');
    await vscode.screenshot('journeys/switching-production-dark');
    await vscode.setTheme('light');
    await vscode.screenshot('journeys/switching-production-light');
    // By keyboard: the panel is moved to another environment, and back.
    const ask = async () => {
      await panel.button('Environment: Live, production').focus();
      await vscode.page.keyboard.press('Enter');
    };
    await vscode.whenAsked(ask, /its own key/, () => vscode.answerQuickInput('Staging'));
    await panel.button('Environment: Staging').waitFor();
    await panel.frame.getByText('(not active)').waitFor();
    assert.match(await panel.run(), /positive/);
    assert.match(await panel.result.innerText(), /Staging/);
    assert.deepEqual((await live.sandbox.ledger()).runs, {});
    await vscode.screenshot('journeys/switching-moved-light');
    await vscode.setTheme('dark');
  });

  it('runs jobs of two environments side by side, each to its end', async () => {
    const { vscode } = journey;
    await switchTo(journey.vscode, 'Staging');
    staging.service.hold(0);
    const index = async (folder: string, scope: string) => {
      await vscode.contextMenu(await vscode.revealInExplorer(folder), 'Index Image with Model');
      await vscode.expectQuickInput(/Into which scope/);
      await vscode.quickInputBox.fill(scope);
      await vscode.quickPickRow(scope).first().click();
    };
    await index('first', 'one');
    assert.match(await vscode.dialogText(), /Environment: Staging, http:/);
    await vscode.clickDialogButton(`Index ${IMAGES} Files`);
    await vscode.notificationText(/Staging: Indexing into one/);
    await switchTo(journey.vscode, 'Live');
    await index('second', 'two');
    assert.match(await vscode.dialogText(), /Environment: Live, http:\S+, marked as production\./);
    await vscode.screenshot('journeys/switching-production-question');
    await vscode.clickDialogButton(`Index ${IMAGES} Files`);
    await vscode.showModelBench();
    await vscode.treeRow('Scopes', 'Indexing into one').waitFor();
    await vscode.screenshot('journeys/switching-jobs');
    staging.service.release();
    assert.match(
      await vscode.notificationText(/Live: Indexed \d+ of/),
      new RegExp(`Indexed ${IMAGES} of ${IMAGES}`),
    );
    assert.match(
      await vscode.notificationText(/Staging: Indexed \d+ of/),
      new RegExp(`Indexed ${IMAGES} of ${IMAGES}`),
    );
    for (const [{ sandbox }, scope, other] of [
      [staging, 'one', 'two'],
      [live, 'two', 'one'],
    ] as const) {
      const times = await timesIndexed(sandbox, scope);
      assert.equal(times.size, IMAGES);
      assert.deepEqual(new Set(times.values()), new Set([1]));
      assert.equal((await timesIndexed(sandbox, other)).size, 0);
    }
  });
});
