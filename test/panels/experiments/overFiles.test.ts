import assert from 'node:assert/strict';
import path from 'node:path';
import { chooseInMenu, fieldMenu } from '../../support/pageMenu';
import { makePictures } from '../../support/pictures';
import { usePanels } from '../usePanels';

const MODEL = 'Color Palette';

describe('Run over Files… in the run panel', () => {
  const suite = usePanels({
    prepare: async (folder) => {
      // One folder for each class.
      await makePictures(path.join(folder, 'photos', 'warm'), 2);
      await makePictures(path.join(folder, 'photos', 'cold'), 2, 2);
    },
  });

  it('writes a chosen folder relative to the experiment, and keeps the other values', async () => {
    const { panels } = suite;
    await panels.startSandbox();
    const panel = await panels.openRunPanel(MODEL);
    await chooseInMenu(panel.frame, fieldMenu(panel.frame, '/input/image'), 'Run over Files…');
    const name = await panels.question(/Name of the experiment/);
    assert.equal(name.value, 'color-palette');
    await name.enter('color-palette');
    await panels.question(/Files or folders to run a model on/);
    await panels.chooseFile(path.join(panels.workspace, 'photos'));
    const page = await panels.page('color-palette.experiment.json');
    await page.getByRole('checkbox', { name: /name of its folder/ }).click();
    await page.getByText('What is compared').waitFor();
    await page.getByRole('button', { name: /^Run 4 \(about \$/ }).waitFor();
    const { document } = panels.window.panels.find(({ title }) => title === 'color-palette.experiment.json')!;
    const experiment = JSON.parse(document!.getText());
    assert.deepEqual(experiment.over, { files: 'photos/**/*.png', map: { '/input/image': 'file' } });
    assert.deepEqual(experiment.expected, { folder: true });
    assert.deepEqual(experiment.metrics, ['accuracy', 'macro_f1']);
    assert.equal('image' in experiment.run.input, false);
  });

  it('reports files that the field does not take, and leaves the text unchanged', async () => {
    const { panels } = suite;
    const page = await panels.page('color-palette.experiment.json');
    const { document } = panels.window.panels.find(({ title }) => title === 'color-palette.experiment.json')!;
    const before = document!.getText();
    await chooseInMenu(page, 'Other Inputs', 'Choose Files or a Folder…');
    await panels.chooseFile(path.join(panels.workspace, 'color-palette.experiment.json'));
    (await panels.question(/Run which model on the files/)).cancel?.();
    assert.equal(document!.getText(), before);
  });
});
