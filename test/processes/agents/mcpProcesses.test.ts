import assert from 'node:assert/strict';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openStore, storeFolder } from '../../../src/store/store';
import { workspaceId } from '../../../src/store/workspaceId';
import { type McpProgram, startMcp } from '../../support/agents/mcpClient';
import { eventually } from '../../support/eventually';
import { type FaultProxy, startFaultProxy } from '../../support/faultProxy';
import { cliProgram } from '../../support/programs';

describe('Two MCP servers on one state', () => {
  let cli: string;
  let folder: string;
  let service: FaultProxy;
  /** The response to a run, and whether an accepted one has an outcome. */
  let answer: 'finished' | 'accepted' | 'lost';
  let isDone: boolean;
  /** The charge for a run; its price is 0.01. */
  let charge: string;
  let polls: number;
  const programs: McpProgram[] = [];
  before(async () => {
    cli = await cliProgram();
  });
  beforeEach(async () => {
    folder = await realpath(await mkdtemp(path.join(tmpdir(), 'model-bench-two-')));
    [answer, isDone, polls, charge] = ['finished', false, 0, '0.01'];
    const cost = { amount: '0.01', currency: 'USD' };
    service = await startFaultProxy({
      behind: ({ method, path: route }) => {
        if (route.startsWith('/api/runs/')) {
          polls++;
          return {
            body: isDone
              ? { run_id: 'r1', status: 'succeeded', output: 'late', cost: { ...cost, amount: '0.05' } }
              : { status: 'running' },
          };
        }
        if (method !== 'POST') return { body: { slug: 'm', modes: ['execute'], price: cost } };
        if (answer === 'accepted')
          return { status: 202, body: { run_id: 'r1', status: 'queued', status_url: '/api/runs/r1' } };
        return answer === 'lost'
          ? { status: 502, body: {} }
          : {
              body: { run_id: 'r0', status: 'succeeded', output: 'done', cost: { ...cost, amount: charge } },
            };
      },
    });
  });
  afterEach(async () => {
    for (const one of programs.splice(0)) await one.close();
    await service.close();
    await rm(folder, { recursive: true });
  });

  const start = async (name: string, ...words: string[]) => {
    const program = await startMcp(
      cli,
      ['--base-url', service.url, '--state', path.join(folder, 'state'), ...words],
      { cwd: folder, apiKey: 'key-of-two', name },
    );
    programs.push(program);
    return program;
  };
  const run = (key: string, text = key) => ({ model: 'm', input: { text }, idempotency_key: key });

  it('limit each agent by its own amount, and name at the start one that is replaced', async () => {
    const careful = await start('careful', '--max-cost', '0.02');
    for (const key of ['a', 'b']) assert.match((await careful.call('run_model', run(key))).text, /done/);
    assert.match((await careful.call('run_model', run('c'))).text, /Needs approval/);
    const rich = await start('rich', '--max-cost', '5');
    await eventually(() => assert.match(rich.errors(), /may spend 5.*\n.*0\.02.*“careful”.*0\.02.* spent/s));
    assert.match((await rich.call('run_model', run('d'))).text, /done/);
    assert.match((await careful.call('run_model', run('e'))).text, /Needs approval/);
    assert.equal(service.executedRuns, 3);
  });

  it('exceed their amount by one run when a price rises, however many calls come at once', async () => {
    charge = '0.5';
    const agent = await start('agent', '--max-cost', '0.10');
    const keys = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
    await Promise.all(keys.map((key) => agent.call('run_model', run(key))));
    assert.equal(service.executedRuns, 1);
  });

  it('refuse an equal request under a new key while one is unconfirmed, and name that one', async () => {
    const first = await start('agent', '--max-cost', '1');
    const second = await start('agent', '--max-cost', '1');
    answer = 'lost';
    const lost = await first.call('run_model', run('a', 'same'));
    const id = /Call: (\S+)/.exec(lost.text)?.[1];
    assert.ok(id, lost.text);
    answer = 'finished';
    const again = await second.call('run_model', run('b', 'same'));
    assert.match(again.text, new RegExp(`unconfirmed.*${id}`));
    assert.match((await second.call('run_model', run('b', 'other'))).text, /done/);
    assert.equal(service.executedRuns, 2);
  });

  it('ask for the runs that a killed one had accepted, before anything else', async () => {
    answer = 'accepted';
    const first = await start('agent', '--max-cost', '1');
    const begun = await first.call('run_model', { ...run('a'), wait_seconds: 0 });
    const handle = /Handle: (\S+)/.exec(begun.text)?.[1] ?? '';
    await eventually(() => assert.ok(polls > 0));
    process.kill(first.pid, 'SIGKILL');
    isDone = true;
    const next = await start('agent', '--max-cost', '1');
    await eventually(async () => assert.match((await next.call('read_results', { handle })).text, /"late"/));
    assert.match((await next.call('run_model', run('a'))).text, /"late"/);
    assert.equal(service.executedRuns, 1);
    const store = await openStore(storeFolder(path.join(folder, 'state')));
    const late = { spent: [{ amount: '0.05', currency: 'USD' }], reserved: [] };
    assert.deepEqual(store.spending.of(workspaceId([folder]), service.url), late);
    await store.close();
  });
});
