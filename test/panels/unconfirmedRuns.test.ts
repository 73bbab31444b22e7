import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { readResults } from '../support/atOnce';
import { makePictures } from '../support/pictures';
import { useService } from './useService';

describe('Runs whose response was lost', () => {
  const suite = useService({ prepare: (workspace) => makePictures(path.join(workspace, 'images'), 1) });

  const file = (name: string) => path.join(suite.panels.workspace, name);
  const lost = () =>
    suite.service.change('/api/runs', () => ({ status: 504, body: { message: 'timed out' } }));
  const usage = async () => {
    await suite.panels.runCommand('Model Bench: Show Usage and Billing');
    return suite.panels.page('Usage and Billing');
  };

  it('get the charge that the user recognizes, in the results of their experiment too', async () => {
    const { panels, service } = suite;
    await writeFile(
      file('try.experiment.json'),
      JSON.stringify({ run: { model: 'sentiment', input: {} }, vary: { '/input/text': ['good', 'bad'] } }),
    );
    lost();
    panels.command('modelBench.runExperiment', panels.uri('try.experiment.json'));
    await panels.answer(/Start 2 runs/, /Start 2 Runs/);
    const outcomes = async () =>
      readResults(await readFile(file('try.results.jsonl'), 'utf8').catch(() => '')).results;
    await panels.until(
      async () => (await outcomes()).filter(({ reason }) => reason?.includes('timed out')).length === 2,
      'two unconfirmed runs',
    );
    service.change('/api/runs');
    const page = await usage();
    const runs = page.getByRole('region', { name: 'Unknown outcomes and costs' });
    const rows = runs.getByRole('listitem').filter({ hasText: 'try' });
    await rows
      .nth(1)
      .getByText(/The activity lists \$0\.00\d* at .*Is it this run\?/)
      .waitFor();
    assert.match((await rows.nth(0).textContent()) ?? '', /\$0\.00\d* reserved/);
    await rows
      .first()
      .getByRole('button', { name: /^Yes: / })
      .click();
    await rows.nth(1).waitFor({ state: 'detached' });
    await panels.until(
      async () => (await outcomes()).filter(({ cost }) => cost).length === 1,
      'the cost in the results',
    );
    assert.deepEqual(
      (await outcomes()).map(({ state }) => state),
      ['unconfirmed', 'unconfirmed'],
    );
    await rows.first().getByRole('button', { name: /^No: / }).click();
    await rows
      .first()
      .getByRole('button', { name: /^Yes: / })
      .waitFor({ state: 'detached' });
    assert.equal((await outcomes()).filter(({ cost }) => cost).length, 1);
    await rows
      .first()
      .getByRole('button', { name: /^Set Outcome/ })
      .click();
    (await panels.dialog()).pick('Not Billed');
    await rows.first().waitFor({ state: 'detached' });
    assert.equal((await outcomes()).filter(({ cost }) => cost?.amount === '0').length, 1);
  });

  it('end tests of run files with an error, since their expectations are not checked', async () => {
    const { panels, service } = suite;
    const expect = [{ status: 'finished' }];
    const text = JSON.stringify({ version: 1, model: 'sentiment', input: { text: 'good' }, expect });
    await writeFile(file('lost.run.json'), text);
    lost();
    await panels.window.documents.openTextDocument(panels.uri('lost.run.json'));
    const tests = await panels.until(
      () => panels.window.controllers.get('modelBench.runFiles'),
      'the Test Explorer’s list',
    );
    const ended = tests.run();
    await panels.answer(/Run “lost\.run\.json”/, 'Run');
    await ended;
    service.change('/api/runs');
    assert.deepEqual([...tests.outcomes.values()], ['errored']);
  });

  it('get a proposal for index requests too, under the scope', async () => {
    const { panels, service } = suite;
    lost();
    await panels.index('images');
    (await panels.dialog()).pick('Index 1 File');
    await panels.notification(/playground.*unconfirmed|unconfirmed.*playground/);
    service.change('/api/runs');
    await panels.reload();
    const page = await usage();
    const row = page.getByRole('listitem').filter({ hasText: 'playground' });
    await row.getByText(/\$0\.\d+ reserved/).waitFor();
    await row.getByRole('button', { name: /^Yes: / }).click();
    await row.waitFor({ state: 'detached' });
  });
});
