import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type ChangedResponses, changedResponses } from '../support/changedResponses';
import { usePanels } from '../support/panels/usePanels';
import { Uri } from '../support/panels/values';
import { sandboxInProcess } from '../support/sandbox';

describe('An interrupted experiment whose environment a repository changes', () => {
  const suite = usePanels();
  let sandbox: Awaited<ReturnType<typeof sandboxInProcess>>;
  let [first, other]: ChangedResponses[] = [];
  let sentToOther = 0;
  before(async () => {
    sandbox = await sandboxInProcess();
    first = await changedResponses(sandbox.baseUrl);
    other = await changedResponses(sandbox.baseUrl);
    other.change('/api/runs', () => {
      sentToOther += 1;
      return {};
    });
  });
  after(async () => {
    await first?.stop();
    await other?.stop();
    await sandbox?.stop();
  });

  const file = () => path.join(suite.panels.workspace, 'try.experiment.json');
  const put = (environment: string) => {
    const texts = Array.from({ length: 40 }, (_, at) => `text ${at}`);
    const run = { model: 'language-id', input: {} };
    return writeFile(file(), JSON.stringify({ environment, run, vary: { '/input/text': texts } }));
  };
  const runIt = () => suite.panels.command('modelBench.runExperiment', Uri.file(file()));

  it('asks, and sends nothing to the other environment before the answer', async () => {
    const { panels } = suite;
    for (const [name, service] of [
      ['second', other],
      ['first', first],
    ] as const) {
      await panels.connect({ name, baseUrl: service!.baseUrl, apiKey: sandbox.apiKey });
      await panels.statusItem('modelBench.wallet', name);
    }
    await put('first');
    let held = 0;
    first!.change('/api/runs', () => {
      held += 1;
      return new Promise(() => undefined);
    });
    runIt();
    await panels.answer(/Start 40 runs/, /Start 40 Runs/);
    await panels.until(() => held > 0, 'a run of the first environment');
    await panels.reload();
    await put('second');
    runIt();
    const question = await panels.question(/Start \d+ runs/);
    assert.match(question.text, /second/);
    assert.equal(sentToOther, 0);
    question.cancel();
    await panels.until(() => panels.window.questions.open.length === 0, 'no question');
    assert.equal(sentToOther, 0);
  });
});
