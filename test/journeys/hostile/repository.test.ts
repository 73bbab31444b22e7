import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type FaultProxy, startFaultProxy } from '../../support/faultProxy';
import {
  actingLinks,
  countOpened,
  endHostWatch,
  installHostWatch,
  readableByOthers,
} from '../../support/hostWatch';
import type { VSCode } from '../../support/vscode';
import { useVSCode } from '../journey';
import { type HostileRepository, makeHostileRepository } from './repository';

(process.platform === 'win32' ? describe.skip : describe)('A repository that is hostile', () => {
  let foreign: FaultProxy;
  let repository: HostileRepository;
  let opened: () => readonly string[];
  const journey = useVSCode({
    prepare: async (workspace) => {
      await installHostWatch(workspace);
      foreign = await startFaultProxy({ behind: () => ({ body: 'lured' }) });
      repository = await makeHostileRepository(workspace, foreign.url);
    },
  });
  before(() => {
    opened = countOpened(journey.vscode);
  });
  after(() => foreign?.close());

  it('opens without an action', async () => {
    const { vscode } = journey;
    await vscode.showExplorer();
    await vscode.runCommand('Model Bench: Try the Built-in Sandbox');
    // The sandbox shows them itself: an Explorer that is opened before that would not stay.
    await vscode.treeRow('Catalog', /Image/).waitFor();
    assert.deepEqual(await actingLinks(vscode), []);
  });

  it('stays unindexed when its rules are too large to read, with a message', async () => {
    const { vscode } = journey;
    await chooseToIndex(vscode);
    await vscode.notificationText(/too large to be used/);
    await vscode.screenshot('journeys/hostile/rules');
    assert.deepEqual(await actingLinks(vscode), []);
    await vscode.clearNotifications();
  });

  it('indexes its own pictures, shows their names as text, and skips targets of links', async () => {
    const { vscode } = journey;
    await writeFile(path.join(vscode.workspace, '.gitignore'), repository.usableRules);
    await chooseToIndex(vscode);
    const question = await vscode.dialogText();
    await vscode.screenshot('journeys/hostile/index-question');
    assert.match(question.replaceAll(/\s+/g, ' '), new RegExp(`\\b${repository.pictures} new`));
    await vscode.clickDialogButton(`Index ${repository.pictures} Files`);
    const ended = await vscode.notificationText(/Indexed \d+ of \d+ files? into playground/);
    assert.match(ended, new RegExp(`${repository.pictures} of ${repository.pictures}`));
    await vscode.showModelBench();
    for (const row of ['Image Similarity', 'pictures', 'set-0']) await vscode.expandTreeRow('Scopes', row);
    await vscode.screenshot('journeys/hostile/scopes');
    assert.deepEqual(await actingLinks(vscode), []);
  });

  it('searches with a picture whose name is a command', async () => {
    const { vscode } = journey;
    const item = await vscode.revealInExplorer(
      'pictures',
      'set-0',
      '[x](command:hostWatch.act) $(trash).png',
    );
    await vscode.contextMenu(item, 'Find Similar');
    const page = await vscode.webview('Search playground');
    await page.getByRole('button', { name: /^Hit 1: / }).waitFor();
    await vscode.screenshot('journeys/hostile/search');
    assert.deepEqual(await actingLinks(vscode), []);
  });

  it('shows run files that neither send nor read outside', async () => {
    const { vscode } = journey;
    for (const name of [
      'members.run.json',
      'deep.run.json',
      'huge.run.json',
      'proto.run.json',
      'out.run.json',
    ])
      await openFromDialog(vscode, name);
    await vscode.page.locator('.squiggly-error').first().waitFor();
    await vscode.runCommand('Model Bench: Run File');
    await vscode.notificationText(/was not run/);
    await vscode.screenshot('journeys/hostile/run-file');
    assert.deepEqual(await actingLinks(vscode), []);
    await openFromDialog(vscode, 'elsewhere.run.json');
    await vscode.runCommand('Model Bench: Run File');
    await vscode.notificationText(/which is not in the setting/);
    assert.deepEqual(await actingLinks(vscode), []);
    // VS Code repeats errors that it shows in the console.
    for (const said of vscode.errors.filter((one) => one.includes('which is not in the setting')))
      vscode.errors.splice(vscode.errors.indexOf(said), 1);
  });

  it('shows the table and cells of its experiment as text', async () => {
    const { vscode } = journey;
    await openFromDialog(vscode, 'hostile.experiment.json');
    // The frame of an editor of a file has no title.
    const table = await vscode.webview(/^/);
    const cells = table.getByRole('gridcell');
    await cells.filter({ hasText: 'command:hostWatch.act' }).first().waitFor();
    await vscode.screenshot('journeys/hostile/experiment');
    for (const text of ['command:hostWatch.act', 'en']) {
      await cells.filter({ hasText: text }).first().dblclick();
      await vscode.screenshot(`journeys/hostile/experiment-cell-${text.slice(0, 2)}`);
      assert.deepEqual(await actingLinks(vscode), []);
    }
    assert.equal(await table.getByText('root:').count(), 0, '/etc/passwd was read');
  });

  it('names an experiment with too many places', async () => {
    const { vscode } = journey;
    await openFromDialog(vscode, 'places.experiment.json');
    const table = await vscode.webview(/^/);
    await table
      .getByText(/varies 4,000 places/)
      .first()
      .waitFor();
    await vscode.screenshot('journeys/hostile/places');
  });

  it('opens no address, runs no command, and leaves no file that others can read', async () => {
    const { vscode } = journey;
    assert.deepEqual(opened(), []);
    assert.deepEqual(
      foreign.seen.map(({ path: route }) => route),
      [],
    );
    assert.deepEqual(await readableByOthers(vscode.globalStorage), []);
    const figures = await endHostWatch(vscode);
    assert.equal(figures.acted, 0);
    assert.ok(figures.mostMemoryBytes < 1.5e9, `${figures.mostMemoryBytes} bytes`);
  });
});

async function chooseToIndex(vscode: VSCode): Promise<void> {
  await vscode.contextMenu(await vscode.revealInExplorer('pictures'), 'Index Image with Model');
  await vscode.pick('playground', /Into which scope/);
}

/** *Go to File…* would search all targets of links, which is the whole machine, for each file again. */
async function openFromDialog(vscode: VSCode, name: string): Promise<void> {
  await vscode.runCommand('File: Open File...');
  await vscode.answerFileDialog(path.join(vscode.workspace, name));
  await vscode.activeEditorTab(name).waitFor();
}
