import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { readResults } from '../../support/atOnce';
import { violationsInEachTheme } from '../../support/axe';
import { chooseInMenu, fieldMenu } from '../../support/pageMenu';
import type { Panels } from '../../support/panels/panels';
import { useService } from '../useService';

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
  const page = () => suite.panels.page('languages.experiment.json');
  const written = async () => JSON.parse(await textOf(suite.panels, 'languages.experiment.json'));
  const until = (wanted: (experiment: Record<string, unknown>) => boolean) =>
    suite.panels.until(async () => wanted(await written()), 'The edit of the text');

  it('takes the request with its changed values, and opens its set-up page', async () => {
    const { panels } = suite;
    const panel = await panels.openRunPanel(MODEL);
    await panel.fill('Text', rows[2][0]);
    await panel.fill('Languages', '2');
    await chooseInMenu(panel.frame, 'Other Ways to Run', 'Experiment…');
    await panels.enter(/Name of the experiment/, 'languages');
    await (await page()).getByRole('heading', { name: 'Columns of the table' }).waitFor();
    assert.deepEqual(await written(), {
      version: 1,
      run: { model: 'language-id', input: { text: rows[2][0] }, params: { top_k: 2 } },
    });
    assert.equal(await panel.frame.getByText('Experiment', { exact: true }).count(), 0);
    assert.equal(await sent(), 0);
  });

  it('varies a field and the model, each a chip that says its values', async () => {
    const { panels } = suite;
    const shown = await page();
    await shown.getByRole('button', { name: 'Vary a Field…' }).press('Enter');
    await panels.answer(/Add columns by another/, /^Languages/);
    await panels.enter(/Languages/, '1, 5');
    await shown.getByRole('button', { name: 'top_k: 1, 5' }).waitFor();
    await shown.getByRole('button', { name: 'Model…' }).click();
    await panels.answer(/Choose a model/, /^Word Statistics/);
    await shown.getByRole('button', { name: 'model: language-id, word-statistics' }).waitFor();
    await shown.getByRole('button', { name: /^Run 4 \(/ }).waitFor();
    await shown.getByRole('button', { name: 'Do not vary model' }).click();
    await shown.getByRole('button', { name: /^Run 2 \(/ }).waitFor();
    assert.deepEqual((await written()).vary, { '/params/top_k': [1, 5] });
  });

  it('runs over the rows of a table, and keeps the other values of the request', async () => {
    const { panels } = suite;
    const shown = await page();
    await shown.getByRole('button', { name: 'Choose a Table…' }).click();
    await panels.chooseFile(path.join(workspace, 'labels.csv'));
    await shown.getByRole('button', { name: /^Run 8 \(/ }).waitFor();
    assert.deepEqual(await written(), {
      version: 1,
      run: { model: 'language-id', input: {}, params: { top_k: 2 } },
      vary: { '/params/top_k': [1, 5] },
      over: { rows: 'labels.csv', map: { '/input/text': 'sentence' } },
      expected: { column: 'label' },
      metrics: ['accuracy', 'macro_f1'],
    });
  });

  it('takes repeats, a sample, a seed, thresholds and an early end, each as one edit of the text', async () => {
    const shown = await page();
    await shown.getByText('Repeats, sample and thresholds').click();
    const fill = async (name: string, value: string) => {
      await shown.getByLabel(name).fill(value);
      await shown.getByLabel(name).press('Tab');
    };
    await fill('Repeats', '2');
    await shown.getByRole('button', { name: /^Run 16 \(/ }).waitFor();
    await fill('Sample of inputs (empty: all)', '3');
    await shown.getByRole('button', { name: /^Run 12 \(/ }).waitFor();
    await fill('Seed of random choices', '7');
    await until(({ seed }) => seed === 7);
    await fill('Threshold of accuracy', 'about 0.9');
    await shown.getByRole('alert').waitFor();
    await fill('Threshold of accuracy', '>= 0.9');
    await until(({ thresholds }) => JSON.stringify(thresholds) === '{"accuracy":">= 0.9"}');
    await shown
      .getByLabel('End columns early')
      .selectOption({ label: 'once their accuracy is certainly not the best' });
    await until(({ stop }) => JSON.stringify(stop) === '{"metric":"accuracy","confidence":0.95}');
    await shown.getByRole('checkbox', { name: 'Failed runs count as wrong' }).click();
    await until(({ failed }) => failed === 'unmeasured');
    assert.deepEqual(await violationsInEachTheme(shown), []);
    await shown.setViewportSize({ width: 400, height: 800 });
    const over = () => document.documentElement.scrollWidth - document.documentElement.clientWidth;
    assert.equal(await shown.evaluate(over), 0);
    await shown.setViewportSize({ width: 1000, height: 800 });
    for (const name of ['Repeats', 'Sample of inputs (empty: all)', 'Seed of random choices'] as const)
      await fill(name, '');
    await fill('Threshold of accuracy', '');
    await shown.getByLabel('End columns early').selectOption({ label: 'never' });
    await shown.getByRole('checkbox', { name: 'Failed runs count as wrong' }).click();
    await shown.getByRole('button', { name: /^Run 8 \(/ }).waitFor();
    assert.deepEqual(Object.keys(await written()), [
      ...['version', 'run', 'vary', 'over', 'expected', 'metrics'],
    ]);
  });

  it('shows the newest price even where that of an older text comes later', async () => {
    const shown = await page();
    const repeats = shown.getByLabel('Repeats');
    const runs = (count: number) => shown.getByRole('button', { name: new RegExp(`^Run ${count} \\(`) });
    await runs(8).waitFor();
    await shown.evaluate(() => {
      const keep = (event: MessageEvent<{ value?: { requests?: unknown } }>) => {
        if (!event.data.value?.requests) return;
        removeEventListener('message', keep, true);
        event.stopImmediatePropagation();
        document.body.dataset.late = JSON.stringify(event.data);
      };
      addEventListener('message', keep, true);
    });
    await repeats.fill('2');
    await repeats.press('Enter');
    await shown.locator('body[data-late]').waitFor();
    await repeats.fill('3');
    await repeats.press('Enter');
    await runs(24).waitFor();
    await shown.evaluate(
      () =>
        new Promise((resolve) => {
          addEventListener('message', () => requestAnimationFrame(resolve), { once: true });
          postMessage(JSON.parse(document.body.dataset.late!), '*');
        }),
    );
    assert.equal(await runs(24).count(), 1);
    await repeats.fill('');
    await repeats.press('Enter');
    await runs(8).waitFor();
  });

  it('begins at a field of the panel, whose options are ticked', async () => {
    const { panels } = suite;
    const panel = await panels.openRunPanel('Form Showcase');
    const field = panel.frame.locator('.field.kind-enum').first();
    const pointer = (await field.getAttribute('data-pointer'))!;
    await chooseInMenu(panel.frame, fieldMenu(panel.frame, pointer), 'Vary…');
    await panels.enter(/Name of the experiment/, 'showcase');
    const question = await panels.question(/./);
    assert.ok(question.choices.length > 1);
    await panels.answer(/./, question.choices[0]!);
    await panels.until(
      async () => pointer in (JSON.parse(await textOf(panels, 'showcase.experiment.json')).vary ?? {}),
      'The varied field',
    );
  });

  it('runs, and pays for the new cells only when a value is added', async () => {
    const { panels } = suite;
    const shown = await page();
    await shown.getByRole('button', { name: /^Run 8 \(/ }).click();
    await shown.getByRole('grid').waitFor();
    await shown.getByText('8 of 8 runs finished.').waitFor({ state: 'attached' });
    await shown.getByRole('button', { name: 'Set Up' }).click();
    await shown.getByRole('button', { name: 'top_k: 1, 5' }).click();
    await panels.enter(/Languages/, '1, 5, 10');
    await shown.getByRole('button', { name: /^Run 4 \(/ }).click();
    assert.equal(panels.window.questions.open.length, 0, 'the button has shown number and cost');
    await shown.getByText('12 of 12 runs finished.').waitFor({ state: 'attached' });
    const lines = readResults(await readFile(path.join(workspace, 'languages.results.jsonl'), 'utf8'));
    assert.equal(lines.results.length, 12);
    assert.equal(await sent(), 12);
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
    await chooseInMenu(panel.frame, fieldMenu(panel.frame, '/params/top_k'), 'Vary…');
    const place = path.join(workspace, 'without folder.json');
    const dialog = await panels.question(/./);
    assert.match(dialog.value ?? '', /word-statistics\.experiment\.json$/);
    await panels.chooseFile(place);
    await panels.enter(/top_k|words/i, '1, 2');
    const shown = await panels.page('without folder.experiment.json');
    await shown.getByRole('button', { name: /^Run 2 \(/ }).waitFor();
    assert.equal(panels.window.panels.filter(({ document }) => document).length, 1);
  });
});

/** Of its editor, which may not have been saved. */
async function textOf(panels: Panels, name: string): Promise<string> {
  const open = panels.window.panels.find(({ document }) => document?.uri.path.endsWith(name))?.document;
  return open?.getText() ?? readFile(path.join(panels.workspace, name), 'utf8');
}

async function tableIn(panels: Panels): Promise<Page> {
  const table = await panels.page('languages.experiment.json');
  await table.getByRole('grid').waitFor();
  return table;
}
