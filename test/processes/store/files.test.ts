import assert from 'node:assert/strict';
import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { openStore } from '../../../src/store/store';
import type { StoreProblem } from '../../../src/store/storeProblem';
import { useStoreFolder } from '../../support/store/openStore';
import { dataset, itemNamed } from '../../support/store/samples';
import { start, useBundled } from '../children/childProcess';

const log = 'model-bench.db-wal';

describe('The files of the store', () => {
  const use = useStoreFolder();
  const visitor = useBundled('./visitor.ts');
  const folder = () => join(use.folder, 'store');
  const inode = async (name: string) => (await fs.stat(join(folder(), name))).ino;

  /** Another process opens the store and closes it; resolves to the items that it found. */
  async function visit(): Promise<number> {
    const other = start(visitor.file, [folder()]);
    let printed = '';
    other.process.stdout?.on('data', (data) => {
      printed += data;
    });
    await other.ended;
    return Number(printed.replace('items: ', ''));
  }

  // SQLite up to 3.50 deletes the log of a process that has lost its lock; newer ones have a guard.
  it('stay locked while a process opens the store a second time', async () => {
    const store = await use.open();
    await store.datasets.record([itemNamed('before')]);
    const before = await inode(log);
    await (await openStore(folder())).close();
    assert.equal(await visit(), 1);
    assert.equal(await inode(log), before, 'the visitor found the store in use');
    await store.datasets.record([itemNamed('after')]);
    assert.equal(await visit(), 2);
  });

  it('lock for all other processes', async () => {
    const store = await use.open();
    await store.datasets.record([itemNamed('a')]);
    if (process.platform !== 'linux') return;
    const database = await inode('model-bench.db');
    // Other file systems have files of the same number, which other processes lock. The kernel's list may name a lock
    // twice, under another number, when others change while it is read.
    const held = async () => {
      const lines = (await fs.readFile('/proc/locks', 'utf8')).split('\n');
      const ours = lines.filter(
        (line) => line.includes(` ${process.pid} `) && line.includes(`:${database} `),
      );
      return new Set(ours.map((line) => line.replace(/^\d+: /, '')));
    };
    assert.equal((await held()).size, 1);
    await (await openStore(folder())).close();
    assert.equal((await held()).size, 1);
  });

  /** A store with an item, and the kinds of problems that it reports. */
  async function opened() {
    const told: StoreProblem[] = [];
    const store = await use.open({ onReplaced: (problem) => told.push(problem) });
    await store.datasets.record([itemNamed('before')]);
    return { store, kinds: () => told.map(({ kind }) => kind) };
  }

  it('reopen when the log was deleted, and the loss is reported once', async () => {
    const { store, kinds } = await opened();
    for (const name of [log, 'model-bench.db-shm']) await fs.rm(join(folder(), name));
    await store.datasets.record([itemNamed('after')]);
    await store.datasets.record([itemNamed('later')]);
    assert.deepEqual(kinds(), ['replaced']);
    assert.equal(await visit(), 3, 'the deleted log is saved before the database is opened again');
    assert.equal(store.datasets.summaries(dataset.baseUrl)[0]?.items, 3);
  });

  /** Deletes the log; another process records an item in a new one, and keeps the store open. */
  async function otherLog() {
    for (const name of [log, 'model-bench.db-shm']) await fs.rm(join(folder(), name));
    const other = start(visitor.file, [folder(), 'another', 'stays']);
    await other.said('items: ');
    return { end: () => other.process.kill('SIGKILL') };
  }

  it('reopen when another process has begun a new log, which is kept', async () => {
    const { store, kinds } = await opened();
    const other = await otherLog();
    await store.datasets.record([itemNamed('after')]);
    assert.deepEqual(kinds(), ['replaced']);
    assert.ok(store.datasets.find(dataset, 'another'));
    assert.ok(store.datasets.find(dataset, 'after'));
    other.end();
  });

  it('reopen when the folder was replaced, and the old one stays unchanged', async () => {
    const { store, kinds } = await opened();
    await fs.rename(folder(), join(use.folder, 'moved'));
    const before = await fs.readFile(join(use.folder, 'moved/model-bench.db'));
    await store.datasets.record([itemNamed('after')]);
    assert.deepEqual(kinds(), ['replaced']);
    assert.equal(await visit(), 1);
    assert.deepEqual(await fs.readFile(join(use.folder, 'moved/model-bench.db')), before);
  });

  it('fail a change while they cannot be opened again, and serve the next one when they can', async () => {
    const { store, kinds } = await opened();
    await fs.rename(folder(), join(use.folder, 'moved'));
    await fs.writeFile(folder(), 'a file in the place of the folder');
    await assert.rejects(store.datasets.record([itemNamed('a')]), { kind: 'folder' });
    assert.throws(() => store.datasets.summaries(dataset.baseUrl), { kind: 'replaced' });
    await fs.rm(folder());
    await fs.rename(join(use.folder, 'moved'), folder());
    await store.datasets.record([itemNamed('b')]);
    assert.deepEqual(kinds(), ['replaced']);
    assert.equal(store.datasets.summaries(dataset.baseUrl)[0]?.items, 2);
  });

  it('reopen in a window that only reads, as soon as it looks for changes', async () => {
    const { store, kinds } = await opened();
    const changed = new Promise<void>((resolve) => {
      store.changes.on('datasets', resolve);
    });
    const other = await otherLog();
    await changed;
    assert.deepEqual(kinds(), ['replaced']);
    assert.ok(store.datasets.find(dataset, 'another'));
    other.end();
  });
});
