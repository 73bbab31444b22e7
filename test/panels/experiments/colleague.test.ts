import assert from 'node:assert/strict';
import * as fs from 'node:fs/promises';
import path from 'node:path';
import { usePanels } from '../usePanels';

const ROWS = [
  ['The weather is lovely today and the birds are singing', 'eng'],
  ['Das Wetter ist heute sehr schön und die Vögel singen', 'deu'],
  ['Le temps est magnifique aujourd’hui et les oiseaux chantent', 'fra'],
  ['Das Wetter ist heute sehr schön und die Vögel singen', 'deu'],
];
const NEW = ['El tiempo es muy bueno hoy y los pájaros cantan', 'spa'];

describe('An experiment whose table changed, opened by a colleague without a connection', () => {
  let workspace: string;
  const write = (name: string, text: string) => fs.writeFile(path.join(workspace, name), text);
  const table = (rows: readonly (readonly string[])[]) =>
    `text,language\n${rows.map((row) => row.join(',')).join('\n')}\n`;
  const experiment = (more: object = {}) =>
    JSON.stringify({
      ...more,
      run: { model: 'language-id', input: {} },
      over: { rows: 'labels.csv', map: { '/input/text': 'text' } },
      expected: { column: 'language' },
      metrics: ['accuracy'],
    });
  const suite = usePanels({
    prepare: async (folder) => {
      workspace = folder;
      await write('labels.csv', table(ROWS));
      await write('try.experiment.json', experiment());
    },
  });
  const page = () => suite.panels.page('try.experiment.json');

  it('runs equal rows once, and offers the parts of the results that can be compared', async () => {
    const { panels } = suite;
    await panels.startSandbox();
    panels.openFile('try.experiment.json');
    await (await page()).getByText(/4 rows = 3 runs, since equal ones are run once/).waitFor();
    await panels.runCommand('Model Bench: Run Experiment');
    await panels.answer(/Start 3 runs/, 'Start 3 Runs');
    await (await page()).getByText('3 of 3 runs finished.').waitFor({ state: 'attached' });
    assert.deepEqual(panels.window.notifications, [], 'the table is in sight');
    await (await page()).getByText(/is an object in every result of this model/).waitFor();
    await (await page()).getByRole('button', { name: 'Compare /language', exact: true }).click();
    await (await page()).getByTitle(/^accuracy 1/).waitFor();
  });

  it('keeps each result beside its input when a line is inserted and another changed', async () => {
    const [english, german, , again] = ROWS as [string[], string[], string[], string[]];
    await write('labels.csv', table([NEW, english, german, again]));
    const frame = await page();
    await frame.getByText(/1 result is of an input that has changed or is gone: row 4/).waitFor();
    const rowOf = (text: string | RegExp) => frame.getByRole('row').filter({ hasText: text });
    await rowOf(NEW[0]!).getByText('not run').waitFor();
    await rowOf(english[0]!).getByText('eng', { exact: true }).waitFor();
    await rowOf(/row 4 before: input changed or gone/)
      .getByText('fra', { exact: true })
      .waitFor();
  });

  it('shows the same without a connection, and names the model that is not known', async () => {
    const { panels } = suite;
    // As a colleague has pulled it: with its results, and for an environment that is not in the settings.
    const text = experiment({ environment: 'elsewhere' });
    await write('pulled.experiment.json', text.replace('"language"}', '"language","at":"/language"}'));
    await fs.copyFile(
      path.join(workspace, 'try.results.jsonl'),
      path.join(workspace, 'pulled.results.jsonl'),
    );
    panels.openFile('pulled.experiment.json');
    const frame = await panels.page('pulled.experiment.json');
    await frame.getByText(/The model “language-id” is not known, so its runs are not checked/).waitFor();
    await frame.getByText(/1 result is of an input that has changed or is gone: row 4/).waitFor();
    const rowOf = (row: string | RegExp) => frame.getByRole('row').filter({ hasText: row });
    await rowOf(NEW[0]!).getByText('not run').waitFor();
    await rowOf(ROWS[0]![0]!).getByText('eng', { exact: true }).waitFor();
    await frame.getByTitle(/^accuracy 1/).waitFor();
  });
});
