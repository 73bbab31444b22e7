import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { chooseInMenu } from '../support/pageMenu';
import { Uri } from '../support/panels/values';
import { makePictures } from '../support/pictures';
import { usePanels } from './usePanels';

const SENTENCES = [
  ['Ceci n’est pas une pipe, dit le peintre au musée.', 'fra'],
  ['Repair the bicycle before the weekend, please.', 'eng'],
  ['Guten Tag zusammen, wir beginnen jetzt mit der Arbeit.', 'deu'],
  ['Buenos días a todos, hoy hablamos de la historia.', 'spa'],
] as const;

describe('An experiment over a table', () => {
  const suite = usePanels();
  const table = Array.from({ length: 24 }, (_, row) => {
    const [text, language] = SENTENCES[row % SENTENCES.length]!;
    return `"${text} ${row}",${language},note ${row}\n`;
  }).join('');

  before(async () => {
    const { panels } = suite;
    await panels.startSandbox();
  });

  it('shows accuracy with its rows after three clicks', async () => {
    const { panels } = suite;
    const file = path.join(panels.workspace, 'labels.csv');
    writeFileSync(file, `text,language,source\n${table}`);
    await panels.explorerMenu('Experiment with Model…', 'labels.csv');
    await panels.answer(/Run which model on the rows/, /^Language Identification/);
    const page = await panels.page(/labels\.experiment\.json/);
    await page.getByRole('heading', { name: 'labels.csv with Language Identification' }).waitFor();
    assert.deepEqual(await usesOf(page), ['/input/text', 'expected', '']);
    await page.getByRole('button', { name: /^Run 24 \(about \$0\.02/ }).click();
    await page.getByTitle(/^accuracy \d/).waitFor();
    assert.equal(panels.window.questions.open.length, 0, 'the button has shown number and cost');
    await panels.until(
      () => /"at": "\/language"/.test(textOf(suite, 'labels.experiment.json')),
      'The part that fits',
    );
    await page.getByTitle(/^accuracy 1\.000 .*, 24 rows/).waitFor();
  });

  it('adds a column in the table, and runs that one alone', async () => {
    const { panels } = suite;
    const page = await panels.page(/labels\.experiment\.json/);
    const addColumn = async (values: string) => {
      await page.getByRole('button', { name: 'Add Column…' }).click();
      await panels.answer(/Add columns by another/, /^Languages/);
      await panels.enter(/Languages/, values);
    };
    await addColumn('1');
    await page.getByRole('button', { name: /^Run 24 \(/ }).click();
    (await panels.dialog(/Start 24 runs/)).pick('Start 24 Runs');
    await page.getByTitle(/^accuracy 1\.000 .*, 24 rows/).waitFor();
    await addColumn('1, 3');
    await page.getByRole('columnheader', { name: /top_k 3/ }).waitFor();
    await page.getByRole('button', { name: /^Run 24 \(/ }).waitFor();
    await chooseInMenu(page, 'Actions for top_k 3', 'Duplicate…');
    await panels.enter(/top_k/, '4');
    await page.getByRole('columnheader', { name: /top_k 4/ }).waitFor();
    assert.match(textOf(suite, 'labels.experiment.json'), /"\/params\/top_k": \[\s*1,\s*3,\s*4\s*\]/);
    await chooseInMenu(page, 'Actions for top_k 4', 'Rename…');
    await panels.enter(/top_k/, 'many');
    await page.getByRole('columnheader', { name: /top_k many/ }).waitFor();
    await chooseInMenu(page, 'Actions for top_k many', 'Remove from the File');
    await page.getByRole('columnheader', { name: /top_k many/ }).waitFor({ state: 'detached' });
    assert.doesNotMatch(textOf(suite, 'labels.experiment.json'), /many|"labels"/);
    await chooseInMenu(page, 'Actions for top_k 3', 'Remove from the File');
    await page.getByRole('columnheader', { name: /top_k 3/ }).waitFor({ state: 'detached' });
    assert.match(textOf(suite, 'labels.experiment.json'), /"\/params\/top_k": \[\s*1\s*\]/);
  });

  it('checks thresholds in the Test Explorer, on recorded results', async () => {
    const { panels } = suite;
    const text = JSON.parse(textOf(suite, 'labels.experiment.json'));
    const thresholds = { accuracy: '>= 0.9', macro_f1: '< 0.5' };
    const file = path.join(panels.workspace, 'gate.experiment.json');
    writeFileSync(file, JSON.stringify({ ...text, thresholds }));
    copyFileSync(
      path.join(panels.workspace, 'labels.results.jsonl'),
      path.join(panels.workspace, 'gate.results.jsonl'),
    );
    await panels.window.openFile(Uri.file(file));
    const tests = await panels.until(
      () => panels.window.controllers.get('modelBench.experiments'),
      'the thresholds in the Test Explorer',
    );
    await panels.until(() => tests.items.size === 1, 'the experiment');
    await tests.run();
    const outcomes = [...tests.outcomes].map(([id, outcome]) => `${id.split(' ').at(-1)} ${outcome}`);
    assert.deepEqual(outcomes, ['accuracy passed', 'macro_f1 failed']);
  });

  it('offers the parts of a trial run, and compares the one that fits', async () => {
    const { panels } = suite;
    const file = path.join(panels.workspace, 'trial.csv');
    writeFileSync(
      file,
      `sentence;language;source\n${table.replaceAll(/,(?=\S)/g, ';').replaceAll(/ (\d+)"/g, ' ($1)"')}`,
    );
    panels.command('modelBench.experimentWithModel', Uri.file(file), [Uri.file(file)]);
    const { choices } = await panels.question(/Run which model on the rows/);
    assert.ok(choices.length > 2 && !choices.includes('Color Palette'), `${choices}`);
    await panels.answer(/Run which model on the rows/, /^Language Identification/);
    const page = await panels.page(/trial\.experiment\.json/);
    await page
      .getByText(/24 rows/)
      .first()
      .waitFor();
    await page.getByRole('button', { name: /^Try 3 Rows \(about \$0\.003\)/ }).click();
    const chosen = page.getByRole('radio', { checked: true });
    const row = chosen;
    await row.getByText('equals the expected value in 3 of 3').waitFor();
    assert.match((await row.textContent()) ?? '', /language\s+fra · spa · deu/);
    assert.match((await page.locator('.parts').textContent()) ?? '', /an object: cannot equal a label/);
    await page.getByRole('button', { name: /^Run 21 \(/ }).waitFor();

    await page.getByRole('combobox', { name: 'Use of column language' }).selectOption('');
    await page.getByText('Nothing is expected').or(page.getByText('What is compared')).first().waitFor();
    await panels.until(
      () => !textOf(suite, 'trial.experiment.json').includes('"expected"'),
      'No expectation',
    );
    await page.getByRole('combobox', { name: 'Use of column source' }).selectOption('expected');
    await panels.until(
      () => textOf(suite, 'trial.experiment.json').includes('"column": "source"'),
      'Another one',
    );
  });

  it('begins empty, and asks for a model and for inputs', async () => {
    const { panels } = suite;
    const file = path.join(panels.workspace, 'mine.csv');
    writeFileSync(file, 'text,label\nI love it,positive\nI hate it,negative\n');
    panels.command('modelBench.newExperiment');
    await panels.enter(/Name of the experiment/, 'new');
    const page = await panels.page(/new\.experiment\.json/);
    await page.getByRole('button', { name: 'Choose a Model…' }).click();
    await panels.answer(/Choose a model/, /^Sentiment/);
    await page.getByRole('button', { name: 'Choose a Table…' }).click();
    await panels.chooseFile(file);
    await page.getByRole('heading', { name: 'mine.csv with Sentiment' }).waitFor();
    assert.deepEqual(await usesOf(page), ['/input/text', 'expected']);
    await page.getByRole('button', { name: /^Run 2 \(/ }).waitFor();
  });

  it('takes a folder with one folder for each class, whose names are the labels', async () => {
    const { panels } = suite;
    for (const [name, text] of [
      ['positive', 'What a lovely day.'],
      ['negative', 'What an awful day.'],
    ] as const) {
      mkdirSync(path.join(panels.workspace, 'texts', name), { recursive: true });
      writeFileSync(path.join(panels.workspace, 'texts', name, 'a.txt'), text);
    }
    const folder = Uri.file(path.join(panels.workspace, 'texts'));
    panels.command('modelBench.experimentWithModel', folder, [folder]);
    await panels.answer(/Run which model on the files/, /^Sentiment/);
    const page = await panels.page(/texts\.experiment\.json/);
    await page.getByRole('checkbox', { name: /name of its folder/ }).waitFor();
    await page.getByText('negative', { exact: true }).first().waitFor();
    await page.getByRole('button', { name: /^Run 2 \(/ }).click();
    await page.getByTitle(/^accuracy \d/).waitFor();
    await panels.until(() => /"at": "\/label"/.test(textOf(suite, 'texts.experiment.json')), 'The part');
  });

  it('shows pictures beside their names, and no choice of folders for a table', async () => {
    const { panels } = suite;
    await makePictures(path.join(panels.workspace, 'pictures'), 2);
    const folder = Uri.file(path.join(panels.workspace, 'pictures'));
    panels.command('modelBench.experimentWithModel', folder, [folder]);
    await panels.answer(/Run which model on the files/, /^Color Palette/);
    const page = await panels.page(/pictures\.experiment\.json/);
    const picture = page.locator('.files-of canvas').first();
    await picture.waitFor();
    // A canvas is 300 pixels wide until a picture is drawn.
    await panels.until(() => picture.evaluate((one: HTMLCanvasElement) => one.width !== 300), 'The picture');
    assert.deepEqual(await picture.evaluate((one) => [one.clientWidth, one.clientHeight]), [48, 48]);
    const broken = Uri.file(path.join(panels.workspace, 'unclosed.csv'));
    writeFileSync(broken.fsPath, 'text,label\n"a,b\n');
    panels.command('modelBench.experimentWithModel', broken, [broken]);
    await panels.answer(/Run which model on the rows/, /^Sentiment/);
    const table = await panels.page(/unclosed\.experiment\.json/);
    await table.getByText(/a quote opens a cell and is not closed/).waitFor();
    await table.getByRole('heading', { name: 'Columns' }).waitFor();
    assert.equal(await table.getByRole('checkbox').count(), 0);
  });
});

async function usesOf(page: Page): Promise<string[]> {
  const selects = await page.getByRole('combobox', { name: /^Use of column/ }).all();
  return Promise.all(selects.map((select) => select.inputValue()));
}

function textOf(suite: ReturnType<typeof usePanels>, name: string): string {
  const { panels } = suite;
  const document = panels.window.panels.find(({ document }) => document?.uri.path.endsWith(name))?.document;
  return document?.getText() ?? readFileSync(path.join(panels.workspace, name), 'utf8');
}
