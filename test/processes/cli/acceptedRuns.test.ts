import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { callHere, finished, startCli } from '../../support/commandLine';
import { type FaultProxy, startFaultProxy } from '../../support/faultProxy';
import { cliProgram } from '../../support/programs';
import { disc } from '../../support/sandboxPictures';

describe('A run that the service has accepted when the command line is killed', () => {
  const apiKey = 'key-of-accepted-runs';
  let cli: string;
  let folder: string;
  let service: FaultProxy;
  let isDone: boolean;
  let running: object;
  let polled: Set<string>;
  let onPoll: () => void;
  before(async () => {
    cli = await cliProgram();
  });
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'model-bench-accepted-'));
    isDone = false;
    running = { status: 'running' };
    polled = new Set();
    onPoll = () => undefined;
    let runs = 0;
    service = await startFaultProxy({
      behind: ({ method, path: route }) => {
        const id = /\/api\/runs\/(\w+)$/.exec(route)?.[1];
        if (id !== undefined) {
          polled.add(id);
          onPoll();
          return {
            body: isDone ? { run_id: id, status: 'succeeded', output: `result of ${id}` } : running,
          };
        }
        if (method === 'POST' && route === '/api/runs') {
          const run = `r${++runs}`;
          return { status: 202, body: { run_id: run, status: 'queued', status_url: `/api/runs/${run}` } };
        }
        if (route.endsWith('/upload/init'))
          return { body: { upload_url: `${service.url}/up`, upload_id: 'u' } };
        if (route.endsWith('/upload/complete')) return { body: { media_ref: 'ref' } };
        return {
          body: { slug: 'm', modes: ['execute', 'search'], price: { amount: '0.01', currency: 'USD' } },
        };
      },
    });
  });
  afterEach(async () => {
    await service.close();
    await rm(folder, { recursive: true });
  });

  const put = (name: string, value: object) => writeFile(path.join(folder, name), JSON.stringify(value));
  const as = () => ({ cwd: folder, apiKey });
  const words = (...first: string[]) => [...first, '--base-url', service.url, '--state', 'state'];

  /** Starts a call, and ends its process once the service was asked for this number of runs. */
  async function killAfterPolls(count: number, call: readonly string[], signal: NodeJS.Signals = 'SIGKILL') {
    const arePolled = new Promise<void>((resolve) => {
      onPoll = () => polled.size === count && resolve();
    });
    const child = startCli(cli, call, as());
    const ended = signal === 'SIGKILL' ? once(child, 'close') : finished(child);
    await arePolled;
    child.kill(signal);
    return ended;
  }

  it('leads the next start of an experiment to its result, without a second run', async () => {
    await put('try.experiment.json', {
      run: { model: 'm', input: {} },
      vary: { '/input/text': ['a', 'b', 'c'] },
    });
    const call = words('experiment', 'try.experiment.json', '--max-cost', '1000');
    await killAfterPolls(3, call);
    isDone = true;
    const { code, out, err } = await callHere(call, as());
    assert.equal(code, 0, out + err);
    assert.match(out, /3 of 3 runs finished/);
    assert.equal(service.executedRuns, 3);
    const lines = (await readFile(path.join(folder, 'try.results.jsonl'), 'utf8')).trim().split('\n');
    const results = lines.map((line) => JSON.parse(line)).filter(({ state }) => state === 'finished');
    assert.deepEqual(results.map(({ run_id: id, result }) => `${id}: ${result}`).sort(), [
      ...['r1: result of r1', 'r2: result of r2', 'r3: result of r3'],
    ]);
  });

  for (const way of ['the next start', '“follow”'])
    it(`finishes by ${way} in a folder that was renamed meanwhile`, async () => {
      const at = (name: string) => path.join(folder, name);
      await mkdir(at('before'));
      await put('before/try.experiment.json', {
        ...{ run: { model: 'm', input: {} }, vary: { '/input/text': ['a', 'b'] } },
      });
      const call = (name: string) => words('experiment', `${name}/try.experiment.json`, '--max-cost', '1000');
      await killAfterPolls(2, call('before'));
      await rename(at('before'), at('after'));
      isDone = true;
      if (way !== 'the next start') assert.equal((await callHere(words('follow'), as())).code, 0);
      const { code, out } = await callHere(call('after'), as());
      assert.equal(code, 0, out);
      assert.match(out, /2 of these 2 runs were paid in .*2 of 2 runs finished/s);
      assert.equal(service.executedRuns, 2);
    });

  it('gives its result to “follow”, which prints and records it', async () => {
    await put('one.run.json', { model: 'm', input: {} });
    await killAfterPolls(1, words('run', 'one.run.json'));
    isDone = true;
    const first = await callHere(words('follow', 'r1'), as());
    assert.equal(first.code, 0, first.err);
    assert.match(first.out, /r1: finished/);
    assert.match(first.out, /"result of r1"/);
    const again = await callHere(words('follow'), as());
    assert.deepEqual([again.code, again.out], [0, 'No accepted run can be asked for its outcome.\n']);
    const unknown = await callHere(words('follow', 'r9'), as());
    assert.equal(unknown.code, 2);
    assert.equal(service.executedRuns, 1);
  });

  it('survives a poll that is not understood: it is asked for again, without a second run', async () => {
    await put('try.experiment.json', { run: { model: 'm', input: {} }, vary: { '/input/text': ['a', 'b'] } });
    await put('one.run.json', { model: 'm', input: {} });
    const calls = [
      words('experiment', 'try.experiment.json', '--max-cost', '1000'),
      words('run', 'one.run.json'),
    ];
    running = {};
    for (const call of calls) assert.equal((await callHere(call, as())).code, 3);
    assert.match((await callHere(words('follow'), as())).out, /r3: response not understood/);
    isDone = true;
    assert.match((await callHere(words('follow', 'r3'), as())).out, /"result of r3"/);
    const { code, out } = await callHere(calls[0]!, as());
    assert.equal(code, 0, out);
    assert.equal(service.executedRuns, 3);
  });

  it('reaches its outcome after a search, too, which keeps its state where the user’s is', async () => {
    const { MODEL_BENCH_STATE: before } = process.env;
    process.env.MODEL_BENCH_STATE = path.join(folder, 'own');
    try {
      await writeFile(path.join(folder, 'a.png'), disc(200, 0, 0));
      const at = ['--base-url', service.url];
      await killAfterPolls(1, ['search', 'a.png', '--scope', 's', '--model', 'm', ...at]);
      isDone = true;
      assert.match((await callHere(['follow', ...at], as())).out, /"result of r1"/);
      assert.equal(service.executedRuns, 1);
    } finally {
      if (before === undefined) delete process.env.MODEL_BENCH_STATE;
      else process.env.MODEL_BENCH_STATE = before;
    }
  });

  it('prints the way to its outcome where Ctrl+C ends the wait', async function () {
    if (process.platform === 'win32') this.skip();
    await put('one.run.json', { model: 'm', input: {} });
    const { code, out } = (await killAfterPolls(1, words('run', 'one.run.json'), 'SIGINT')) as Awaited<
      ReturnType<typeof finished>
    >;
    assert.equal(code, 3, out);
    assert.match(out, /“model-bench follow r1” waits for it/);
  });
});
