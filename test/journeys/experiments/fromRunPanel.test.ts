import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Frame } from 'playwright-core';
import { readResults } from '../../../src/experiments/results';
import { accessibilityViolations } from '../../support/axe';
import { connect } from '../../support/connect';
import { useVSCode } from '../../support/journey';
import { chooseInMenu, fieldMenu } from '../../support/pageMenu';
import { RunPanel } from '../../support/runPanel';
import { type ChildSandbox, sandboxInChild } from '../../support/sandbox';
import type { VSCode } from '../../support/vscode';

const MODEL = 'Language Identification';
const rows = [
  ['The weather is lovely and we are going for a walk', 'eng'],
  ['Das Wetter ist schön und wir gehen spazieren', 'deu'],
  ['Il fait beau et nous allons nous promener', 'fra'],
  ['Hace buen tiempo y vamos a dar un paseo', 'spa'],
] as const;

describe('An experiment that begins in the run panel', () => {
  let sandbox: ChildSandbox;
  let workspace: string;
  before(async () => {
    sandbox = await sandboxInChild({ flags: ['--wallet', '100'] });
  });
  after(() => sandbox?.stop());
  const journey = useVSCode({
    prepare: async (folder) => {
      workspace = folder;
      const lines = rows.map(([text, label], at) => `${at},"${text}",${label}`);
      await writeFile(path.join(folder, 'labels.csv'), ['id,sentence,label', ...lines, ''].join('\n'));
    },
  });
  const sent = async () => (await sandbox.ledger()).requests.runs ?? 0;
  const panelOf = () => RunPanel.in(journey.vscode, MODEL);
  const size = async () => (await panelOf()).frame.locator('.experiment-size');
  const written = async () =>
    JSON.parse(await readFile(path.join(workspace, 'languages.experiment.json'), 'utf8'));

  it('connects, and runs the model once', async () => {
    const { vscode } = journey;
    await connect(vscode, { name: 'test', baseUrl: sandbox.baseUrl, apiKey: sandbox.apiKey });
    await vscode.showModelBench();
    await vscode.treeRow('Catalog', MODEL).waitFor();
    const panel = await RunPanel.open(vscode, MODEL);
    await panel.fill('Text', rows[2][0]);
    await panel.run();
    await panel.result.getByText('fra').first().waitFor();
    assert.equal(await sent(), 1);
  });

  it('varies a parameter by the keyboard, and shows the size at once', async () => {
    const { vscode } = journey;
    const panel = await panelOf();
    await panel.field('Languages').press('ControlOrMeta+.');
    await panel.frame.getByRole('menuitem', { name: 'Vary' }).press('Enter');
    await panel.button('Add Value').waitFor();
    await panel.frame.getByRole('textbox', { name: 'Value 1 of Languages' }).fill('1');
    await panel.button('Add Value').press('Enter');
    await panel.frame.getByRole('textbox', { name: 'Value 2 of Languages' }).fill('5');
    await (await size()).getByText('2 values = 2 runs, about $').waitFor();
    await panel.button('Run Experiment…').waitFor();
    await vscode.screenshot('journeys/run-panel-vary');
  });

  it('adds a model that accepts the input, and names the mismatch of others', async () => {
    const { vscode } = journey;
    const panel = await panelOf();
    await panel.button('Add Model…').click();
    await vscode.expectQuickInput(/Add a Model to the Experiment/);
    const labels = await vscode.quickPickLabels();
    assert.ok(labels.includes('Word Statistics'), labels.join());
    await vscode.quickInput.getByText('Do not accept this input').first().waitFor();
    await vscode.screenshot('journeys/run-panel-add-model');
    await vscode.pick('Word Statistics', /Add a Model/);
    await (await size()).getByText('2 models × 2 values = 4 runs').waitFor();
  });

  it('runs over the rows of a table, whose columns it guesses', async () => {
    const { vscode } = journey;
    const panel = await panelOf();
    await panel.button('Run over Rows…').click();
    await vscode.expectQuickInput(/Table to run over/);
    await vscode.answerFileDialog(path.join(workspace, 'labels.csv'));
    await (await size()).getByText('2 models × 2 values × 4 rows = 16 runs, about $').waitFor();
    const use = (column: string) => panel.frame.getByRole('combobox', { name: column, exact: true });
    assert.equal(await use('sentence').locator('option:checked').innerText(), 'Text');
    assert.equal(await use('label').locator('option:checked').innerText(), 'Expected result');
    assert.equal(await use('id').locator('option:checked').innerText(), 'Not used');
    assert.equal(
      await panel.frame.getByLabel('Part of the result that is compared').inputValue(),
      '/language',
    );
    await panel.frame.getByText('From the column “sentence”').waitFor();
    assert.deepEqual(await accessibilityViolations(panel.frame), []);
    assert.equal(await sent(), 1);
  });

  it('looks right in every theme, and where there is little room', async () => {
    const { vscode } = journey;
    for (const theme of ['light', 'high contrast', 'dark'] as const) {
      await vscode.setTheme(theme);
      await vscode.screenshot(`journeys/run-panel-experiment-${theme.replace(' ', '-')}`);
    }
    await vscode.resize(800, 800);
    const panel = await panelOf();
    await panel.frame.locator('.experiment').scrollIntoViewIfNeeded();
    await vscode.screenshot('journeys/run-panel-experiment-narrow');
    await vscode.resize(1280, 800);
  });

  it('returns after a reload, and can be restored after it was discarded', async () => {
    const { vscode } = journey;
    await vscode.reload();
    const panel = await panelOf();
    await (await size()).getByText('2 models × 2 values × 4 rows = 16 runs').waitFor();
    await panel.button('Discard Experiment').click();
    await panel.button('Run Experiment…').waitFor({ state: 'detached' });
    assert.ok(await panel.button('Run').isVisible());
    await panel.button('Undo').click();
    await (await size()).getByText('2 models × 2 values × 4 rows = 16 runs').waitFor();
  });

  it('becomes a file with a table, and asks once before anything is sent', async () => {
    const { vscode } = journey;
    const panel = await panelOf();
    await panel.button('Run Experiment…').click();
    await vscode.answerQuickInput('languages', /Name of the experiment/);
    await vscode.dialog.waitFor();
    const text = (await vscode.dialogText()).replaceAll(/\s+/g, ' ');
    assert.match(text, /Start 16 runs in “test”\?/);
    assert.equal(await sent(), 1);
    assert.deepEqual(await written(), {
      version: 1,
      run: { model: 'language-id', input: {} },
      vary: { '/model': ['language-id', 'word-statistics'], '/params/top_k': [1, 5] },
      over: { rows: 'labels.csv', map: { '/input/text': 'sentence' } },
      expected: { column: 'label', at: '/language' },
      metrics: ['accuracy', 'macro_f1'],
    });
    await vscode.screenshot('journeys/run-panel-experiment-question');
    await vscode.clickDialogButton('Start 16 Runs');
    await vscode.notificationText(/languages\.experiment\.json: 16 of 16 runs finished/);
    const table = await tableIn(vscode);
    await table
      .getByTitle(/^accuracy 1/)
      .first()
      .waitFor();
    await vscode.screenshot('journeys/run-panel-experiment-table');
  });

  it('pays for the new cells only when a value is added in the panel', async () => {
    const { vscode } = journey;
    await vscode.editorTab(MODEL).click();
    const panel = await panelOf();
    await panel.button('Add Value').click();
    await panel.frame.getByRole('textbox', { name: 'Value 3 of Languages' }).fill('10');
    await (await size()).getByText('2 models × 3 values × 4 rows = 24 runs').waitFor();
    await panel.frame.locator('body').press('Control+Enter');
    await vscode.dialog.getByText('Start 8 runs in “test”?').waitFor();
    assert.deepEqual((await written()).vary['/params/top_k'], [1, 5, 10]);
    await vscode.clickDialogButton('Start 8 Runs');
    await vscode.notificationText(/8 of 8 runs finished/);
    const lines = readResults(await readFile(path.join(workspace, 'languages.results.jsonl'), 'utf8'));
    assert.equal(lines.results.length, 24);
    assert.equal(await sent(), 25);
  });

  it('leads back: a variation of it is used in a run panel', async () => {
    const { vscode } = journey;
    const table = await tableIn(vscode);
    const head = table.getByRole('columnheader').filter({ hasText: 'top_k 10' }).first();
    await head.getByRole('combobox').selectOption({ label: 'Use This Variation…' });
    await vscode.pick('Open in Run Panel', /Use this variation/);
    const panel = await panelOf();
    await panel.button('Run').waitFor();
    assert.equal(await panel.field('Languages').inputValue(), '10');
  });

  it('asks for a place when no folder is open', async () => {
    const { vscode } = journey;
    await vscode.runCommand('Workspaces: Close Workspace');
    await vscode.page.waitForURL((url) => !url.searchParams.has('folder'));
    await vscode.ready();
    await vscode.showModelBench();
    await vscode.treeRow('Catalog', MODEL).waitFor();
    const panel = await RunPanel.open(vscode, 'Word Statistics');
    await panel.fill('Text', 'one two');
    await chooseInMenu(panel.frame, fieldMenu(panel.frame, '/params/top_k'), 'Vary');
    await panel.button('Run Experiment…').click();
    const place = path.join(workspace, 'without folder.json');
    await vscode.typePath(place, 'word-statistics.experiment.json');
    await vscode.screenshot('journeys/run-panel-experiment-place');
    await vscode.answerFileDialog(undefined, place);
    assert.match(await vscode.dialogText(), /Start 1 run in/);
    await vscode.clickDialogButton('Cancel');
    await vscode.dialog.waitFor({ state: 'hidden' });
    assert.ok(await vscode.activeEditorTab(/without folder\.experiment\.json/).isVisible());
    const table = await vscode.webview(/^/);
    await table.getByText('1 value = 1 run').waitFor();
    assert.equal(await vscode.page.locator('.tab').filter({ hasText: '.experiment.json' }).count(), 1);
    const { vary } = JSON.parse(
      await readFile(path.join(workspace, 'without folder.experiment.json'), 'utf8'),
    );
    assert.deepEqual(Object.keys(vary), ['/params/top_k']);
  });
});

/** The table is the only page on screen; VS Code gives its frame no title. */
async function tableIn(vscode: VSCode): Promise<Frame> {
  await vscode.activeEditorTab(/languages\.experiment\.json/).waitFor();
  const table = await vscode.webview(/^/);
  await table.getByRole('grid').waitFor();
  return table;
}
