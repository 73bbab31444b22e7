import assert from 'node:assert/strict';
import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import type { RunRecord } from '../../../src/domain/runRecord';
import { ResultFiles } from '../../../src/store/resultFiles';
import { useStoreFolder } from '../../support/store/openStore';
import { runNamed } from '../../support/store/samples';

const DAY_MS = 86_400_000;
const ids = (runs: readonly RunRecord[]) => runs.map(({ id }) => id);
const large = (byte: number) => ({ bytes: Buffer.alloc(300_000, byte), contentType: 'image/png' });
const small = { bytes: Buffer.alloc(10), contentType: 'text/plain' };

describe('Runs in the store', () => {
  const use = useStoreFolder();
  const results = () => join(use.folder, 'store/results');

  it('read back unchanged, with any facts', async () => {
    const store = await use.open();
    const text = fc.string();
    const time = fc.nat({ max: 2 ** 40 });
    const name = fc.oneof(text, fc.constantFrom('__proto__', 'constructor', 'toString', 'hasOwnProperty'));
    const object = fc.dictionary(name, fc.jsonValue() as fc.Arbitrary<never>, { maxKeys: 2 });
    const request = { input: object, params: object };
    const record = fc.record<RunRecord>(
      {
        ...{ id: text, environment: text, baseUrl: text, modelName: text },
        draft: fc.record(
          { model: text, mode: text, scope: text, ...request },
          { requiredKeys: ['model', 'mode', 'input', 'params'] },
        ),
        request: fc.record(
          { model: text, mode: text, ...request },
          { requiredKeys: ['model', 'input', 'params'] },
        ),
        attachments: fc.array(
          fc.record(
            { uri: text, filename: text, contentType: text, sizeBytes: fc.nat(), mediaRef: text },
            { requiredKeys: ['uri', 'filename', 'contentType', 'sizeBytes'] },
          ),
          { maxLength: 2 },
        ),
        ...{ startedAt: time, sentAt: time, finishedAt: time },
        state: fc.constantFrom('running', 'finished', 'accepted', 'failed', 'unknown', 'notSent'),
        ...{ settledByUser: fc.boolean(), runId: text, status: fc.nat({ max: 599 }), message: text },
        cost: fc.record({ amount: text, currency: text }, { requiredKeys: ['amount'] }),
      },
      {
        requiredKeys: [
          ...(['id', 'environment', 'baseUrl', 'modelName', 'draft', 'attachments'] as const),
          ...(['startedAt', 'state'] as const),
        ],
      },
    );
    // A text's NUL has another sign (nul.test.ts), and JSON has no -0.
    const plain = (value: unknown) => JSON.parse(JSON.stringify(value).replaceAll('\\u0000', ''));
    await fc.assert(
      fc.asyncProperty(record.map(plain), record.map(plain), async (one: RunRecord, later: RunRecord) => {
        await store.runs.put(one);
        assert.deepEqual(store.runs.get(one.id), one);
        await store.runs.put({ ...later, id: one.id });
        assert.deepEqual(store.runs.get(one.id), { ...later, id: one.id });
      }),
      { numRuns: 60 },
    );
  });

  it('match by their outcome, their model, their service’s ID and their time', async () => {
    const { runs } = await use.open();
    const draft = { model: 'other', mode: 'm', input: {}, params: {} };
    for (const run of [
      runNamed('unknown', { state: 'unknown', startedAt: 1, runId: 'r' }),
      runNamed('accepted', { state: 'accepted', startedAt: 2, runId: 'r', baseUrl: 'https://b.example' }),
      runNamed('running', { state: 'running', startedAt: 3 }),
      runNamed('finished', { startedAt: 4, draft }),
    ])
      await runs.put(run);
    assert.deepEqual(
      [ids(runs.unsettled(9)), ids(runs.unsettled(1))],
      [['accepted', 'unknown'], ['accepted']],
    );
    assert.deepEqual(
      [ids(runs.ofModel('other', 9)), ids(runs.ofModel('sentiment', 2))],
      [['finished'], ['running', 'accepted']],
    );
    assert.equal(runs.withRunId('https://a.example', 'r')?.id, 'unknown');
    assert.equal(runs.withRunId('https://b.example', 'r')?.id, 'accepted');
    assert.equal(runs.withRunId('https://a.example', 'another'), undefined);
    assert.deepEqual([runs.count(), runs.count({ from: 2, to: 4 }), runs.countEnded()], [4, 2, 3]);
  });

  it('count as running elsewhere when another window has one, and not when only this one has', async () => {
    const [one, two] = [await use.open(), await use.open()];
    assert.deepEqual([one.runs.areRunningElsewhere(), one.runs.countEnded()], [false, 0]);
    await one.runs.put(runNamed('a', { state: 'running' }));
    assert.deepEqual([one.runs.areRunningElsewhere(), two.runs.areRunningElsewhere()], [false, true]);
    await one.runs.put(runNamed('a'));
    assert.equal(two.runs.areRunningElsewhere(), false);
  });

  it('match by the words of each of their parts', async () => {
    const { runs } = await use.open();
    const file = { uri: 'file:///a', filename: 'harbour.png', contentType: 'image/png', sizeBytes: 1 };
    const input = { text: 'red', deep: [null, 7, { list: ['blue', 'green'] }] };
    await runs.put(
      runNamed('one', {
        ...{ attachments: [file], message: 'rate limited', runId: 'run-77' },
        draft: { model: 'm', mode: 'classify', scope: 'zoo', input, params: {} },
      }),
    );
    await runs.put(runNamed('two', { draft: { model: 'n', mode: 'x', input: { text: 'red' }, params: {} } }));
    await runs.put(
      runNamed('long', {
        draft: { model: 'n', mode: 'x', input: { text: `${'y '.repeat(3_000)} tail` }, params: {} },
      }),
    );
    const found = (words: string, limit = 9) => ids(runs.search(words, limit));
    for (const words of [
      'harbour png',
      'limited rate',
      '77',
      'zoo',
      'blue green',
      'green RED',
      'Test Sentiment classify',
    ])
      assert.deepEqual(found(words).at(-1), 'one', words);
    assert.deepEqual([found('red'), found('red', 1)], [['two', 'one'], ['two']]);
    for (const words of ['tail', 'undefined', 'null', 'object', 'zoorate', '!?'])
      assert.deepEqual(found(words), [], words);
    assert.deepEqual(found('blue elephant'), []);
    assert.deepEqual(found('arbour'), []);
  });

  it('go on record even if the copy of their response cannot be kept, in a file or in the row', async () => {
    const logged: string[] = [];
    const loud = await use.open({ log: (line) => logged.push(String(line)) });
    await fs.writeFile(results(), 'a file where the folder should be');
    assert.equal(await loud.runs.put(runNamed('a'), large(1)), true);
    assert.deepEqual([loud.runs.get('a'), await loud.runs.result('a')], [runNamed('a'), undefined]);
    assert.match(logged.join('|'), /^The copy of a response could not be kept: .*(?:EEXIST|ENOTDIR)/);
    const silent = await use.open();
    assert.equal(await silent.runs.put(runNamed('b'), large(1)), true);
  });

  it('say whether their copy is whole, and keep a small one in the row', async () => {
    const { runs } = await use.open({ runs: { maxResultBytes: 10 } });
    for (const [id, bytes, truncated] of [
      ['nine', 9, false],
      ['ten', 10, false],
      ['eleven', 11, true],
    ] as const) {
      await runs.put(runNamed(id), { bytes: Buffer.alloc(bytes), contentType: 'text/plain' });
      assert.deepEqual(runs.get(id)?.result, { contentType: 'text/plain', sizeBytes: bytes, truncated });
      assert.equal((await runs.result(id))?.byteLength, Math.min(bytes, 10));
    }
    await runs.prune(undefined);
    assert.ok(runs.get('ten')?.result, 'together they have room');
    assert.equal(await runs.result('nobody'), undefined);
    await assert.rejects(fs.stat(results()), { code: 'ENOENT' });
  });

  it('lose the oldest copies, with their files, until the rest fits; the records and pinned copies stay', async () => {
    const store = await use.open({ runs: { maxTotalBytes: 650_000 } });
    const { runs } = store;
    await runs.put(runNamed('pinned'), small);
    await runs.mark('pinned', { pinned: true });
    for (let n = 1; n <= 4; n++) await runs.put(runNamed(`r${n}`), large(n));
    const before = runs.revision();
    await runs.prune(undefined);
    assert.deepEqual(ids(runs.list({ limit: 9 }).filter(({ result }) => result)).toSorted(), [
      'pinned',
      'r3',
      'r4',
    ]);
    assert.equal((await fs.readdir(results())).length, 2);
    assert.deepEqual(
      ids(runs.changedSince(before)).toSorted(),
      ['r1', 'r2'],
      'other windows show what is kept of them',
    );
    const settled = runs.revision();
    await runs.prune(undefined);
    assert.equal(runs.revision(), settled, 'there is nothing more to do');
  });

  it('disappear together in any number, but running ones only by name', async () => {
    const store = await use.open();
    const all = Array.from({ length: 450 }, (_, n) => `r${n}`);
    for (const id of all) await store.runs.put(runNamed(id));
    await store.runs.put(runNamed('running', { state: 'running' }));
    await store.runs.clear();
    assert.deepEqual(ids(store.runs.list({ limit: 9 })), ['running']);
    await store.runs.delete([]);
    await store.runs.delete(['running', 'nobody']);
    assert.equal(store.runs.count(), 0);
  });

  it('stay deleted for a day', async () => {
    const store = await use.open();
    await store.runs.delete(['today', 'yesterday']);
    await store.database.write(() =>
      store.database.run(
        'UPDATE deleted_run SET at = ? WHERE id = ?',
        Date.now() - DAY_MS - 1_000,
        'yesterday',
      ),
    );
    await store.sweep();
    assert.deepEqual(
      [await store.runs.put(runNamed('today')), await store.runs.put(runNamed('yesterday'))],
      [false, true],
    );
  });
});

describe('Copies of responses as files', () => {
  const use = useStoreFolder();
  const bytes = Buffer.from('content');

  it('share one file per content, readable by its owner only', async () => {
    const files = new ResultFiles(join(use.folder, 'deep/results'));
    const name = await files.write(bytes);
    assert.match(name, /^[0-9a-f]{64}$/);
    assert.deepEqual([await files.write(bytes), await fs.readdir(files.folder)], [name, [name]]);
    assert.deepEqual([await files.read(name), files.has(name), files.has('another')], [bytes, true, false]);
    if (process.platform !== 'win32')
      for (const [path, mode] of [
        [files.folder, 0o700],
        [join(files.folder, name), 0o600],
      ] as const)
        assert.equal((await fs.stat(path)).mode & 0o777, mode);
    files.remove(name);
    files.remove(name);
    assert.deepEqual([await files.read(name), files.has(name)], [undefined, false]);
  });

  it('count as new when they are written again, so that no cleaning removes them before their row exists', async () => {
    const files = new ResultFiles(join(use.folder, 'results'));
    const name = await files.write(bytes);
    const path = join(files.folder, name);
    await fs.utimes(path, 1, 1);
    const { ino } = await fs.stat(path);
    await files.write(bytes);
    await files.sweep(() => false);
    assert.equal((await fs.stat(path)).ino, ino, 'and the bytes are not written again');
    await fs.utimes(path, 1, 1);
    await files.sweep((owned) => owned === name);
    assert.equal(files.has(name), true);
    await files.sweep(() => false);
    assert.equal(files.has(name), false);
  });

  it('report an error if they are unreadable, instead of a missing file', async () => {
    const files = new ResultFiles(join(use.folder, 'results'));
    const name = await files.write(bytes);
    files.remove(name);
    await fs.mkdir(join(files.folder, name));
    await assert.rejects(files.read(name), { code: 'EISDIR' });
    await fs.writeFile(join(use.folder, 'a file'), '');
    await assert.rejects(
      new ResultFiles(join(use.folder, 'a file')).sweep(() => false),
      { code: 'ENOTDIR' },
    );
    await new ResultFiles(join(use.folder, 'nowhere')).sweep(() => false);
  });
});
