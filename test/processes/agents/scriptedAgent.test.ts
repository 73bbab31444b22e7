import assert from 'node:assert/strict';
import { cp, mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { addAmounts, compareAmounts } from '../../../src/domain/amounts';
import { type McpProgram, startMcp } from '../../support/agents/mcpClient';
import { root } from '../../support/paths';
import { cliProgram } from '../../support/programs';
import { sandboxInProcess, type TestSandbox } from '../../support/sandbox';

/** Enough for 20 runs of the play models. */
const GRANT = '0.02';

describe('A scripted agent', () => {
  let sandbox: TestSandbox;
  let folder: string;
  let program: McpProgram;
  before(async () => {
    const [started, cli] = await Promise.all([sandboxInProcess(), cliProgram()]);
    sandbox = started;
    folder = await realpath(await mkdtemp(path.join(tmpdir(), 'model-bench-agent-')));
    await cp(path.join(root, 'skills/model-bench/examples'), folder, { recursive: true });
    const words = ['--base-url', sandbox.baseUrl, '--state', path.join(folder, 'state'), '--max-cost', GRANT];
    program = await startMcp(cli, words, { cwd: folder, apiKey: sandbox.apiKey, name: 'scripted agent' });
  });
  after(async () => {
    await program.close();
    await sandbox.stop();
    await rm(folder, { recursive: true });
  });

  it('finds models for a task, compares two by an experiment and picks by measure, within its amount', async () => {
    const { call } = program;
    const found = await call('find_models', { text: 'classification' });
    const candidates = ['sentiment', 'language-id'];
    for (const model of candidates) {
      assert.match(found.text, new RegExp(`^${model} `, 'm'));
      assert.match((await call('describe_model', { model })).text, /input\.text +required/);
    }
    const experiment = 'models.experiment.json';
    assert.match((await call('estimate_cost', { experiment })).text, /16 runs, about \$0\.016/);
    const begun = await call('run_experiment', { file: experiment, idempotency_key: 'first look' });
    assert.match(begun.text, /16 of 16 runs finished/);
    const figures = await call('read_results', { experiment });
    const rows = [...figures.text.matchAll(/^ {2}(sentiment|language-id) +([\d.]+)%?/gm)];
    const accuracy = new Map(rows.map(([, model, value]) => [model, Number(value)]));
    assert.deepEqual([...accuracy.keys()].sort(), candidates.toSorted(), figures.text);
    const [picked] = [...accuracy].sort(([, a], [, b]) => b - a)[0]!;
    assert.equal(picked, 'sentiment');
    const used = { model: picked, input: { text: 'What a great day!' }, idempotency_key: 'use' };
    assert.match((await call('run_model', used)).text, /"label":"positive"/);
    // The experiment again costs nothing, and the rest of the amount holds for other calls.
    await call('run_experiment', { file: experiment, idempotency_key: 'again' });
    const runs = Array.from({ length: 10 }, (_, at) =>
      call('run_model', { ...used, input: { text: `text ${at}` }, idempotency_key: `more ${at}` }),
    );
    const texts = (await Promise.all(runs)).map(({ text }) => text);
    assert.equal(texts.filter((text) => /Needs approval/.test(text)).length, 7);
    assert.equal((await sandbox.ledger()).requests.runs, 20);
    const lines = (await readFile(path.join(folder, 'models.results.jsonl'), 'utf8')).trim().split('\n');
    const spent = lines.reduce((sum, line) => addAmounts(sum, JSON.parse(line).cost?.amount ?? '0'), '0');
    assert.ok(compareAmounts(spent, GRANT) <= 0);
  });
});
