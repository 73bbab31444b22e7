import assert from 'node:assert/strict';
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { toolNames } from '../../../src/agents/toolNames';
import { type McpProgram, startMcp } from '../../support/agents/mcpClient';
import { eventually } from '../../support/eventually';
import { type HeldRuns, startHeldRuns } from '../../support/heldRuns';
import { cliProgram } from '../../support/programs';
import { sandboxInProcess } from '../../support/sandbox';
import { disc } from '../../support/sandboxPictures';

/** An answer whose data is marked, without the random word of the marks. */
function withoutWord(text: string): string {
  const [, before, word, data] =
    /^([^<]*)<service-data-([\da-f]{12})>\n([\s\S]*)\n<\/service-data-\2>$/.exec(text) ?? [];
  assert.ok(word, text);
  return `${before}<service-data>\n${data}\n</service-data>`;
}

describe('The tools of agents over the Model Context Protocol', () => {
  let sandbox: Awaited<ReturnType<typeof sandboxInProcess>>;
  /** Before it. */
  let held: HeldRuns;
  let folder: string;
  let cli: string;
  let program: McpProgram | undefined;
  before(async () => {
    [sandbox, cli] = await Promise.all([sandboxInProcess(), cliProgram()]);
    held = await startHeldRuns(sandbox.baseUrl);
  });
  after(async () => {
    await held.close();
    await sandbox.stop();
  });
  beforeEach(async () => {
    folder = await realpath(await mkdtemp(path.join(tmpdir(), 'model-bench-mcp-')));
    await mkdir(path.join(folder, 'work'));
  });
  afterEach(async () => {
    await program?.close();
    program = undefined;
    await rm(folder, { recursive: true });
  });

  const start = async (words: readonly string[] = [], mode?: 'legacy' | { pin: string }) => {
    program = await startMcp(cli, ['--base-url', held.url, '--state', path.join(folder, 'state'), ...words], {
      cwd: path.join(folder, 'work'),
      apiKey: sandbox.apiKey,
      ...(mode && { mode }),
    });
    return program;
  };
  const runs = async () => (await sandbox.ledger()).requests.runs ?? 0;
  const sentiment = (text: string, key: string) => ({
    ...{ model: 'sentiment', input: { text }, idempotency_key: key },
  });

  for (const [era, mode] of [
    ['2025', 'legacy'],
    ['2026', { pin: '2026-07-28' }],
  ] as const)
    it(`lists ten tools to a client of ${era}, and answers it`, async () => {
      const { client, call } = await start([], mode);
      const { tools } = await client.listTools();
      assert.deepEqual(
        tools.map(({ name }) => name),
        toolNames,
      );
      const found = await call('find_models', { text: 'sentiment' });
      assert.match(found.text, /^<service-data-[\da-f]{12}>\nsentiment {2,}Sentiment/);
      assert.equal(found.isError, false);
    });

  it('describes a model, estimates a cost and lists scopes without a paid run', async () => {
    const before = await runs();
    const { call } = await start();
    assert.match((await call('describe_model', { model: 'sentiment' })).text, /input\.text +required/);
    assert.match(
      (await call('estimate_cost', { model: 'sentiment', runs: 100 })).text,
      /100 runs, about \$\d/,
    );
    assert.match((await call('list_scopes')).text, /No files were indexed/);
    assert.equal(await runs(), before);
  });

  it('says “needs approval” without an amount, beyond it, and for an unknown model', async () => {
    const before = await runs();
    const { call, close } = await start();
    assert.match((await call('run_model', sentiment('good', 'a'))).text, /Needs approval: about \$/);
    await close();
    const poor = await start(['--max-cost', '0.0000001']);
    const beyond = await poor.call('run_model', sentiment('good', 'a'));
    assert.match(beyond.text, /Needs approval/);
    assert.equal(beyond.isError, true);
    assert.equal((await poor.call('run_model', { model: 'none', idempotency_key: 'b' })).isError, true);
    assert.equal(await runs(), before);
  });

  it('runs a model once for the same idempotency key, also for another process', async () => {
    const before = await runs();
    const { call, close } = await start(['--max-cost', '1']);
    const [first, second] = await Promise.all([
      call('run_model', sentiment('a good day', 'k')),
      call('run_model', sentiment('a good day', 'k')),
    ]);
    assert.match(first.text, /"label":"positive"/);
    assert.equal(withoutWord(second.text), withoutWord(first.text));
    await close();
    const other = await start(['--max-cost', '1']);
    const again = await other.call('run_model', sentiment('a good day', 'k'));
    assert.equal(withoutWord(again.text), withoutWord(first.text));
    assert.match((await other.call('run_model', sentiment('another', 'k'))).text, /another request/);
    assert.equal(await runs(), before + 1);
  });

  it('reads no file outside its folder, through links either', async () => {
    await writeFile(path.join(folder, 'secret.png'), disc(200, 10, 10));
    await symlink(path.join(folder, 'secret.png'), path.join(folder, 'work', 'link.png'));
    const { call } = await start(['--max-cost', '1']);
    const before = await sandbox.ledger();
    for (const file of ['../secret.png', path.join(folder, 'secret.png'), 'link.png', 'file:///etc/passwd']) {
      const answer = await call('search_scope', {
        ...{ file, scope: 's', model: 'image-similarity', idempotency_key: file },
      });
      assert.match(answer.text, /outside the folders/, file);
    }
    assert.deepEqual((await sandbox.ledger()).requests, before.requests);
  });

  it('indexes a folder, searches it and lists its scope', async () => {
    await mkdir(path.join(folder, 'work', 'discs'));
    for (const n of [0, 100, 200])
      await writeFile(path.join(folder, 'work', 'discs', `${n}.png`), disc(n, 30, 30));
    const { call } = await start(['--max-cost', '1']);
    const where = { scope: 'discs', model: 'image-similarity' };
    const indexed = await call('index_files', { paths: ['discs'], ...where, idempotency_key: 'i' });
    assert.match(indexed.text, /3 of 3 files are indexed in discs/);
    const found = await call('search_scope', { file: 'discs/100.png', ...where, idempotency_key: 's' });
    assert.match(found.text, /1 {2}score \S+ {2}discs\/100\.png/);
    assert.match((await call('list_scopes')).text, /discs +image-similarity +3 indexed/);
  });

  it('returns a handle for long work, which can be read and stopped', async () => {
    const { call } = await start(['--max-cost', '1']);
    const begun = await call('run_model', { ...sentiment('slow', 'h'), wait_seconds: 0 });
    const handle = /Handle: (\S+)/.exec(begun.text)?.[1];
    assert.ok(handle, begun.text);
    assert.match((await call('read_results', { handle })).text, /"label"/);
    assert.match((await call('stop_work', { handle })).text, /No work with this handle/);
    assert.match((await call('read_results', { handle: '../../x' })).text, /no work with this handle/);
  });

  it('returns pictures of a result as small images and as paths', async () => {
    const { call } = await start(['--max-cost', '1']);
    const text = `data:image/png;base64,${disc(9, 9, 200).toString('base64')}`;
    const echo = { model: 'slow-echo', input: { text }, params: { seconds: 0 } };
    const shown = await call('run_model', { ...echo, idempotency_key: 'p' });
    assert.deepEqual(shown.others, ['image'], shown.text);
    assert.match(shown.text, /Picture: \S+\.png/);
    const hidden = await call('run_model', { ...echo, pictures: false, idempotency_key: 'q' });
    assert.deepEqual(hidden.others, []);
    assert.match(hidden.text, /Picture: \S+\.png/);
  });

  it('fetches files that a result names by address only with --fetch-media', async () => {
    for (const [words, isAsked] of [
      [[], false],
      [['--fetch-media'], true],
    ] as const) {
      const name = `/picture-${words.length}.png`;
      const { call, close } = await start(['--max-cost', '1', ...words]);
      const echo = { model: 'slow-echo', input: { text: held.url + name }, params: { seconds: 0 } };
      assert.match((await call('run_model', { ...echo, idempotency_key: name })).text, /picture-/);
      await close();
      const { timeline } = await sandbox.ledger();
      assert.equal(
        timeline.some(({ path: asked }) => asked === name),
        isAsked,
      );
    }
  });

  it('calls a run whose response is lost unconfirmed, with its ID, and does not repeat it', async () => {
    const before = await runs();
    sandbox.sandbox.faults.set([{ route: 'runs', action: 'reset-after-execute', times: 1 }]);
    const { call, close } = await start(['--max-cost', '1']);
    const lost = await call('run_model', sentiment('lost', 'l'));
    const [, handle] = /Unconfirmed: .* Call: (\S+)/.exec(lost.text) ?? [];
    assert.ok(handle, lost.text);
    const again = await call('run_model', sentiment('lost', 'l'));
    assert.equal(withoutWord(again.text), withoutWord(lost.text));
    await close();
    const other = await start(['--max-cost', '1']);
    for (const later of [
      await other.call('run_model', sentiment('lost', 'l')),
      await other.call('read_results', { handle }),
    ])
      assert.equal(withoutWord(later.text), withoutWord(lost.text));
    assert.equal(await runs(), before + 1);
  });

  it('shows and stops work of another process, and waits for a run that was sent', async () => {
    const first = await start(['--max-cost', '1']);
    const other = await start(['--max-cost', '1']);
    held.hold(0);
    const slow = { model: 'slow-echo', input: { text: 'slow' }, params: { seconds: 0 }, wait_seconds: 0 };
    const begun = await first.call('run_model', { ...slow, idempotency_key: 'slow' });
    const [, handle] = /Handle: (\S+)/.exec(begun.text) ?? [];
    await eventually(() => held.held() > 0);
    const shown = await other.call('read_results', { handle, wait_seconds: 0 });
    assert.match(shown.text, /under way in another process/);
    assert.match((await other.call('stop_work', { handle })).text, /Stopping/);
    held.release();
    assert.match((await first.call('read_results', { handle })).text, /"text":"slow"/);
    await first.close();
  });

  it('sends no further run of a job that was stopped', async () => {
    await mkdir(path.join(folder, 'work', 'many'));
    for (let n = 0; n < 160; n++)
      await writeFile(path.join(folder, 'work', 'many', `${n}.png`), disc(n, 60, 30));
    const { call } = await start(['--max-cost', '1']);
    held.hold(0);
    const where = { scope: 'many', model: 'image-similarity' };
    const begun = await call('index_files', {
      paths: ['many'],
      ...where,
      idempotency_key: 'm',
      wait_seconds: 0,
    });
    const [, handle] = /Handle: (\S+)/.exec(begun.text) ?? [];
    await eventually(() => held.held() > 0);
    await call('stop_work', { handle });
    held.release();
    const ended = await call('read_results', { handle });
    const [, indexed] = /(\d+) of 160 files are indexed/.exec(ended.text) ?? [];
    assert.ok(Number(indexed) < 160, ended.text);
    const sent = await runs();
    await call('list_scopes');
    assert.equal(await runs(), sent);
  });
});
