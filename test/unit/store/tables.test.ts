import assert from 'node:assert/strict';
import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { hasTextIndex, useStoreFolder } from '../../support/store/openStore';
import { dataset, itemNamed, runNamed } from '../../support/store/samples';

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

describe('The history in the store', () => {
  const use = useStoreFolder();

  it('returns an unchanged run, and its later record', async () => {
    const store = await use.open();
    const run = runNamed('one', {
      sentAt: 2,
      cost: { amount: '0.0125', currency: 'USD' },
      settledByUser: true,
    });
    assert.equal(await store.runs.put({ ...run, state: 'running' }), true);
    await store.runs.put(run);
    assert.deepEqual(store.runs.get('one'), run);
  });

  it('lists pages, newest first', async () => {
    const store = await use.open();
    for (const n of [3, 1, 2]) await store.runs.put(runNamed(`r${n}`, { startedAt: n }));
    const ids = (before?: string) =>
      store.runs.list({ limit: 2, ...(before && { before }) }).map(({ id }) => id);
    assert.deepEqual([ids(), ids('r2')], [['r3', 'r2'], ['r1']]);
    assert.deepEqual(
      store.runs.ofModel('sentiment', 2).map(({ id }) => id),
      ['r3', 'r2'],
    );
  });

  it('finds runs by the beginnings of their words', async function () {
    if (!hasTextIndex()) return this.skip();
    const store = await use.open();
    const text = (words: string) => ({
      draft: { model: 'm', mode: 'x', input: { deep: [{ text: words }] }, params: {} },
    });
    await store.runs.put(runNamed('bicycle', text('A red bicycle; "quoted" AND more')));
    await store.runs.put(runNamed('car', text('A red car')));
    const found = (words: string) => store.runs.search(words, 10).map(({ id }) => id);
    assert.deepEqual(found('red'), ['car', 'bicycle']);
    assert.deepEqual(found('BICY red'), ['bicycle']);
    assert.deepEqual(found('"quo'), ['bicycle']);
    assert.deepEqual(found('red*) OR'), []);
    assert.deepEqual(found(' '), []);
    await store.runs.put(runNamed('car', text('A blue car')));
    assert.deepEqual(found('red'), ['bicycle']);
    await store.runs.delete(['bicycle']);
    assert.deepEqual(found('red'), []);
  });

  it('keeps small responses in the row, and large ones in a file that goes with its last run', async () => {
    const store = await use.open({ runs: { maxResultBytes: 400_000 } });
    const results = join(use.folder, 'store/results');
    const large = Buffer.alloc(500_000, 7);
    const response = (bytes: Uint8Array) => ({ bytes, contentType: 'application/json' });
    await store.runs.put(runNamed('small'), response(Buffer.from('{}')));
    await store.runs.put(runNamed('one'), response(large));
    await store.runs.put(runNamed('two'), response(large));
    assert.equal(Buffer.from((await store.runs.result('small'))!).toString(), '{}');
    assert.deepEqual(Buffer.from((await store.runs.result('two'))!), large.subarray(0, 400_000));
    assert.deepEqual(store.runs.get('one')?.result, {
      contentType: 'application/json',
      sizeBytes: 500_000,
      truncated: true,
    });
    assert.equal((await fs.readdir(results)).length, 1);
    await store.runs.delete(['one']);
    assert.equal((await fs.readdir(results)).length, 1);
    await store.runs.delete(['two']);
    assert.deepEqual(await fs.readdir(results), []);
  });

  it('keeps the record of a run where there is no room for the copy of its response', async () => {
    const logged: string[] = [];
    const store = await use.open({ log: (message) => logged.push(message) });
    await store.runs.put(runNamed('before'));
    const pages = store.database.get('PRAGMA page_count', (row) => Number(row.page_count)) ?? 0;
    store.database.get(`PRAGMA max_page_count = ${pages + 10}`, () => undefined);
    const response = { bytes: Buffer.alloc(200_000), contentType: 'application/octet-stream' };
    await store.runs.put(runNamed('paid'), response);
    assert.deepEqual(store.runs.get('paid'), runNamed('paid'));
    assert.match(logged.join(), /copy of a response could not be kept/);
  });

  it('deletes old files without a run, and keeps new ones', async () => {
    const store = await use.open();
    const results = join(use.folder, 'store/results');
    await fs.mkdir(results);
    for (const name of ['old', 'young']) await fs.writeFile(join(results, name), '');
    await fs.utimes(join(results, 'old'), 1, 1);
    await store.sweep();
    assert.deepEqual(await fs.readdir(results), ['young']);
  });

  it('keeps the last runs of each kind, and as many of the last copies as fit', async () => {
    const store = await use.open({ runs: { maxTotalBytes: 25 } });
    for (let n = 0; n < 6; n++) {
      const response = { bytes: Buffer.alloc(10), contentType: 'text/plain' };
      await store.runs.put(runNamed(`p${n}`, { startedAt: n }), response);
      await store.runs.put(runNamed(`i${n}`, { startedAt: n, source: 'indexing' }));
    }
    await store.runs.put(runNamed('now', { startedAt: 0, state: 'running' }));
    await store.runs.prune(4);
    const left = store.runs.list({ limit: 50 });
    assert.deepEqual(left.map(({ id }) => id).sort(), [
      'i2',
      'i3',
      'i4',
      'i5',
      'now',
      'p2',
      'p3',
      'p4',
      'p5',
    ]);
    assert.deepEqual(left.flatMap(({ id, result }) => (result ? id : [])).sort(), ['p4', 'p5']);
  });

  it('does not bring back a deleted run by a late record', async () => {
    const store = await use.open();
    await store.runs.put(runNamed('one', { state: 'running' }));
    await store.runs.delete(['one']);
    assert.equal(await store.runs.put(runNamed('one')), false);
    assert.equal(store.runs.get('one'), undefined);
  });

  it('reports changes of one window to every window', async () => {
    const [one, two] = [await use.open(), await use.open()];
    const before = two.runs.revision();
    const reported = [one, two].map(
      (store) => new Promise<void>((resolve) => store.changes.on('runs', resolve)),
    );
    two.changes.on('jobs', () => assert.fail('No job has changed.'));
    await one.runs.put(runNamed('one'));
    await Promise.all(reported);
    assert.deepEqual(
      two.runs.changedSince(before).map(({ id }) => id),
      ['one'],
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
