import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { callHere, finished, startCli } from '../../support/commandLine';
import { startFaultProxy } from '../../support/faultProxy';
import { gate } from '../../support/gate';
import { cliProgram } from '../../support/programs';
import { sandboxInProcess } from '../../support/sandbox';
import { disc } from '../../support/sandboxPictures';

describe('The outcome of indexing in a terminal', () => {
  let service: Awaited<ReturnType<typeof sandboxInProcess>>;
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'model-bench-outcome-'));
    await mkdir(path.join(folder, 'work', 'pictures'), { recursive: true });
    service = await sandboxInProcess();
  });
  afterEach(async () => {
    await service.stop();
    await rm(folder, { recursive: true });
  });

  const put = (name: string, red: number) =>
    writeFile(path.join(folder, 'work', name), disc(red, 40, 40, 12));
  const pictures = async (count: number) => {
    for (let n = 0; n < count; n++) await put(`pictures/${n}.png`, n);
  };
  const as = () => ({ cwd: path.join(folder, 'work'), apiKey: service.apiKey });
  const wordsOf = (...words: string[]) => {
    const options = {
      ...{ '--max-cost': '5', '--scope': 's', '--model': 'image-similarity', '--base-url': service.baseUrl },
      '--state': path.join(folder, 'state'),
    };
    const more = Object.entries(options).filter(([name]) => !words.includes(name));
    return ['index', ...words, ...more.flat()];
  };
  const call = (...words: string[]) => callHere(wordsOf(...words), as());
  const linesOf = async (name: string) =>
    (await readFile(path.join(folder, 'work', name), 'utf8'))
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  const runs = async () => (await service.ledger()).requests.runs ?? 0;

  it('takes single files: by their path in the folder, outside of it by their name and place', async () => {
    await put('pictures/0.png', 1);
    await put('../outside.png', 2);
    await put('notes.txt', 3);
    const files = ['pictures/0.png', '../outside.png', 'notes.txt'];
    const { code, out, err } = await call(...files, '--results', 'all.jsonl');
    assert.equal(code, 1, err);
    assert.match(err, /work\/notes\.txt: The model does not accept files of this type \(text\/plain\)\.\n/);
    assert.match(
      out,
      /^2 files, 1 runs?, about \$\S+; --max-cost is 5\.\n2 of 2 files are indexed in s\.\n$/,
    );
    const ids = (await linesOf('all.jsonl')).map(({ custom_id: id }) => String(id)).sort();
    assert.match(ids.join(' '), /^outside\.png-[0-9a-f]{8} pictures\/0\.png$/);
    const again = await call('pictures/0.png', '../outside.png');
    assert.deepEqual([again.code, again.out], [0, '2 of 2 files are indexed in s.\n']);
    await utimes(path.join(folder, 'work', 'pictures', '0.png'), new Date(), new Date(0));
    const touched = await call('pictures/0.png');
    assert.deepEqual([touched.code, touched.out, touched.err], [0, '1 of 1 files are indexed in s.\n', '']);
    assert.equal(await runs(), 1);
  });

  it('writes a line for each indexed file, with its content, scope and time', async () => {
    await pictures(1);
    const before = Date.now();
    const { err } = await call('pictures', '--results', 'all.jsonl');
    assert.equal(err, '');
    const [line, ...others] = await linesOf('all.jsonl');
    assert.deepEqual(others, []);
    const { item_sha256: hash, started_at: at, ...known } = line!;
    assert.deepEqual(known, {
      ...{ custom_id: 'pictures/0.png', item: 'pictures/0.png', state: 'finished' },
      ...{ model: 'image-similarity', scope: 's' },
    });
    assert.match(String(hash), /^[0-9a-f]{64}$/);
    const time = Date.parse(String(at));
    assert.ok(time >= before - 1000 && time <= Date.now(), String(at));
  });

  it('counts failures with their reasons, which only --retry-failed sends again', async () => {
    await pictures(3);
    service.sandbox.faults.set([{ route: 'runs', action: 'status:422' }]);
    const failed = await call('pictures', '--results', 'all.jsonl');
    assert.equal(failed.code, 1, failed.err);
    assert.match(failed.out, /\n0 of 3 files are indexed in s\.\n3 failed\.\n$/);
    const reasons = failed.err.split('\n').filter((line) => line.startsWith('  '));
    assert.equal(reasons.length, 1, 'a reason is shown once');
    assert.doesNotMatch(failed.err, /unconfirmed|not indexed/);
    for (const { state, reason } of await linesOf('all.jsonl'))
      assert.deepEqual([state, `  ${reason}`], ['failed', reasons[0]]);
    service.sandbox.faults.set([]);
    const sent = await runs();
    assert.equal((await call('pictures', '--retry-unconfirmed')).code, 1);
    assert.equal(await runs(), sent);
    const retried = await call('pictures', '--retry-failed', '--results', 'all.jsonl');
    assert.deepEqual(
      [retried.code, (await linesOf('all.jsonl')).map(({ state }) => state)],
      [0, Array(3).fill('finished')],
    );
  });

  it('counts files without a response as unconfirmed, which only --retry-unconfirmed sends again', async () => {
    await pictures(3);
    service.sandbox.faults.set([{ route: 'runs', action: 'reset-after-execute' }]);
    const cut = await call('pictures', '--results', 'all.jsonl');
    assert.equal(cut.code, 3, cut.err);
    assert.match(cut.out, /\n0 of 3 files are indexed in s\.\n$/);
    assert.match(
      cut.err,
      /^3 unconfirmed: they may have been charged\. --retry-unconfirmed sends them again\.$/m,
    );
    assert.doesNotMatch(cut.err, /not indexed/);
    assert.deepEqual(
      (await linesOf('all.jsonl')).map(({ state }) => state),
      Array(3).fill('unconfirmed'),
    );
    service.sandbox.faults.set([]);
    const sent = await runs();
    assert.equal((await call('pictures', '--retry-failed')).code, 3);
    assert.equal(await runs(), sent);
    const retried = await call('pictures', '--retry-unconfirmed');
    assert.deepEqual([retried.code, retried.err], [0, '']);
    assert.match(retried.out, /\n3 of 3 files are indexed in s\.\n$/);
  });

  it('counts the files that --max-cost leaves, and the next call sends only these', async () => {
    await pictures(20);
    // A run of 16 pictures costs 0.008.
    const cut = await call('pictures', '--max-cost', '0.009', '--results', 'all.jsonl');
    assert.equal(cut.code, 3, cut.err);
    const [, indexed] = /\n(\d+) of 20 files are indexed in s\.\n$/.exec(cut.out)!;
    assert.ok(Number(indexed) > 0 && Number(indexed) < 20, indexed);
    assert.match(cut.err, /budget/i);
    assert.match(
      cut.err,
      new RegExp(`^${20 - Number(indexed)} not indexed\\. Start again to continue\\.$`, 'm'),
    );
    assert.doesNotMatch(cut.out + cut.err, /failed|unconfirmed/);
    assert.equal((await linesOf('all.jsonl')).length, Number(indexed));
    assert.equal((await call('pictures')).code, 0);
    const counts = Object.values((await service.ledger()).indexed);
    assert.deepEqual(counts, Array(20).fill(1));
  });

  it('waits for another terminal that indexes into the same scope, and sends nothing twice', async () => {
    await pictures(20);
    service.sandbox.faults.set([{ route: 'runs', action: 'delay', ms: 300 }]);
    const both = await Promise.all([call('pictures'), call('pictures')]);
    assert.deepEqual(
      both.map(({ code }) => code),
      [0, 0],
    );
    for (const { out } of both) assert.match(out, /20 of 20 files are indexed in s\.\n$/);
    assert.deepEqual(Object.values((await service.ledger()).indexed), Array(20).fill(1));
  });

  it('counts a file as unconfirmed whose run was in flight when the process was killed', async () => {
    await pictures(1);
    const slow = await startFaultProxy({
      behind: service.baseUrl,
      fault: ({ path: route }) =>
        route.endsWith('/api/runs') ? { kind: 'hold', until: new Promise(() => undefined) } : undefined,
    });
    const child = startCli(await cliProgram(), wordsOf('pictures', '--base-url', slow.url), as());
    while (slow.executedRuns === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    child.kill('SIGKILL');
    await finished(child);
    const { code, err } = await call('pictures', '--base-url', slow.url);
    await slow.close();
    assert.deepEqual([code, slow.executedRuns], [3, 1], err);
    assert.match(err, /^1 unconfirmed: /m);
  });

  it('waits for no work on another scope, model or service', async () => {
    await pictures(1);
    await writeFile(path.join(folder, 'work', 'notes.txt'), 'Buy some milk.');
    const { opened: until, open: release } = gate();
    const { opened: isHeld, open: held } = gate();
    const slow = await startFaultProxy({
      behind: service.baseUrl,
      fault: ({ path: route, body }) => {
        if (!route.endsWith('/api/runs') || !body.includes('"held"')) return undefined;
        held();
        return { kind: 'hold', until };
      },
    });
    const first = call('pictures', '--scope', 'held', '--base-url', slow.url);
    await isHeld;
    const others = [
      await call('pictures', '--scope', 'other', '--base-url', slow.url),
      await call('notes.txt', '--scope', 'held', '--model', 'text-similarity'),
      await call('pictures', '--scope', 'held'),
    ];
    release();
    assert.deepEqual(
      [...others, await first].map(({ code, err }) => [code, err]),
      Array(4).fill([0, '']),
    );
    await slow.close();
  });

  it('leaves out ignored files of a folder, but not those that are named', async () => {
    await pictures(2);
    await writeFile(path.join(folder, 'work', '.gitignore'), '1.png\n');
    assert.match((await call('pictures')).out, /^1 of 1 files are indexed/m);
    assert.match((await call('pictures', 'pictures/1.png')).out, /^2 of 2 files are indexed/m);
  });

  it('names three reasons of failures', async () => {
    await pictures(5);
    let runs = 0;
    const failing = await startFaultProxy({
      behind: service.baseUrl,
      fault: ({ path: route }) => {
        if (!route.endsWith('/api/runs')) return undefined;
        runs += 1;
        return {
          kind: 'response',
          response: { status: 422, body: { error: { message: `reason ${runs}` } } },
        };
      },
    });
    const { out, err } = await call('pictures', '--base-url', failing.url);
    await failing.close();
    assert.match(out, /\n5 failed\.\n$/);
    assert.equal(err.match(/reason \d/g)?.length, 3, err);
  });
});
