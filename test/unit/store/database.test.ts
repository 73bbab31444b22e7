import assert from 'node:assert/strict';
import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import * as z from 'zod/mini';
import { openDatabase } from '../../../src/store/open';
import { json, number, oneOf, text } from '../../../src/store/rows';
import { sqlite } from '../../../src/store/sqlite';
import { StoreProblem } from '../../../src/store/storeProblem';
import { readsUnwritableFolders, useStoreFolder } from '../../support/store/openStore';
import { dataset, itemNamed, runNamed } from '../../support/store/samples';

const problem = (kind: string) => (error: unknown) => error instanceof StoreProblem && error.kind === kind;

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

  it('waits for changes of other processes before its own, up to a time limit', async () => {
    const store = await use.open({ changePatienceMs: 10_000 });
    const other = otherChange();
    let isMade = false;
    const change = store.datasets.record([itemNamed('a')]).then(() => {
      isMade = true;
    });
    await delay(60);
    assert.equal(isMade, false);
    assert.deepEqual(store.datasets.summaries(dataset.baseUrl), [], 'what is read does not wait');
    other.end();
    await change;
    assert.equal(store.datasets.summaries(dataset.baseUrl)[0]?.items, 1);
    const hasty = await use.open({ changePatienceMs: 150 });
    const again = otherChange();
    const started = performance.now();
    await assert.rejects(hasty.datasets.record([itemNamed('b')]), problem('locked'));
    assert.ok(performance.now() - started >= 150);
    again.end();
    await hasty.datasets.record([itemNamed('b')]);
  });

  it('writes only inside a change, and announces each change', async () => {
    const { database } = await use.open();
    const sql = "INSERT INTO spending VALUES ('w', 'u', '1', 0)";
    assert.throws(() => database.run(sql), { message: `Not inside a change: ${sql}` });
    let told = 0;
    const stop = database.onDidWrite(() => told++);
    assert.equal(await database.write(() => database.run(sql)), 1);
    assert.equal(await database.write(() => database.run('DELETE FROM spending')), 1);
    await assert.rejects(
      database.write(() => {
        database.run(sql);
        throw new Error('half');
      }),
      { message: 'half' },
    );
    assert.equal(
      database.get('SELECT count(*) AS n FROM spending', (row) => row.n),
      0,
    );
    stop();
    await database.write(() => undefined);
    assert.equal(told, 2);
  });

  it('says why it is read only', async () => {
    await (await use.open()).close();
    const { DatabaseSync } = sqlite();
    const newer = new DatabaseSync(file());
    newer.exec('PRAGMA user_version = 99');
    newer.close();
    const store = await use.open();
    await assert.rejects(store.runs.put(runNamed('a')), (error) => {
      assert.ok(error instanceof StoreProblem);
      assert.deepEqual(
        [error.kind, error.reason, error.folder, error.message],
        ['readOnly', 'newer', join(use.folder, 'store'), 'Opened to read only: newer.'],
      );
      return true;
    });
    // Nor by a question that changes something.
    const asks = () =>
      store.database.all("INSERT INTO spending VALUES ('w', 'u', '1', 0) RETURNING spent", () => 1);
    assert.throws(asks, problem('readOnly'));
    const bytes = await fs.readFile(file());
    await store.sweep();
    await store.close();
    assert.deepEqual(await fs.readFile(file()), bytes);
  });

  it('leaves a file unchanged that cannot be upgraded', async () => {
    await fs.mkdir(join(use.folder, 'store'));
    const { DatabaseSync } = sqlite();
    const strange = new DatabaseSync(file());
    // The first things of the store can be made beside it, and the last cannot.
    strange.exec('CREATE TABLE upload (mine TEXT)');
    strange.close();
    await assert.rejects(use.open(), /upload/);
    const after = new DatabaseSync(file());
    assert.deepEqual(
      after
        .prepare('SELECT name FROM sqlite_schema')
        .all()
        .map(({ name }) => name),
      ['upload'],
    );
    assert.equal(after.prepare('PRAGMA user_version').get()?.user_version, 0);
    after.close();
  });
});

describe('A folder of the store that cannot be written', () => {
  const use = useStoreFolder();
  const folder = () => join(use.folder, 'store');
  const file = () => join(folder(), 'model-bench.db');

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

  before(function () {
    if (process.platform === 'win32' || !readsUnwritableFolders()) this.skip();
  });

  it('opens for reading, from the file alone or with the log beside it', async () => {
    const store = await use.open();
    await store.datasets.record([itemNamed('a')]);
    const read = () =>
      unwritable(async () => {
        const { database, journal } = await openDatabase(folder());
        const items = database.all('SELECT file FROM item', (row) => row.file);
        await assert.rejects(
          database.write(() => undefined),
          (error) => error instanceof StoreProblem && error.kind === 'readOnly' && error.reason === 'folder',
        );
        await database.close();
        return { readOnly: database.readOnly, journal, items };
      });
    assert.deepEqual(await read(), { readOnly: 'folder', journal: 'wal', items: ['file:///files/a'] });
    await store.close();
    assert.deepEqual(await fs.readdir(folder()), ['model-bench.db']);
    const { items, readOnly } = await read();
    assert.deepEqual([items, readOnly], [['file:///files/a'], 'folder']);
    assert.deepEqual(await fs.readdir(folder()), ['model-bench.db']);
  });

  it('causes a problem that names it, when it is empty or unreadable', async () => {
    const fails = (message: RegExp) =>
      unwritable(() =>
        assert.rejects(openDatabase(folder()), (error) => {
          assert.ok(error instanceof StoreProblem);
          assert.deepEqual([error.kind, error.folder], ['folder', folder()]);
          assert.match(error.message, message);
          return true;
        }),
      );
    await fs.mkdir(folder());
    await fails(/^The folder of the store cannot be written \(folder\)\.$/);
    await fs.writeFile(file(), '');
    await fails(/model-bench\.db is empty, and its folder cannot be written\.$/);
    const { DatabaseSync } = sqlite();
    const earlier = new DatabaseSync(file());
    earlier.exec('PRAGMA user_version = 1');
    earlier.close();
    await fails(/model-bench\.db is of an earlier version, and its folder cannot be written\.$/);
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
