import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { appendFileSync, rmSync } from 'node:fs';
import * as fs from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { datasetKey } from '../../../src/domain/dataset';
import type { Json } from '../../../src/domain/json';
import { hasOldFiles, importOldFiles } from '../../../src/store/import/importOld';
import { topics } from '../../../src/store/revisions';
import type { Store } from '../../../src/store/store';
import { oldFiles, oldJob } from '../../support/store/oldFiles';
import { useStoreFolder } from '../../support/store/openStore';
import { dataset, head, itemNamed, jobsOf, planned, runNamed } from '../../support/store/samples';

// What becomes of each line of version 0.1.0's files. import.test.ts: of all of them, in the thread that imports.

const closedReason = 'VS Code was closed.';

describe('Lines of files of version 0.1.0', () => {
  const use = useStoreFolder();
  const put = async (name: string, lines: readonly (object | string)[]) => {
    const file = join(use.folder, name);
    await fs.mkdir(dirname(file), { recursive: true });
    const text = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)));
    await fs.writeFile(file, text.join('\n'));
    return file;
  };
  const imported = async (store: Store) => {
    const places = { folder: use.folder, results: join(use.folder, 'store/results'), closedReason };
    const { files, kept } = await importOldFiles(store.database, places);
    return { files, kept: kept.map((name) => name.slice(use.folder.length + 1)) };
  };
  const exists = (name: string) =>
    fs.access(join(use.folder, name)).then(
      () => true,
      () => false,
    );

  it('are looked for in each of the files', async () => {
    assert.equal(hasOldFiles(use.folder), false);
    for (const name of ['ledger', 'uploads', 'history/runs', 'history/job-runs', 'jobs/any']) {
      const file = await put(`${name}.jsonl`, []);
      assert.equal(hasOldFiles(use.folder), true, name);
      await fs.rm(file);
    }
    await put('jobs/any.txt', []);
    assert.equal(hasOldFiles(use.folder), false);
  });

  it('are taken over, each where it belongs, and leave nothing behind', async () => {
    await oldFiles(use.folder);
    await fs.mkdir(join(use.folder, 'jobs/locks/x.lock'), { recursive: true });
    await fs.mkdir(join(use.folder, 'history/sessions'), { recursive: true });
    const store = await use.open();
    assert.deepEqual(await imported(store), { files: 4, kept: [] });
    const { datasets, runs, jobRuns, uploads } = store;
    assert.deepEqual(
      datasets
        .summaries(dataset.baseUrl)
        .map(({ scope, items, counts }) => [scope, items, counts.failed])
        .sort(),
      [
        ['again', 1, 0],
        ['empty', 0, 0],
        ['playground', 2, 1],
      ],
    );
    assert.deepEqual(datasets.find(dataset, 'a/1.png'), itemNamed('a/1.png', { at: 9, mediaRef: 'ref' }));
    assert.equal(datasets.find(dataset, 'b.png')?.reason, 'too large');
    assert.deepEqual(
      runs
        .list({ limit: 9 })
        .map(({ id }) => id)
        .sort(),
      ['large', 'running', 'small'],
    );
    assert.deepEqual(runs.get('small')?.cost, { amount: '0.5' });
    assert.equal(runs.get('running')?.state, 'running');
    assert.deepEqual(await runs.result('small'), new Uint8Array(10).fill(65));
    assert.equal((await runs.result('large'))?.length, 300_000);
    assert.deepEqual(runs.get('large')?.result, {
      contentType: 'text/plain',
      sizeBytes: 300_000,
      truncated: false,
    });
    assert.equal((await fs.readdir(join(use.folder, 'store/results'))).length, 1);
    assert.deepEqual(
      jobRuns.list().map(({ id, cost }) => [id, cost?.amount]),
      [['j', '1']],
    );
    const ref = (sha256: string) => uploads.find({ baseUrl: 'u', sha256, mediaType: 'image' });
    assert.deepEqual([ref('one'), ref('two')], ['ref1', undefined]);
    for (const name of ['ledger.jsonl', 'uploads.jsonl', 'history/runs.jsonl', 'history/job-runs.jsonl'])
      assert.equal(await exists(name), false, name);
    for (const name of ['history/results', 'history/sessions', 'jobs/locks'])
      assert.equal(await exists(name), false, name);
    assert.deepEqual(await imported(store), { files: 0, kept: [] });
  });

  it('that are none are kept beside, and the others are taken over', async () => {
    const { at: _, ...timeless } = itemNamed('no-time');
    const bad = ['{"half": ', '[]', '5', 'null', '{}'];
    await put('ledger.jsonl', [
      '{"journal": "8b1e"}',
      itemNamed('good'),
      '  ',
      ...bad,
      timeless,
      { ...itemNamed('no-hash'), sha256: 5 },
      { ...itemNamed('no-size'), sizeBytes: '10' },
      { ...itemNamed('odd'), outcome: 'lost' },
      { ...itemNamed('odd'), kind: 'item' },
      { kind: 'added', ...dataset, scope: 5, at: 1 },
      itemNamed('last'),
    ]);
    const run = { run: runNamed('r') };
    await put('history/runs.jsonl', [...bad, run, { run: { id: 'x' } }]);
    await put('history/job-runs.jsonl', bad);
    await put('uploads.jsonl', bad);
    await put('jobs/j.jsonl', bad);
    const store = await use.open();
    const { files, kept } = await imported(store);
    const names = ['history/job-runs', 'history/runs', 'jobs/j', 'ledger', 'uploads'];
    assert.deepEqual([files, kept.sort()], [5, names.map((name) => `${name}.jsonl.unreadable`)]);
    for (const name of names)
      assert.deepEqual(
        [await exists(`${name}.jsonl`), await exists(`${name}.jsonl.unreadable`)],
        [false, true],
      );
    const [summary, ...more] = store.datasets.summaries(dataset.baseUrl);
    assert.deepEqual([summary?.items, more], [2, []]);
    assert.ok(store.datasets.find(dataset, 'good') && store.datasets.find(dataset, 'last'));
    assert.deepEqual(
      store.runs.list({ limit: 9 }).map(({ id }) => id),
      ['r'],
    );
    assert.deepEqual([jobsOf(store).list(), store.jobRuns.list()], [[], []]);
  });

  it('that are records of something else are kept beside as well', async () => {
    const names = ['history/job-runs', 'history/runs', 'jobs/j', 'ledger', 'uploads'];
    for (const name of names) await put(`${name}.jsonl`, [{ from: 'another program' }]);
    const { kept } = await imported(await use.open());
    assert.deepEqual(
      kept.toSorted(),
      names.map((name) => `${name}.jsonl.unreadable`),
    );
  });

  it('of files that were unconfirmed bring them as such', async () => {
    await put('ledger.jsonl', [itemNamed('a', { outcome: 'unknown', reason: closedReason })]);
    const store = await use.open();
    await imported(store);
    assert.deepEqual(
      store.datasets.find(dataset, 'a'),
      itemNamed('a', { outcome: 'unknown', reason: closedReason }),
    );
  });

  it('of a job say nothing of a file that is known better, by a later line or in the ledger', async () => {
    await put('jobs/j.jsonl', [
      { kind: 'job', ...head, id: 'j', at: 100 },
      { kind: 'planned', items: planned(4) },
      { kind: 'sent', run: 0, items: [0] },
      { kind: 'sent', run: 1, items: [0, 1, 2] },
      { kind: 'answered', run: 1, outcome: 'indexed', at: 200 },
    ]);
    await put('ledger.jsonl', [
      itemNamed('1.png', { at: 300, outcome: 'failed', reason: 'later' }),
      itemNamed('2.png', { at: 150, outcome: 'failed', reason: 'earlier' }),
    ]);
    const store = await use.open();
    await imported(store);
    const known = (n: number) => {
      const item = store.datasets.find(dataset, `${n}.png`);
      return [item?.outcome, item?.reason];
    };
    assert.deepEqual(
      [known(0), known(1), known(2), known(3)],
      [
        ['indexed', undefined],
        ['failed', 'later'],
        ['indexed', undefined],
        [undefined, undefined],
      ],
    );
    assert.deepEqual(
      jobsOf(store)
        .items('j', 0, 9)
        .map(({ state }) => state),
      ['done', 'done', 'done', 'planned'],
    );
  });

  it('that come a second time change nothing that is newer here', async () => {
    const store = await use.open();
    const runs = [runNamed('open', { state: 'running' }), runNamed('done'), runNamed('deleted')];
    await put(
      'history/runs.jsonl',
      runs.map((run) => ({ run })),
    );
    await imported(store);
    await store.runs.delete(['deleted']);
    await put('history/runs.jsonl', [
      { run: runNamed('open', { cost: { amount: '3' } }) },
      { run: runNamed('done', { cost: { amount: '9' } }) },
      { run: runNamed('deleted') },
      { run: runNamed('new') },
    ]);
    await imported(store);
    assert.deepEqual(
      store.runs
        .list({ limit: 9 })
        .map(({ id, cost }) => [id, cost?.amount])
        .sort(),
      [
        ['done', undefined],
        ['new', undefined],
        ['open', '3'],
      ],
    );
  });

  it('of a job say what became of each of its files', async () => {
    await put('jobs/j2.jsonl', [
      { kind: 'job', ...head, id: 'j2', at: 100 },
      { kind: 'job', ...head, id: 'other', at: 1 },
      { kind: 'planned', items: planned(6) },
      { kind: 'planned', items: planned(9).slice(6) },
      ...[0, 1, 2, 3, 4, 5].map((item) => ({
        kind: 'uploaded',
        item,
        sha256: `s${item}`,
        sizeBytes: 11,
        modifiedMs: 2,
        ...(item < 2 && { mediaRef: `m${item}` }),
      })),
      { kind: 'uploaded', item: 99, sha256: 'x', sizeBytes: 1, modifiedMs: 1 },
      { kind: 'sent', run: 0, items: [0, 1] },
      {
        ...{
          kind: 'answered',
          run: 0,
          outcome: 'indexed',
          at: 200,
          runId: 'r0',
          cost: { amount: '1', currency: 'USD' },
        },
        failed: [{ item: 1, reason: 'No image.' }],
      },
      { kind: 'sent', run: 1, items: [2] },
      { kind: 'answered', run: 1, outcome: 'unknown', reason: 'Lost.', at: 201 },
      { kind: 'sent', run: 2, items: [3] },
      { kind: 'answered', run: 2, outcome: 'returned', at: 202 },
      { kind: 'answered', run: 7, outcome: 'failed', at: 203 },
      { kind: 'sent', run: 4, items: [4] },
      { kind: 'left', item: 6, outcome: 'failed', reason: 'Gone.' },
      { kind: 'left', item: 7, outcome: 'skipped' },
    ]);
    const store = await use.open();
    await store.datasets.record([itemNamed('1.png', { at: 500, outcome: 'indexed' })], 'eventual');
    assert.deepEqual(await imported(store), { files: 1, kept: [] });
    const jobs = jobsOf(store);
    assert.deepEqual(jobs.list(), [{ ...head, id: 'j2', at: 100 }]);
    const items = jobs.items('j2', 0, 99);
    assert.deepEqual(
      items
        .map(({ state, reason, at, sha256, sizeBytes }) => [state, reason, at, sha256, sizeBytes])
        .map((each, at) => (at === 4 ? [each[0], each[1], each[3]] : each)),
      [
        ['done', undefined, 200, 's0', 11],
        ['failed', 'No image.', 200, 's1', 11],
        ['unknown', 'Lost.', 201, 's2', 11],
        ['ready', undefined, 202, 's3', 11],
        ['unknown', closedReason, 's4'],
        ['ready', undefined, undefined, 's5', 11],
        ['failed', 'Gone.', undefined, undefined, 10],
        ['skipped', undefined, undefined, undefined, 10],
        ['planned', undefined, undefined, undefined, 10],
      ],
    );
    assert.deepEqual(
      items.slice(0, 3).map(({ mediaRef }) => mediaRef),
      ['m0', 'm1', undefined],
    );
    assert.deepEqual(jobs.costs('j2'), [{ amount: '1', currency: 'USD' }]);
    const known = (n: number) => {
      const found = store.datasets.find(dataset, `${n}.png`);
      return found && [found.outcome, found.at, found.reason, found.file];
    };
    assert.deepEqual(known(0), ['indexed', 200, undefined, 'file:///files/0.png']);
    assert.deepEqual(known(1), ['indexed', 500, undefined, 'file:///files/1.png'], 'what is newer stays');
    assert.deepEqual(known(2), ['unknown', 201, 'Lost.', 'file:///files/2.png']);
    assert.deepEqual([known(3), known(5), known(7)], [undefined, undefined, undefined]);
    assert.deepEqual(known(6), ['failed', 100, 'Gone.', 'file:///files/6.png']);
    assert.deepEqual(known(4)?.slice(2), [closedReason, 'file:///files/4.png']);
    assert.equal(await jobs.takeOver(jobs.list()[0]!, closedReason), true);
    assert.equal(await jobs.sent(jobs.list()[0]!, [5]), 5, 'requests are numbered on');
  });

  it('of a job that has ended, or is worked on, are not of one to be resumed', async () => {
    const file = await oldJob(use.folder);
    await fs.appendFile(file, `${JSON.stringify({ kind: 'ended', how: 'finished', at: 300 })}\n`);
    const store = await use.open();
    assert.deepEqual(await imported(store), { files: 1, kept: [] });
    assert.deepEqual(jobsOf(store).list(), []);
    assert.equal(store.datasets.find(dataset, '0.png'), undefined);
  });

  it('are read whole, however long the file is', async () => {
    const long = 'x'.repeat(700_000);
    const lines: Json[] = [1, 2, 3].map(
      (n) => ({ ...itemNamed(`${n}`, { outcome: 'failed', reason: long + n }) }) as unknown as Json,
    );
    await put('ledger.jsonl', lines as object[]);
    await fs.appendFile(join(use.folder, 'ledger.jsonl'), '\r\n\n');
    const store = await use.open();
    assert.deepEqual(await imported(store), { files: 1, kept: [] });
    for (const n of [1, 2, 3]) assert.equal(store.datasets.find(dataset, `${n}`)?.reason, long + n);
  });

  it('of a job that a window of 0.1.0 works on are left for later, with what belongs to them', async () => {
    const file = await oldJob(use.folder);
    const text = await fs.readFile(file, 'utf8');
    await fs.writeFile(file, `\n{"journal": "8b1e"}\n${text}`);
    const name = createHash('sha256').update(datasetKey(dataset)).digest('hex').slice(0, 32);
    const lock = join(use.folder, 'jobs/locks', `${name}.lock`);
    await fs.mkdir(lock, { recursive: true });
    await put('history/results/kept', ['x']);
    const store = await use.open();
    assert.deepEqual(await imported(store), { files: 0, kept: [] });
    assert.deepEqual(jobsOf(store).list(), []);
    for (const left of ['jobs/j1.jsonl', 'jobs/locks', 'history/results'])
      assert.equal(await exists(left), true, left);
    // A living window touches its lock every few seconds.
    const past = (seconds: number) => new Date(Date.now() - seconds * 1_000);
    await fs.utimes(lock, past(10), past(10));
    assert.equal((await imported(store)).files, 0);
    await fs.utimes(lock, past(20), past(20));
    assert.equal((await imported(store)).files, 1);
    assert.deepEqual(
      jobsOf(store)
        .list()
        .map(({ id }) => id),
      ['j1'],
    );
    for (const gone of ['jobs/j1.jsonl', 'jobs/locks', 'history/results'])
      assert.equal(await exists(gone), false, gone);
  });

  it('that are written while they are imported come with the next import', async () => {
    const store = await use.open();
    const file = await put('ledger.jsonl', [itemNamed('a'), '']);
    await put('history/results/of another file', ['x']);
    const add = (name: string) => appendFileSync(file, `${JSON.stringify(itemNamed(name))}\n`);
    const first = imported(store);
    add('b');
    await first;
    assert.deepEqual(store.datasets.summaries(dataset.baseUrl), [], 'it is not what was looked at');
    assert.equal(await exists('ledger.jsonl'), true);
    const stop = store.database.onDidWrite(() => add('c'));
    await imported(store);
    stop();
    assert.equal(store.datasets.summaries(dataset.baseUrl)[0]?.items, 2);
    assert.equal(await exists('ledger.jsonl'), true, 'a line came after it was read');
    assert.equal(await exists('history/results'), true, 'while a file is left, so is what may belong to it');
    await imported(store);
    assert.equal(store.datasets.summaries(dataset.baseUrl)[0]?.items, 3);
    assert.deepEqual([await exists('ledger.jsonl'), await exists('history/results')], [false, false]);
    const gone = await put('ledger.jsonl', [itemNamed('d')]);
    const last = imported(store);
    rmSync(gone);
    assert.deepEqual(await last, { files: 1, kept: [] });
    assert.equal(store.datasets.summaries(dataset.baseUrl)[0]?.items, 3);
  });

  it('are not imported again when they were, and only their removal was left', async () => {
    const store = await use.open();
    for (const [lines, keeps] of [
      [[itemNamed('a')], []],
      [[itemNamed('a'), 'torn'], ['ledger.jsonl.unreadable']],
    ] as const) {
      const file = await put('ledger.jsonl', lines);
      await fs.utimes(file, 5, 7);
      const text = await fs.readFile(file);
      assert.deepEqual((await imported(store)).kept, keeps);
      await store.datasets.forget(dataset);
      // As a process leaves it that was killed after its change.
      await fs.writeFile(file, text);
      await fs.utimes(file, 5, 7);
      assert.deepEqual(await imported(store), { files: 1, kept: keeps });
      assert.deepEqual(store.datasets.summaries(dataset.baseUrl), []);
      assert.equal(await exists('ledger.jsonl'), false);
    }
  });

  it('tell every window that something has changed', async () => {
    const store = await use.open();
    const heard = topics.map((topic) => new Promise<void>((resolve) => store.changes.on(topic, resolve)));
    await put('ledger.jsonl', [itemNamed('a')]);
    await imported(store);
    await Promise.all(heard);
  });

  it('of runs bring the copies of their responses, under whatever id', async () => {
    const LARGEST_IN_ROW = 256 * 1024;
    const odd = '../odd id';
    const hashed = createHash('sha256').update(odd).digest('hex');
    const files: readonly (readonly [string, string, number, number])[] = [
      ['in-row', 'in-row', LARGEST_IN_ROW, LARGEST_IN_ROW],
      ['as_file', 'as_file', LARGEST_IN_ROW + 1, LARGEST_IN_ROW + 1],
      [odd, hashed, 20, 50],
      ['x'.repeat(65), createHash('sha256').update('x'.repeat(65)).digest('hex'), 30, 10],
    ];
    await put(
      'history/runs.jsonl',
      [...files, ['gone', '', 0, 7] as const].map(([id, , , sizeBytes]) => ({
        run: { ...runNamed(id), result: { contentType: 'image/png', sizeBytes, truncated: false } },
      })),
    );
    for (const [, name, bytes] of files) await put(`history/results/${name}`, ['a'.repeat(bytes)]);
    const store = await use.open();
    const results = join(use.folder, 'store/results');
    assert.deepEqual(await imported(store), { files: 1, kept: [] });
    for (const [id, , bytes, told] of files) {
      const sizeBytes = Math.max(bytes, told);
      assert.deepEqual(store.runs.get(id)?.result, {
        ...{ contentType: 'image/png', sizeBytes, truncated: bytes < sizeBytes },
      });
      assert.equal(Buffer.from((await store.runs.result(id))!).toString(), 'a'.repeat(bytes), id);
    }
    assert.equal(store.runs.get('gone')?.result, undefined);
    const [file = '', ...others] = await fs.readdir(results);
    assert.deepEqual(others, [], 'only the large one is a file');
    if (process.platform !== 'win32') {
      assert.equal((await fs.stat(join(results, file))).mode & 0o777, 0o600);
      assert.equal((await fs.stat(results)).mode & 0o777, 0o700);
    }
  });

  it('of runs share a copy that is there already', async () => {
    const bytes = Buffer.alloc(300_000, 97);
    const store = await use.open();
    await store.runs.put(runNamed('here'), { bytes, contentType: 'text/plain' });
    await put('history/runs.jsonl', [
      { run: { ...runNamed('old'), result: { contentType: 'text/plain', sizeBytes: 1, truncated: false } } },
    ]);
    await fs.mkdir(join(use.folder, 'history/results'));
    await fs.writeFile(join(use.folder, 'history/results/old'), bytes);
    assert.deepEqual(await imported(store), { files: 1, kept: [] });
    await store.runs.delete(['here']);
    assert.equal((await store.runs.result('old'))?.byteLength, 300_000);
  });
});
