import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { connect } from '../../support/connect';
import { useVSCode } from '../../support/journey';
import { chooseInMenu, fieldMenu } from '../../support/pageMenu';
import { makePictures } from '../../support/pictures';
import { RunPanel } from '../../support/runPanel';
import { type ChildSandbox, sandboxInChild } from '../../support/sandbox';

const MODEL = 'Colour Palette';

describe('Run over Files… in the run panel', () => {
  let sandbox: ChildSandbox;
  let workspace: string;
  before(async () => {
    sandbox = await sandboxInChild({ flags: ['--wallet', '100'] });
  });
  after(() => sandbox?.stop());
  const journey = useVSCode({
    prepare: async (folder) => {
      workspace = folder;
      // One folder for each class.
      await makePictures(path.join(folder, 'photos', 'warm'), 2);
      await makePictures(path.join(folder, 'photos', 'cold'), 2, 2);
    },
  });
  const panelOf = () => RunPanel.in(journey.vscode, MODEL);
  const size = async () => (await panelOf()).frame.locator('.experiment-size');
  const choose = async (from: string) => {
    const { vscode } = journey;
    const panel = await panelOf();
    const again = panel.button('Run over Files…');
    if (await again.isVisible()) await again.click();
    else await chooseInMenu(panel.frame, fieldMenu(panel.frame, '/input/image'), 'Run over Files…');
    await vscode.pick(from, /Run over Files/);
  };

  it('takes a folder from beside the field, as files that may become more', async () => {
    const { vscode } = journey;
    await connect(vscode, { name: 'test', baseUrl: sandbox.baseUrl, apiKey: sandbox.apiKey });
    await vscode.showModelBench();
    await vscode.treeRow('Catalog', MODEL).waitFor();
    const panel = await RunPanel.open(vscode, MODEL);
    await choose('Folder…');
    await vscode.expectQuickInput(/Folder to run over/);
    await vscode.typePath(`${path.join(workspace, 'photos')}/`);
    await vscode.quickInput.getByText('warm', { exact: true }).waitFor();
    await vscode.acceptPath('Choose');
    await (await size()).getByText('4 files = 4 runs, about $').waitFor();
    await panel.frame.getByText('Each of the files').waitFor();
    await panel.frame.getByRole('checkbox', { name: /folder is the expected result/ }).check();
    await vscode.screenshot('journeys/run-panel-over-files');
  });

  it('writes them relative to the experiment, which is above them', async () => {
    const { vscode } = journey;
    const panel = await panelOf();
    await panel.button('Run Experiment…').click();
    await vscode.expectQuickInput(/Name of the experiment/);
    assert.equal(await vscode.quickInputBox.inputValue(), 'colour-palette');
    await vscode.quickInputBox.press('Enter');
    await vscode.dialog.getByText('Start 4 runs in “test”?').waitFor();
    await vscode.clickDialogButton('Cancel');
    const file = path.join(workspace, 'colour-palette.experiment.json');
    const experiment = JSON.parse(await readFile(file, 'utf8'));
    assert.deepEqual(experiment.over, { files: 'photos/**/*.png', map: { '/input/image': 'file' } });
    assert.deepEqual(experiment.expected, { folder: true });
    assert.deepEqual(experiment.metrics, ['accuracy', 'macro_f1']);
  });

  it('takes a glob, and says while it is typed how many files it means', async () => {
    const { vscode } = journey;
    await vscode.editorTab(MODEL).click();
    await choose('Glob…');
    await vscode.expectQuickInput(/Run over Files/);
    await vscode.quickInputBox.fill('photos/none/*');
    await vscode.quickInput.getByText('No file matches “photos/none/*”').waitFor();
    await vscode.quickInputBox.fill('photos/warm/**');
    await vscode.quickInput.getByText('2 files', { exact: true }).waitFor();
    await vscode.quickInputBox.press('Enter');
    await (await size()).getByText('2 files = 2 runs, about $').waitFor();
    const panel = await panelOf();
    await panel.button('Undo').click();
    await (await size()).getByText('4 files = 4 runs, about $').waitFor();
  });

  it('reports a mismatch, and leaves the setup unchanged', async () => {
    const { vscode } = journey;
    const panel = await panelOf();
    await choose('Glob…');
    await vscode.answerQuickInput('*.experiment.json', /Run over Files/);
    await panel.frame.getByText(/has no field that takes such files/).waitFor();
    await (await size()).getByText('4 files = 4 runs').waitFor();
  });
});
