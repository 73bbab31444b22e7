import assert from 'node:assert/strict';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { Database } from '../../../src/store/database';
import { sqlite } from '../../../src/store/open';
import { json, number, oneOf, text } from '../../../src/store/rows';
import { asProblem, StoreProblem } from '../../../src/store/storeProblem';
import { eventually } from '../../support/eventually';
import { useStoreFolder } from '../../support/store/openStore';
import { itemNamed } from '../../support/store/samples';

describe('A connection to the store', () => {
  const use = useStoreFolder();
  const file = () => join(use.folder, 'store/model-bench.db');

  /** Another process that makes a change. */
  function otherChange() {
    const { DatabaseSync } = sqlite();
    const other = new DatabaseSync(file());
    other.exec('BEGIN IMMEDIATE');
    return { end: () => other.close() };
  }

  it('gives up changes together that were asked for together', async () => {
    const store = await use.open();
    const other = otherChange();
    const { now } = performance;
    let clock = 0;
    performance.now = () => (clock += 500);
    try {
      const changes = ['a', 'b', 'c', 'd'].map((name) => store.datasets.record([itemNamed(name)]));
      await Promise.all(changes.map((change) => assert.rejects(change, { kind: 'locked' })));
      assert.ok(clock > 15_000 && clock < 30_000, 'the time limit counts once, not for each');
    } finally {
      performance.now = now;
      other.end();
    }
  });

  it('makes changes that wait together in one, each as a whole or not at all', async () => {
    const { database } = await use.open();
    const other = new (sqlite().DatabaseSync)(file());
    const onDisk = () =>
      other
        .prepare('SELECT base_url FROM upload ORDER BY 1')
        .all()
        .map((row) => row.base_url);
    const announced: unknown[] = [];
    const stop = database.onDidWrite(() => announced.push(onDisk()));
    const put = (name: string) => () =>
      database.run("INSERT INTO upload VALUES (?, 'ab', 'image', 'ref', 0)", name);
    const changes = await Promise.allSettled([
      database.write(put('a')),
      database.write(() => {
        put('b')();
        throw new Error('half');
      }),
      database.write(put('c')),
    ]);
    assert.deepEqual(
      changes.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled'],
    );
    const both = ['a', 'c'];
    assert.deepEqual(announced, [both, both], 'the last is on the disk before the first is announced');
    stop();
    other.close();
  });

  it('ends a change once its log is on the disk, and fails where it is not', async () => {
    const connection = new (sqlite().DatabaseSync)(':memory:');
    connection.exec('CREATE TABLE kept (n)');
    const syncs: { readonly resolve: () => void; readonly reject: (error: Error) => void }[] = [];
    const sync = () => new Promise<void>((resolve, reject) => syncs.push({ resolve, reject }));
    const files = { areIntact: () => true, open: () => connection, sync, close: () => undefined };
    const database = new Database(connection, { folder: '/here', files });
    const put = () => database.write(() => database.run('INSERT INTO kept VALUES (1)'));
    const ends: string[] = [];
    const first = put().then(() => ends.push('first'));
    await eventually(() => assert.equal(syncs.length, 1));
    const second = put();
    assert.equal(
      database.get('SELECT count(*) AS n FROM kept', (row) => row.n),
      1,
    );
    assert.deepEqual(ends, []);
    syncs[0]!.resolve();
    await first;
    await eventually(() => assert.equal(syncs.length, 2));
    syncs[1]!.reject(Object.assign(new Error('it failed'), { code: 'EIO' }));
    await assert.rejects(second, { kind: 'io', folder: '/here' });
    await database.close();
  });

  it('writes only inside a change, and announces each change', async () => {
    const { database } = await use.open();
    const sql = "INSERT INTO upload VALUES ('u', 'ab', 'image', 'ref', 0)";
    assert.throws(() => database.run(sql), { message: `Not inside a change: ${sql}` });
    let told = 0;
    const stop = database.onDidWrite(() => told++);
    assert.equal(await database.write(() => database.run(sql)), 1);
    assert.equal(await database.write(() => database.run('DELETE FROM upload')), 1);
    await assert.rejects(
      database.write(() => {
        database.run(sql);
        throw new Error('half');
      }),
      { message: 'half' },
    );
    assert.equal(
      database.get('SELECT count(*) AS n FROM upload', (row) => row.n),
      0,
    );
    stop();
    await database.write(() => undefined);
    assert.equal(told, 2);
  });
});

describe('An error of SQLite or of the disk', () => {
  const sqliteError = (errcode: number) =>
    Object.assign(new Error('it failed'), { code: 'ERR_SQLITE_ERROR', errcode });
  const diskError = (code: string) => Object.assign(new Error('it failed'), { code });

  it('becomes the problem that its user can solve, and an unknown one stays', () => {
    for (const [kind, errors] of [
      // 4874: there is no room for the index of the write-ahead log.
      ['diskFull', [sqliteError(13), sqliteError(4_874), diskError('ENOSPC'), diskError('EDQUOT')]],
      ['io', [sqliteError(10), sqliteError(266), diskError('EIO')]],
      ['locked', [sqliteError(5), sqliteError(517), sqliteError(6)]],
      ['damaged', [sqliteError(11), sqliteError(26)]],
      ['folder', [3, 14].map(sqliteError)],
      ['folder', ['EACCES', 'EPERM', 'EROFS', 'ENOENT', 'ENOTDIR', 'EEXIST'].map(diskError)],
    ] as const)
      for (const error of errors) {
        const { name, kind: known, message, folder, cause } = asProblem(error, '/here') as StoreProblem;
        assert.deepEqual([name, known, message, folder], ['StoreProblem', kind, 'it failed', '/here']);
        assert.equal(cause, error);
      }
    for (const unknown of [sqliteError(1), diskError('EINVAL'), new Error('a mistake'), 'no error'])
      assert.equal(asProblem(unknown, '/here'), unknown);
  });
});

describe('A column of the store', () => {
  const damaged = (column: string, value: string) => (error: unknown) =>
    error instanceof StoreProblem &&
    error.kind === 'damaged' &&
    error.message === `The column ${column} holds ${value}.`;
  const row = { text: 'seven', number: 7, none: null, bytes: Uint8Array.of(7), json: '{"a":1}' };

  it('returns values of its type, and reports other values as damage', () => {
    assert.deepEqual([text(row, 'text'), number(row, 'number')], ['seven', 7]);
    assert.throws(() => text(row, 'number'), damaged('number', '7'));
    assert.throws(() => text(row, 'none'), damaged('none', 'null'));
    assert.throws(() => text(row, 'missing'), damaged('missing', 'undefined'));
    assert.throws(() => number(row, 'text'), damaged('text', 'seven'));
    assert.throws(() => number(row, 'bytes'), damaged('bytes', '7'));
    const long = { text: 'x'.repeat(100) };
    assert.throws(() => number(long, 'text'), damaged('text', 'x'.repeat(80)));
    assert.equal(oneOf(['seven'])(row, 'text'), 'seven');
    assert.throws(() => oneOf(['eight'])(row, 'text'), damaged('text', 'seven'));
    const read = json(z.object({ a: z.number() }));
    assert.deepEqual(read(row, 'json'), { a: 1 });
    assert.throws(() => read(row, 'text'), damaged('text', 'seven'));
    assert.throws(() => read(row, 'none'), damaged('none', 'null'));
    assert.throws(() => read({ json: '{"a":"1"}' }, 'json'), damaged('json', '{"a":"1"}'));
  });
});
