import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { useService } from '../support/panels/useService';

/** Each interrupted after its first run: the question about all its runs was answered once. */
describe('The consent to an interrupted experiment', () => {
  const suite = useService({
    environments: ['Alpha', 'Beta'],
    settings: { 'modelBench.indexing.concurrency': 1 },
  });

  const put = (name: string, texts: readonly string[], more: object = {}) =>
    writeFile(
      path.join(suite.panels.workspace, `${name}.experiment.json`),
      JSON.stringify({ run: { model: 'sentiment', input: {} }, vary: { '/input/text': texts }, ...more }),
    );
  const resume = async (name: string) => {
    const offer = await suite.panels.notification(`${name}.experiment.json was interrupted`);
    offer.press('Resume');
  };

  /** Starts the experiment in Alpha; the window ends while its second request waits for a response. */
  async function interrupted(
    name: string,
    more: object = {},
    changed: (body: unknown) => unknown = (body) => body,
  ): Promise<void> {
    const { panels, service } = suite;
    await put(name, [`${name} 1`, `${name} 2`, `${name} 3`], more);
    const before = await suite.sent();
    service.change('/api/runs', ({ body }) => ({ body: changed(body) }));
    service.hold(1);
    panels.command('modelBench.runExperiment', panels.uri(`${name}.experiment.json`));
    await panels.answer(/Start 3 runs in “Alpha”/, /Start 3 Runs/);
    await panels.until(async () => (await suite.sent()) === before + 2, 'the second request');
    panels.clearNotifications();
    const reloaded = panels.reload();
    service.release();
    service.change('/api/runs');
    await reloaded;
  }

  it('holds for the runs that it was given for', async () => {
    await interrupted('same');
    const before = await suite.sent();
    await resume('same');
    await suite.panels.until(async () => (await suite.sent()) === before + 1, 'the third run');
    assert.equal(suite.panels.window.questions.open.length, 0);
  });

  it('ends where the file names another environment', async () => {
    const { panels } = suite;
    await interrupted('moved');
    await put('moved', ['moved 1', 'moved 2', 'moved 3'], { environment: 'Beta' });
    const before = await suite.sent();
    await resume('moved');
    const question = await panels.dialog(/Beta/);
    assert.equal(await suite.sent(), before);
    question.cancel();
  });

  it('ends where another environment is active', async () => {
    const { panels } = suite;
    await interrupted('switched');
    await panels.switchTo('Beta');
    const before = await suite.sent();
    await resume('switched');
    const question = await panels.dialog(/“Beta”/);
    assert.equal(await suite.sent(), before);
    question.cancel();
    await panels.switchTo('Alpha');
  });

  it('ends where there are more runs, or they cost more', async () => {
    const { panels } = suite;
    await interrupted('more');
    await put('more', ['more 1', 'more 2', 'more 3', 'more 4']);
    let before = await suite.sent();
    await resume('more');
    let question = await panels.dialog(/Start 2 runs in “Alpha”/);
    assert.equal(await suite.sent(), before);
    question.cancel();
    // Estimates follow the costs of the model’s earlier runs: so far there are none.
    const model = 'word-statistics';
    await interrupted('dearer', { run: { model, input: {} } }, (body) =>
      JSON.parse(JSON.stringify(body).replace(/"0\.0\d+"/g, '"5"')),
    );
    before = await suite.sent();
    await resume('dearer');
    question = await panels.dialog(/Start 1 run in “Alpha”/);
    assert.equal(await suite.sent(), before);
    question.cancel();
  });

  it('ends in a workspace that is not trusted any more', async () => {
    const { panels } = suite;
    await interrupted('distrusted');
    Object.assign(panels.kept, { isTrusted: false });
    await panels.reload();
    const before = await suite.sent();
    await resume('distrusted');
    const question = await panels.dialog(/Start 1 run|trust/);
    assert.equal(await suite.sent(), before);
    question.cancel();
    Object.assign(panels.kept, { isTrusted: true });
  });
});
