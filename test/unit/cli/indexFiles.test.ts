import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openStore, storeFolder } from '../../../src/store/store';
import { workspaceId } from '../../../src/store/workspaceId';
import { callHere } from '../../support/commandLine';
import { sandboxInProcess, type TestSandbox } from '../../support/sandbox';
import { disc } from '../../support/sandboxPictures';

describe('Indexing in a terminal', () => {
  let sandbox: TestSandbox;
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'model-bench-index-'));
    sandbox = await sandboxInProcess();
  });
  afterEach(async () => {
    await sandbox.stop();
    await rm(folder, { recursive: true });
  });

  const indexing = (words: readonly string[], state = 'state') => [
    ...['index', ...words, '--scope', 's', '--model', 'image-similarity'],
    ...['--base-url', sandbox.baseUrl, '--state', path.join(folder, state)],
  ];
  const as = () => ({ cwd: folder, apiKey: sandbox.apiKey });
  const call = (words: readonly string[], state?: string) =>
    callHere(indexing(['pictures', '--max-cost', '5', ...words], state), as());
  const pictures = async (count: number) => {
    await mkdir(path.join(folder, 'pictures'), { recursive: true });
    for (let n = 0; n < count; n++)
      await writeFile(path.join(folder, 'pictures', `${n}.png`), disc(n % 256, 40, 40, 12));
  };
  /** How often each picture was executed and charged. */
  const executed = async () =>
    Object.entries((await sandbox.ledger()).indexed).map(
      ([name, count]) => [name.split(' ')[2]!, count] as const,
    );
  const sum = async () => (await executed()).reduce((total, [, count]) => total + count, 0);
  const linesOf = async (name: string) =>
    (await readFile(path.join(folder, name), 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { custom_id: string; state: string });

  it('sends each file once, and only new or changed ones the next time', async () => {
    await pictures(20);
    const first = await call(['--results', 'all.jsonl']);
    assert.equal(first.code, 0, first.err);
    assert.match(first.out, /20 files, 2 runs, about \$.*\n20 of 20 files are indexed in s\.\n$/);
    assert.deepEqual([(await executed()).length, await sum()], [20, 20]);
    assert.deepEqual(
      (await linesOf('all.jsonl')).map(({ custom_id, state }) => [custom_id, state]).slice(0, 1),
      [['pictures/0.png', 'finished']],
    );
    await writeFile(path.join(folder, 'pictures', '3.png'), disc(1, 250, 40, 13));
    const second = await call([]);
    assert.equal(second.code, 0, second.err);
    assert.deepEqual(
      (await executed()).filter(([, count]) => count > 1),
      [['pictures/3.png', 2]],
    );
    const third = await call([]);
    assert.equal(third.out, '20 of 20 files are indexed in s.\n');
    assert.equal(await sum(), 21);
  });

  it('makes the same shards on every machine, and joins their outcomes', async () => {
    await pictures(20);
    for (const shard of ['1/3', '2/3', '3/3']) {
      const done = await call(['--shard', shard, '--results', `${shard[0]}.jsonl`], `state-${shard[0]}`);
      assert.equal(done.code, 0, done.err);
    }
    assert.deepEqual([(await executed()).length, await sum()], [20, 20]);
    const merged = await callHere(['merge', 'out.jsonl', '1.jsonl', '2.jsonl', '3.jsonl'], { cwd: folder });
    assert.equal(merged.code, 0, merged.err);
    assert.equal((await linesOf('out.jsonl')).length, 20);
  });

  it('counts its charges in the sum of its folder, which windows with this state share', async () => {
    await pictures(20);
    assert.equal((await call([])).code, 0);
    const store = await openStore(storeFolder(path.join(folder, 'state')));
    try {
      const charged = { spent: [{ amount: '0.01', currency: 'USD' }], reserved: [] };
      assert.deepEqual(store.spending.of(workspaceId([folder]), sandbox.baseUrl), charged);
    } finally {
      await store.close();
    }
  });
});
