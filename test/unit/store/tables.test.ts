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

  it('returns an unchanged item', async () => {
    const store = await use.open();
    const item = itemNamed('a/b/c.png', { mediaRef: 'ref', outcome: 'failed', reason: 'too large' });
    await store.datasets.record([item]);
    assert.deepEqual(store.datasets.find(dataset, 'a/b/c.png'), item);
    assert.deepEqual(store.datasets.ofFile(item.file), [item]);
    assert.equal(store.datasets.find(dataset, 'a/b'), undefined);
  });

  it('keeps counts by outcome, also over another outcome', async () => {
    const store = await use.open();
    await store.datasets.record([itemNamed('a'), itemNamed('b', { outcome: 'unknown' }), itemNamed('c')]);
    await store.datasets.record([itemNamed('a', { outcome: 'failed', at: 9 }), itemNamed('b')]);
    assert.deepEqual(store.datasets.summaries(dataset.baseUrl), [
      { ...dataset, items: 3, counts: { indexed: 2, failed: 1, unknown: 0 }, lastAt: 9 },
    ]);
    assert.deepEqual(store.datasets.summaries('https://other.example'), []);
  });

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

  it('sorts names in the order of people, and finds each', async () => {
    const store = await use.open();
    const names = ['B', 'a', 'a 10', 'a 9', 'a 009', 'É', 'e', 'f', 'A', 'x\u0001y', '007', '7', '10'];
    await store.datasets.record(names.map((name) => itemNamed(name)));
    await store.datasets.record(['n 10', 'n 2', 'N 1'].map((name) => itemNamed(`${name}/1`)));
    const ids = store.datasets.itemsIn(dataset, '', { limit: 50 }).map(({ imageId }) => imageId);
    assert.deepEqual(ids.join(), '007,7,10,A,a,a 009,a 9,a 10,B,e,É,f,x\u0001y');
    for (const name of names) assert.equal(store.datasets.find(dataset, name)?.imageId, name);
    const folders = store.datasets.folders(dataset, '', { limit: 2 }).map(({ path }) => path);
    assert.deepEqual(folders, ['N 1', 'n 2']);
    assert.deepEqual(store.datasets.folders(dataset, '', { limit: 2, after: 'n 2' }), [
      { path: 'n 10', items: 1 },
    ]);
    assert.deepEqual(store.datasets.level(dataset, ''), { folders: 3, items: names.length });
    assert.deepEqual(store.datasets.level(dataset, 'n 2'), { folders: 0, items: 1 });
    assert.deepEqual(store.datasets.level(dataset, 'nowhere'), { folders: 0, items: 0 });
  });

  it('sorts numbers in names by their value, and letters without case and accents', async () => {
    const store = await use.open();
    const sorted = ['1', '02', '10', '100', '1005', '2000', '12345678901', `1${'0'.repeat(120)}`];
    const names = ['Éa', 'eb', 'EC', 'z_', 'zA', ...sorted.map((digits) => `a${digits}b`)];
    await store.datasets.record(names.toReversed().map((name) => itemNamed(name)));
    const ids = store.datasets.itemsIn(dataset, '', { limit: 50 }).map(({ imageId }) => imageId);
    assert.deepEqual(ids, [...sorted.map((digits) => `a${digits}b`), 'Éa', 'eb', 'EC', 'z_', 'zA']);
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
  });

  it('pages through more than one page', async () => {
    const store = await use.open();
    const items = Array.from({ length: 2_345 }, (_, n) => itemNamed(`${n % 7}/${n}.png`));
    await store.datasets.record(items);
    await store.datasets.record([itemNamed('a', { scope: 'other' })]);
    assert.deepEqual(await collected(store.datasets.items(dataset)), items);
    const known = await collected(store.datasets.knownFiles(dataset));
    assert.equal(known.length, items.length);
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

  it('adds a dataset by name, without items', async () => {
    const store = await use.open();
    await store.datasets.add(dataset);
    await store.datasets.add(dataset);
    assert.deepEqual(
      store.datasets.summaries(dataset.baseUrl).map(({ items }) => items),
      [0],
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

describe('Small tables of the store', () => {
  const use = useStoreFolder();

  it('adds the spending of two windows exactly', async () => {
    const [one, two] = [await use.open(), await use.open()];
    await Promise.all(
      Array.from({ length: 50 }, (_, n) => (n % 2 ? one : two).spending.add('w', dataset.baseUrl, '0.1')),
    );
    assert.equal(one.spending.of('w', dataset.baseUrl), '5');
    await one.spending.reset('w', dataset.baseUrl);
    assert.equal(two.spending.of('w', dataset.baseUrl), '0');
  });

  it('keeps the last runs of jobs of each mode', async () => {
    const { jobRuns } = await use.open();
    const run = (n: number, mode: string) => ({
      ...{ id: `${mode}${n}`, baseUrl: 'u', draft: { model: 'm', mode }, items: 16 },
      ...{ startedAt: n, sentAt: n, finishedAt: n + 1, state: 'finished' as const },
      cost: { amount: '0.1' },
    });
    await jobRuns.put([...Array.from({ length: 60 }, (_, n) => run(n, 'a')), run(1, 'b')]);
    const kept = jobRuns.list();
    assert.equal(kept.length, 41);
    assert.deepEqual(kept[0], run(59, 'a'));
  });
});
