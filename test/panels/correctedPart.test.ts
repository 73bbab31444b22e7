import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { chooseInMenu } from '../support/pageMenu';
import { Uri } from '../support/panels/values';
import { usePanels } from './usePanels';

const ROWS = [
  ['The weather is lovely today and the birds are singing', 'eng'],
  ['Das Wetter ist heute sehr schön und die Vögel singen', 'deu'],
  ['Le temps est magnifique aujourd’hui et les oiseaux chantent', 'fra'],
];

describe('An experiment whose compared part is corrected', () => {
  const suite = usePanels({
    prepare: async (folder) => {
      await writeFile(
        path.join(folder, 'labels.csv'),
        `text,language\n${ROWS.map((row) => row.join(',')).join('\n')}\n`,
      );
      await writeFile(path.join(folder, 'try.experiment.json'), experimentAt('/labels/0/score'));
    },
  });
  const experimentAt = (at: string) =>
    JSON.stringify({
      run: { model: 'language-id', input: {} },
      over: { rows: 'labels.csv', map: { '/input/text': 'text' } },
      expected: { column: 'language', at },
      metrics: ['accuracy'],
    });
  const file = (name: string) => path.join(suite.panels.workspace, name);
  const page = () => suite.panels.page(/try/);
  const pane = async () => (await page()).getByRole('complementary');

  /** The text of an export, from the table's menu. */
  const exported = async (format: string) => {
    const { panels } = suite;
    await chooseInMenu(await page(), 'Export', format);
    const target = file(`exported.${format}`);
    await writeFile(target, '');
    await panels.chooseFile(target);
    return panels.until(async () => (await readFile(target, 'utf8')) || undefined, `The export ${format}`);
  };
  /** The accuracy in table, pane and exports. */
  const shows = async (value: '0' | '1') => {
    const shown = await page();
    await shown.getByTitle(new RegExp(`^accuracy ${value}\\.000, 3 rows`)).waitFor();
    await (await pane()).getByText(new RegExp(`accuracy ${value}(?: ·|$)`)).waitFor();
    const rows = (await exported('CSV'))
      .replace(/^\ufeff/, '')
      .trim()
      .split('\n');
    assert.match(rows[0]!, /,accuracy$/);
    assert.deepEqual(
      rows.slice(1).map((row) => row.split(',').at(-1)),
      [value, value, value],
    );
    assert.match(await exported('Markdown Summary'), new RegExp(`accuracy ${value}`));
    assert.match(await exported('HTML Report'), new RegExp(`accuracy ${value}`));
    assert.doesNotMatch(await exported('JSON Lines'), /accuracy|metrics/);
  };

  it('shows wrong rows while another part is compared', async () => {
    const { panels } = suite;
    await panels.startSandbox();
    const experiment = Uri.file(file('try.experiment.json'));
    panels.command('modelBench.runExperiment', experiment);
    await panels.answer(/Start 3 runs/, /Start 3 Runs/);
    await panels.notification(/3 of 3 runs finished/);
    panels.command('vscode.open', experiment);
    await (await page()).locator('.grid[aria-busy="false"]').waitFor();
    await (await page()).getByRole('gridcell').filter({ hasText: '$0.001' }).first().dblclick();
    await shows('0');
  });

  it('changes every figure at once, without a run', async () => {
    const { panels } = suite;
    const before = await readFile(file('try.results.jsonl'), 'utf8');
    const { documents } = panels.window;
    const document = documents.open.find(({ fileName }) => fileName === file('try.experiment.json'))!;
    documents.type(document, experimentAt('/language'));
    await shows('1');
    assert.equal(await readFile(file('try.results.jsonl'), 'utf8'), before);
    assert.equal(panels.window.questions.open.length, 0);
  });
});
