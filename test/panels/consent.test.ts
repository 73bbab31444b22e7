import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { useService } from './useService';

/** Each was interrupted after its first run: the question about all its runs was answered once, in Alpha. */
describe('The consent to an interrupted experiment', () => {
  const suite = useService({
    environments: ['Alpha', 'Beta'],
    settings: { 'modelBench.indexing.concurrency': 1 },
  });

  const put = (name: string, count = 3, more: object = {}) =>
    writeFile(
      path.join(suite.panels.workspace, `${name}.experiment.json`),
      JSON.stringify({
        ...{ run: { model: 'sentiment', input: {} }, ...more },
        vary: { '/input/text': Array.from({ length: count }, (_, at) => `${name} ${at + 1}`) },
      }),
    );

  /** Starts an experiment; its second request waits for a response. */
  async function begin(name: string, more: object = {}): Promise<void> {
    const { panels, service } = suite;
    await put(name, 3, more);
    const before = await suite.sent();
    service.hold(1);
    panels.command('modelBench.runExperiment', panels.uri(`${name}.experiment.json`));
    await panels.answer(/Start 3 runs in “Alpha”/, /Start 3 Runs/);
    await panels.until(async () => (await suite.sent()) === before + 2, 'the second request');
    panels.clearNotifications();
  }

  before('interrupts the experiments', async () => {
    const { panels, service } = suite;
    for (const name of ['same', 'moved', 'switched', 'more', 'distrusted']) await begin(name);
    service.change('/api/runs', ({ body }) => ({
      body: JSON.parse(JSON.stringify(body).replace(/"0\.0\d+"/g, '"5"')),
    }));
    // Estimates follow the costs of the model’s earlier runs: so far there are none.
    await begin('dearer', { run: { model: 'word-statistics', input: {} } });
    const reloaded = panels.reload();
    service.release();
    service.change('/api/runs');
    await reloaded;
  });

  const resume = async (name: string) =>
    (await suite.panels.notification(`${name}.experiment.json was interrupted`)).press('Resume');

  /** Asks again, and sends nothing before the answer. */
  async function asksAgain(name: string, question: RegExp): Promise<void> {
    const before = await suite.sent();
    await resume(name);
    const asked = await suite.panels.dialog(question);
    assert.equal(await suite.sent(), before);
    asked.cancel();
  }

  it('holds for the runs that it was given for', async () => {
    const before = await suite.sent();
    await resume('same');
    await suite.panels.until(async () => (await suite.sent()) === before + 1, 'the third run');
    assert.equal(suite.panels.window.questions.open.length, 0);
  });

  it('ends where the file names another environment', async () => {
    await put('moved', 3, { environment: 'Beta' });
    await asksAgain('moved', /Beta/);
  });

  it('ends where another environment is active', async () => {
    await suite.panels.switchTo('Beta');
    await asksAgain('switched', /“Beta”/);
    await suite.panels.switchTo('Alpha');
  });

  it('ends where there are more runs', async () => {
    await put('more', 4);
    await asksAgain('more', /Start 2 runs in “Alpha”/);
  });

  it('ends where the runs cost more', async () => {
    await asksAgain('dearer', /Start 1 run in “Alpha”/);
  });

  it('ends in a workspace that is not trusted any more', async () => {
    const { panels } = suite;
    Object.assign(panels.kept, { isTrusted: false });
    await panels.reload();
    await asksAgain('distrusted', /Start 1 run|trust/);
  });
});
