import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { readResults } from '../../support/atOnce';
import { accessibilityViolations, violationsInEachTheme } from '../../support/axe';
import { languageResults, writeLanguages } from '../../support/experiments/languages';
import { chooseInMenu } from '../../support/pageMenu';
import { usePanels } from '../usePanels';

describe('The table of an experiment file', () => {
  let workspace: string;
  const fileAt = (name: string) => path.join(workspace, name);
  const results = languageResults('language-id');
  const suite = usePanels({
    prepare: async (folder) => {
      workspace = folder;
      await writeLanguages(folder);
    },
  });
  const tableOf = () => suite.panels.page('languages.experiment.json');

  it('opens as a table with the results beside it, without a connection and without a run', async () => {
    suite.panels.openFile('languages.experiment.json');
    const table = await tableOf();
    await table.getByRole('grid').waitFor();
    await table.getByRole('rowheader').filter({ hasText: 'Das Wetter' }).waitFor();
    await table.getByTitle(/^accuracy 0\.750/).waitFor();
    await table.getByText('Connect to the service').waitFor();
    await table.getByText('2 models × 4 rows = 8 runs').waitFor();
    assert.equal(await table.getByRole('gridcell').filter({ hasText: 'not run' }).count(), 4);
    assert.deepEqual(await accessibilityViolations(table), []);
  });

  it('shows results when they are appended, and a torn line as a problem', async () => {
    const table = await tableOf();
    const notRun = table.getByRole('gridcell').filter({ hasText: 'not run' });
    await notRun.first().waitFor();
    const more = languageResults('word-statistics');
    await writeFile(fileAt('languages.results.jsonl'), `${[...results, ...more].join('')}{"custom_id":`);
    await table.getByText('Line 9 of “languages.results.jsonl” cannot be read').waitFor();
    await notRun.first().waitFor({ state: 'detached' });
    assert.equal(await notRun.count(), 0);
  });

  it('opens a cell with its full result beside the table', async () => {
    const table = await tableOf();
    await table.getByRole('grid').focus();
    await table.keyboard.press('Enter');
    const cell = table.getByRole('complementary', { name: 'Cell' });
    await cell.getByText('language-id').first().waitFor();
    await cell.getByText('finished').waitFor();
    assert.deepEqual(await violationsInEachTheme(table), []);
    await table.setViewportSize({ width: 800, height: 700 });
    assert.deepEqual(await accessibilityViolations(table), []);
    await table.setViewportSize({ width: 1000, height: 800 });
  });

  it('runs missing results after one question, and the table fills', async () => {
    const { panels } = suite;
    await panels.startSandbox();
    const table = await tableOf();
    await writeFile(fileAt('languages.results.jsonl'), `${results.join('')}{"custom_id":`);
    await table.getByRole('button', { name: /^Run 4/ }).click();
    // The torn line may be of any of them.
    await panels.notification(/Line 5 of “languages\.results\.jsonl” cannot be read/);
    await writeFile(fileAt('languages.results.jsonl'), results.join(''));
    await table.getByRole('button', { name: /^Run 4/ }).click();
    await panels.answer('Start 4 runs in “Sandbox”?', 'Start 4 Runs');
    await table.getByRole('columnheader').filter({ hasText: '4 finished' }).nth(1).waitFor();
    await table.getByRole('button', { name: 'Run', exact: true, disabled: true }).waitFor();
    const text = await readFile(fileAt('languages.results.jsonl'), 'utf8');
    assert.ok(text.startsWith(results.join('')), 'what was in the file stays');
    assert.equal(readResults(text).results.length, 4 + 4);
  });

  it('exports the shown table, with the figures of its groups', async () => {
    const { panels } = suite;
    const table = await tableOf();
    await chooseInMenu(table, 'View', 'Group By…');
    await panels.answer(/Figures for each value of which column/, 'Expected label');
    await table.getByRole('rowheader', { name: 'de', exact: true }).waitFor();
    await chooseInMenu(table, 'Export', 'HTML Report');
    const file = await panels.chooseFile();
    assert.equal(file, fileAt('languages.html'));
    await panels.notification('The report was saved.');
    const report = await readFile(file, 'utf8');
    assert.match(report, /Das Wetter ist schön/);
    assert.match(report, /<th scope="row">· de<\/th>/);
    assert.doesNotMatch(report, new RegExp(workspace));
  });
});
