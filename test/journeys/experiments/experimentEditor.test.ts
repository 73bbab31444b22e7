import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Frame } from 'playwright-core';
import { customId, itemSha256, requestHash } from '../../../src/experiments/cellId';
import { readResults, resultText } from '../../../src/experiments/results';
import { accessibilityViolations } from '../../support/axe';
import { useVSCode } from '../../support/journey';
import type { VSCode } from '../../support/vscode';

let workspace: string;
const fileAt = (name: string) => path.join(workspace, name);

const texts = [
  ['The weather is lovely and we are going for a walk', 'en'],
  ['Das Wetter ist schön und wir gehen spazieren', 'de'],
  ['Il fait beau et nous allons nous promener', 'fr'],
  ['Hace buen tiempo y vamos a dar un paseo', 'es'],
] as const;

const experiment = {
  version: 1,
  run: { model: 'language-id', input: {} },
  vary: { '/model': ['language-id', 'word-statistics'] },
  over: { rows: 'labels.csv', map: { '/input/text': 'text' } },
  expected: { column: 'language', at: '/language' },
  metrics: ['accuracy'],
};

/** Results that another computer has left, of a service that declares no modes: this one has no connection. */
const resultsOf = (model: string) =>
  texts.map(([text, language], at) => {
    const sha256 = requestHash({ model, input: { text }, params: {} }, new Map());
    return resultText({
      custom_id: customId(sha256, 0),
      variation: { '/model': model },
      item: `row ${at + 2}`,
      item_sha256: itemSha256({ values: { '/input/text': text }, files: [] }),
      repeat: 0,
      request_sha256: sha256,
      state: 'finished',
      result: { language: at === 3 ? 'pt' : language },
      duration_ms: 40 + at,
    });
  });
const results = resultsOf('language-id');

describe('An experiment in its editor', () => {
  const journey = useVSCode({
    prepare: async (folder) => {
      workspace = folder;
      // In a browser VS Code saves by itself.
      await mkdir(fileAt('.vscode'));
      await writeFile(fileAt('.vscode/settings.json'), '{ "files.autoSave": "off" }');
      const rows = texts.map(([text, language]) => `"${text}",${language}`);
      await writeFile(fileAt('labels.csv'), ['text,language', ...rows, ''].join('\n'));
      await writeFile(fileAt('languages.experiment.json'), `${JSON.stringify(experiment, null, 2)}\n`);
      await writeFile(fileAt('languages.results.jsonl'), results.join(''));
    },
  });

  it('opens as a table with the results beside it, without a connection and without a run', async () => {
    const { vscode } = journey;
    await vscode.openFile('languages.experiment.json');
    const table = await tableIn(vscode);
    await table.getByRole('grid').waitFor();
    await table.getByRole('rowheader').filter({ hasText: 'Das Wetter' }).waitFor();
    await table.getByTitle(/^accuracy 0\.750/).waitFor();
    await table.getByText('Connect to the service').waitFor();
    await table.getByText('2 models × 4 rows = 8 runs').waitFor();
    assert.equal(await table.getByRole('gridcell').filter({ hasText: 'not run' }).count(), 4);
    assert.deepEqual(await accessibilityViolations(table), []);
    await vscode.screenshot('journeys/experiment-results');
  });

  it('follows its text, and undo in the text editor', async () => {
    const { vscode } = journey;
    const table = await tableIn(vscode);
    await table.getByRole('button', { name: 'Open as Text' }).click();
    await vscode.page.locator('.monaco-editor .view-line').first().waitFor();
    await vscode.screenshot('journeys/experiment-text');
    assert.match(await readFile(fileAt('languages.experiment.json'), 'utf8'), /"accuracy"/);
    await vscode.runCommand('View: Reopen Editor With...');
    await vscode.pick(/^Experiment Table/);
    await (await tableIn(vscode)).getByRole('grid').waitFor();
  });

  it('shows results when they are appended, and a torn line as a problem', async () => {
    const { vscode } = journey;
    const table = await tableIn(vscode);
    const notRun = table.getByRole('gridcell').filter({ hasText: 'not run' });
    await notRun.first().waitFor();
    const more = resultsOf('word-statistics');
    await writeFile(fileAt('languages.results.jsonl'), `${[...results, ...more].join('')}{"custom_id":`);
    await table.getByText('Line 9 of “languages.results.jsonl” cannot be read').waitFor();
    await notRun.first().waitFor({ state: 'detached' });
    assert.equal(await notRun.count(), 0);
  });

  it('changes the grid beside the table, as a step of its text that is undone and saved', async () => {
    const { vscode } = journey;
    const table = await tableIn(vscode);
    const text = () => readFile(fileAt('languages.experiment.json'), 'utf8');
    const before = await text();
    const dirty = vscode.page.locator('.tab.dirty').filter({ hasText: 'languages.experiment.json' });
    await table.getByRole('button', { name: 'Edit Grid' }).click();
    await table.getByRole('spinbutton', { name: 'Repeats' }).fill('3');
    await table.getByRole('spinbutton', { name: 'Repeats' }).press('Tab');
    await table.getByText('2 models × 4 rows × 3 repeats = 24 runs').waitFor();
    await dirty.waitFor();
    await vscode.screenshot('journeys/experiment-grid');
    assert.deepEqual(await accessibilityViolations(table), []);
    assert.equal(await text(), before, 'nothing is saved by itself');
    await table.getByRole('grid').focus();
    await vscode.page.keyboard.press('Control+z');
    await table.getByText('2 models × 4 rows = 8 runs').waitFor();
    await dirty.waitFor({ state: 'detached' });
    await table.getByRole('textbox', { name: 'Values of model' }).fill('["language-id"]');
    await table.getByRole('textbox', { name: 'Values of model' }).press('Tab');
    await table.getByText('1 model × 4 rows = 4 runs').waitFor();
    await table.getByRole('grid').focus();
    await vscode.page.keyboard.press('Control+s');
    await dirty.waitFor({ state: 'detached' });
    assert.equal(await text(), before.replace(/,\s*"word-statistics"/, ''), 'one line differs');
    await vscode.page.keyboard.press('Control+z');
    await table.getByText('2 models × 4 rows = 8 runs').waitFor();
    await vscode.page.keyboard.press('Control+s');
    await dirty.waitFor({ state: 'detached' });
    assert.equal(await text(), before);
    await table.getByRole('button', { name: 'Edit Grid' }).click();
  });

  it('opens a cell with its full result beside the table', async () => {
    const { vscode } = journey;
    const table = await tableIn(vscode);
    await table.getByRole('grid').focus();
    await vscode.page.keyboard.press('Enter');
    const cell = table.getByRole('complementary', { name: 'Cell' });
    await cell.getByText('language-id').first().waitFor();
    await cell.getByText('finished').waitFor();
    await vscode.screenshot('journeys/experiment-cell');
    assert.deepEqual(await accessibilityViolations(table), []);
    await inEveryTheme(vscode, table);
  });

  it('runs missing results after one question, and the table fills', async () => {
    const { vscode } = journey;
    await vscode.resize(1280, 860);
    await vscode.runCommand('Model Bench: Try the Built-in Sandbox');
    await vscode.treeRow('Catalog', /./).waitFor();
    await vscode.openFile('languages.experiment.json');
    const table = await tableIn(vscode);
    await table.getByRole('button', { name: /^Run 8/ }).click();
    // The torn line may be of any of them.
    assert.match(await vscode.dialogText(), /Line 9 of “languages.results.jsonl” cannot be read/);
    await vscode.clickDialogButton('Run Again');
    await vscode.dialog.getByText(/Start 8 runs in “Sandbox”\?/).waitFor();
    await vscode.screenshot('journeys/experiment-question');
    await vscode.clickDialogButton('Start 8 Runs');
    await table.getByRole('columnheader').filter({ hasText: '4 finished' }).nth(1).waitFor();
    await table.getByRole('button', { name: 'Run', exact: true, disabled: true }).waitFor();
    const text = await readFile(fileAt('languages.results.jsonl'), 'utf8');
    assert.ok(text.startsWith(results.join('')), 'what was in the file stays');
    assert.equal(readResults(text).results.length, 8 + 8);
    await vscode.screenshot('journeys/experiment-run');
  });

  it('exports the shown table', async () => {
    const { vscode } = journey;
    const table = await tableIn(vscode);
    await table.getByRole('combobox', { name: 'Export' }).selectOption('HTML Report');
    await vscode.answerFileDialog();
    await vscode.page
      .locator('.monaco-editor .view-lines')
      .filter({ hasText: /Content-Security-Policy/ })
      .waitFor();
    const report = await readFile(fileAt('languages.html'), 'utf8');
    assert.match(report, /Das Wetter ist schön/);
    assert.doesNotMatch(report, new RegExp(workspace));
  });

  it('compares two cells beside the table, and in a diff editor', async () => {
    const { vscode } = journey;
    await vscode.openFile('languages.experiment.json');
    const table = await tableIn(vscode);
    await table.getByRole('grid').focus();
    await vscode.page.keyboard.press('Enter');
    await table.getByRole('button', { name: 'Compare…' }).click();
    await table.getByText('Choose the cell to compare with.').waitFor();
    await table.getByRole('grid').focus();
    await vscode.page.keyboard.press('ArrowRight');
    await vscode.page.keyboard.press('Enter');
    await table.getByRole('button', { name: 'Show Differences' }).waitFor();
    assert.deepEqual(await accessibilityViolations(table), []);
    await vscode.screenshot('journeys/experiment-compare');
    await table.getByRole('button', { name: 'Show Differences' }).click();
    await vscode.page.locator('.monaco-diff-editor .view-lines').first().waitFor();
    await vscode.page.locator('.monaco-diff-editor').getByText('language').first().waitFor();
    await vscode.screenshot('journeys/experiment-diff');
  });
});

async function inEveryTheme(vscode: VSCode, table: Frame): Promise<void> {
  for (const theme of ['light', 'high contrast'] as const) {
    await vscode.setTheme(theme);
    assert.deepEqual(await accessibilityViolations(table), []);
    await vscode.screenshot(`journeys/experiment-${theme.replace(' ', '-')}`);
  }
  await vscode.setTheme('dark');
  await vscode.resize(800, 700);
  await vscode.screenshot('journeys/experiment-800');
}

/** The page of the editor on screen: the frame of an editor of a file has no title. */
function tableIn(vscode: VSCode): Promise<Frame> {
  return vscode.webview(/^/);
}
