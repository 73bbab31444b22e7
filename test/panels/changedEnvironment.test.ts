import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { useService } from './useService';

describe('An interrupted experiment whose environment a repository changes', () => {
  const suite = useService({ environments: ['first', 'second'] });

  const put = (environment: string) => {
    const texts = Array.from({ length: 40 }, (_, at) => `text ${at}`);
    const run = { model: 'language-id', input: {} };
    const file = path.join(suite.panels.workspace, 'try.experiment.json');
    return writeFile(file, JSON.stringify({ environment, run, vary: { '/input/text': texts } }));
  };
  const runIt = () =>
    suite.panels.command('modelBench.runExperiment', suite.panels.uri('try.experiment.json'));

  it('asks, and sends nothing to the other environment before the answer', async () => {
    const { panels, service, sent } = suite;
    const other = suite.serviceOf('second');
    await put('first');
    service.hold(0);
    runIt();
    await panels.answer(/Start 40 runs/, /Start 40 Runs/);
    await panels.until(async () => (await sent()) > 0, 'a run of the first environment');
    await panels.reload();
    await put('second');
    runIt();
    const question = await panels.question(/Start \d+ runs/);
    assert.match(question.text, /second/);
    assert.equal(other.executedRuns, 0);
    question.cancel();
    await panels.until(() => panels.window.questions.open.length === 0, 'no question');
    assert.equal(other.executedRuns, 0);
  });
});
