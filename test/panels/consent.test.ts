import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type ChangedResponses, changedResponses } from '../support/changedResponses';
import { usePanels } from '../support/panels/usePanels';
import { Uri } from '../support/panels/values';
import { sandboxInProcess } from '../support/sandbox';

/** Each interrupted after its first run: the question about all its runs was answered once. */
describe('The consent to an interrupted experiment', () => {
  const suite = usePanels({
    settings: { 'modelBench.indexing.concurrency': 1, 'modelBench.openModelAfterConnecting': false },
  });
  let sandbox: Awaited<ReturnType<typeof sandboxInProcess>>;
  const services: ChangedResponses[] = [];
  before(async () => {
    sandbox = await sandboxInProcess();
    services.push(await changedResponses(sandbox.baseUrl), await changedResponses(sandbox.baseUrl));
    for (const [n, name] of ['Alpha', 'Beta'].entries()) {
      await suite.panels.connect({ name, baseUrl: services[n]!.baseUrl, apiKey: sandbox.apiKey });
      await suite.panels.statusItem('modelBench.wallet', name);
    }
    await suite.panels.switchTo('Alpha');
  });
  after(async () => {
    for (const service of services) await service.stop();
    await sandbox?.stop();
  });

  const fileOf = (name: string) => path.join(suite.panels.workspace, `${name}.experiment.json`);
  const put = (name: string, texts: readonly string[], more: object = {}) =>
    writeFile(
      fileOf(name),
      JSON.stringify({ run: { model: 'sentiment', input: {} }, vary: { '/input/text': texts }, ...more }),
    );
  const runsSent = async () =>
    (await sandbox.ledger()).timeline.filter((one) => one.method === 'POST' && one.path === '/api/runs')
      .length;
  const start = (name: string) => suite.panels.command('modelBench.runExperiment', Uri.file(fileOf(name)));
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
    const { panels } = suite;
    await put(name, [`${name} 1`, `${name} 2`, `${name} 3`], more);
    let release = () => {};
    let isHeld = false;
    let count = 0;
    services[0]!.change('/api/runs', async ({ body }) => {
      if (++count === 2) {
        isHeld = true;
        await new Promise<void>((resolve) => {
          release = resolve;
        });
      }
      return { body: changed(body) };
    });
    start(name);
    await panels.answer(/Start 3 runs in “Alpha”/, /Start 3 Runs/);
    await panels.until(() => isHeld, 'the second request');
    panels.clearNotifications();
    const reloaded = panels.reload();
    release();
    services[0]!.change('/api/runs');
    await reloaded;
  }

  it('holds for the runs that it was given for', async () => {
    await interrupted('same');
    const before = await runsSent();
    await resume('same');
    await suite.panels.until(async () => (await runsSent()) === before + 1, 'the third run');
    assert.equal(suite.panels.window.questions.open.length, 0);
  });

  it('ends where the file names another environment', async () => {
    const { panels } = suite;
    await interrupted('moved');
    await put('moved', ['moved 1', 'moved 2', 'moved 3'], { environment: 'Beta' });
    const before = await runsSent();
    await resume('moved');
    const question = await panels.dialog(/Beta/);
    assert.equal(await runsSent(), before);
    question.cancel();
  });

  it('ends where another environment is active', async () => {
    const { panels } = suite;
    await interrupted('switched');
    await panels.switchTo('Beta');
    const before = await runsSent();
    await resume('switched');
    const question = await panels.dialog(/“Beta”/);
    assert.equal(await runsSent(), before);
    question.cancel();
    await panels.switchTo('Alpha');
  });

  it('ends where there are more runs, or they cost more', async () => {
    const { panels } = suite;
    await interrupted('more');
    await put('more', ['more 1', 'more 2', 'more 3', 'more 4']);
    let before = await runsSent();
    await resume('more');
    let question = await panels.dialog(/Start 2 runs in “Alpha”/);
    assert.equal(await runsSent(), before);
    question.cancel();
    // Estimates follow the costs of the model’s earlier runs: so far there are none.
    const model = 'word-statistics';
    await interrupted('dearer', { run: { model, input: {} } }, (body) =>
      JSON.parse(JSON.stringify(body).replace(/"0\.0\d+"/g, '"5"')),
    );
    before = await runsSent();
    await resume('dearer');
    question = await panels.dialog(/Start 1 run in “Alpha”/);
    assert.equal(await runsSent(), before);
    question.cancel();
  });

  it('ends in a workspace that is not trusted any more', async () => {
    const { panels } = suite;
    await interrupted('distrusted');
    Object.assign(panels.kept, { isTrusted: false });
    await panels.reload();
    const before = await runsSent();
    await resume('distrusted');
    const question = await panels.dialog(/Start 1 run|trust/);
    assert.equal(await runsSent(), before);
    question.cancel();
    Object.assign(panels.kept, { isTrusted: true });
  });
});
