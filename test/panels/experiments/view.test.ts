import assert from 'node:assert/strict';
import * as fs from 'node:fs/promises';
import path from 'node:path';
import { disc } from '../../support/sandboxPictures';
import { usePanels } from '../usePanels';

const ROWS = [
  ['The weather is lovely today and the birds are singing', 'eng'],
  ['Das Wetter ist heute sehr schön und die Vögel singen', 'deu'],
  ['Le temps est magnifique aujourd’hui et les oiseaux chantent', 'fra'],
];
const languages = JSON.stringify({
  run: { model: 'language-id', input: {} },
  vary: { '/params/top_k': [1, 3] },
  over: { rows: 'labels.csv', map: { '/input/text': 'text' } },
  expected: { column: 'language', at: '/language' },
  metrics: ['accuracy'],
});
const colors = JSON.stringify({
  run: { model: 'color-palette', input: {} },
  over: { files: '*.png', map: { '/input/image': 'file' } },
});

describe('The view Experiments', () => {
  const suite = usePanels({
    prepare: async (folder) => {
      const table = ROWS.map((row) => row.join(',')).join('\n');
      await fs.writeFile(path.join(folder, 'labels.csv'), `text,language\n${table}\n`);
      await fs.writeFile(path.join(folder, 'languages.experiment.json'), languages);
      await fs.mkdir(path.join(folder, 'pictures'));
      await fs.writeFile(path.join(folder, 'pictures', 'red.png'), disc(230, 20, 30));
      await fs.writeFile(path.join(folder, 'pictures', 'colors.experiment.json'), colors);
    },
  });
  const file = (name: string) => path.join(suite.panels.workspace, name);
  const row = (text: RegExp) => suite.panels.row('Experiments', text);
  const run = async (name: string, count: number) => {
    const { panels } = suite;
    await panels.rowMenu(await row(new RegExp(`^${name}`)), 'Run Experiment');
    const runs = count === 1 ? '1 run' : `${count} runs`;
    await panels.answer(new RegExp(`Start ${runs}`), new RegExp(`Start ${runs}`, 'i'));
  };

  it('lists the experiments of the folder that have not run, without asking the service', async () => {
    const { panels } = suite;
    await row(/^colors not run$/);
    await row(/^languages not run$/);
    const rows = await panels.rows('Experiments');
    assert.deepEqual(
      rows.map(({ label, tooltip }) => [label, tooltip.split('\n')[0]]),
      [
        ['languages', 'languages.experiment.json'],
        ['colors', 'pictures/colors.experiment.json'],
      ],
    );
  });

  it('shows the state, the best column by the first metric, the cost and the last run', async () => {
    const { panels } = suite;
    await panels.startSandbox();
    await run('languages', 6);
    await row(/^languages 6 finished · accuracy 1\.000, n 3 \(top_k 1, top_k 3\) · \$0\.006 · .*\d{4}/);
    // Without its connection the same figures are there.
    await fs.appendFile(file('labels.csv'), 'Buenos días a todos los amigos de la casa,spa\n');
    await fs.appendFile(file('languages.experiment.json'), '\n');
    await row(/^languages 6 of 8 finished · accuracy/);
  });

  it('counts the results of an experiment over files, of which its table gives the figures', async () => {
    const { panels } = suite;
    await run('colors', 1);
    const found = await row(/^colors 1 finished · \$0\.002/);
    panels.click(found);
    await (await panels.page('colors.experiment.json')).locator('.grid[aria-busy="false"]').waitFor();
  });

  it('compares from the menu of a row', async () => {
    const { panels } = suite;
    await panels.rowMenu(await row(/^languages/), 'Compare Experiment With…');
    (await panels.question(/Compare the results with/)).cancel();
    await panels.page('languages.experiment.json');
  });

  it('opens from a run of the history, at the cell of that run', async () => {
    const { panels } = suite;
    panels.closePanels(/experiment/);
    const job = await panels.row('History', /languages.* · 6 runs/);
    const runs = await panels.rows('History', job.element);
    assert.equal(runs.length, 6);
    const lines = (await fs.readFile(file('languages.results.jsonl'), 'utf8')).trim().split('\n');
    const ids = lines
      .map((line) => JSON.parse(line))
      .map(({ custom_id: id, item, state }) => ({ id, item, state }))
      .filter(({ state }) => state === 'finished');
    for (const run of [runs.at(-1)!, runs[0]!]) {
      panels.click(run);
      const id = String(run.command!.arguments![1]);
      const { item } = ids.find((line) => line.id === id)!;
      const page = await panels.page('languages.experiment.json');
      const row = Number(/\d+/.exec(item)![0]);
      const pane = page.getByRole('complementary', { name: 'Cell' });
      await pane.getByRole('heading', { name: new RegExp(`row ${row} `) }).waitFor();
      await page.locator('.cell.active').getByText('$0.001').waitFor();
    }
  });

  it('follows files that come, go and lose their results', async () => {
    const { panels } = suite;
    await fs.rm(file('languages.results.jsonl'));
    await row(/^languages not run$/);
    await fs.copyFile(file('languages.experiment.json'), file('another.experiment.json'));
    await row(/^another not run$/);
    await fs.rm(file('another.experiment.json'));
    await panels.noRow('Experiments', /^another/);
  });
});
