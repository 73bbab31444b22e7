import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ResultLine } from '../../../src/experiments/results/resultLine';
import { readResults } from '../../support/atOnce';
import { callHere, finished, startCli } from '../../support/commandLine';
import { type FaultProxy, startFaultProxy } from '../../support/faultProxy';
import { tellFigures } from '../../support/figures';
import { cliProgram } from '../../support/programs';
import { type ChildSandbox, sandboxInChild } from '../../support/sandbox';
import { disc } from '../../support/sandboxPictures';
import { printedRandom } from '../printedRandom';

/** `npm run faults` asks for the full size. */
const FULL = process.env.MODEL_BENCH_FAULTS === 'full';
const ROWS = FULL ? 600 : 40;
const KILLS = FULL ? 20 : 2;
/** Of a run of the sandbox's language model. */
const PRICE = 0.001;

describe('The runs of an experiment', () => {
  let sandbox: ChildSandbox;
  let service: FaultProxy;
  /** The bodies of runs that have reached the service. */
  const sent: string[] = [];
  let onSent = () => {};
  let folder: string;

  let cli: string;

  before(async () => {
    [sandbox, cli] = await Promise.all([sandboxInChild(), cliProgram()]);
  });
  after(() => sandbox.stop());
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'experiment-'));
    sent.length = 0;
    service = await startFaultProxy({
      behind: sandbox.baseUrl,
      fault: ({ method, path: route, body }) => {
        if (method === 'POST' && route === '/api/runs') {
          sent.push(body.toString());
          onSent();
        }
        return undefined;
      },
    });
    await sandbox.change({ faults: [], latencyMs: 0, rateLimit: null, wallet: '1000' });
  });
  afterEach(async () => {
    await service.close();
    await rm(folder, { recursive: true });
  });

  /** Resolves when this many runs have been sent in all. */
  const untilSent = (count: number) =>
    new Promise<void>((resolve) => {
      onSent = () => sent.length >= count && resolve();
      onSent();
    });

  const put = async (name: string, value: object | string) =>
    writeFile(path.join(folder, name), typeof value === 'string' ? value : JSON.stringify(value));

  const start = (words: readonly string[]) => startCli(cli, words, { cwd: folder, apiKey: sandbox.apiKey });
  const call = (...words: string[]) => callHere(words, { cwd: folder, apiKey: sandbox.apiKey });
  const words = (maxCost: number, ...more: string[]) => [
    ...['experiment', path.join(folder, 'try.experiment.json'), '--base-url', service.url],
    ...['--max-cost', String(maxCost), '--state', path.join(folder, 'state'), ...more],
  ];
  const run = (maxCost = 100, ...more: string[]) => call(...words(maxCost, ...more));

  const results = async (name = 'try.results.jsonl'): Promise<readonly ResultLine[]> => {
    const { results: read, unreadable } = readResults(await readFile(path.join(folder, name), 'utf8'));
    // After a torn line, the same line follows again.
    assert.ok(unreadable.length <= KILLS);
    return read;
  };

  const example = {
    run: { model: 'language-id', input: {} },
    vary: { '/params/top_k': { from: 1, to: 3, step: 1 } },
    over: { rows: 'labels.csv', map: { '/input/text': 'text' } },
    expected: { column: 'language', at: '/language' },
    metrics: ['accuracy'],
  };
  const table = (rows: number) =>
    `text,language\n${Array.from({ length: rows }, (_, n) => `The cat number ${n} is asleep in the sun,eng\n`).join('')}`;

  const putExample = async (rows: number) => {
    await put('try.experiment.json', example);
    await put('labels.csv', table(rows));
  };
  const putLines = (lines: readonly string[]) =>
    put('try.results.jsonl', lines.map((line) => `${line}\n`).join(''));

  it('finish completely, each sent once, with their cost and comparison', async () => {
    await putExample(10);
    const { code, out, err } = await run();
    assert.equal(code, 0, err);
    assert.match(out, /30 runs, about \$0\.03/);
    assert.match(out, /30 of 30 runs finished/);
    const lines = await results();
    assert.equal(lines.length, 30);
    const shares = [1, 2, 3].map((topK) => {
      const own = lines.filter(({ variation }) => variation['/params/top_k'] === topK);
      const right = own.filter(({ result }) => (result as { language: string }).language === 'eng');
      return (right.length / own.length).toFixed(3);
    });
    const printed = [
      ...out.matchAll(/^ {2}.* {2}([\d.]+)(?: {2}(?:may be )?best)? {2}[\d.]+ to [\d.]+ {2}n 10\b/gm),
    ];
    assert.deepEqual(
      printed.map(([, share]) => share),
      shares,
      'the figures of the table, with their rows',
    );
    assert.equal(new Set(sent).size, 30);
    assert.equal(sent.length, 30);
    for (const line of lines) {
      assert.equal(line.state, 'finished');
      assert.equal(Number(line.cost?.amount), PRICE);
      assert.ok(line.duration_ms! >= 0 && line.run_id && line.started_at);
      assert.equal((line.result as { labels: unknown[] }).labels.length, line.variation['/params/top_k']);
      assert.ok(!('metrics' in line), 'figures are computed from the result');
      assert.match(line.item_sha256 ?? '', /^[0-9a-f]{64}$/);
      assert.doesNotMatch(JSON.stringify(line), /file:|experiment-/);
    }
    assert.equal(new Set(lines.map((line) => line.item_sha256)).size, 10, 'one identity for each input');
    // After as many runs as there are variations, all of them have been seen.
    const first = sent.slice(0, 9).map((body) => JSON.parse(body).params.top_k);
    assert.deepEqual(new Set(first), new Set([1, 2, 3]));
    assert.equal((await run()).code, 0);
    assert.equal(sent.length, 30, 'a second start runs nothing');
  });

  it(`survive ${KILLS} kills: no run lost, none sent twice, none beyond the budget`, async () => {
    await putExample(ROWS);
    await sandbox.change({ latencyMs: 5 });
    const total = ROWS * 3;
    const share = Math.ceil(total / (KILLS + 1));
    let overBudget = 0;
    const random = printedRandom('budgets and kills');
    for (let kill = 0; kill < KILLS; kill++) {
      const before = sent.length;
      const budget = Math.ceil(share * (0.5 + random.next()));
      const child = start(words(budget * PRICE));
      const ended = once(child, 'close');
      const killed = untilSent(before + random.int(1, share)).then(() => child.kill('SIGKILL'));
      await Promise.race([ended, killed]);
      await ended;
      if (sent.length - before > budget) overBudget += 1;
    }
    const { code, err } = await run();
    const lines = await results();
    const unconfirmed = lines.filter(({ state }) => state === 'unconfirmed').length;
    assert.equal(code, unconfirmed > 0 ? 3 : 0, err);
    const twice = sent.length - new Set(sent).size;
    const lost = total - lines.filter(({ state }) => state !== 'failed').length;
    tellFigures({
      case: `${KILLS} kills of an experiment of ${total} runs`,
      ...{ tried: total, lost, doubled: twice, leaked: 0 },
      note: `${unconfirmed} unconfirmed, ${overBudget} calls over their budget`,
    });
    assert.deepEqual([lost, twice, overBudget], [0, 0, 0]);
    // 8 in flight, and as many responses on their way to the disk.
    assert.ok(unconfirmed <= KILLS * 16, `${unconfirmed} unconfirmed`);
    const finished = lines.filter(({ state }) => state === 'finished').length;
    assert.equal(finished + unconfirmed, total);
    assert.ok(sent.length >= finished);
  });

  it('leave once from two independent terminals, even if one is killed', async () => {
    await putExample(ROWS);
    await sandbox.change({ latencyMs: 20 });
    const other = (...more: string[]) =>
      words(100, ...more).map((word) =>
        word === path.join(folder, 'state') ? path.join(folder, 'other') : word,
      );
    const killed = start(other());
    const ended = once(killed, 'close');
    await untilSent(ROWS);
    killed.kill('SIGKILL');
    await ended;
    const both = await Promise.all(
      [words(100), other(), words(100, '--results', path.join(folder, 'try.results.jsonl'))].map((call) =>
        finished(start(call)),
      ),
    );
    assert.equal(sent.length, new Set(sent).size, 'nothing is sent twice');
    assert.ok(
      both.every(({ code }) => code === 3 || code === 0),
      both.map(({ err }) => err).join('\n'),
    );
    const { code, err } = await run();
    const lines = await results();
    const unconfirmed = lines.filter(({ state }) => state === 'unconfirmed').length;
    assert.ok(unconfirmed <= 16, `${unconfirmed} unconfirmed`);
    assert.equal(lines.filter(({ state }) => state === 'finished').length + unconfirmed, ROWS * 3);
    assert.equal(code, unconfirmed > 0 ? 3 : 0, err);
  });

  it('stop at the budget, say so, and go on when they are started again', async () => {
    await putExample(5);
    const first = await run(0.0045);
    assert.equal(first.code, 3);
    assert.match(first.err, /budget/i);
    assert.match(first.err, /11 not run/);
    assert.equal(sent.length, 4);
    assert.equal((await run()).code, 0);
    assert.equal(sent.length, 15);
  });

  it('keep the reason of a failure, and repeat it only on request', async () => {
    await putExample(3);
    await sandbox.change({ faults: [{ route: 'runs', nth: 4, action: 'status:422' }] });
    const failed = await run();
    assert.equal(failed.code, 1, failed.err);
    assert.ok((await results()).find(({ state, reason }) => state === 'failed' && reason));
    await sandbox.change({ faults: [] });
    await run();
    assert.equal(sent.length, 9);
    assert.equal((await run(100, '--retry-failed')).code, 0);
    assert.equal(sent.length, 10);
  });

  it('repeat when their line was deleted by hand, and come back when the end of the file was lost', async () => {
    await putExample(4);
    await run();
    const file = path.join(folder, 'try.results.jsonl');
    const lines = (await readFile(file, 'utf8')).trim().split('\n');
    const finished = lines.filter((line) => line.includes('"state":"finished"'));
    await putLines(lines.filter((line) => line !== finished[2]));
    const deleted = await run();
    assert.match(deleted.out, /1 results were restored/);
    assert.equal(sent.length, 12, 'nothing is paid again without a word');
    await putLines(lines.filter((line) => line !== finished[2]));
    assert.equal((await run(100, '--run-deleted')).code, 0);
    assert.equal(sent.length, 13, 'the deleted run is sent again');
    assert.equal((await results()).length, 12);
    const last = (await readFile(file, 'utf8')).trim().split('\n');
    await putLines(last.slice(0, -1));
    const restored = await run();
    assert.match(restored.out, /1 results were restored/);
    assert.equal(sent.length, 13);
    await putLines(last.slice(0, -1));
    await run(100, '--run-deleted');
    assert.equal(sent.length, 14);
  });

  it('come back when their folder is reached by a link', async () => {
    await putExample(1);
    await run();
    const file = path.join(folder, 'try.results.jsonl');
    const lines = (await readFile(file, 'utf8')).trim().split('\n');
    const link = path.join(folder, 'link');
    await symlink(folder, link, 'junction');
    for (const more of [[], ['--results', path.join(link, 'try.results.jsonl')]]) {
      await putLines(lines.slice(0, -1));
      const [first, , ...rest] = words(100, ...more);
      const { code, out, err } = await call(first!, path.join(link, 'try.experiment.json'), ...rest);
      assert.equal(code, 0, err);
      assert.match(out, /1 results were restored/);
    }
    assert.equal(sent.length, 3);
  });

  it('wait while an unreadable line may be theirs', async () => {
    await putExample(1);
    await run();
    const file = path.join(folder, 'try.results.jsonl');
    const lines = (await readFile(file, 'utf8')).trim().split('\n');
    await putLines([lines[0]!.slice(0, -4), ...lines.slice(1)]);
    assert.equal((await run()).code, 0, 'a run that has a result is not asked about');
    const id = /"custom_id":"([^"]+)"/.exec(lines[0]!)![1]!;
    await putLines(['nonsense', ...lines.filter((line) => !line.includes(id))]);
    // On another machine: its store has no result.
    const elsewhere = words(100).map((word) =>
      word === path.join(folder, 'state') ? path.join(folder, 'other') : word,
    );
    const stopped = await call(...elsewhere);
    assert.equal(stopped.code, 2, stopped.err);
    assert.match(stopped.err, /Line 1 of “try\.results\.jsonl” cannot be read/);
    assert.equal(sent.length, 3);
  });

  it('follow a renamed experiment, and are used when another file has them', async () => {
    await putExample(2);
    await run();
    await rename(path.join(folder, 'try.experiment.json'), path.join(folder, 'new.experiment.json'));
    const renamed = words(100).map((word) => word.replace('try.experiment', 'new.experiment'));
    const copied = await call(...renamed, '--shard', '1/1000');
    assert.equal(copied.code, 0);
    await rename(path.join(folder, 'try.results.jsonl'), path.join(folder, 'kept.jsonl'));
    const { code, out, err } = await call(...renamed);
    assert.equal(code, 0, err);
    assert.match(out, /6 of these 6 runs were paid in .*try\.results\.jsonl: their results are used/);
    assert.equal(sent.length, 6);
    assert.equal((await results('new.results.jsonl')).length, 6);
    await writeFile(path.join(folder, 'try.results.jsonl'), '');
    await put('third.experiment.json', example);
    const third = await call(
      ...words(0.001).map((word) => word.replace('try.experiment', 'third.experiment')),
    );
    assert.match(third.out, /6 of these 6 runs were paid in .*\.results\.jsonl: their results are used/);
    assert.deepEqual([third.code, sent.length], [0, 6], third.err);
  });

  it('repeat when they are unconfirmed, or count as failed, on request', async () => {
    await putExample(1);
    await sandbox.change({ faults: [{ route: 'runs', nth: 2, action: 'status:502' }] });
    const first = await run();
    assert.equal(first.code, 3);
    assert.match(first.err, /1 unconfirmed/);
    assert.match(first.err, /502/, 'what the service said is shown');
    assert.doesNotMatch(first.err, /without a response/);
    await run(100, '--retry-failed');
    assert.equal(sent.length, 3, 'it repeats failed runs only');
    const accepted = await run(100, '--accept-unconfirmed');
    assert.equal(accepted.code, 1, accepted.err);
    assert.equal(sent.length, 3);
    await sandbox.change({ faults: [] });
    const again = await run(100, '--retry-unconfirmed');
    assert.equal(again.code, 0, again.err);
    assert.match(again.err, /may be paid twice/);
    assert.equal(sent.length, 4);
  });

  it('cover the experiment once in shards, and merge into one file', async () => {
    await putExample(8);
    const shards = ['1/3', '2/3', '3/3'];
    const codes = await Promise.all(shards.map(async (shard) => (await run(100, '--shard', shard)).code));
    assert.deepEqual(codes, [0, 0, 0]);
    assert.equal(new Set(sent).size, 24);
    assert.equal(sent.length, 24);
    const files = shards.map((_, n) => path.join(folder, `try.results.${n + 1}-of-3.jsonl`));
    const merged = await call('merge', path.join(folder, 'try.results.jsonl'), ...files);
    assert.equal(merged.code, 0, merged.err);
    assert.equal((await results()).length, 24);
    await run();
    assert.equal(sent.length, 24, 'nothing is left to run');
  });

  it('upload each content once, and send one run for inputs of equal content', async () => {
    for (const [n, red] of [200, 30, 200].entries())
      await writeFile(path.join(folder, `${n}.png`), disc(red, 30, 90));
    await put('try.experiment.json', {
      run: { model: 'color-palette', input: {} },
      vary: { '/params/colors': [2, 3] },
      over: { files: '*.png', map: { '/input/image': 'file' } },
    });
    const uploads = async () => (await sandbox.ledger()).requests['upload-init'] ?? 0;
    const before = await uploads();
    const { code, err } = await run();
    assert.equal(code, 0, err);
    // The first and the third file are the same.
    assert.equal(sent.length, 4);
    assert.equal((await uploads()) - before, 2);
    assert.deepEqual(new Set((await results()).map(({ item }) => item)), new Set(['0.png', '1.png']));
  });

  it('wait for valid inputs: each problem names its fix, and no run is sent', async () => {
    const rows = (csv: string | Buffer) => writeFile(path.join(folder, 'labels.csv'), csv);
    const wrong: [RegExp, string | Buffer | undefined, object?][] = [
      [/Line 3 has 3 cells; there are 2 columns/, 'text,language\na,eng\nb,c,eng\n'],
      [/not UTF-8/, Buffer.from('text,language\ncaf\xe9,fra\n', 'latin1')],
      [/no file “labels.csv”/, undefined],
      [/no column “text”. The columns are: words, language/, 'words,language\na,eng\n'],
      [/The table is empty/, ''],
      [/row 2 .*text/, 'text,language\n"",eng\n'],
      [/no model “nowhere”/, table(1), { run: { model: 'nowhere', input: {} } }],
      [/try\.experiment\.json:1:\d+: error: /, table(1), { repeats: 0 }],
      [/top_k/, table(1), { vary: { '/params/top_k': [99] } }],
    ];
    for (const [message, csv, change] of wrong) {
      await rm(path.join(folder, 'labels.csv'), { force: true });
      if (csv !== undefined) await rows(csv);
      await put('try.experiment.json', { ...example, ...change });
      const { code, err } = await run();
      assert.match(err, message);
      assert.equal(code, 2, err);
      assert.doesNotMatch(err, /undefined|\[object| {2}at /);
    }
    assert.equal(sent.length, 0);
    assert.ok(!(await readdir(folder)).includes('try.results.jsonl'));
  });
});
