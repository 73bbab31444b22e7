import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Frame } from 'playwright-core';
import { eventually } from '../../support/eventually';
import { writeLanguages } from '../../support/experiments/languages';
import { chooseInMenu } from '../../support/pageMenu';
import type { VSCode } from '../../support/vscode';
import { useVSCode } from '../journey';

let workspace: string;
const fileAt = (name: string) => path.join(workspace, name);

describe('An experiment in its editor', () => {
  const journey = useVSCode({
    prepare: async (folder) => {
      workspace = folder;
      // In a browser VS Code saves by itself.
      await mkdir(fileAt('.vscode'));
      await writeFile(fileAt('.vscode/settings.json'), '{ "files.autoSave": "off" }');
      await writeLanguages(folder);
    },
  });

  it('opens as a table with the results beside it, without a connection and without a run', async () => {
    const { vscode } = journey;
    await vscode.openFile('languages.experiment.json');
    const table = await tableIn(vscode);
    await table.getByRole('grid').waitFor();
    await table.getByRole('rowheader').filter({ hasText: 'Das Wetter' }).waitFor();
    await table.getByTitle(/^accuracy 0\.750/).waitFor();
    await vscode.screenshot('journeys/experiment-results');
  });

  it('gets a row in the view Experiments, which opens its table', async () => {
    const { vscode } = journey;
    await vscode.runCommand('View: Close All Editors');
    await vscode.editorTab('languages.experiment.json').waitFor({ state: 'detached' });
    await vscode.runCommand('Model Bench: Focus on Experiments View');
    const row = vscode.treeRow('Experiments', 'languages');
    await row.getByText(/accuracy 0\.750, n 4 \(language-id\)/).waitFor();
    await vscode.screenshot('journeys/experiments-view');
    await eventually(async () => {
      await row.click();
      await vscode.activeEditorTab('languages.experiment.json').waitFor({ timeout: vscode.limit(20_000) });
    });
    await (await tableIn(vscode)).getByRole('grid').waitFor();
  });

  it('follows its text, and undo in the text editor', async () => {
    const { vscode } = journey;
    const table = await tableIn(vscode);
    await chooseInMenu(table, 'View', 'Open as Text');
    await vscode.page.locator('.monaco-editor .view-line').first().waitFor();
    await vscode.screenshot('journeys/experiment-text');
    assert.match(await readFile(fileAt('languages.experiment.json'), 'utf8'), /"accuracy"/);
    await vscode.runCommandThatAsks('View: Reopen Editor With...', 'Experiment Table', () =>
      vscode.pick(/^Experiment Table/),
    );
    await (await tableIn(vscode)).getByRole('grid').waitFor();
  });

  it('opens a set-up page, where each choice is one edit of its text that is undone and saved', async () => {
    const { vscode } = journey;
    const table = await tableIn(vscode);
    const text = () => readFile(fileAt('languages.experiment.json'), 'utf8');
    const before = await text();
    const dirty = vscode.page.locator('.tab.dirty').filter({ hasText: 'languages.experiment.json' });
    await table.getByRole('button', { name: 'Set Up' }).click();
    await table.getByText('Repeats, sample and thresholds').click();
    await table.getByRole('spinbutton', { name: 'Repeats' }).fill('3');
    await table.getByRole('spinbutton', { name: 'Repeats' }).press('Tab');
    await dirty.waitFor();
    await vscode.screenshot('journeys/experiment-set-up');
    assert.equal(await text(), before, 'nothing is saved by itself');
    await table.getByRole('button', { name: 'Show Table' }).focus();
    await vscode.page.keyboard.press('Control+z');
    await dirty.waitFor({ state: 'detached' });
    await table.getByRole('button', { name: 'Do not vary model' }).click();
    await dirty.waitFor();
    await table.getByRole('button', { name: 'Show Table' }).focus();
    await vscode.page.keyboard.press('Control+s');
    await dirty.waitFor({ state: 'detached' });
    assert.doesNotMatch(await text(), /word-statistics/);
    await vscode.page.keyboard.press('Control+z');
    await dirty.waitFor();
    await vscode.page.keyboard.press('Control+s');
    await dirty.waitFor({ state: 'detached' });
    assert.equal(await text(), before);
    await table.getByRole('button', { name: 'Show Table' }).click();
    await table.getByText('2 models × 4 rows = 8 runs').waitFor();
  });

  it('compares two cells beside the table, and in a diff editor', async () => {
    const { vscode } = journey;
    const table = await tableIn(vscode);
    await table.getByRole('grid').focus();
    await vscode.page.keyboard.press('Enter');
    await table.getByRole('button', { name: 'Compare…' }).click();
    await table.getByText('Choose the cell to compare with.').waitFor();
    await table.getByRole('grid').focus();
    await vscode.page.keyboard.press('ArrowRight');
    await vscode.page.keyboard.press('Enter');
    await table.getByRole('button', { name: 'Show Differences' }).waitFor();
    await vscode.screenshot('journeys/experiment-compare');
    await table.getByRole('button', { name: 'Show Differences' }).click();
    await vscode.page.locator('.monaco-diff-editor .view-lines').first().waitFor();
    await vscode.page.locator('.monaco-diff-editor').getByText('language').first().waitFor();
    await vscode.screenshot('journeys/experiment-diff');
  });
});

/** The page of the editor on screen: the frame of an editor of a file has no title. */
function tableIn(vscode: VSCode): Promise<Frame> {
  return vscode.webview(/^/);
}
