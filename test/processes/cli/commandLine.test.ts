import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { callHere, type Finished, finished, startCli } from '../../support/commandLine';
import { type StubResponse, startFaultProxy } from '../../support/faultProxy';
import { cliProgram } from '../../support/programs';
import { sandboxInProcess, type TestSandbox } from '../../support/sandbox';
import { disc } from '../../support/sandboxPictures';

describe('The command line', () => {
  let sandbox: Awaited<ReturnType<typeof sandboxInProcess>>;
  let folder: string;
  let cli: string;
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'model-bench-cli-'));
    [sandbox, cli] = await Promise.all([sandboxInProcess(), cliProgram()]);
  });
  after(async () => {
    await sandbox.stop();
    await rm(folder, { recursive: true });
  });

  const put = async (name: string, value: object) => {
    await writeFile(path.join(folder, name), JSON.stringify(value, null, 2));
    return name;
  };
  const call = (
    words: readonly string[],
    options: { key?: string; interrupt?: boolean } = {},
  ): Promise<Finished> => {
    const as = { cwd: folder, apiKey: options.key ?? sandbox.apiKey };
    if (!options.interrupt) return callHere(words, as);
    const child = startCli(cli, words, as);
    void sandboxHasRun(sandbox).then(() => child.kill('SIGINT'));
    return finished(child);
  };
  const service = () => ['--base-url', sandbox.baseUrl];
  const runsSent = () => runRequests(sandbox);
  const good = {
    model: 'sentiment',
    input: { text: 'What a lovely day.' },
    expect: [{ at: '/label', equals: 'positive' }],
  };

  it('checks files without a service, and names the line and column of each problem', async () => {
    const right = await call(['check', await put('good.run.json', good)], { key: '' });
    assert.deepEqual([right.code, right.out], [0, '1 run files checked, no errors.\n']);
    const wrong = await call(
      ['check', await put('wrong.run.json', { model: 'm', input: {}, parameters: {} })],
      { key: '' },
    );
    assert.deepEqual(
      [wrong.code, wrong.err],
      [2, 'wrong.run.json:4:3: error: Rename “parameters” to “params”.\n'],
    );
  });

  it('runs a file, and ends with 0 when all passed and 1 when an expectation failed', async () => {
    const passed = await call(['run', 'good.run.json', ...service()]);
    assert.equal(passed.code, 0, passed.err);
    assert.match(passed.out, /^PASS good\.run\.json \(.+\)\n1 of 1 passed\.\n$/);
    assert.equal(passed.err, '', 'no progress in a pipe');
    await put('bad.run.json', {
      ...good,
      name: 'A <bad> day & "night"',
      expect: [{ at: '/label', equals: 'negative' }],
    });
    const failed = await call([
      ...['run', 'good.run.json', 'bad.run.json', ...service(), '--max-cost', '1'],
      ...['--junit', 'report.xml', '--json', 'report.json'],
    ]);
    assert.equal(failed.code, 1, failed.err);
    assert.match(
      failed.out,
      /FAIL bad\.run\.json .*\n {2}\/label equals "negative"\n {4}wanted: "negative"\n {4}got: "positive"/,
    );
    const xml = await readFile(path.join(folder, 'report.xml'), 'utf8');
    assert.match(xml, /tests="2" failures="1" errors="0"/);
    assert.match(xml, /name="A &lt;bad&gt; day &amp; &quot;night&quot;"/);
    const json = JSON.parse(await readFile(path.join(folder, 'report.json'), 'utf8'));
    assert.deepEqual(
      json.runs.map((run: { verdict: string }) => run.verdict),
      ['passed', 'failed'],
    );
    assert.ok(!JSON.stringify(json).includes(sandbox.apiKey));
  });

  it('prints its version', async () => {
    const { version } = JSON.parse(await readFile('package.json', 'utf8'));
    assert.deepEqual(await call(['--version'], { key: '' }), { code: 0, out: `${version}\n`, err: '' });
  });

  it('adds up no prices of several currencies, which no --max-cost can count', async () => {
    const contract = (slug: string, currency: string) => ({
      ...{ slug, input_schema: { type: 'object' } },
      price: { amount: '0.60', currency, per: 'run' },
    });
    const service = await startFaultProxy({
      behind: ({ path: asked }) => {
        const slug = /models\/(\w+)$/.exec(asked)?.[1];
        return slug ? { body: contract(slug, slug === 'euros' ? 'EUR' : 'USD') } : { status: 404 };
      },
    });
    const files = await Promise.all(
      ['dollars', 'euros'].map((model) => put(`${model}.run.json`, { model, input: {} })),
    );
    for (const limit of ['1', '1 EUR', '2 USD']) {
      const { code, err } = await call(['run', ...files, '--base-url', service.url, '--max-cost', limit]);
      assert.equal(code, 2, err);
      const why = `about $0.60 + €0.60: --max-cost ${limit} cannot count costs in another currency. Nothing was sent`;
      assert.ok(err.includes(why), err);
    }
    await service.close();
    assert.equal(service.executedRuns, 0);
  });

  it('takes the wallet’s currency for a --max-cost without one, and stops at a cost in another', async () => {
    const cost = { amount: '0.01', currency: 'USD' };
    const service = await startFaultProxy({
      behind: ({ method, path: asked }) => {
        if (method === 'POST') return { body: { status: 'succeeded', output: 'x', cost } };
        if (asked === '/api/billing/wallet') return { body: { balance: '5', currency: 'EUR' } };
        return { body: { slug: 'm', input_schema: { type: 'object' } } };
      },
    });
    const file = await put('euros.experiment.json', {
      ...{ run: { model: 'm', input: {} }, vary: { '/input/text': ['a', 'b', 'c'] } },
    });
    const words = ['experiment', file, '--base-url', service.url, '--state', 'euros', '--max-cost'];
    const { code, err } = await call([...words, '10']);
    assert.deepEqual([code, service.executedRuns], [3, 1], err);
    assert.match(err, /\$0\.01.*€10/);
    assert.equal((await call([...words, '10 USD'])).code, 0);
    await service.close();
    assert.equal(service.executedRuns, 3);
  });

  it('sends nothing when a file or the call is wrong', async () => {
    const before = await runsSent();
    await put('broken.run.json', { model: 'sentiment', input: { txet: 'a' } });
    await put('none.run.json', { model: 'no-such-model', input: {} });
    const calls: [string[], RegExp][] = [
      [
        ['run', 'good.run.json', 'broken.run.json', ...service(), '--max-cost', '1'],
        /broken\.run\.json:3:\d+: error: text:/,
      ],
      [['run', 'none.run.json', ...service()], /The service has no model “no-such-model”/],
      [
        ['run', 'good.run.json', 'bad.run.json', ...service(), '--max-cost', '0.0011'],
        /more than --max-cost 0\.0011\. Nothing was sent/,
      ],
      [['run', 'good.run.json', '--base-url', 'http://example.com'], /https/],
      [['run', 'missing.run.json', ...service()], /There is no file/],
      [
        ['run', 'good.run.json', ...service(), '--junit', 'good.run.json/report.xml'],
        /“good\.run\.json\/report\.xml” cannot be written/,
      ],
      [['run', 'good.run.json', ...service(), '--json', '.'], /“\.” cannot be written/],
    ];
    for (const [words, message] of calls) {
      const { code, err } = await call(words);
      assert.equal(code, 2, `${words.join(' ')}: ${err}`);
      assert.match(err, message);
    }
    assert.equal((await call(['run', 'good.run.json', ...service()], { key: 'wrong' })).code, 2);
    assert.match(
      (await call(['run', 'good.run.json', ...service()], { key: '' })).err,
      /MODEL_BENCH_API_KEY/,
    );
    assert.equal(await runsSent(), before);
  });

  it('writes no report through a link, nor over a special file', async function () {
    if (process.platform === 'win32') this.skip();
    await writeFile(path.join(folder, 'victim.txt'), 'keep me');
    await symlink(path.join(folder, 'victim.txt'), path.join(folder, 'linked.xml'));
    const before = await runsSent();
    for (const option of ['--junit', '--json']) {
      const { code, err } = await call(['run', 'good.run.json', ...service(), option, 'linked.xml']);
      assert.deepEqual([code, err.includes('“linked.xml” cannot be written')], [2, true], err);
    }
    await symlink('good.run.json', path.join(folder, 'linked.run.json'));
    assert.equal((await call(['check', 'linked.run.json'])).code, 2);
    assert.equal(await readFile(path.join(folder, 'victim.txt'), 'utf8'), 'keep me');
    assert.equal(await runsSent(), before);
  });

  it('ends with 3 when the service fails or cannot be reached', async () => {
    const failing = await put('failing.run.json', {
      model: 'always-fails',
      input: { text: 'a' },
      expect: [{ maxCost: 1 }],
    });
    const { code, out } = await call(['run', failing, ...service()]);
    assert.equal(code, 3, out);
    assert.match(out, /ERROR failing\.run\.json/);
    assert.equal((await call(['run', 'good.run.json', '--base-url', 'http://127.0.0.1:9'])).code, 3);
  });

  it('says why and until when it waits, and ends at once when a quota is used up', async () => {
    await put('waits.run.json', { model: 'm', input: { text: 'a' } });
    let asked = 0;
    const service = await startFaultProxy({
      behind: ({ path: route }): StubResponse => {
        if (!route.endsWith('/api/runs')) return { body: { slug: 'm', modes: ['execute'] } };
        asked += 1;
        return asked === 1
          ? {
              status: 429,
              headers: { 'retry-after': '1' },
              body: { error: { message: 'At most one run a second.' } },
            }
          : {
              status: 429,
              headers: { 'x-should-retry': 'false' },
              body: { error: { message: 'You exceeded your current quota.' } },
            };
      },
    });
    const { code, out, err } = await call(['run', 'waits.run.json', '--base-url', service.url]);
    await service.close();
    assert.match(
      err,
      /limits the rate of requests\. Service message: “At most one run a second\.” Waiting until \d/,
    );
    assert.match(out, /quota of this API key is used up.*“You exceeded your current quota\.”/);
    assert.deepEqual([code, asked], [3, 2]);
  });

  it('says that it read NaN and Infinity as null, in a run file and in an experiment', async () => {
    await put('nan.run.json', { model: 'm', input: {}, expect: [{ at: '/loss', equals: null }] });
    await writeFile(path.join(folder, 'nan.csv'), 'text;n\na;1\nb;2\n');
    await put('nan.experiment.json', {
      run: { model: 'm', input: {} },
      over: { rows: 'nan.csv', map: { '/input/text': 'text' } },
    });
    const odd = '{"label":"cat","loss":NaN}';
    const service = await startFaultProxy({
      behind: ({ path: route }): StubResponse =>
        route.endsWith('/api/runs')
          ? { headers: { 'content-type': 'application/json' }, body: odd }
          : { body: { slug: 'm', modes: ['execute'] } },
    });
    const run = await call(['run', 'nan.run.json', '--base-url', service.url]);
    assert.equal(run.code, 0, run.out);
    assert.match(run.out, /^PASS nan\.run\.json.*\n {2}The response is not valid JSON: NaN, .* read as null/);
    const all = await call([
      ...['experiment', 'nan.experiment.json', '--base-url', service.url],
      ...['--max-cost', '1', '--state', path.join(folder, 'nan')],
    ]);
    await service.close();
    assert.equal(all.code, 0, all.err);
    assert.match(all.out, /columns taken at each “;”/);
    assert.match(all.err, /Results that are not valid JSON: 2\. NaN, .* read as null/);
    const lines = await readFile(path.join(folder, 'nan.results.jsonl'), 'utf8');
    assert.equal(lines.match(/"result":\{"label":"cat","loss":null\},"odd_values":true/g)?.length, 2);
  });

  it('passes no run whose response reports a failure or is not understood, and keeps none in an experiment', async () => {
    await put('odd.run.json', { model: 'm', input: { text: 'a' }, expect: [{ status: 200 }] });
    await put('odd.experiment.json', {
      run: { model: 'm', input: {} },
      vary: { '/input/text': ['a', 'b'] },
    });
    const page = '<!doctype html><title>Sign in</title><h1>Sign in to the gateway</h1>';
    let response: StubResponse = {};
    const service = await startFaultProxy({
      behind: ({ path: route }): StubResponse =>
        route.endsWith('/api/runs') ? response : { body: { slug: 'm', modes: ['execute'] } },
    });
    const ways: readonly (readonly [StubResponse, RegExp])[] = [
      [{ headers: { 'content-type': 'text/html' }, body: page }, /does not say whether the run finished/],
      [{ headers: { 'content-type': 'application/json' }, body: '{"status":"ok"' }, /does not say whether/],
      [{ body: { run_id: 'r-7', state: 'WARTET' } }, /, r-7\)\n.*does not say whether/],
    ];
    for (const [odd, reason] of ways) {
      response = odd;
      const { code, out, err } = await call(['run', 'odd.run.json', '--base-url', service.url]);
      assert.equal(code, 3, out);
      assert.match(out, /^ERROR odd\.run\.json/);
      assert.match(out, reason);
      assert.match(err, /May have been executed and charged/);
    }
    response = { body: { code: 1001, message: 'insufficient balance', data: null } };
    const failed = await call(['run', 'odd.run.json', '--base-url', service.url]);
    assert.match(failed.out, /insufficient balance|failed/);

    response = ways[0]![0];
    const words = ['experiment', 'odd.experiment.json', '--base-url', service.url, '--max-cost', '1'];
    const experiment = await call([...words, '--state', path.join(folder, 'odd-state')]);
    await service.close();
    assert.notEqual(experiment.code, 0, experiment.out);
    const lines = (await readFile(path.join(folder, 'odd.results.jsonl'), 'utf8')).trim().split('\n');
    const last = lines.map((line) => JSON.parse(line) as Record<string, unknown>).slice(-2);
    for (const line of last) {
      assert.equal(line.state, 'unconfirmed');
      assert.match(String(line.reason), /does not say whether the run finished/);
      assert.ok(String(line.result).includes('Sign in to the gateway'), JSON.stringify(line));
    }
  });

  it('uploads files beside the run file, and no others', async () => {
    await mkdir(path.join(folder, 'pictures'), { recursive: true });
    await writeFile(path.join(folder, 'pictures', 'red.png'), disc(255, 0, 0));
    const run = (media_ref: string) => ({ model: 'color-palette', input: { image: { media_ref } } });
    const right = await call(['run', await put('palette.run.json', run('./pictures/red.png')), ...service()]);
    assert.equal(right.code, 0, right.err + right.out);
    await symlink('/etc/hostname', path.join(folder, 'pictures', 'link.png'));
    const before = await runsSent();
    for (const ref of ['./pictures/link.png', '../outside.png', 'file:///etc/hostname']) {
      const wrong = await call(['run', await put('out.run.json', run(ref)), ...service()]);
      assert.equal(wrong.code, 2, ref);
    }
    await writeFile(path.join(folder, 'pictures', 'unknown.zzz'), 'of no known kind');
    const unknown = await call(['check', await put('out.run.json', run('./pictures/unknown.zzz'))]);
    assert.equal(unknown.code, 2);
    assert.match(unknown.err, /The media type of “\.\/pictures\/unknown\.zzz” cannot be determined/);
    assert.equal(await runsSent(), before);
  });

  it('rejects a file whose bytes the field does not accept, with any name', async () => {
    await writeFile(path.join(folder, 'sound.png'), `RIFF0000WAVE${' '.repeat(60)}`);
    const before = await runsSent();
    const name = await put('sound.run.json', {
      model: 'color-palette',
      input: { image: { media_ref: './sound.png' } },
    });
    const wrong = await call(['run', name, ...service()]);
    assert.equal(wrong.code, 2, wrong.out);
    assert.match(
      wrong.out + wrong.err,
      /“\.\/sound\.png” is audio\/wav, a type that this field does not take/,
    );
    assert.equal((await call(['check', name])).code, 0, 'without a contract no field is known');
    assert.equal(await runsSent(), before);
  });

  it('names on Ctrl+C the runs that may still be charged', async () => {
    await put('slow.run.json', { model: 'slow-echo', input: { text: 'a' }, params: { seconds: 20 } });
    const { code, err } = await call(
      ['run', 'slow.run.json', 'good.run.json', ...service(), '--max-cost', '1'],
      { interrupt: true },
    );
    assert.equal(code, 3, err);
    assert.match(err, /may still be executed and charged/);
    assert.match(err, /May have been executed and charged, without a known outcome: slow\.run\.json/);
    assert.match(err, /1 of 2 files were not run/);
    sandbox.sandbox.faults.set([{ route: 'runs', action: 'status:429' }]);
    const waiting = await call(['run', 'good.run.json', ...service()], { interrupt: true });
    sandbox.sandbox.faults.set([]);
    assert.match(waiting.err, /Stopped: 1 of 1 files were not run/);
  });
});

/** Requests for a run that have reached the sandbox. */
async function runRequests(sandbox: TestSandbox): Promise<number> {
  return (await sandbox.ledger()).timeline.filter((one) => one.method === 'POST' && one.path === '/api/runs')
    .length;
}

/** Resolves when a run more than now has reached the sandbox. */
async function sandboxHasRun(sandbox: TestSandbox): Promise<void> {
  const before = await runRequests(sandbox);
  while ((await runRequests(sandbox)) === before) await new Promise((done) => setTimeout(done, 50));
}
