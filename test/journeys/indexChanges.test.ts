import assert from 'node:assert/strict';
import * as fs from 'node:fs/promises';
import path from 'node:path';
import { connect } from '../support/connect';
import { useVSCode } from '../support/journey';
import { makePictures } from '../support/pictures';
import { type ChildSandbox, sandboxInChild } from '../support/sandbox';

const IMAGES = 12;
const MANY = 60;

describe('Files that were added and deleted, and the row of an interrupted job', () => {
  let sandbox: ChildSandbox;
  let folder: string;
  before(async () => {
    sandbox = await sandboxInChild({ flags: ['--wallet', '100'] });
  });
  after(() => sandbox?.stop());
  const journey = useVSCode({
    prepare: async (workspace) => {
      folder = workspace;
      await makePictures(path.join(workspace, 'images'), IMAGES);
      await makePictures(path.join(workspace, 'many'), MANY, 300);
    },
  });

  async function index(name: string, scope: string): Promise<void> {
    const { vscode } = journey;
    await vscode.contextMenu(await vscode.revealInExplorer(name), 'Index Image with Model');
    await vscode.pick(/image similarity/i, /Index with which model/);
    await vscode.expectQuickInput(/Into which scope/);
    await vscode.quickInputBox.fill(scope);
    await vscode.quickPickRow(scope).first().click();
  }

  it('finds a file that was added to an indexed folder, and names one that was deleted', async () => {
    const { vscode } = journey;
    await connect(vscode, { name: 'Test', baseUrl: sandbox.baseUrl, apiKey: sandbox.apiKey });
    await vscode.treeRow('Catalog', /Image/).waitFor();
    await index('images', 'photos');
    await vscode.clickDialogButton(`Index ${IMAGES} Files`);
    await vscode.notificationText(/Test: Indexed 12 of 12 files into photos/);
    await vscode.clearNotifications();

    const [set = ''] = await fs.readdir(path.join(folder, 'images'));
    const [gone = ''] = await fs.readdir(path.join(folder, 'images', set));
    await fs.rm(path.join(folder, 'images', set, gone));
    await makePictures(path.join(folder, 'images', 'later'), 1, 900);
    await vscode.showModelBench();
    await vscode.contextMenu(vscode.treeRow('Scopes', 'Image Similarity'), 'Index Changes');
    const asked = await vscode.dialogText();
    assert.match(asked, /Index 1 file with Image Similarity into photos/);
    assert.match(asked, /1 new, 11 unchanged/);
    assert.ok(
      asked.includes(`1 file was deleted here, but the service still has it: images/${set}/${gone}.`),
      asked,
    );
    await vscode.screenshot('journeys/index-changes');
    await vscode.clickDialogButton('Index 1 File');
    await vscode.notificationText(/Test: Indexed 1 of 1 file into photos/);
    await vscode.clearNotifications();
    await vscode.showModelBench();
    await vscode.contextMenu(vscode.treeRow('Scopes', 'Image Similarity'), 'Index Changes');
    const nothing = await vscode.notificationText(/Nothing to index/);
    assert.match(nothing, /still has it/);
    await vscode.screenshot('journeys/index-changes-none');
    await vscode.clearNotifications();
  });

  it('counts only the bytes that will be uploaded', async () => {
    const { vscode } = journey;
    await index('images', 'again');
    assert.match(await vscode.dialogText(), /Nothing to upload: earlier uploads are used again\./);
    await vscode.clickDialogButton('Cancel');
  });

  it('gives an interrupted job a row that stays when the notification is gone, and resumes it from there', async () => {
    const { vscode } = journey;
    // So slow that most of it still lies ahead once its first batch is seen.
    await sandbox.change({ latencyMs: 200 });
    await index('many', 'struck');
    await vscode.clickDialogButton(`Index ${MANY} Files`);
    await vscode.showModelBench();
    await vscode.treeRow('Scopes', /[1-9]\d* of 60/).waitFor();
    await sandbox.change({ latencyMs: 4_000 });
    await vscode.reload();
    await vscode.showModelBench();
    await vscode.notification(/Indexing into struck was interrupted/).waitFor();
    await vscode.clearNotifications();
    const row = vscode.treeRow('Scopes', 'Indexing into struck');
    await row.filter({ hasText: 'Interrupted' }).waitFor();
    await vscode.screenshot('journeys/interrupted-dark');
    await vscode.setTheme('light');
    await vscode.screenshot('journeys/interrupted-light');
    await vscode.setTheme('dark');
    await sandbox.change({ latencyMs: 0 });
    await vscode.contextMenu(row, 'Resume Indexing');
    await vscode.notificationText(/Test: Indexed \d+ of 60 files into struck/);
    await row.waitFor({ state: 'detached' });
    const { indexed } = await sandbox.ledger();
    const times = Object.entries(indexed).filter(([key]) => key.split(' ')[1] === 'struck');
    assert.ok(times.every(([, often]) => often === 1));
  });
});
