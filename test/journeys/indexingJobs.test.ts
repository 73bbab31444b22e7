import assert from 'node:assert/strict';
import * as fs from 'node:fs/promises';
import path from 'node:path';
import { openStore, storeFolder } from '../../src/store/store';
import { connect } from '../support/connect';
import { eventually } from '../support/eventually';
import { JOB_IMAGES, writeJobFolders } from '../support/jobFolders';
import { timesIndexed } from '../support/sandbox';
import { useServices } from '../support/services';
import { useVSCode } from './journey';

describe('Indexing jobs, from their start through a killed window to a changed file', () => {
  const services = useServices();
  const journey = useVSCode({
    // High enough that the rows of a scope are on screen below the catalog.
    size: { width: 1280, height: 1200 },
    prepare: writeJobFolders,
    // Then most files of a job are not yet sent when its first ones are indexed.
    settings: { 'modelBench.indexing.batchSize': 4, 'modelBench.indexing.concurrency': 2 },
  });

  const indexedIn = (scope: string) => timesIndexed(services.sandbox, scope);

  async function newScope(scope: string, question = /Into which scope/): Promise<void> {
    const { vscode } = journey;
    await vscode.expectQuickInput(question);
    await vscode.quickInputBox.fill(scope);
    await vscode.quickPickRow(scope).first().click();
  }

  const job = () => journey.vscode.treeRow('Scopes', /^Indexing into/);

  it('connects to a service', async () => {
    const { vscode } = journey;
    await connect(vscode, { name: 'slow', baseUrl: services.service.url, apiKey: services.sandbox.apiKey });
    await vscode.treeRow('Catalog', /Image/).waitFor();
  });

  it('check a new scope while it is typed, and pause and resume from the tree', async () => {
    const { vscode } = journey;
    services.service.hold(1);
    await vscode.contextMenu(await vscode.revealInExplorer('images'), 'Index Image with Model');
    await vscode.expectQuickInput(/Into which scope/);
    await vscode.quickInputBox.fill('-no good');
    await vscode.quickInput
      .getByText(/starts with a letter/i)
      .first()
      .waitFor();
    await vscode.screenshot('journeys/jobs-bad-scope');
    await vscode.quickInputBox.press('Enter');
    await newScope('pictures');
    await vscode.clickDialogButton(`Index ${JOB_IMAGES} Files`);
    await vscode.showModelBench();
    await job().waitFor();
    await vscode.treeRow('Scopes', /s remaining/).waitFor();
    await vscode.screenshot('journeys/jobs-running');
    await vscode.rowAction(job(), 'Pause Indexing');
    await job()
      .filter({ hasText: /Stopping/ })
      .waitFor();
    services.service.release();
    await job().filter({ hasText: 'Paused' }).waitFor();
    await vscode.screenshot('journeys/jobs-paused');
    const { requests } = await services.sandbox.ledger();
    const sent = requests['upload-init'];
    assert.ok((sent ?? 0) < JOB_IMAGES, 'it was paused before all was uploaded');
    await vscode.rowAction(job(), 'Resume Indexing');
    await vscode.notificationText(/Indexed 96 of 96 files into pictures/);
    await vscode.clearNotifications();
  });

  it('resume after their extension host was killed, and show unconfirmed files', async () => {
    const { vscode } = journey;
    services.service.hold(1);
    await vscode.contextMenu(await vscode.revealInExplorer('killed'), 'Index Image with Model');
    await newScope('struck');
    await vscode.clickDialogButton(`Index ${JOB_IMAGES} Files`);
    await vscode.showModelBench();
    await vscode.treeRow('Scopes', /[1-9]\d* of \d+/).waitFor();
    await eventually(() => services.service.held() > 0);
    process.kill(await holderOfAJob(vscode.globalStorage), 'SIGKILL');
    const words = await vscode.notificationText(/Indexing into struck was interrupted/);
    await vscode.screenshot('journeys/jobs-killed');
    // The window says so in its console, and names every extension that was running.
    const killed = vscode.errors.filter((said) => /terminated unexpectedly/.test(said));
    for (const said of killed) vscode.errors.splice(vscode.errors.indexOf(said), 1);
    const inFlight = Number(/(\d+) are unconfirmed/.exec(words)?.[1] ?? 0);
    assert.ok(inFlight > 0, words);
    services.service.release();
    await vscode.clickNotificationAction(/was interrupted/, 'Resume');
    const ended = await vscode.notificationText(/Indexed \d+ of \d+ files? into struck/);
    const unconfirmed = Number(/(\d+) unconfirmed/.exec(ended)?.[1] ?? 0);
    assert.equal(unconfirmed, inFlight, `${words} ${ended}`);
    assert.equal(Number(/(\d+) of 96/.exec(ended)?.[1]) + unconfirmed, JOB_IMAGES, ended);
    const times = await indexedIn('struck');
    assert.deepEqual(
      [...times].filter(([, often]) => often !== 1),
      [],
    );
    await vscode.clearNotifications();
    // The outcome of a run in flight is unconfirmed; a search that finds a file would prove it.
    await vscode.showModelBench();
    const dataset = vscode
      .view('Scopes')
      .getByRole('treeitem')
      .filter({ hasText: 'Image Similarity' })
      .last();
    await vscode.contextMenu(dataset, 'Set Outcome of Unconfirmed Files');
    await vscode.clickDialogButton('Mark as Indexed');
    await dataset.filter({ hasText: /^\s*Image Similarity\s*96 items/ }).waitFor();
  });

  it('marks a file that changed, in the tree and in the Explorer, and indexes it alone', async () => {
    const { vscode } = journey;
    const few = path.join(vscode.workspace, 'few/set-2');
    await fs.copyFile(path.join(few, 'picture-203.png'), path.join(few, 'picture-202.png'));
    await vscode.contextMenu(await vscode.revealInExplorer('few'), 'Index Image with Model');
    await newScope('lost');
    await vscode.clickDialogButton('Index 6 Files');
    await vscode.notificationText(/Indexed 6 of 6 files into lost/);
    await vscode.clearNotifications();
    await fs.copyFile(path.join(few, 'picture-205.png'), path.join(few, 'picture-204.png'));
    await vscode.reload();
    await vscode.showModelBench();
    await vscode.treeRow('Catalog', /Image/).waitFor();
    const file = await vscode.revealInExplorer('few', 'set-2', 'picture-204.png');
    await vscode.waitForBadge(file, '≠');
    await vscode.screenshot('journeys/jobs-badge');
    await vscode.showModelBench();
    for (const row of [/Image Similarity/, 'few', 'set-2']) await vscode.expandTreeRow('Scopes', row);
    await vscode
      .treeRow('Scopes', 'picture-204.png')
      .filter({ hasText: /changed/ })
      .waitFor();
    await vscode.screenshot('journeys/jobs-changed');
    const dataset = vscode.treeRow('Scopes', /Image Similarity/);
    await vscode.rowAction(dataset, 'Index Changes');
    await vscode.dialog.getByText(/1 changed/).waitFor();
    await vscode.clickDialogButton('Index 1 File');
    assert.match(await vscode.notificationText(/Indexed \d+ of \d+ files? into lost/), /1 of 1/);
    await vscode.clearNotifications();
    await vscode
      .treeRow('Scopes', 'picture-204.png')
      .filter({ hasNotText: /changed/ })
      .waitFor();
    await vscode.showExplorer();
    await vscode.waitForBadge(file, '');
  });

  it('indexes a tab that is dropped onto a scope, and a tab by its menu', async () => {
    const { vscode } = journey;
    await (await vscode.revealInExplorer('single', 'set-3', 'picture-300.png')).dblclick();
    const tab = vscode.activeEditorTab('picture-300.png');
    await tab.waitFor();
    await vscode.showModelBench();
    const before = (await indexedIn('lost')).size;
    await tab.dragTo(vscode.treeRow('Scopes', /Image Similarity/));
    await vscode.dialog.getByText(/1 new/).waitFor();
    await vscode.page.keyboard.press('Escape');
    // On the scope itself the only model of its data is meant.
    await tab.dragTo(vscode.treeRow('Scopes', /^lost$/));
    await vscode.dialog.getByText(/Index 1 file with Image Similarity into lost/).waitFor();
    await vscode.screenshot('journeys/jobs-drop');
    await vscode.clickDialogButton('Index 1 File');
    await vscode.notificationText(/Indexed \d+ of \d+ files? into lost/);
    const after = await indexedIn('lost');
    assert.equal(after.size, before + 1);
    assert.ok(after.has('single/set-3/picture-300.png'), [...after.keys()].join('\n'));
    await vscode.clearNotifications();
    await vscode.contextMenu(tab, 'Index Image with Model');
    await vscode.expectQuickInput(/Into which scope/);
    assert.equal((await vscode.quickPickLabels())[0], 'lost', 'the last used is first');
    await vscode.pick('lost');
    await vscode.notificationText(/Nothing to index/);
    await vscode.clearNotifications();
  });
});

/** The process that works on a job: its lock names it. */
async function holderOfAJob(globalStorage: string): Promise<number> {
  const store = await openStore(storeFolder(globalStorage));
  const sql = 'SELECT pid FROM owner JOIN lease ON lease.owner = owner.id';
  const pid = store.database.get(sql, (row) => Number(row.pid));
  await store.close();
  assert.ok(pid, 'nobody works on a job');
  return pid;
}
