import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { readResults } from '../../support/atOnce';
import { chooseInMenu } from '../../support/pageMenu';
import { Uri } from '../../support/panels/values';
import { showInTheme } from '../../support/themes';
import { usePanels } from '../usePanels';

const TEXTS = [
  'What a wonderful and thoughtful gift!',
  'The food was terrible, and the staff was rude.',
  'I love this lovely place.',
  'An awful, horrible evening.',
  'Great music and happy people.',
  'The worst film that I have seen.',
];

describe('A model that judges the results of an experiment', () => {
  const suite = usePanels({
    prepare: async (folder) => {
      await writeFile(
        path.join(folder, 'texts.csv'),
        `text\n${TEXTS.map((text) => `"${text}"`).join('\n')}\n`,
      );
      const experiment = {
        run: { model: 'slow-echo', input: {}, params: { seconds: 0 } },
        over: { rows: 'texts.csv', map: { '/input/text': 'text' } },
      };
      await writeFile(path.join(folder, 'try.experiment.json'), JSON.stringify(experiment, null, 2));
    },
  });
  const file = (name: string) => path.join(suite.panels.workspace, name);
  const page = () => suite.panels.page(/try/);
  const lines = async () => readResults(await readFile(file('try.results.jsonl'), 'utf8'));

  before(async () => {
    const { panels } = suite;
    await panels.startSandbox();
    panels.openFile('try.experiment.json');
    await page();
  });

  it('asks in the table how to judge, writes a run file to adapt, and shows the price', async () => {
    const { panels } = suite;
    const shown = await page();
    await shown.getByRole('button', { name: 'Set Up' }).click();
    await chooseInMenu(shown, 'Add Metric…', 'Add Judge…');
    await panels.answer(/How does the model judge/, /^Choice/);
    await panels.enter(/Labels/, 'positive = 1, negative = 0');
    await panels.answer(/Choose a model/, /^Sentiment/);
    await panels.enter(/Name of the metric/, 'cheerful');
    const judge = file('cheerful.judge.run.json');
    const written = await panels.until(
      async () => readFile(judge, 'utf8').catch(() => undefined),
      'The run file of the judge',
    );
    assert.match(written, /\{\{output\}\}/);
    assert.match(written, /Reply with one of these words only: positive, negative\./);
    // This judge needs no instructions.
    await writeFile(judge, JSON.stringify({ ...JSON.parse(written), input: { text: '{{output}}' } }));
    const document = await panels.window.documents.openTextDocument(Uri.file(file('try.experiment.json')));
    assert.deepEqual(JSON.parse(document.getText()).metrics, [
      { name: 'cheerful', judge: 'cheerful.judge.run.json', choices: { positive: 1, negative: 0 } },
    ]);
    await shown.getByRole('button', { name: 'Show Table' }).click();
    await shown.getByRole('button', { name: /^Run 6 \(about \$0\.066\)/ }).waitFor();
  });

  it('judges each result once, after one question for all', async () => {
    const { panels } = suite;
    const shown = await page();
    await shown.getByRole('button', { name: /^Run 6 \(/ }).click();
    const dialog = await panels.dialog(/Start 6 runs/);
    assert.match(dialog.text, /Judges then make up to 6 further runs; the cost includes them/);
    assert.match(dialog.text, /12 runs, about \$0\.066/);
    dialog.pick('Start 6 Runs');
    // The model has no output schema: the answers show their place.
    await shown.getByText('“cheerful”: set its "at" to "/label", where its results have answers.').waitFor();
    const document = await panels.window.documents.openTextDocument(Uri.file(file('try.experiment.json')));
    panels.window.documents.type(
      document,
      document.getText().replace('"name": "cheerful"', '$&, "at": "/label"'),
    );
    await shown.getByTitle(/^cheerful 0\.500 .*, 6 rows/).waitFor();
    await shown
      .getByText(/^cheerful 1 · /)
      .first()
      .waitFor();
    await shown.getByText(/^6 rows = 6 runs, about \$0\.066, paid so far \$0\.066/).waitFor();
    const { results, judging } = await lines();
    assert.deepEqual([results.length, judging.length], [6, 6]);
    assert.ok(judging.every(({ judge, state }) => judge === 'cheerful' && state === 'finished'));
    assert.equal(panels.window.questions.open.length, 0);
  });

  it('shows kappa with the judgements of a person, which have a name', async () => {
    const shown = await page();
    await chooseInMenu(shown, 'View', 'Judge');
    for (const [row, key] of ['+', '-', '+', '-', '-', '-'].entries()) {
      await cellAt(shown, row).click();
      await shown.keyboard.press(key);
      await shown
        .getByRole('row')
        .filter({ hasText: TEXTS[row]! })
        .getByLabel(key === '+' ? 'judged good' : 'judged bad')
        .waitFor();
    }
    const agreement = shown.getByRole('rowheader', { name: /^cheerful and thumbs_up of / });
    await agreement.waitFor();
    await shown.getByTitle(/agree on 5 of 6 results: Cohen’s kappa 0\.667 \(n 6\)/).waitFor();
    const { judgements } = await lines();
    assert.ok(judgements.every(({ by }) => typeof by === 'string' && by !== ''));
  });

  it('shows a note of a cell, and keeps it in the results file', async () => {
    const { panels } = suite;
    const shown = await page();
    await cellAt(shown, 4).dblclick();
    const note = shown.getByRole('textbox', { name: 'Note' });
    await note.fill('too short to tell');
    await note.blur();
    const kept = await panels.until(
      async () => (await lines()).judgements.find(({ judgement }) => judgement === 'note'),
      'The note',
    );
    assert.equal(kept.note, 'too short to tell');
    await shown.getByLabel('has a note').waitFor();
  });

  it('leaves room for a check of each run, which is added in the same place', async () => {
    const { panels } = suite;
    const shown = await page();
    await shown.getByRole('button', { name: 'Set Up' }).click();
    await chooseInMenu(shown, 'Add Metric…', 'Add Check…');
    await panels.answer(/Check of each run/, /^matches/);
    await panels.enter(/regular expression/, '!$');
    for (const name of ['cheerful', 'matches'])
      await shown.getByRole('button', { name: `Remove ${name}` }).waitFor();
    await shown.screenshot({ path: 'out/journeys/judges-grid.png' });
    await shown.getByRole('button', { name: 'Show Table' }).click();
    await shown
      .getByTitle(/^matches: not measured, since the result is an object in all 6 results/)
      .waitFor();
    const document = await panels.window.documents.openTextDocument(Uri.file(file('try.experiment.json')));
    panels.window.documents.type(document, document.getText().replace('"matches":', '"at": "/text", $&'));
    await shown.getByTitle(/^matches 0\.167 .*, 6 rows/).waitFor();
    await cellAt(shown, 4).dblclick();
  });

  it('fits wide and narrow pages in light and dark themes', async () => {
    const shown = await page();
    for (const theme of ['dark', 'light'] as const)
      for (const width of [1400, 700]) {
        await shown.setViewportSize({ width, height: 800 });
        await showInTheme(shown, theme);
        const hasRoom = await shown.evaluate(() => document.body.scrollWidth <= document.body.clientWidth);
        await shown.screenshot({ path: `out/journeys/judges-${theme}-${width}.png` });
        assert.ok(hasRoom, `${theme} ${width}`);
      }
  });
});

function cellAt(page: Page, row: number) {
  return page.getByRole('row').filter({ hasText: TEXTS[row]! }).getByRole('gridcell').last();
}
