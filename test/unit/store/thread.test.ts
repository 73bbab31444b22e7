import assert from 'node:assert/strict';
import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { openDatabase } from '../../../src/store/open';
import { openStore, type Store, storeFolder } from '../../../src/store/store';
import { StoreProblem } from '../../../src/store/storeProblem';
import { Turns } from '../../../src/store/turns';
import { useStoreFolder, worker } from '../../support/store/openStore';
import { itemNamed } from '../../support/store/samples';

describe('The thread of the store', () => {
  const use = useStoreFolder();

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

  /**
   * A thread that notes its start and what it is asked, and replies once the file `go` is there.
   * @returns its script, and what it has noted
   */
  async function notingThread() {
    const notes = join(use.folder, 'notes');
    const go = join(use.folder, 'go');
    const script = await threadThat(`
      import { appendFileSync, existsSync } from 'node:fs';
      import { workerData } from 'node:worker_threads';
      const note = (text) => appendFileSync(${JSON.stringify(notes)}, text + '\\n');
      note(Object.values(workerData).join(' '));
      parentPort.on('message', (message) => {
        note(message);
        if (message === 'end') return parentPort.close();
        const looking = setInterval(() => {
          if (!existsSync(${JSON.stringify(go)})) return;
          clearInterval(looking);
          parentPort.postMessage('done');
        }, 2);
      });`);
    return {
      script,
      noted: async (count: number) => {
        let lines: string[] = [];
        while (lines.length < count) {
          lines = (await fs.readFile(notes, 'utf8').catch(() => '')).split('\n').filter(Boolean);
          await delay(2);
        }
        return lines;
      },
      letGo: () => fs.writeFile(go, ''),
    };
  }
  const changes = async (store: Store, count: number) => {
    for (let n = 0; n < count; n++) await store.database.write('eventual', () => undefined);
  };
  const pagesOfACommit = (store: Store) =>
    store.database.get('PRAGMA wal_autocheckpoint', (row) => Number(row.wal_autocheckpoint));

  it('brings the log home after fifty changes, and after those that came meanwhile when it has', async () => {
    const { script, noted, letGo } = await notingThread();
    const store = await use.open({ worker: script });
    const started = `checkpoints ${join(use.folder, 'store')}`;
    await changes(store, 49);
    await delay(30);
    await assert.rejects(fs.stat(join(use.folder, 'notes')), { code: 'ENOENT' });
    await changes(store, 1);
    assert.deepEqual(await noted(2), [started, 'checkpoint']);
    await changes(store, 120);
    await delay(30);
    assert.equal((await noted(2)).length, 2, 'one after another');
    await letGo();
    assert.deepEqual(await noted(3), [started, 'checkpoint', 'checkpoint']);
    await delay(30);
    await changes(store, 50);
    assert.equal((await noted(4)).at(-1), 'checkpoint');
    assert.equal(pagesOfACommit(store), 4_000);
    await store.close();
    assert.deepEqual((await noted(5)).slice(4), ['end']);
  });

  it('ends when nothing has changed for a while, and begins anew', async () => {
    const { script, noted, letGo } = await notingThread();
    await letGo();
    const { setTimeout: original } = globalThis;
    // Twenty seconds pass at once.
    globalThis.setTimeout = ((work: () => void, ms: number) =>
      original(work, ms === 20_000 ? 20 : ms)) as typeof setTimeout;
    try {
      const store = await use.open({ worker: script });
      await changes(store, 50);
      const first = await noted(3);
      assert.deepEqual(first.slice(1), ['checkpoint', 'end']);
      await changes(store, 50);
      assert.deepEqual((await noted(6)).slice(3), first);
    } finally {
      globalThis.setTimeout = original;
    }
  });

  it('is done without where it fails: each change brings home a part', async () => {
    for (const worker of [await threadThat('throw new Error("broken")'), 'no script']) {
      const store = await use.open({ worker }, join(use.folder, `store of ${worker.length}`));
      await changes(store, 50);
      while (pagesOfACommit(store) !== 250) await delay(2);
      await changes(store, 60);
      await store.close();
    }
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
    const { now } = performance;
    let at = 0;
    performance.now = () => at;
    try {
      const turns = new Turns();
      const steps = (count: number) => Array.from({ length: count }, () => turns.isOver).includes(true);
      assert.equal(steps(320), false, 'they take no time');
      at += 10;
      assert.equal(steps(31), false, 'the clock is looked at now and then');
      assert.equal(steps(1), true);
      let others = 0;
      setImmediate(() => others++);
      await turns.rest();
      assert.equal(others, 1);
      assert.equal(steps(320), false);
      at += 10;
      assert.equal(steps(32), true);
    } finally {
      performance.now = now;
    }
  });
});
