import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { sqlite } from '../../../src/store/sqlite';
import type { Store } from '../../../src/store/store';
import { StoreProblem } from '../../../src/store/storeProblem';
import { damageOf, readsUnwritableFolders, useStoreFolder } from '../../support/store/openStore';
import { dataset, itemNamed, runNamed } from '../../support/store/samples';

const file = (folder: string) => join(folder, 'store', 'model-bench.db');

/** For `assert.rejects`. */
const problem = (kind: string) => (error: unknown) => error instanceof StoreProblem && error.kind === kind;

describe('Opening the store', () => {
  const use = useStoreFolder();

  it('makes a database that only its user can read, in WAL mode', async () => {
    const store = await use.open();
    assert.equal(store.journal, 'wal');
    await store.datasets.record([itemNamed('a.png')]);
    const modes = async (path: string) => (await fs.stat(path)).mode & 0o777;
    if (process.platform !== 'win32') {
      assert.equal(await modes(join(use.folder, 'store')), 0o700);
      for (const suffix of ['', '-wal', '-shm'])
        assert.equal(await modes(file(use.folder) + suffix), 0o600, suffix);
    }
  });

  it('keeps existing data, and makes its mode private', async () => {
    const first = await use.open();
    await first.datasets.record([itemNamed('a.png')]);
    await first.close();
    await fs.chmod(file(use.folder), 0o644);
    const again = await use.open();
    assert.equal(again.datasets.summaries(dataset.baseUrl)[0]?.items, 1);
    if (process.platform !== 'win32') assert.equal((await fs.stat(file(use.folder))).mode & 0o777, 0o600);
  });

  it('shares the file in turns if memory cannot be shared, such as on a network disk', async () => {
    const onNetwork = { isNetworkDisk: () => true };
    const [one, two] = [await use.open(onNetwork), await use.open(onNetwork)];
    assert.equal(one.journal, 'rollback');
    await Promise.all([one, two].map((store, n) => store.datasets.record([itemNamed(`${n}.png`)])));
    assert.equal(one.datasets.summaries(dataset.baseUrl)[0]?.items, 2);
    const synchronous = (store: Store) =>
      store.database.get('PRAGMA synchronous', (row) => Number(row.synchronous));
    await one.uploads.remember({ ...dataset, sha256: 'a', mediaType: 'image' }, 'ref');
    assert.equal(synchronous(one), 3, 'EXTRA, also for what need not be durable');
  });

  it('reads a database of a newer version, and writes nothing into it', async () => {
    const store = await use.open();
    await store.datasets.record([itemNamed('a.png')]);
    await store.close();
    const { DatabaseSync } = sqlite();
    const newer = new DatabaseSync(file(use.folder));
    newer.exec('PRAGMA user_version = 99');
    newer.close();
    const read = await use.open();
    assert.equal(read.database.readOnly, 'newer');
    assert.equal(read.datasets.summaries(dataset.baseUrl)[0]?.items, 1);
    await assert.rejects(read.datasets.record([itemNamed('b.png')]), problem('readOnly'));
    await assert.rejects(read.runs.put(runNamed('a')), problem('readOnly'));
  });

  it('reports a file that is not a database, and leaves it unchanged', async () => {
    await fs.mkdir(join(use.folder, 'store'));
    await fs.writeFile(file(use.folder), 'no database at all, but the only copy of something'.repeat(200));
    await assert.rejects(use.open(), problem('damaged'));
    assert.match(await fs.readFile(file(use.folder), 'utf8'), /only copy/);
  });

  it('reports damaged pages, and replaces none', async () => {
    const store = await use.open();
    await store.datasets.record(Array.from({ length: 3_000 }, (_, n) => itemNamed(`${n}.png`)));
    assert.deepEqual(damageOf(store), []);
    await store.close();
    const bytes = await fs.readFile(file(use.folder));
    const { length } = bytes;
    // Every page but those of the schema.
    for (let page = 80; page * 4_096 < length; page++) bytes.fill(0, page * 4_096, (page + 1) * 4_096);
    await fs.writeFile(file(use.folder), bytes);
    const damaged = await use.open();
    await assert.rejects(async () => {
      for await (const _ of damaged.datasets.items(dataset));
    }, problem('damaged'));
    assert.notDeepEqual(damageOf(damaged), []);
    assert.equal((await fs.stat(file(use.folder))).size, length);
  });

  it('reports a full disk, keeps nothing of the change, and goes on when there is room', async () => {
    const store = await use.open();
    await store.datasets.record([itemNamed('a.png')]);
    const pages = store.database.get('PRAGMA page_count', (row) => Number(row.page_count)) ?? 0;
    const limit = (most: number) => store.database.get(`PRAGMA max_page_count = ${most}`, () => undefined);
    limit(pages + 1);
    const many = Array.from({ length: 500 }, (_, n) => itemNamed(`${n}.png`));
    await assert.rejects(store.datasets.record(many), problem('diskFull'));
    assert.equal(store.datasets.summaries(dataset.baseUrl)[0]?.items, 1);
    limit(1_000_000);
    await store.datasets.record(many);
    assert.equal(store.datasets.summaries(dataset.baseUrl)[0]?.items, 501);
  });

  it('reads a folder that cannot be written', async function () {
    if (process.platform === 'win32' || !readsUnwritableFolders()) return this.skip();
    const store = await use.open();
    await store.datasets.record([itemNamed('a.png')]);
    await store.close();
    const folder = join(use.folder, 'store');
    await fs.chmod(file(use.folder), 0o444);
    await fs.chmod(folder, 0o555);
    await fs.chmod(use.folder, 0o755);
    const script = new URL('../../support/store/readOnly.ts', import.meta.url);
    const child = spawn(process.execPath, ['--import', 'tsx', script.pathname, folder]);
    let said = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (data) => {
        said += data;
      });
    await once(child, 'close');
    await fs.chmod(folder, 0o755);
    assert.equal(said.trim(), 'folder 1 readOnly');
  });
});
