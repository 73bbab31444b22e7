import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { readResults } from '../../support/atOnce';
import { accessibilityViolations, violationsInEachTheme } from '../../support/axe';
import { chooseInMenu, fieldMenu } from '../../support/pageMenu';
import type { Panels } from '../../support/panels/panels';
import { useService } from '../../support/panels/useService';

const MODEL = 'Language Identification';
const rows = [
  ['The weather is lovely and we are going for a walk', 'eng'],
  ['Das Wetter ist schön und wir gehen spazieren', 'deu'],
  ['Il fait beau et nous allons nous promener', 'fra'],
  ['Hace buen tiempo y vamos a dar un paseo', 'spa'],
] as const;

describe('An experiment that begins in the run panel', () => {
  let workspace: string;
  const suite = useService({
    environments: ['test'],
    prepare: async (folder) => {
      workspace = folder;
      const lines = rows.map(([text, label], at) => `${at},"${text}",${label}`);
      await writeFile(path.join(folder, 'labels.csv'), ['id,sentence,label', ...lines, ''].join('\n'));
    },
  });
  const { sent } = suite;
  const panelOf = () => suite.panels.runPanel(MODEL);
  const size = async () => (await panelOf()).frame.locator('.experiment-size');
  const written = async () =>
    JSON.parse(await readFile(path.join(workspace, 'languages.experiment.json'), 'utf8'));

  it('runs the model once', async () => {
    const { panels } = suite;
    const panel = await panels.openRunPanel(MODEL);
    await panel.fill('Text', rows[2][0]);
    await panel.run();
    await panel.result.getByText('fra').first().waitFor();
    assert.equal(await sent(), 1);
  });

  it('varies a parameter by the keyboard, and shows the size at once', async () => {
    const panel = await panelOf();
    await panel.field('Languages').press('ControlOrMeta+.');
    await panel.frame.getByRole('menuitem', { name: 'Vary' }).press('Enter');
    await panel.button('Add Value').waitFor();
    await panel.frame.getByRole('textbox', { name: 'Value 1 of Languages' }).fill('1');
    await panel.button('Add Value').press('Enter');
    await panel.frame.getByRole('textbox', { name: 'Value 2 of Languages' }).fill('5');
    await (await size()).getByText('2 values = 2 runs, about $').waitFor();
    await panel.button('Run Experiment…').waitFor();
  });

  it('adds a model that accepts the input, and names the mismatch of others', async () => {
    const { panels } = suite;
    const panel = await panelOf();
    await panel.button('Add Model…').click();
    const question = await panels.question(/Add a Model to the Experiment/);
    assert.ok(question.separators.includes('Do not accept this input'), question.separators.join());
    await question.enter('word stat');
    question.accept?.();
    await (await size()).getByText('2 models × 2 values = 4 runs').waitFor();
  });

  it('adds all ticked models that accept the input, and says why the others are left out', async () => {
    const { panels } = suite;
    const panel = await panelOf();
    await panel.button('Remove Word Statistics').click();
    await (await size()).getByText(/^2 values = 2 runs/).waitFor();
    await panel.button('Add Model…').click();
    const question = await panels.question(/Add a Model to the Experiment/);
    const misfit = question.choices.at(-1)!;
    question.tick?.('Word Statistics');
    // The typed text does not find it: it stays ticked.
    await question.enter('zzz');
    await question.enter('');
    question.tick?.(misfit);
    assert.deepEqual(question.selected, ['Word Statistics', misfit]);
    question.accept?.();
    await panels.notification(new RegExp(`${misfit} was not chosen`));
    await (await size()).getByText('2 models × 2 values = 4 runs').waitFor();
  });

  it('runs over the rows of a table, whose columns it guesses', async () => {
    const { panels } = suite;
    const panel = await panelOf();
    await panel.button('Run over Rows…').click();
    await panels.chooseFile(path.join(workspace, 'labels.csv'));
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
    const page = await suite.panels.page(MODEL);
    assert.deepEqual(await violationsInEachTheme(page), []);
    await page.setViewportSize({ width: 400, height: 800 });
    const over = () => document.documentElement.scrollWidth - document.documentElement.clientWidth;
    assert.equal(await page.evaluate(over), 0);
    await page.setViewportSize({ width: 1000, height: 800 });
  });

  it('returns after a reload, and can be restored after it was discarded', async () => {
    const { panels } = suite;
    await panels.reload();
    const panel = await panelOf();
    await (await size()).getByText('2 models × 2 values × 4 rows = 16 runs').waitFor();
    await panel.button('Discard Experiment').click();
    await panel.button('Run Experiment…').waitFor({ state: 'detached' });
    assert.ok(await panel.button('Run').isVisible());
    await panel.button('Undo').click();
    await (await size()).getByText('2 models × 2 values × 4 rows = 16 runs').waitFor();
  });

  it('becomes a file with a table, and asks once before anything is sent', async () => {
    const { panels } = suite;
    const panel = await panelOf();
    await panel.button('Run Experiment…').click();
    await panels.enter(/Name of the experiment/, 'languages');
    const text = (await panels.dialog()).text.replaceAll(/\s+/g, ' ');
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
    (await panels.dialog()).pick('Start 16 Runs');
    const table = await tableIn(panels);
    await table
      .getByTitle(/^accuracy 1/)
      .first()
      .waitFor();
  });

  it('pays for the new cells only when a value is added in the panel', async () => {
    const { panels } = suite;
    const panel = await panelOf();
    await panel.button('Add Value').click();
    await panel.frame.getByRole('textbox', { name: 'Value 3 of Languages' }).fill('10');
    await (await size()).getByText('2 models × 3 values × 4 rows = 24 runs').waitFor();
    await panel.frame.locator('body').press('Control+Enter');
    await panels.dialog('Start 8 runs in “test”?');
    assert.deepEqual((await written()).vary['/params/top_k'], [1, 5, 10]);
    (await panels.dialog()).pick('Start 8 Runs');
    await (await tableIn(panels)).getByText('24 of 24 runs finished.').waitFor({ state: 'attached' });
    const lines = readResults(await readFile(path.join(workspace, 'languages.results.jsonl'), 'utf8'));
    assert.equal(lines.results.length, 24);
    assert.equal(await sent(), 25);
  });

  it('leads back: a variation of it is used in a run panel', async () => {
    const { panels } = suite;
    const table = await tableIn(panels);
    const head = table.getByRole('columnheader').filter({ hasText: 'top_k 10' }).first();
    await chooseInMenu(table, head.getByRole('button', { name: /^Actions for/ }), 'Use This Variation…');
    await panels.answer(/Use this variation/, 'Open in Run Panel');
    const isOpen = () => panels.window.panels.filter(({ title }) => title === MODEL).length === 2;
    await panels.until(isOpen, 'A second run panel');
    const panel = await panelOf();
    await panel.button('Run').waitFor();
    assert.equal(await panel.field('Languages').inputValue(), '10');
  });

  it('asks for a place when no folder is open', async () => {
    const { panels } = suite;
    panels.closePanels();
    await panels.openFolder(undefined);
    await panels.row('Catalog', MODEL);
    const panel = await panels.openRunPanel('Word Statistics');
    await panel.fill('Text', 'one two');
    await chooseInMenu(panel.frame, fieldMenu(panel.frame, '/params/top_k'), 'Vary');
    await panel.button('Run Experiment…').click();
    const place = path.join(workspace, 'without folder.json');
    const dialog = await panels.question(/./);
    assert.match(dialog.value ?? '', /word-statistics\.experiment\.json$/);
    await panels.chooseFile(place);
    assert.match((await panels.dialog()).text, /Start 1 run in/);
    (await panels.dialog()).cancel();
    const table = await panels.page('without folder.experiment.json');
    await table.getByText('1 value = 1 run').waitFor();
    assert.equal(panels.window.panels.filter(({ document }) => document).length, 1);
    const { vary } = JSON.parse(
      await readFile(path.join(workspace, 'without folder.experiment.json'), 'utf8'),
    );
    assert.deepEqual(Object.keys(vary), ['/params/top_k']);
  });
});

async function tableIn(panels: Panels): Promise<Page> {
  const table = await panels.page('languages.experiment.json');
  await table.getByRole('grid').waitFor();
  return table;
}
