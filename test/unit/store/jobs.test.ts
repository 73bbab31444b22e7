import assert from 'node:assert/strict';
import { leaseOf } from '../../../src/store/jobs';
import type { OwnerOptions } from '../../../src/store/owners';
import type { Store } from '../../../src/store/store';
import { StoreProblem } from '../../../src/store/storeProblem';
import { useStoreFolder } from '../../support/store/openStore';
import { dataset, head, itemNamed, planned, runNamed } from '../../support/store/samples';

const problem = (kind: string) => (error: unknown) => error instanceof StoreProblem && error.kind === kind;
const closed = 'VS Code was closed.';
/** Only the test itself lets time pass. */
const silent = { beatEveryMs: 1e9 };

const states = (store: Store, job: string) => store.jobs.items(job, 0, 100).map(({ state }) => state);

describe('Jobs in the store', () => {
  const use = useStoreFolder();

  async function withJob(items = 4) {
    const store = await use.open();
    const job = await store.jobs.plan(head, planned(items));
    assert.equal(await store.jobs.takeOver(job, closed), true);
    return { store, job };
  }

  it('plans a job, with its items in order', async () => {
    const { store, job } = await withJob(1_234);
    assert.deepEqual(store.jobs.list(), [job]);
    assert.deepEqual(store.jobs.get(job.id), job);
    assert.deepEqual(store.jobs.items(job.id, 1_232, 5), [
      { ...planned(1_234)[1_232], index: 1_232, state: 'planned' },
      { ...planned(1_234)[1_233], index: 1_233, state: 'planned' },
    ]);
    assert.deepEqual(store.jobs.counts(job.id), { planned: 1_234 });
  });

  it('follows items from their upload to their outcome, and records that in the dataset', async () => {
    const { store, job } = await withJob();
    await store.jobs.uploaded(job.id, 0, { sha256: 'aa', sizeBytes: 11, modifiedMs: 2, mediaRef: 'ref' });
    const request = await store.jobs.sent(job, [0, 1]);
    assert.deepEqual(states(store, job.id), ['inFlight', 'inFlight', 'planned', 'planned']);
    await store.jobs.answered(job, request, {
      outcome: 'indexed',
      runId: 'r',
      cost: { amount: '0.2', currency: 'USD' },
      failed: [{ item: 1, reason: 'blurred' }],
    });
    await store.jobs.left(job, 2, 'failed', 'gone');
    assert.deepEqual(states(store, job.id), ['indexed', 'failed', 'failed', 'planned']);
    assert.deepEqual(store.jobs.costs(job.id), [{ amount: '0.2', currency: 'USD' }]);
    const first = store.datasets.find(dataset, '0.png');
    assert.deepEqual(
      [first?.outcome, first?.mediaRef, first?.sha256, first?.sizeBytes],
      ['indexed', 'ref', 'aa', 11],
    );
    assert.equal(store.datasets.find(dataset, '1.png')?.reason, 'blurred');
    assert.deepEqual(store.datasets.summaries(dataset.baseUrl)[0]?.counts, {
      indexed: 1,
      failed: 2,
      unknown: 0,
    });
  });

  it('sends an item again only after its request was not executed', async () => {
    const { store, job } = await withJob();
    const first = await store.jobs.sent(job, [0, 1]);
    await assert.rejects(store.jobs.sent(job, [2, 1]), problem('inFlight'));
    assert.deepEqual(states(store, job.id), ['inFlight', 'inFlight', 'planned', 'planned']);
    await store.jobs.answered(job, first, { outcome: 'returned' });
    assert.equal(store.datasets.find(dataset, '0.png'), undefined);
    const second = await store.jobs.sent(job, [0, 1]);
    assert.equal(second, first + 1);
    await store.jobs.answered(job, second, { outcome: 'indexed' });
    await assert.rejects(store.jobs.sent(job, [0]), problem('inFlight'));
  });

  it('never has an image of a dataset in flight twice, whatever job it is in', async () => {
    const { store, job } = await withJob();
    const twin = await store.jobs.plan(head, planned(4));
    await store.jobs.sent(job, [3]);
    await assert.rejects(store.jobs.sent(twin, [3]), problem('inFlight'));
    await store.jobs.sent(twin, [2]);
  });

  it('lets no window send under a lease that another has taken', async () => {
    let now = 0;
    const isAlive = () => false;
    const one = await use.open({ owner: { ...silent, pid: 1, now: () => now, isAlive } });
    const two = await use.open({ owner: { pid: 2, now: () => now, isAlive } });
    const job = await one.jobs.plan(head, planned(4));
    await one.jobs.takeOver(job, closed);
    const request = await one.jobs.sent(job, [0, 1]);
    // One stands still, as in a debugger, and looks dead.
    for (const at of [0, 800, 1_600]) {
      now = at;
      assert.equal(await two.jobs.takeOver(job, closed), at === 1_600);
    }
    await assert.rejects(one.jobs.sent(job, [2]), problem('notOwner'));
    assert.equal(two.datasets.find(dataset, '0.png')?.outcome, 'unknown');
    assert.equal(two.datasets.find(dataset, '0.png')?.reason, closed);
    // Its response comes all the same, and is better knowledge.
    await one.jobs.answered(job, request, { outcome: 'indexed', cost: { amount: '0.1' } });
    assert.equal(two.datasets.find(dataset, '0.png')?.outcome, 'indexed');
    assert.deepEqual(two.jobs.costs(job.id), [{ amount: '0.1' }]);
  });

  it('leaves out what another window has indexed since the plan, as it is now', async () => {
    const { store, job } = await withJob();
    const known = (n: number, more = {}) =>
      itemNamed(`${n}.png`, { file: `file:///files/${n}.png`, sizeBytes: 10, modifiedMs: 1, ...more });
    await store.datasets.record([
      known(0),
      known(1, { sizeBytes: 11 }),
      known(2, { outcome: 'unknown', at: job.at + 1 }),
      known(3, { outcome: 'unknown', at: job.at - 1 }),
    ]);
    await store.jobs.skipKnown(job);
    assert.deepEqual(states(store, job.id), ['skipped', 'planned', 'skipped', 'planned']);
  });

  it('removes a job that is over, and never one with requests without an outcome', async () => {
    const { store, job } = await withJob();
    const request = await store.jobs.sent(job, [0]);
    await assert.rejects(store.jobs.end(job), problem('inFlight'));
    await store.jobs.answered(job, request, { outcome: 'indexed' });
    await store.jobs.end(job);
    assert.deepEqual(store.jobs.list(), []);
    for (const table of ['job', 'job_item', 'request', 'in_flight'])
      assert.equal(
        store.database.get(`SELECT count(*) AS n FROM ${table}`, (row) => row.n),
        0,
        table,
      );
    assert.equal(store.datasets.find(dataset, '0.png')?.outcome, 'indexed');
  });
});

describe('Leases', () => {
  const use = useStoreFolder();
  const name = leaseOf(dataset);

  /** Two windows on one machine, or on two, with a clock of their own. */
  async function two(owner: OwnerOptions = {}) {
    let now = 0;
    const one = await use.open({ owner: { ...silent, pid: 11, host: 'here', ...owner } });
    const other = await use.open({ owner: { pid: 12, host: 'here', ...owner, now: () => now } });
    assert.equal(await one.leases.take(name), true);
    const tries = async (times: readonly number[]) => {
      const taken: boolean[] = [];
      for (const at of times) {
        now = at;
        taken.push(await other.leases.take(name));
      }
      return taken;
    };
    return { one, other, tries };
  }

  it('belong to one job of one window, until it lets go', async () => {
    const { one, other } = await two({ isAlive: () => true });
    assert.equal(await one.leases.take(name), false);
    assert.equal(await other.leases.take(name), false);
    assert.equal(other.leases.isHeld(name), true);
    await one.leases.release(name);
    assert.equal(other.leases.isHeld(name), false);
    assert.equal(await other.leases.take(name), true);
  });

  it('of a window that closed are free at once', async () => {
    const { one, other } = await two({ isAlive: () => true });
    await one.close();
    assert.equal(await other.leases.take(name), true);
  });

  it('of a dead process are taken over after a second and a half that was watched', async () => {
    const { tries } = await two({ isAlive: () => false });
    assert.deepEqual(await tries([0, 10, 20, 1_000, 1_400, 1_600]), [
      false,
      false,
      false,
      false,
      false,
      true,
    ]);
  });

  it('of a living process are not taken over while it beats, whatever any clock says', async () => {
    const { one, tries } = await two({ isAlive: () => true });
    const beat = () =>
      one.database.write('eventual', () => one.database.run('UPDATE owner SET beat = beat + 1'));
    for (let at = 0; at < 40; at++) {
      assert.deepEqual(await tries([at * 30_000, at * 30_000 + 29_000]), [false, false]);
      await beat();
    }
  });

  it('of a process that stands still are taken over after a minute that was watched', async () => {
    const { tries } = await two({ isAlive: () => true });
    // One who slept for an hour has not watched.
    assert.deepEqual(await tries([0, 3_600_000]), [false, false]);
    const watched = Array.from({ length: 30 }, (_, n) => 3_600_000 + n * 2_000);
    // The hour counts as five seconds.
    assert.equal((await tries(watched)).indexOf(true), 28);
  });

  it('of another machine are taken over after twenty seconds that were watched', async () => {
    let now = 0;
    const far = await use.open({ owner: { ...silent, pid: 11, host: 'there' } });
    const here = await use.open({ owner: { pid: 11, host: 'here', now: () => now, isAlive: () => false } });
    await far.leases.take(name);
    const taken: boolean[] = [];
    for (; now <= 22_000; now += 2_000) taken.push(await here.leases.take(name));
    assert.equal(taken.indexOf(true), 10);
  });

  it('beat while they are held', async () => {
    const { one } = await two({ beatEveryMs: 20 });
    const beat = () => one.database.get('SELECT max(beat) AS n FROM owner', (row) => Number(row.n)) ?? 0;
    const before = beat();
    while (beat() === before) await new Promise((resolve) => setTimeout(resolve, 50));
  });

  it('tell runs of windows that are gone', async () => {
    let now = 0;
    const one = await use.open({ owner: { ...silent, pid: 11 } });
    const other = await use.open({ owner: { now: () => now, isAlive: () => false } });
    await one.runs.put(runNamed('one', { state: 'running' }));
    assert.equal(await other.runs.settleLeft(closed), 0);
    now = 1_000;
    assert.equal(await other.runs.settleLeft(closed), 0);
    now = 2_000;
    assert.equal(await other.runs.settleLeft(closed), 1);
    assert.deepEqual([other.runs.get('one')?.state, other.runs.get('one')?.message], ['unknown', closed]);
    // The response that comes all the same is recorded over it.
    await one.runs.put(runNamed('one'));
    assert.equal(other.runs.get('one')?.state, 'finished');
    await one.datasets.record([itemNamed('a')]);
  });
});
