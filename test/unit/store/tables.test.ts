import assert from 'node:assert/strict';
import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { useStoreFolder } from '../../support/store/openStore';
import { dataset, itemNamed } from '../../support/store/samples';

async function collected<T>(pages: AsyncIterable<readonly T[]>): Promise<T[]> {
  const all: T[] = [];
  for await (const page of pages) all.push(...page);
  return all;
}

describe('Datasets in the store', () => {
  const use = useStoreFolder();

  it('counts unknown items, and returns none of a missing dataset', async () => {
    const store = await use.open();
    await store.datasets.record([
      ...[itemNamed('a'), itemNamed('b', { outcome: 'unknown' }), itemNamed('c', { outcome: 'unknown' })],
      itemNamed('d', { outcome: 'failed' }),
    ]);
    const [summary] = store.datasets.summaries(dataset.baseUrl);
    assert.deepEqual([summary?.items, summary?.counts], [4, { indexed: 1, failed: 1, unknown: 2 }]);
    const nobody = { ...dataset, scope: 'nobody' };
    assert.deepEqual(await collected(store.datasets.items(nobody)), []);
    assert.deepEqual(await collected(store.datasets.knownFiles(nobody)), []);
    assert.deepEqual(await store.datasets.itemsWith(nobody, 'failed'), []);
  });

  it('lists a tree a level at a time, with how many items are below each folder', async () => {
    const store = await use.open();
    const names = ['top.png', 'a/1.png', 'a/2.png', 'a/b/3.png', 'a-b/4.png', '/root/5.png', 'x//y.png'];
    await store.datasets.record(names.map((name) => itemNamed(name)));
    await store.datasets.record(names.map((name) => itemNamed(name)));
    assert.deepEqual(store.datasets.folders(dataset, '', { limit: 9 }), [
      { path: '/root', items: 1 },
      { path: 'a', items: 3 },
      { path: 'a-b', items: 1 },
      { path: 'x', items: 1 },
    ]);
    assert.deepEqual(store.datasets.folders(dataset, 'a', { limit: 9 }), [{ path: 'a/b', items: 1 }]);
    assert.deepEqual(store.datasets.folders(dataset, '', { limit: 1, after: 'a' }), [
      { path: 'a-b', items: 1 },
    ]);
    assert.deepEqual(
      ['', 'a', 'a/b', 'none'].map((folder) => store.datasets.level(dataset, folder)),
      [
        { folders: 4, items: 1 },
        { folders: 1, items: 2 },
        { folders: 0, items: 1 },
        { folders: 0, items: 0 },
      ],
    );
    const page = (after?: string) =>
      store.datasets
        .itemsIn(dataset, 'a', { limit: 1, ...(after && { after }) })
        .map(({ imageId }) => imageId);
    assert.deepEqual([page(), page('1.png'), page('2.png')], [['a/1.png'], ['a/2.png'], []]);
    assert.deepEqual(
      (await collected(store.datasets.items(dataset))).map(({ imageId }) => imageId),
      names,
    );
  });

  it('finds the items that failed or are unconfirmed, and items by their files', async () => {
    const store = await use.open();
    const items = [
      itemNamed('b', { outcome: 'failed' }),
      itemNamed('a'),
      itemNamed('c', { outcome: 'unknown' }),
    ];
    await store.datasets.record(items);
    await store.datasets.record([itemNamed('b', { scope: 'other', outcome: 'failed' })]);
    assert.deepEqual(await store.datasets.itemsWith(dataset, 'failed'), [items[0]]);
    assert.deepEqual(await store.datasets.itemsWith(dataset, 'unknown'), [items[2]]);
    const from = (file: string) =>
      store.datasets.byFile(file, 2).map(({ imageId, scope }) => [imageId, scope]);
    assert.deepEqual(
      from('file:///files/b').map(([id]) => id),
      ['b', 'b'],
    );
    assert.deepEqual(from('file:///files/b0'), [['c', 'playground']]);
    await store.datasets.record(['e', 'f'].map((name) => itemNamed(name, { outcome: 'unknown' })));
    const some = await store.datasets.itemsWith(dataset, 'unknown', 2);
    assert.deepEqual(
      some.map(({ imageId }) => imageId),
      ['c', 'e'],
    );
  });

  it('forgets a dataset at once, removes its rows later, and starts again when it is indexed again', async () => {
    const store = await use.open();
    await store.datasets.record(Array.from({ length: 1_200 }, (_, n) => itemNamed(`a/${n}.png`)));
    await store.datasets.forget(dataset);
    assert.deepEqual(store.datasets.summaries(dataset.baseUrl), []);
    assert.deepEqual(store.datasets.ofFile('file:///files/a/1.png'), []);
    await store.datasets.record([itemNamed('b.png')]);
    await store.sweep();
    assert.equal(store.datasets.summaries(dataset.baseUrl)[0]?.items, 1);
    assert.equal(
      store.database.get('SELECT count(*) AS n FROM item', (row) => row.n),
      1,
    );
    assert.equal(
      store.database.get('SELECT count(*) AS n FROM dataset', (row) => row.n),
      1,
    );
  });
});

describe('The write-ahead log', () => {
  const use = useStoreFolder();
  const sizeOf = async (name: string) => (await fs.stat(join(use.folder, 'store', name))).size;
  /**
   * Grows when all of the log is in the database and a change begins it again: SQLite's WAL format, "checkpoint
   * sequence number".
   */
  const logNumber = async () =>
    (await fs.readFile(join(use.folder, 'store/model-bench.db-wal'))).readUInt32BE(12);
  /** Less than it holds when only SQLite itself brings it home. */
  const LARGEST_LOG_BYTES = 12_000_000;

  it('returns to the database file while changes are made, so that it stays small', async () => {
    const store = await use.open();
    const log = await logNumber();
    for (let n = 0; (await logNumber()) === log; n++)
      await store.datasets.record([itemNamed(String(n), { reason: 'x'.repeat(8_000) })]);
    assert.ok((await sizeOf('model-bench.db-wal')) < LARGEST_LOG_BYTES);
    await store.close();
    await assert.rejects(sizeOf('model-bench.db-wal'));
  });
});
