import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { usePanels } from '../usePanels';

const over = (rows: string) =>
  JSON.stringify({
    version: 1,
    run: { model: 'language-id', input: {} },
    vary: {},
    over: { rows, map: { '/input/text': 'text', '/params/top_k': 'n' } },
  });
const columns = Array.from({ length: 100_001 }, (_, at) => `c${at}`).join(',');

describe('Tables as people and programs write them', () => {
  const suite = usePanels({
    prepare: async (folder) => {
      const write = (name: string, text: string) => writeFile(path.join(folder, name), text);
      await write(
        'odd.csv',
        'sep=;\r\ntext;n\r\n"Guten Tag; hallo";5\nBonjour;\r\nBuenos días;500\nHello;0x10\n',
      );
      await write('wide.csv', `${columns}\n${columns}\n`);
      await write('odd.experiment.json', over('odd.csv'));
      await write('wide.experiment.json', over('wide.csv'));
      await write(
        'merged.experiment.json',
        '{\n<<<<<<< HEAD\n  "version": 1\n=======\n  "version": 2\n>>>>>>> main\n}\n',
      );
    },
  });

  it('fill the fields of a model, and say in which row a cell does not', async () => {
    const { panels } = suite;
    await panels.startSandbox();
    panels.openFile('odd.experiment.json');
    const table = await panels.page('odd.experiment.json');
    await table.getByRole('rowheader').filter({ hasText: 'Guten Tag; hallo' }).waitFor();
    await table.getByText(/row 5.*Enter 50 or less/).waitFor();
    await table.getByText(/row 6.*Enter a whole number/).waitFor();
    assert.equal(await table.getByText(/row [34]: .*top_k/).count(), 0);
  });

  it('fail at once with 100,001 columns', async () => {
    const { panels } = suite;
    panels.openFile('wide.experiment.json');
    const table = await panels.page('wide.experiment.json');
    await table.getByText('The table has more than 5000 columns.').waitFor();
  });

  it('name the conflict of a merge by its line', async () => {
    const { panels } = suite;
    panels.openFile('merged.experiment.json');
    const table = await panels.page('merged.experiment.json');
    await table.getByText('Line 2: a conflict of a merge.').waitFor();
  });
});
