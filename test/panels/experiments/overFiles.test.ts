import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { chooseInMenu, fieldMenu } from '../../support/pageMenu';
import { usePanels } from '../../support/panels/usePanels';
import { makePictures } from '../../support/pictures';

const MODEL = 'Color Palette';

describe('Run over Files… in the run panel', () => {
  const suite = usePanels({
    prepare: async (folder) => {
      // One folder for each class.
      await makePictures(path.join(folder, 'photos', 'warm'), 2);
      await makePictures(path.join(folder, 'photos', 'cold'), 2, 2);
    },
  });
  const panelOf = () => suite.panels.runPanel(MODEL);
  const size = async () => (await panelOf()).frame.locator('.experiment-size');
  const choose = async (from: string) => {
    const { panels } = suite;
    const panel = await panelOf();
    const again = panel.button('Run over Files…');
    if (await again.isVisible()) await again.click();
    else await chooseInMenu(panel.frame, fieldMenu(panel.frame, '/input/image'), 'Run over Files…');
    await panels.answer(/Run over Files/, from);
  };

  it('takes a folder from beside the field, as files that may become more', async () => {
    const { panels } = suite;
    await panels.startSandbox();
    const panel = await panels.openRunPanel(MODEL);
    await choose('Folder…');
    await panels.question(/Folder to run over/);
    await panels.chooseFile(path.join(panels.workspace, 'photos'));
    await (await size()).getByText('4 files = 4 runs, about $').waitFor();
    await panel.frame.getByText('Each of the files').waitFor();
    await panel.frame.getByRole('checkbox', { name: /folder is the expected result/ }).check();
  });

  it('writes them relative to the experiment, which is above them', async () => {
    const { panels } = suite;
    const panel = await panelOf();
    await panel.button('Run Experiment…').click();
    const name = await panels.question(/Name of the experiment/);
    assert.equal(name.value, 'color-palette');
    await name.enter('color-palette');
    (await panels.dialog('Start 4 runs in “Sandbox”?')).cancel();
    const file = path.join(panels.workspace, 'color-palette.experiment.json');
    const experiment = JSON.parse(await readFile(file, 'utf8'));
    assert.deepEqual(experiment.over, { files: 'photos/**/*.png', map: { '/input/image': 'file' } });
    assert.deepEqual(experiment.expected, { folder: true });
    assert.deepEqual(experiment.metrics, ['accuracy', 'macro_f1']);
  });

  it('takes a glob, and says while it is typed how many files it means', async () => {
    const { panels } = suite;
    panels.clickTab(MODEL);
    await choose('Glob…');
    const glob = await panels.question(/Run over Files\nGlob/);
    await glob.enter('photos/none/*');
    assert.equal(glob.validation, 'No file matches “photos/none/*”.');
    await glob.enter('photos/warm/**');
    assert.equal(glob.validation, '2 files');
    await (await size()).getByText('2 files = 2 runs, about $').waitFor();
    const panel = await panelOf();
    await panel.button('Undo').click();
    await (await size()).getByText('4 files = 4 runs, about $').waitFor();
  });

  it('reports a mismatch, and leaves the setup unchanged', async () => {
    const { panels } = suite;
    const panel = await panelOf();
    await choose('Glob…');
    await panels.enter(/Run over Files\nGlob/, '*.experiment.json');
    await panel.frame.getByText(/has no field that takes such files/).waitFor();
    await (await size()).getByText('4 files = 4 runs').waitFor();
  });
});
