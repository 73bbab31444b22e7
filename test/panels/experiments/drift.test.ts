import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { readResults } from '../../support/atOnce';
import { useService } from '../useService';

const ROWS = 24;

describe('The check whether a model has changed, in the table', () => {
  const suite = useService({
    prepare: async (workspace) => {
      const rows = Array.from({ length: ROWS }, (_, row) => `I love ${row},positive\n`);
      await writeFile(path.join(workspace, 'rows.csv'), `text,label\n${rows.join('')}`);
      await writeFile(
        path.join(workspace, 'try.experiment.json'),
        JSON.stringify({
          run: { model: 'sentiment', input: {} },
          over: { rows: 'rows.csv', map: { '/input/text': 'text' } },
          expected: { column: 'label', at: '/label' },
          metrics: ['accuracy'],
        }),
      );
    },
  });

  const uri = () => suite.panels.uri('try.experiment.json');
  const linesOf = async (name: string) =>
    readResults(await readFile(path.join(suite.panels.workspace, name), 'utf8').catch(() => '')).results;
  const checked = async () => {
    const name = (await readdir(suite.panels.workspace)).find((file) => /\.drift-.*\.jsonl$/.test(file));
    return name === undefined ? [] : linesOf(name);
  };

  it('finds nothing to compare with before the first run', async () => {
    const { panels } = suite;
    panels.command('modelBench.checkDrift', uri());
    await panels.notification(/nothing to compare with/);
  });

  it('offers the first inputs before all of them, and ends a rest that is started later', async () => {
    const { panels } = suite;
    panels.command('modelBench.runExperiment', uri());
    await panels.answer(/Start 24 runs/, /First 10 Inputs \(10 Runs\)/);
    (await panels.notification(/10 of 10 runs finished/)).close();
    assert.equal((await linesOf('try.results.jsonl')).length, 10);
    panels.command('modelBench.runExperiment', uri());
    await panels.answer(/Start 14 runs/, /Start 14 Runs/);
    (await panels.notification(/14 of 14 runs finished/)).close();
    const lines = await linesOf('try.results.jsonl');
    assert.equal(lines.length, ROWS);
    assert.deepEqual(new Set(lines.map(({ environment }) => environment)), new Set(['local']));
  });

  it('sends finished inputs again after one question, and names the column that has changed', async () => {
    const { panels, service } = suite;
    service.change('/api/runs', () => ({
      status: 200,
      body: { status: 'succeeded', output: { label: 'negative' } },
    }));
    panels.command('modelBench.checkDrift', uri());
    await panels.answer(/Start 34 runs/, /Start 34 Runs/);
    const changed = await panels.notification(/Changed: /);
    assert.match(
      changed.text,
      /0 of 24 answers are equal to those before; sent twice, 10 of 10 are.*24 inputs show a loss of 25 points/,
    );
    changed.close();
    assert.equal((await checked()).length, 24 + 10);
    assert.equal((await linesOf('try.results.jsonl')).length, ROWS, 'the results of the experiment stay');
  });

  it('shows its outcome again without a run on the same day, and its results beside the earlier ones', async () => {
    const { panels } = suite;
    panels.command('modelBench.checkDrift', uri());
    const changed = await panels.notification(/Changed: /);
    assert.equal((await checked()).length, 24 + 10);
    changed.press('Show Results');
    const table = await panels.page('try.experiment.json');
    await table
      .getByRole('columnheader')
      .filter({ hasText: /try\.drift-/ })
      .first()
      .waitFor();
    await table.getByText(/try\.drift-.*: 24 became wrong, 0 became right/).waitFor();
  });
});
