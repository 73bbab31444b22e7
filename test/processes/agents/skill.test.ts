import assert from 'node:assert/strict';
import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { toolNames } from '../../../src/agents/toolNames';
import { finished, startCli } from '../../support/commandLine';
import { root } from '../../support/paths';
import { cliProgram } from '../../support/programs';
import { sandboxInProcess, type TestSandbox } from '../../support/sandbox';

const skill = path.join(root, 'skills/model-bench');

describe('The skill for agents', () => {
  let sandbox: TestSandbox;
  let folder: string;
  let cli: string;
  before(async () => {
    [sandbox, cli] = await Promise.all([sandboxInProcess(), cliProgram()]);
    folder = await mkdtemp(path.join(tmpdir(), 'model-bench-skill-'));
    await cp(path.join(skill, 'examples'), folder, { recursive: true });
  });
  after(async () => {
    await sandbox.stop();
    await rm(folder, { recursive: true });
  });

  const call = (command: string, file: string, ...words: string[]) =>
    finished(
      startCli(cli, [command, file, '--base-url', sandbox.baseUrl, ...words], {
        cwd: folder,
        apiKey: sandbox.apiKey,
      }),
    );

  it('names all tools and every example, and has the head that clients read', async () => {
    const text = await readFile(path.join(skill, 'SKILL.md'), 'utf8');
    assert.match(text, /^---\nname: model-bench\ndescription: .{50,1024}\n---\n/);
    for (const tool of toolNames) assert.ok(text.includes(`\`${tool}\``), tool);
    for (const name of await readdir(path.join(skill, 'examples')))
      assert.ok(name.endsWith('.csv') || text.includes(`examples/${name}`), name);
  });

  it('passes its run file on the sandbox', async () => {
    const { code, out, err } = await call('run', 'review.run.json');
    assert.deepEqual([code, err], [0, ''], out);
    assert.match(out, /1 of 1 passed/);
  });

  it('shows by an experiment on the sandbox which of two models is right more often', async () => {
    const words = ['--max-cost', '1', '--state', 'state', '--json', 'figures.json'];
    const { code, out, err } = await call('experiment', 'models.experiment.json', ...words);
    assert.equal(code, 0, out + err);
    const { columns } = JSON.parse(await readFile(path.join(folder, 'figures.json'), 'utf8'));
    assert.deepEqual(
      columns.map(({ metrics }: { metrics: { accuracy: { value: number; n: number } } }) => [
        metrics.accuracy.n,
        metrics.accuracy.value > 0.8,
      ]),
      [
        [8, true],
        [8, false],
      ],
    );
  });

  it('measures a parameter on the sandbox by checks', async () => {
    const words = ['--max-cost', '1', '--state', 'state', '--json', 'checks.json'];
    const { code, out, err } = await call('experiment', 'sentences.experiment.json', ...words);
    assert.equal(code, 0, out + err);
    const { columns } = JSON.parse(await readFile(path.join(folder, 'checks.json'), 'utf8'));
    const values = columns.map(({ metrics }: { metrics: Record<string, { value: number }> }) => [
      metrics.sentences!.value,
      metrics.fast!.value,
    ]);
    assert.deepEqual(values, [
      [0, 1],
      [1, 1],
    ]);
  });
});
