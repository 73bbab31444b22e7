import assert from 'node:assert/strict';
import { join } from 'node:path';
import { sqlite } from '../../../src/store/open';
import { topics } from '../../../src/store/revisions';
import type { Store } from '../../../src/store/store';
import { eventually } from '../../support/eventually';
import { useStoreFolder } from '../../support/store/openStore';
import { dataset, head, itemNamed, jobsOf, planned, runNamed } from '../../support/store/samples';

const closed = 'VS Code was closed.';

describe('Other windows', () => {
  const use = useStoreFolder();

  it('receive each kind of change by its own name', async () => {
    const store = await use.open();
    const jobs = jobsOf(store);
    const heard: string[] = [];
    for (const topic of topics) store.changes.on(topic, () => heard.push(topic));
    const hears = async (act: () => Promise<unknown>) => {
      heard.length = 0;
      await act();
      for (let n = 0; n < 50 && heard.length === 0; n++)
        await new Promise((resolve) => setTimeout(resolve, 5));
      return [...new Set(heard)];
    };
    let job = await jobs.plan(head, planned(1));
    await hears(async () => undefined);
    const plan = async () => {
      job = await jobs.plan(head, planned(1));
    };
    assert.deepEqual(await hears(plan), ['jobs']);
    assert.deepEqual(await hears(() => jobs.end(job)), ['jobs']);
    assert.deepEqual(await hears(() => store.datasets.record([itemNamed('a')])), ['datasets']);
    assert.deepEqual(await hears(() => store.datasets.forget(dataset)), ['datasets']);
    assert.deepEqual(await hears(() => store.datasets.add(dataset)), ['datasets']);
    assert.deepEqual(await hears(() => store.runs.put(runNamed('a'))), ['runs']);
    assert.deepEqual(await hears(() => store.runs.mark('a', { pinned: true })), ['runs']);
    assert.deepEqual(await hears(() => store.runs.delete(['a'])), ['runs']);
    assert.deepEqual(await hears(() => store.pastJobs.delete(['a'])), ['runs']);
    assert.deepEqual(await hears(() => store.jobRuns.put([])), ['jobRuns']);
    assert.deepEqual(await hears(() => store.agentGrants.end()), ['agents']);
    assert.deepEqual(await hears(() => store.spending.write(() => undefined)), ['spending']);
  });
});

describe('A listener for changes', () => {
  const use = useStoreFolder();
  const record = (store: Store) => store.datasets.record([itemNamed('a')]);
  const soon = () => new Promise((resolve) => setTimeout(resolve, 20));

  it('receives each wanted change until it stops, and no others', async () => {
    const store = await use.open();
    const heard: string[] = [];
    const stopOne = store.changes.on('datasets', () => heard.push('one'));
    store.changes.on('datasets', () => heard.push('two'));
    store.changes.on('runs', () => heard.push('runs'));
    await record(store);
    await soon();
    assert.deepEqual(heard.splice(0), ['one', 'two']);
    stopOne();
    await record(store);
    await soon();
    assert.deepEqual(heard.splice(0), ['two']);
    store.changes.report();
    assert.deepEqual(heard, [], 'nothing is new');
  });

  it('receives no earlier changes, even after all have stopped', async () => {
    const store = await use.open();
    await record(store);
    const heard: string[] = [];
    const stop = store.changes.on('datasets', () => heard.push('first'));
    await soon();
    assert.deepEqual(heard.slice(), []);
    stop();
    await record(store);
    await soon();
    store.changes.report();
    store.changes.on('datasets', () => heard.push('second'));
    await soon();
    store.changes.report();
    assert.deepEqual(heard.slice(), []);
    await record(store);
    await soon();
    assert.deepEqual(heard, ['second']);
  });

  it('receives changes once that come together, and no change after the store is closed', async () => {
    const store = await use.open();
    let heard = 0;
    store.changes.on('datasets', () => heard++);
    await store.database.write(() => store.datasets.recordNow([itemNamed('a')]));
    await soon();
    assert.equal(heard, 1);
    const last = record(store);
    await store.close();
    await last.catch(() => undefined);
    await soon();
    assert.equal(heard, 1);
  });

  it('receives changes of other windows, and the log reports when they cannot be read', async () => {
    const lines: string[] = [];
    const one = await use.open({ log: (line) => lines.push(String(line)) });
    const other = await use.open();
    const heard = new Promise<void>((resolve) => one.changes.on('datasets', resolve));
    await record(other);
    await heard;
    await one.database.close();
    await eventually(() =>
      assert.match(lines[0] ?? '', /^Changes of other windows could not be read: .*closed/),
    );
  });
});

describe('The owner of a lease', () => {
  const use = useStoreFolder();
  const owners = (store: Store) =>
    store.database.all('SELECT id, beat FROM owner', (row) => Number(row.beat));

  it('stays known while it holds a lease; an idle window writes no beats', async () => {
    const one = await use.open({ owner: { beatEveryMs: 5 } });
    assert.deepEqual(owners(one), []);
    await one.database.write(() => one.leases.take('work'));
    const [first] = owners(one);
    await eventually(() => assert.ok(owners(one)[0]! > first!));
    await one.leases.release('work');
    await eventually(() => assert.deepEqual(owners(one), []));
    // Changes are seen before they have ended.
    await one.database.write(() => undefined);
    let writes = 0;
    one.database.onDidWrite(() => writes++);
    await new Promise((resolve) => setTimeout(resolve, 40));
    assert.equal(writes, 0);
    await one.runs.put(runNamed('a', { state: 'running' }));
    assert.equal(owners(one).length, 1, 'a run that is under way is something to lose');
  });

  it('counts as alive while its process is, as far as this machine knows', async () => {
    let now = 0;
    const watches = await use.open({ owner: { now: () => now } });
    for (const [pid, isGone] of [
      [process.pid, false],
      [2 ** 22 + 1, true],
    ] as const) {
      const one = await use.open({ owner: { pid, beatEveryMs: 1e9 } });
      await one.database.write(() => one.leases.take(`work ${pid}`));
      watches.leases.isHeld(`work ${pid}`);
      now += 3_000;
      assert.equal(watches.leases.isHeld(`work ${pid}`), !isGone);
      assert.equal(await watches.database.write(() => watches.leases.take(`work ${pid}`)), isGone);
    }
  });
});

describe('A lease that could not be given back', () => {
  const use = useStoreFolder();
  const name = 'work';

  /** A window that gives its lease back while another program makes a change for too long. */
  async function withUnreleased() {
    const store = await use.open({ changePatienceMs: 50, owner: { beatEveryMs: 150 } });
    await store.database.write(() => store.leases.take(name));
    const { DatabaseSync } = sqlite();
    const other = new DatabaseSync(join(use.folder, 'store/model-bench.db'));
    other.exec('BEGIN IMMEDIATE');
    await assert.rejects(store.leases.release(name), { name: 'StoreProblem', kind: 'locked' });
    assert.equal(store.leases.isHeld(name), true);
    other.close();
    return store;
  }

  it('goes back with a beat', async () => {
    const store = await withUnreleased();
    while (store.leases.isHeld(name)) await new Promise((resolve) => setTimeout(resolve, 10));
  });

  it('stays when it is taken again meanwhile', async () => {
    const store = await withUnreleased();
    await store.database.write(() => {
      store.database.run('DELETE FROM lease');
      assert.equal(store.leases.take(name), true);
    });
    const beat = () => store.database.get('SELECT max(beat) AS n FROM owner', (row) => Number(row.n)) ?? 0;
    const before = beat();
    while (beat() < before + 2) await new Promise((resolve) => setTimeout(resolve, 10));
    assert.equal(store.leases.isHeld(name), true);
  });
});

describe('The items of a job', () => {
  const use = useStoreFolder();

  it('record when they were sent, or that they were not', async () => {
    const store = await use.open();
    const told: unknown[] = [];
    const jobs = store.jobs(jobsOf(store).kind, {
      record: (_job, items, { sentAt }) => void told.push([items.length, sentAt !== undefined]),
      recordedAt: () => undefined,
      isDone: () => false,
      recordLate: () => undefined,
    });
    const job = await jobs.plan(head, planned(3));
    await jobs.takeOver(job, closed);
    await jobs.left(job, [0], 'failed', 'gone');
    await jobs.left(job, [1], 'skipped');
    await jobs.answered(job, await jobs.sent(job, [2]), { outcome: 'failed' });
    assert.deepEqual(told, [
      [1, false],
      [1, true],
    ]);
  });
});
