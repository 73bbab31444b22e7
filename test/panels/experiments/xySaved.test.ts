import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { chooseInMenu } from '../../support/pageMenu';
import { Uri } from '../../support/panels/values';
import { usePanels } from '../usePanels';

describe('The X/Y plot of results from a service', () => {
  const suite = usePanels();

  it('shows every repeat of every input as a number, and is saved where the user chooses', async () => {
    const { panels } = suite;
    const file = path.join(panels.workspace, 'words.experiment.json');
    const rows = ['one', 'one two', 'one two three'].map((text, at) => `${text},${at + 1}\n`).join('');
    writeFileSync(path.join(panels.workspace, 'texts.csv'), `text,words\n${rows}`);
    const experiment = {
      run: { model: 'word-statistics', input: {} },
      over: { rows: 'texts.csv', map: { '/input/text': 'text' } },
      expected: { column: 'words', at: '/words' },
      repeats: 2,
    };
    writeFileSync(file, JSON.stringify(experiment));
    await panels.startSandbox();
    panels.command('modelBench.runExperiment', Uri.file(file));
    await panels.answer(/Start 6 runs/, /Start 6 Runs/);
    await panels.notification(/6 of 6 runs finished/);
    panels.command('vscode.open', Uri.file(file));
    const page = await panels.page(/words/);
    await chooseInMenu(page, 'View', 'X/Y');
    await page.getByRole('img', { name: 'Numbers on this page: 1 to 3' }).waitFor();
    await page.locator('#xy-2-1').getByText('3', { exact: true }).waitFor();
    assert.equal(await page.locator('.xy [role=gridcell]').count(), 6);
    const target = path.join(panels.workspace, 'plot.png');
    writeFileSync(target, '');
    await page.getByRole('button', { name: 'Save as PNG' }).click();
    await panels.chooseFile(target);
    await panels.until(() => readFileSync(target).length > 0, 'The picture');
    const png = readFileSync(target);
    assert.equal(png.subarray(1, 4).toString(), 'PNG');
    assert.ok(!png.includes(panels.workspace), 'it names no folder of this computer');
    await panels.reload();
    const again = await panels.page(/words/);
    await again.locator('#xy-2-1').getByText('3', { exact: true }).waitFor();
  });
});
