import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { Database } from '../../../src/store/database';
import { LogSync } from '../../../src/store/logSync';
import { openDatabase } from '../../../src/store/open';
import { sqlite } from '../../../src/store/sqlite';

/** A disk whose syncs end when the test says so. */
class SlowDisk {
  readonly begun: { readonly end: () => void; readonly fail: (error: Error) => void }[] = [];
  isClosed = false;
  readonly log = new LogSync(
    () =>
      new Promise<void>((end, fail) => {
        this.begun.push({ end, fail });
      }),
    () => {
      this.isClosed = true;
    },
  );
}

describe('A durable change', () => {
  let folder: string;
  let database: Database;
  let disk: SlowDisk;
  const settled = new Set<string>();
  const values = () => database.all('SELECT name FROM t ORDER BY rowid', (row) => row.name);
  const write = (name: string, durability: 'durable' | 'eventual' = 'durable') => {
    const made = database.write(durability, () => database.run('INSERT INTO t VALUES (?)', name));
    return made.finally(() => settled.add(name));
  };

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'durable-'));
    const { DatabaseSync } = sqlite();
    const connection = new DatabaseSync(join(folder, 'a.db'));
    connection.exec('PRAGMA journal_mode = WAL; CREATE TABLE t (name TEXT)');
    disk = new SlowDisk();
    database = new Database(connection, { folder, log: disk.log });
    settled.clear();
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('is over when it is on the disk, and holds up neither others nor those that need no sync', async () => {
    let heard = 0;
    database.onDidWrite(() => heard++);
    const first = write('first');
    while (disk.begun.length === 0) await turn();
    const others = [write('second'), write('third')];
    await write('unsynced', 'eventual');
    assert.deepEqual(values(), ['first', 'second', 'third', 'unsynced']);
    assert.deepEqual([...settled, heard], ['unsynced', 1]);
    disk.begun[0]?.end();
    await first;
    while (disk.begun.length === 1) await turn();
    assert.deepEqual([...settled], ['unsynced', 'first'], 'the sync had begun before the others were made');
    disk.begun[1]?.end();
    await Promise.all(others);
    assert.deepEqual([disk.begun.length, heard], [2, 4], 'two changes share a sync');
    await database.close();
    assert.ok(disk.isClosed);
  });

  it('is made and fails, with the disk’s problem, where it cannot be synced; the next one is synced anew', async () => {
    const failing = write('lost with the power');
    while (disk.begun.length === 0) await turn();
    disk.begun[0]?.fail(Object.assign(new Error('EIO: i/o error, fdatasync'), { code: 'EIO' }));
    await assert.rejects(failing, { name: 'StoreProblem', kind: 'io' });
    const next = write('next');
    while (disk.begun.length === 1) await turn();
    disk.begun[1]?.end();
    await next;
    assert.deepEqual(values(), ['lost with the power', 'next']);
    await database.close();
  });

  it('waits for a sync that began after it, whatever the order of changes and syncs', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.boolean(), { maxLength: 40 }), async (steps) => {
        const slow = new SlowDisk();
        let made = 0;
        let synced = 0;
        const waiting: Promise<void>[] = [];
        for (const isChange of [...steps, false]) {
          if (isChange) {
            made += 1;
            const own = made;
            const begun = slow.begun.length;
            waiting.push(
              slow.log.synced().then(() => {
                assert.ok(synced > begun, `change ${own} was over with a sync that had begun before it`);
              }),
            );
          } else if (slow.begun.length > synced) {
            slow.begun[synced]?.end();
            synced += 1;
          }
          await turn();
        }
        while (slow.begun.length > synced) {
          slow.begun[synced]?.end();
          synced += 1;
          await turn();
        }
        await Promise.all(waiting);
      }),
      { numRuns: 200 },
    );
  });

  it('is synced by the commit itself where there is no write-ahead log to sync', async () => {
    const opened = await openDatabase(join(folder, 'store'), { isNetworkDisk: () => true });
    await opened.database.write('durable', () => undefined);
    const level = () => opened.database.get('PRAGMA synchronous', (row) => row.synchronous);
    assert.equal(level(), 3);
    await opened.database.close();
    const local = await openDatabase(join(folder, 'local'), { isNetworkDisk: () => false });
    assert.ok(existsSync(`${local.file}-wal`));
    await local.database.write('durable', () => undefined);
    assert.equal(
      local.database.get('PRAGMA synchronous', (row) => row.synchronous),
      1,
      'the log is synced off the thread',
    );
    await local.database.close();
    assert.ok(!existsSync(`${local.file}-wal`), 'it is brought home at the end');
  });
});
