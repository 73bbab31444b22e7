import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdir, mkdtemp, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { workspaceOf } from '../../../src/commands/state';
import type { Money } from '../../../src/domain/money';
import { openStore, storeFolder } from '../../../src/store/store';
import { workspaceId } from '../../../src/store/workspaceId';
import { type McpProgram, startMcp } from '../../support/agents/mcpClient';
import { finished, startCli } from '../../support/commandLine';
import { eventually } from '../../support/eventually';
import { type FaultProxy, startFaultProxy } from '../../support/faultProxy';
import { cliProgram } from '../../support/programs';
import { start, useBundled } from '../children/childProcess';

describe('The service’s own list of paid runs, after windows, terminals and MCP servers of one folder', () => {
  const window = useBundled('./spendingWindow.ts');
  let cli: string;
  let folder: string;
  let service: FaultProxy;
  /** How often each request was paid. */
  const paid = new Map<string, number>();
  const programs: McpProgram[] = [];
  /** Runs after this many get no response before. */
  let heldFrom = Number.POSITIVE_INFINITY;
  const held: (() => void)[] = [];
  before(async () => {
    cli = await cliProgram();
    folder = await realpath(await mkdtemp(path.join(tmpdir(), 'model-bench-ledger-')));
    const cost = { amount: '0.01', currency: 'USD' };
    service = await startFaultProxy({
      behind: async ({ method, body }) => {
        if (method !== 'POST') return { body: { slug: 'm', modes: ['execute'], price: cost } };
        const { input } = JSON.parse(body.toString()) as { input: object };
        const request = JSON.stringify(input);
        paid.set(request, (paid.get(request) ?? 0) + 1);
        if (sum() > heldFrom) await new Promise<void>((resolve) => held.push(resolve));
        return { body: { status: 'succeeded', output: request, cost } };
      },
    });
  });
  after(async () => {
    for (const one of programs.splice(0)) await one.close();
    await service.close();
    await rm(folder, { recursive: true });
  });

  const sum = () => [...paid.values()].reduce((all, count) => all + count, 0);
  const state = () => path.join(folder, 'state');
  const words = (...first: string[]) => [...first, '--base-url', service.url, '--state', state()];
  const put = (name: string, k: number) =>
    writeFile(
      path.join(folder, `${name}.experiment.json`),
      JSON.stringify({
        run: { model: 'm', input: { k } },
        vary: { '/input/text': { from: 1, to: 24, step: 1 } },
      }),
    );
  const experiment = (name: string) =>
    startCli(cli, words('experiment', `${name}.experiment.json`, '--max-cost', '100'), {
      cwd: folder,
      apiKey: 'key',
    });
  /** Ends a terminal after some more runs were paid. */
  async function endedAfter(more: number, name: string, signal: NodeJS.Signals): Promise<void> {
    heldFrom = sum() + more;
    const child = experiment(name);
    const ended = once(child, 'close');
    child.stdout?.resume();
    child.stderr?.resume();
    await eventually(() => assert.ok(sum() > heldFrom));
    child.kill(signal);
    heldFrom = Number.POSITIVE_INFINITY;
    if (signal === 'SIGKILL') await ended;
    for (const release of held.splice(0)) release();
    await ended;
  }
  const shown = async () => {
    const store = await openStore(storeFolder(state()));
    const { spent, reserved } = store.spending.of(workspaceId([folder]), service.url);
    await store.close();
    return { spent: centsOf(spent), reserved: centsOf(reserved) };
  };
  const ofWindows = () => [...paid.keys()].filter((request) => request.includes('window')).length;
  /** Two windows spend until the budget of their folder is used up; another one takes the place of one that is killed. */
  async function windowsSpend(cents: number): Promise<void> {
    const { spent, reserved } = await shown();
    const budget = ((spent + reserved + cents) / 100).toFixed(2);
    const open = (name: string) => start(window.file, [service.url, state(), folder, name, budget]);
    heldFrom = sum() + 1;
    const [killed, other] = [open('one'), open('two')];
    await eventually(() => assert.ok(held.length >= 2));
    killed.process.kill('SIGKILL');
    heldFrom = Number.POSITIVE_INFINITY;
    for (const release of held.splice(0)) release();
    for (const each of [other, open('three')]) {
      await each.said('budget reached');
      await each.ended;
    }
  }
  const server = async (name: string) => {
    const mcp = await startMcp(cli, [...words(), '--max-cost', '0.06'], { cwd: folder, apiKey: 'key', name });
    programs.push(mcp);
    return mcp;
  };
  const call = (mcp: McpProgram, key: string) =>
    mcp.call('run_model', { model: 'm', input: { agent: key }, idempotency_key: key });

  it('equals the spending that the folder shows, and names no request twice', async () => {
    await put('try', 1);
    await endedAfter(5, 'try', 'SIGKILL');
    // An agent's server dies in the midst of its second call, and another one repeats all of them.
    const first = await server('agent');
    await call(first, 'a');
    const lost = call(first, 'b').catch(() => undefined);
    await eventually(() => assert.ok(paid.has('{"agent":"b"}')));
    process.kill(first.pid, 'SIGKILL');
    await lost;
    const second = await server('agent');
    const [terminal] = await Promise.all([
      finished(experiment('try')),
      ...['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((key) => call(second, key)),
    ]);
    assert.equal(terminal.code, 3, 'some are unconfirmed');
    await windowsSpend(6);
    assert.equal(ofWindows(), 6, 'all that the budget bears, and no more');
    const { spent: before } = await shown();
    await writeFile(path.join(folder, 'one.run.json'), JSON.stringify({ model: 'm', input: { one: 1 } }));
    const at = (name: string) => path.join(folder, name);
    await mkdir(at('sub'));
    await writeFile(at('sub/two.run.json'), JSON.stringify({ model: 'm', input: { two: 2 } }));
    process.env.MODEL_BENCH_WORKSPACE = [workspaceId([folder]), folder].join(path.delimiter);
    try {
      assert.notEqual(workspaceOf([tmpdir()]), workspaceId([folder]), 'a terminal that has left the folder');
      for (const [cwd, name] of [
        [folder, 'one'],
        [at('sub'), 'two'],
      ] as const) {
        const single = startCli(cli, words('run', `${name}.run.json`), { cwd, apiKey: 'key' });
        assert.equal((await finished(single)).code, 0);
      }
    } finally {
      delete process.env.MODEL_BENCH_WORKSPACE;
    }
    assert.equal((await shown()).spent, before + 2, 'single runs of terminals');
    // Another branch of the repository has other inputs, and no results of these.
    await rename(at('try.results.jsonl'), at('of-the-branch.jsonl'));
    await put('try', 2);
    await endedAfter(5, 'try', 'SIGTERM');
    await finished(experiment('try'));
    await rm(at('try.results.jsonl'));
    await put('try', 1);
    await finished(experiment('try'));
    // Under another name, and in a folder that was moved.
    await put('renamed', 2);
    await finished(experiment('renamed'));

    assert.deepEqual(
      [...paid].filter(([, count]) => count > 1),
      [],
    );
    assert.equal(service.executedRuns, sum());
    const store = await openStore(storeFolder(state()));
    try {
      const { spent, reserved } = await shown();
      assert.ok(spent <= sum(), `${spent} of ${sum()}`);
      assert.ok(sum() <= spent + reserved, `${sum()} of ${spent} and ${reserved}`);
      assert.ok(reserved <= 8 + 1 + 1, 'of the kills alone');
      const ofAgents = [...paid.keys()].filter((request) => request.includes('agent')).length;
      const [grant] = store.agentGrants.living();
      assert.ok(ofAgents <= 6, 'one amount, however many processes');
      assert.equal(Math.round((Number(grant!.spent) + Number(grant!.reserved)) * 100), ofAgents);
    } finally {
      await store.close();
    }
  });
});

function centsOf(all: readonly Money[]): number {
  return all.reduce((cents, { amount }) => cents + Math.round(Number(amount) * 100), 0);
}
