import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { callHere, finished, startCli } from '../../support/commandLine';
import { type StubResponse, startFaultProxy } from '../../support/faultProxy';
import { cliProgram } from '../../support/programs';

describe('The command line in scripts', () => {
  const apiKey = 'key-of-scripts';
  let folder: string;
  let cli: string;
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'model-bench-scripts-'));
    cli = await cliProgram();
    for (const name of ['a', 'b', 'c']) await put(`${name}.run.json`, { model: 'm', input: { text: name } });
  });
  after(() => rm(folder, { recursive: true }));

  const put = (name: string, value: object) => writeFile(path.join(folder, name), JSON.stringify(value));
  const read = (name: string) => readFile(path.join(folder, name), 'utf8');
  const call = (words: readonly string[]) => callHere(words, { cwd: folder, apiKey });

  /** A service whose runs respond as told. */
  async function serviceOf(run: () => StubResponse | Promise<StubResponse>) {
    return startFaultProxy({
      behind: ({ path: route }) =>
        route.endsWith('/api/runs')
          ? run()
          : route.includes('missing')
            ? { status: 500 }
            : { body: { slug: 'm', modes: ['execute'] } },
    });
  }
  const finishedRun = () => ({ body: { status: 'succeeded', output: 1 } });

  it('finishes all runs and writes the report when its output is closed', async () => {
    const service = await serviceOf(finishedRun);
    const child = startCli(
      cli,
      [
        'run',
        'a.run.json',
        'b.run.json',
        'c.run.json',
        '--base-url',
        service.url,
        '--max-cost',
        '1',
        '--junit',
        'p.xml',
      ],
      { cwd: folder, apiKey },
    );
    child.stdout?.destroy();
    child.stderr?.destroy();
    const [code] = await once(child, 'close');
    assert.deepEqual([code, service.executedRuns], [0, 3]);
    assert.match(await read('p.xml'), /tests="3" failures="0" errors="0"/);
    await service.close();
  });

  for (const signal of ['SIGTERM', 'SIGHUP'] as const)
    it(`stops at ${signal} as at Ctrl+C: explains a second signal, reports, and lists charged runs`, async function () {
      if (process.platform === 'win32') this.skip();
      let arrived = () => {};
      const isThere = new Promise<void>((resolve) => {
        arrived = resolve;
      });
      const service = await serviceOf(() => {
        arrived();
        return new Promise<StubResponse>(() => undefined);
      });
      const child = startCli(
        cli,
        ['run', 'a.run.json', 'b.run.json', '--base-url', service.url, '--max-cost', '1', '--junit', 's.xml'],
        { cwd: folder, apiKey },
      );
      void isThere.then(() => child.kill(signal));
      // To the group, too.
      child.stderr?.once('data', () => child.kill(signal));
      const { code, err } = await finished(child);
      await service.close();
      assert.equal(code, 3, err);
      assert.match(err, /Press Ctrl\+C again to end at once/);
      assert.match(err, /May have been executed and charged, without a known outcome: a\.run\.json/);
      assert.match(
        await read('s.xml'),
        /errors="2".*name="a\.run\.json".*may have been executed.*name="b\.run\.json".*Not run/s,
      );
    });

  it('ends at once when the key command cannot be started', async () => {
    const child = startCli(
      cli,
      ['models', '--base-url', 'http://127.0.0.1:9', '--key-command', 'no-such-command'],
      {
        cwd: folder,
      },
    );
    const { code, err } = await finished(child);
    assert.deepEqual([code, /was not (started|found)/.test(err)], [2, true], err);
  });

  it('writes reports with the reason where checks before the runs fail', async () => {
    await put('wrong.run.json', { model: 'm', input: {}, parameters: {} });
    await put('missing.run.json', { model: 'missing', input: {} });
    await put('bad.experiment.json', { run: { model: 'm', input: {} }, vary: 7 });
    const service = await serviceOf(finishedRun);
    const calls: [string[], number, RegExp][] = [
      [['run', 'a.run.json', 'wrong.run.json', '--max-cost', '1'], 2, /Rename “parameters”/],
      [['run', 'a.run.json', 'missing.run.json', '--max-cost', '1'], 3, /status 500/],
      [
        ['experiment', 'bad.experiment.json', '--max-cost', '1', '--state', 'state'],
        2,
        /object with named values/,
      ],
    ];
    for (const [words, code, reason] of calls) {
      const ended = await call([
        ...words,
        '--base-url',
        service.url,
        '--junit',
        'new/deep/j.xml',
        '--json',
        'j.json',
      ]);
      assert.equal(ended.code, code, ended.err);
      const xml = await read('new/deep/j.xml');
      assert.match(xml, /<error message="/);
      assert.match(xml, reason);
      assert.match(JSON.parse(await read('j.json')).error, reason);
      await rm(path.join(folder, 'new'), { recursive: true });
    }
    assert.equal(service.executedRuns, 0);
    await service.close();
  });

  it('sends runs, searches and indexing with a key that may not read the catalog, and warns', async () => {
    const sent: string[] = [];
    const service = await startFaultProxy({
      behind: ({ path: route, body }) => {
        if (route.endsWith('/upload/init'))
          return { body: { upload_url: `${service.url}/up`, upload_id: 'u' } };
        if (route.endsWith('/upload/complete')) return { body: { media_ref: 'ref' } };
        if (route.endsWith('/up')) return {};
        if (route !== '/api/runs') return { status: 403, body: { detail: 'This key may run models only.' } };
        const { mode = 'execute' } = JSON.parse(body.toString()) as { mode?: string };
        sent.push(mode);
        const results = [{ image_id: 'a.png', score: 1, status: 'indexed' }];
        return { body: { status: 'succeeded', output: mode === 'execute' ? 1 : { results } } };
      },
    });
    const png = '\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\0\0\0\0';
    await writeFile(path.join(folder, 'a.png'), Buffer.from(png, 'latin1'));
    await put('keyed.experiment.json', { run: 'a.run.json', vary: { '/input/text': ['x', 'y'] } });
    const more = ['--base-url', service.url, '--max-cost', '1', '--state', 'keyed'];
    const into = ['--scope', 's', '--model', 'm', '--base-url', service.url];
    for (const words of [
      ['run', 'a.run.json', ...more],
      ['experiment', 'keyed.experiment.json', ...more],
      ['search', 'a.png', ...into],
      ['index', 'a.png', ...into, '--max-cost', '1', '--state', 'keyed'],
    ]) {
      const { code, out, err } = await call(words);
      assert.equal(code, 0, out + err);
      assert.match(err, /This API key cannot read the catalog/, words[0]);
    }
    assert.deepEqual(sent, ['execute', 'execute', 'execute', 'search', 'index']);
    await service.close();
  });

  it('expands patterns that the shell has left', async () => {
    await mkdir(path.join(folder, 'runs', 'deep'), { recursive: true });
    await put('runs/x.run.json', { model: 'm', input: {} });
    await put('runs/deep/y.run.json', { model: 'm', input: {} });
    await put('runs/[z].run.json', { model: 'm', input: {} });
    const checked = async (...names: string[]) => (await call(['check', ...names])).out;
    assert.equal(await checked('runs/x*.json'), '1 run files checked, no errors.\n');
    assert.equal(await checked('runs/**/*.run.json'), '3 run files checked, no errors.\n');
    assert.equal(
      await checked(path.join(folder, 'runs', '{x,deep/y}.run.json')),
      '2 run files checked, no errors.\n',
    );
    assert.equal(await checked('runs/[z].run.json'), '1 run files checked, no errors.\n');
    const none = await call(['check', 'runs/*.none']);
    assert.deepEqual(
      [none.code, none.err.split('\n')[0]],
      [2, `There is no file “${path.join(folder, 'runs/*.none')}”.`],
    );
  });

  it('names --state where the place of its records cannot be written, and does not speak of windows', async function () {
    if (process.platform !== 'linux') this.skip();
    await put('one.experiment.json', { run: { model: 'm', input: {} }, vary: { '/input/text': ['a'] } });
    const service = await serviceOf(finishedRun);
    for (const state of ['/proc/none', '/dev/null/none', '/proc']) {
      const { code, err } = await call([
        ...[
          'experiment',
          'one.experiment.json',
          '--base-url',
          service.url,
          '--max-cost',
          '1',
          '--state',
          state,
        ],
      ]);
      assert.equal(code, 2, err);
      assert.match(err, /cannot be written.*--state|--state: /);
      assert.doesNotMatch(err, /window/);
    }
    assert.equal(service.executedRuns, 0);
    await service.close();
  });
});
