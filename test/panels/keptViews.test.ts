import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { Uri } from '../support/panels/values';
import { usePanels } from './usePanels';

const GERMAN = 'Guten Morgen, wie geht es dir heute an diesem schönen Tag?';
const DUTCH = 'Goedemorgen, hoe gaat het vandaag met je op deze mooie dag?';

/** In one order: each page goes on with the view that the page before it chose. */
describe('The view of a model’s results', () => {
  const suite = usePanels({
    prepare: (folder) =>
      writeFile(
        path.join(folder, 'try.experiment.json'),
        JSON.stringify({
          run: { model: 'language-id', input: {} },
          vary: { '/input/text': [GERMAN, DUTCH] },
        }),
      ),
  });
  const chooseView = async (page: Page, within: Page | Locator, name: string) => {
    await within.getByRole('button', { name: 'View As…' }).first().click();
    await page.getByRole('menuitemradio', { name }).click();
  };
  const labelsIn = (within: Locator) => within.locator('.mb-labels .mb-label').allInnerTexts();

  it('follows the user’s choice in the run panel', async () => {
    const { panels } = suite;
    await panels.startSandbox();
    const panel = await panels.openRunPanel(/Language/);
    for (const text of [GERMAN, DUTCH]) {
      await panel.fill('Text', text);
      await panel.run();
      await panels.row('History', text.slice(0, 20));
    }
    const page = await panels.page(/Language/);
    await chooseView(page, panel.result, 'Table');
    await panel.result.getByRole('table', { name: 'labels' }).waitFor();
  });

  it('holds in a comparison, which changes both sides and shows labels in one order', async () => {
    const { panels } = suite;
    const rows = [
      await panels.row('History', GERMAN.slice(0, 20)),
      await panels.row('History', DUTCH.slice(0, 20)),
    ];
    await panels.rowMenu(rows[0]!, 'Compare Runs', rows);
    const page = await panels.page(/↔/);
    const results = page.getByRole('region', { name: /^Result of the/ });
    const tables = results.getByRole('table', { name: 'labels' });
    await tables.nth(1).waitFor();
    await chooseView(page, results.nth(1), 'Bars');
    await results.nth(0).locator('.mb-labels').waitFor();
    await results.nth(1).locator('.mb-labels').waitFor();
    assert.equal(await tables.count(), 0);
    const [left, right] = [await labelsIn(results.nth(0)), await labelsIn(results.nth(1))];
    const common = left.filter((label) => right.includes(label));
    assert.ok(common.length > 1, `${left} and ${right}`);
    assert.deepEqual(right.slice(0, common.length), common);
  });

  it('holds for the cells of an experiment, which can change it', async () => {
    const { panels } = suite;
    const experiment = Uri.file(path.join(panels.workspace, 'try.experiment.json'));
    panels.command('modelBench.runExperiment', experiment);
    await panels.answer(/Start 2 runs/, /Start 2 Runs/);
    await panels.notification(/2 of 2 runs finished/);
    panels.command('vscode.open', experiment);
    const page = await panels.page(/try/);
    await page.locator('.grid[aria-busy="false"]').waitFor();
    await page.getByRole('gridcell').filter({ hasText: '$0.001 ·' }).first().dblclick();
    const cell = page.getByRole('complementary', { name: 'Cell' });
    await cell.locator('.mb-labels').waitFor();
    await chooseView(page, cell, 'Table');
    await cell.getByRole('table', { name: 'labels' }).waitFor();
    assert.equal(await cell.locator('.mb-labels').count(), 0);
  });
});
