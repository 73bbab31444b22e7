import assert from 'node:assert/strict';
import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { openDatabase } from '../../../src/store/open';
import { sqlite } from '../../../src/store/sqlite';
import { openStore, storeFolder } from '../../../src/store/store';
import { StoreProblem } from '../../../src/store/storeProblem';
import { Turns } from '../../../src/store/turns';
import { oldFiles } from '../../support/store/oldFiles';
import { useStoreFolder, worker } from '../../support/store/openStore';
import { dataset, itemNamed } from '../../support/store/samples';

describe('The thread of the store', () => {
  const use = useStoreFolder();
  const file = () => join(use.folder, 'store/model-bench.db');

  /** A thread that does something else than it is asked. */
  async function threadThat(does: string): Promise<string> {
    const script = join(use.folder, 'thread.mjs');
    await fs.writeFile(script, `import { parentPort } from 'node:worker_threads';\n${does}`);
    return script;
  }

  it('reports what keeps it from its work as the store itself would', async () => {
    const store = await use.open();
    await fs.rename(join(use.folder, 'store'), join(use.folder, 'moved'));
    await fs.writeFile(join(use.folder, 'store'), 'a file where the folder was');
    await assert.rejects(store.check(), (error) => {
      assert.ok(error instanceof StoreProblem);
      assert.deepEqual([error.kind, error.folder], ['folder', join(use.folder, 'store')]);
      assert.match(error.message, /cannot be written/);
      return true;
    });
    await fs.rm(join(use.folder, 'store'));
  });

  it('is a failure when it fails, ends without a word, or says what went wrong', async () => {
    for (const [does, fails] of [
      ['throw new Error("broken")', { message: 'broken' }],
      ['', { message: 'The worker of the store ended without a result.' }],
      ['parentPort.postMessage({ message: "as it was" })', { name: 'Error', message: 'as it was' }],
      [
        'parentPort.postMessage({ kind: "io", message: "disk" })',
        { name: 'StoreProblem', kind: 'io', message: 'disk' },
      ],
    ] as const) {
      const store = await use.open({ worker: await threadThat(does) });
      await assert.rejects(store.check(), fails);
    }
    const store = await use.open({
      worker: await threadThat('parentPort.postMessage({ result: ["torn"] })'),
    });
    assert.deepEqual(await store.check(), ['torn']);
  });

  it('is not asked for what is not there, or cannot be brought over', async () => {
    const lines: string[] = [];
    const log = (line: unknown) => lines.push(String(line));
    const noThread = await threadThat('throw new Error("nobody asked")');
    const empty = join(use.folder, 'empty');
    await fs.mkdir(empty);
    await use.open({ oldFolder: empty, worker: noThread, log });
    const { DatabaseSync } = sqlite();
    const newer = new DatabaseSync(file());
    newer.exec('PRAGMA user_version = 99');
    newer.close();
    await oldFiles(empty);
    const read = await use.open({ oldFolder: empty, worker: noThread, log });
    assert.equal(read.database.readOnly, 'newer');
    assert.deepEqual(lines, []);
  });

  it('brings over what version 0.1.0 kept, and says what of it cannot be read', async () => {
    const old = join(use.folder, 'old');
    await fs.mkdir(old);
    await oldFiles(old);
    await fs.appendFile(join(old, 'ledger.jsonl'), '\ntorn\n');
    const lines: string[] = [];
    const log = (line: unknown) => lines.push(String(line));
    const store = await use.open({ oldFolder: old, log });
    assert.ok(store.datasets.find(dataset, 'a/1.png'));
    assert.deepEqual(lines, [
      'Imported 4 files of version 0.1.0.',
      'Lines of 1 files could not be read. They are kept.',
    ]);
    const quiet = join(use.folder, 'quiet');
    await fs.mkdir(quiet);
    await oldFiles(quiet);
    lines.length = 0;
    await use.open({ oldFolder: quiet, log }, join(use.folder, 'another store'));
    assert.deepEqual(lines, ['Imported 4 files of version 0.1.0.']);
  });

  it('that cannot bring them over leaves them, and the store closed', async () => {
    const old = join(use.folder, 'old');
    await fs.mkdir(old);
    await oldFiles(old);
    const before = await fs.readdir(old, { recursive: true });
    await assert.rejects(
      use.open({
        oldFolder: old,
        worker: await threadThat('parentPort.postMessage({ kind: "diskFull", message: "full" })'),
      }),
      (error) =>
        error instanceof StoreProblem &&
        error.kind === 'diskFull' &&
        error.folder === join(use.folder, 'store'),
    );
    assert.deepEqual(await fs.readdir(old, { recursive: true }), before);
    // Nobody has it open any more: its log is gone.
    assert.deepEqual(await fs.readdir(join(use.folder, 'store')), ['model-bench.db']);
  });

  it('is needed neither where there is no log, nor where nothing is written', async () => {
    const started = join(use.folder, 'started');
    const notes = await threadThat(
      `import { writeFileSync } from 'node:fs'; writeFileSync(${JSON.stringify(started)}, '');`,
    );
    const store = await use.open({ isNetworkDisk: () => true, worker: notes });
    for (let n = 0; n < 60; n++) await store.datasets.record([itemNamed(String(n))], 'eventual');
    await store.close();
    await assert.rejects(fs.stat(started), { code: 'ENOENT' });
  });

  it('ends with the store, however often it was needed', async () => {
    const { open } = use;
    const store = await open();
    for (let n = 0; n < 120; n++) await store.datasets.record([itemNamed(String(n))], 'eventual');
    await store.close();
    assert.deepEqual(await fs.readdir(join(use.folder, 'store')), ['model-bench.db']);
    await store.close();
  });

  it('stands in a folder of its own below the extension’s', async () => {
    const folder = storeFolder(use.folder);
    await (await openStore(folder, { worker })).close();
    assert.deepEqual(await fs.readdir(join(use.folder, 'store')), ['model-bench.db']);
    const { database } = await openDatabase(folder);
    await database.close();
  });
});

describe('Turns of a long loop', () => {
  it('are over only after a while, and begin anew when others have run', async () => {
    const steps = (turns: Turns, count: number) =>
      Array.from({ length: count }, () => turns.isOver).includes(true);
    const busy = (ms: number) => {
      const until = performance.now() + ms;
      while (performance.now() < until);
    };
    const turns = new Turns();
    assert.equal(steps(turns, 31), false, 'the clock is looked at now and then');
    busy(10);
    assert.equal(steps(turns, 1), true);
    let others = 0;
    setImmediate(() => others++);
    await turns.rest();
    assert.equal(others, 1);
    busy(10);
    assert.equal(steps(turns, 31), false);
    assert.equal(steps(turns, 1), true);
  });
});
