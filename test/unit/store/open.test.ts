import assert from 'node:assert/strict';
import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { sqlite } from '../../../src/store/open';
import type { Store } from '../../../src/store/store';
import { damageOf, useStoreFolder } from '../../support/store/openStore';
import { dataset, itemNamed, runNamed } from '../../support/store/samples';

const setting = ({ database }: Store, name: string) =>
  database.get(`PRAGMA ${name}`, (row) => Object.values(row)[0]);
const settings = (store: Store) =>
  ['journal_mode', 'synchronous', 'foreign_keys', 'cell_size_check', 'temp_store'].map((name) =>
    setting(store, name),
  );
const itemCount = (store: Store) => store.datasets.summaries(dataset.baseUrl)[0]?.items;

describe('Opening the store', () => {
  const use = useStoreFolder();
  const folder = () => join(use.folder, 'store');
  const file = () => join(folder(), 'model-bench.db');

  /** Another program's connection to the database, after it has run some SQL. */
  async function elsewhere(sql: string) {
    await fs.mkdir(folder(), { recursive: true });
    const other = new (sqlite().DatabaseSync)(file());
    other.exec(sql);
    return other;
  }

  /** A store with one item and one run, closed again. */
  async function madeBefore(): Promise<void> {
    const store = await use.open();
    await store.datasets.record([itemNamed('a.png')]);
    await store.runs.put(runNamed('a'));
    await store.close();
  }

  it('makes a database that only its user can read, with synced changes and no files elsewhere', async () => {
    const store = await use.open();
    await store.datasets.record([itemNamed('a.png')]);
    assert.deepEqual(settings(store), ['wal', 1, 1, 1, 2]);
    if (process.platform === 'win32') return;
    const modeOf = async (path: string) => (await fs.stat(path)).mode & 0o777;
    assert.equal(await modeOf(folder()), 0o700);
    for (const name of await fs.readdir(folder())) assert.equal(await modeOf(join(folder(), name)), 0o600);
  });

  it('shares the file in turns on a network disk, where memory cannot be shared', async () => {
    await madeBefore();
    const onNetwork = { isNetworkDisk: (path: string) => path === folder() };
    const [one, two] = [await use.open(onNetwork), await use.open(onNetwork)];
    assert.deepEqual(settings(one).slice(0, 2), ['delete', 3]);
    await Promise.all([one, two].map((store, n) => store.datasets.record([itemNamed(`${n}.png`)])));
    assert.equal(itemCount(one), 3);
  });

  it('waits for a program that holds the file, up to a time limit, and for no change of it', async () => {
    await madeBefore();
    const other = await elsewhere('BEGIN IMMEDIATE');
    await (await use.open({ patienceMs: 0 })).close();
    other.exec('ROLLBACK; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
    await assert.rejects(use.open({ patienceMs: 0 }), { kind: 'locked', folder: folder() });
    const opened = use.open();
    other.close();
    assert.equal(itemCount(await opened), 1);
  });

  it('leaves a file unchanged in which the tables cannot be made', async () => {
    // The first things of the store can be made beside it, and the last cannot.
    (await elsewhere('CREATE TABLE upload (mine TEXT)')).close();
    await assert.rejects(use.open(), /upload/);
    const after = await elsewhere("INSERT INTO upload VALUES ('it is not held either')");
    assert.deepEqual(
      after
        .prepare('SELECT name, user_version FROM sqlite_schema, pragma_user_version')
        .all()
        .map(({ name, user_version }) => [name, user_version]),
      [['upload', 0]],
    );
    after.close();
  });

  it('starts beside the store of another version, leaves that unchanged, and names its folder once', async () => {
    const aside: string[] = [];
    const open = (folder: string) => use.open({ onSetAside: (other) => aside.push(other) }, folder);
    const [of1, of2] = [1, 2].map((version) => join(use.folder, 'storage', `store-${version}`)) as [
      string,
      string,
    ];
    await (await open(of1)).datasets.record([itemNamed('a.png')]);
    assert.deepEqual(aside, []);
    for (const _twice of [1, 2]) assert.equal(itemCount(await open(of2)), undefined);
    assert.deepEqual([aside, itemCount(await open(of1))], [[of1], 1]);
  });

  it('reports a file that is not a database, and leaves it unchanged', async () => {
    await fs.mkdir(folder());
    await fs.writeFile(file(), 'no database at all, but the only copy of something'.repeat(200));
    await assert.rejects(use.open(), { kind: 'damaged' });
    assert.match(await fs.readFile(file(), 'utf8'), /only copy/);
  });

  it('reports damaged pages, and replaces none', async () => {
    const store = await use.open();
    await store.datasets.record(Array.from({ length: 3_000 }, (_, n) => itemNamed(`${n}.png`)));
    assert.deepEqual(damageOf(store), []);
    await store.close();
    const bytes = await fs.readFile(file());
    const { length } = bytes;
    // Every page but those of the schema.
    for (let page = 80; page * 4_096 < length; page++) bytes.fill(0, page * 4_096, (page + 1) * 4_096);
    await fs.writeFile(file(), bytes);
    const damaged = await use.open();
    await assert.rejects(
      async () => {
        for await (const _ of damaged.datasets.items(dataset));
      },
      { kind: 'damaged' },
    );
    assert.notDeepEqual(damageOf(damaged), []);
    assert.equal((await fs.stat(file())).size, length);
  });

  it('reports a full disk, keeps nothing of the change, and goes on when there is room', async () => {
    const store = await use.open();
    await store.datasets.record([itemNamed('a.png')]);
    const limit = (most: number) => setting(store, `max_page_count = ${most}`);
    limit(Number(setting(store, 'page_count')) + 1);
    const many = Array.from({ length: 500 }, (_, n) => itemNamed(`${n}.png`));
    await assert.rejects(store.datasets.record(many), { kind: 'diskFull' });
    assert.equal(itemCount(store), 1);
    limit(1_000_000);
    await store.datasets.record(many);
    assert.equal(itemCount(store), 501);
  });

  describe('in a folder that cannot be written', () => {
    before(function () {
      if (process.platform === 'win32') this.skip();
    });

    /** As a user who may read everything here, and write nothing. */
    async function unwritable<T>(act: () => Promise<T>): Promise<T> {
      sqlite();
      for (const name of await fs.readdir(folder())) await fs.chmod(join(folder(), name), 0o444);
      await fs.chmod(folder(), 0o555);
      await fs.chmod(use.folder, 0o755);
      const isRoot = process.getuid?.() === 0;
      if (isRoot) process.seteuid?.(65_534);
      try {
        return await act();
      } finally {
        if (isRoot) process.seteuid?.(0);
        await fs.chmod(folder(), 0o755);
      }
    }

    it('reports a problem of the folder with or without a file in it', async () => {
      const fails = () => unwritable(() => assert.rejects(use.open(), { kind: 'folder', folder: folder() }));
      await fs.mkdir(folder());
      await fails();
      await madeBefore();
      await fails();
    });
  });
});
