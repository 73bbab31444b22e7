import assert from 'node:assert/strict';
import type { OwnerOptions } from '../../../src/store/owners';
import type { Store } from '../../../src/store/store';
import { useStoreFolder } from '../../support/store/openStore';
import { dataset, head, itemNamed, jobsOf, planned, runNamed } from '../../support/store/samples';

const closed = 'VS Code was closed.';
/** Only the test itself lets time pass. */
const silent = { beatEveryMs: 1e9 };

const states = (store: Store, job: string) =>
  jobsOf(store)
    .items(job, 0, 100)
    .map(({ state }) => state);

describe('Jobs in the store', () => {
  const use = useStoreFolder();

  async function withJob(items = 4) {
    const store = await use.open();
    const jobs = jobsOf(store);
    const job = await jobs.plan(head, planned(items));
    assert.equal(await jobs.takeOver(job, closed), true);
    return { store, jobs, job };
  }

  /** Two windows; the first is suspended, as in a debugger, and looks dead, until the second has its job. */
  async function twoWindows() {
    let now = 0;
    const isAlive = () => false;
    const one = await use.open({ owner: { ...silent, pid: 1, now: () => now, isAlive } });
    const two = await use.open({ owner: { pid: 2, now: () => now, isAlive } });
    const standStill = async (job: Parameters<ReturnType<typeof jobsOf>['takeOver']>[0]) => {
      for (const at of [0, 800, 1_600]) {
        now = at;
        assert.equal(await jobsOf(two).takeOver(job, closed), at === 1_600);
      }
    };
    return { one, two, standStill };
  }

  it('follows items from their upload to their outcome, and records that in the dataset', async () => {
    const { store, jobs, job } = await withJob();
    const [item] = jobs.items(job.id, 0, 1);
    await jobs.prepared(job, { ...item!, sha256: 'aa', sizeBytes: 11, modifiedMs: 2, mediaRef: 'ref' });
    const request = await jobs.sent(job, [0, 1]);
    assert.deepEqual(states(store, job.id), ['inFlight', 'inFlight', 'planned', 'planned']);
    await jobs.answered(job, request, {
      outcome: 'done',
      runId: 'r',
      cost: { amount: '0.2', currency: 'USD' },
      failed: [{ item: 1, reason: 'blurred' }],
    });
    await jobs.left(job, [2], 'failed', 'gone');
    assert.deepEqual(states(store, job.id), ['done', 'failed', 'failed', 'planned']);
    assert.deepEqual(jobs.costs(job.id), [{ amount: '0.2', currency: 'USD' }]);
    const first = store.datasets.find(dataset, '0.png');
    assert.deepEqual(
      [first?.outcome, first?.mediaRef, first?.sha256, first?.sizeBytes],
      ['indexed', 'ref', 'aa', 11],
    );
    for (const id of ['0.png', 'ref']) assert.deepEqual(store.datasets.ofHit(dataset, id), first, id);
    assert.equal(store.datasets.ofHit({ ...dataset, scope: 'other' }, 'ref'), undefined);
    assert.equal(store.datasets.find(dataset, '1.png')?.reason, 'blurred');
    assert.deepEqual(store.datasets.summaries(dataset.baseUrl)[0]?.counts, {
      indexed: 1,
      failed: 2,
      unknown: 0,
    });
  });

  it('sends an item again only after its request was not executed', async () => {
    const { store, jobs, job } = await withJob();
    const first = await jobs.sent(job, [0, 1]);
    await assert.rejects(jobs.sent(job, [2, 1]), { kind: 'inFlight' });
    assert.deepEqual(states(store, job.id), ['inFlight', 'inFlight', 'planned', 'planned']);
    await jobs.answered(job, first, { outcome: 'returned' });
    assert.equal(store.datasets.find(dataset, '0.png'), undefined);
    const second = await jobs.sent(job, [0, 1]);
    assert.equal(second, first + 1);
    await jobs.answered(job, second, { outcome: 'done' });
    await assert.rejects(jobs.sent(job, [0]), { kind: 'inFlight' });
  });

  it('never has an image of a dataset in flight twice, in any jobs', async () => {
    const { jobs, job } = await withJob();
    const twin = await jobs.plan(head, planned(4));
    await jobs.sent(job, [3]);
    await assert.rejects(jobs.sent(twin, [3]), { kind: 'notOwner' });
    await jobs.release(job);
    const twice = await jobs.plan(head, [...planned(2), ...planned(2)]);
    await jobs.takeOver(twice, closed);
    await jobs.sent(twice, [1]);
    await assert.rejects(jobs.sent(twice, [3]), { kind: 'inFlight' });
    await jobs.sent(twice, [2]);
  });

  it('lets no window send under a lease that another has taken', async () => {
    const { one, two, standStill } = await twoWindows();
    const job = await jobsOf(one).plan(head, planned(4));
    await jobsOf(one).takeOver(job, closed);
    const request = await jobsOf(one).sent(job, [0, 1]);
    await standStill(job);
    await assert.rejects(jobsOf(one).sent(job, [2]), { kind: 'notOwner' });
    assert.equal(two.datasets.find(dataset, '0.png')?.outcome, 'unknown');
    assert.equal(two.datasets.find(dataset, '0.png')?.reason, closed);
    // Its response comes all the same, and is better knowledge.
    await jobsOf(one).answered(job, request, { outcome: 'done', cost: { amount: '0.1' } });
    assert.equal(two.datasets.find(dataset, '0.png')?.outcome, 'indexed');
    assert.deepEqual(jobsOf(two).costs(job.id), [{ amount: '0.1' }]);
    assert.equal(jobsOf(two).unpriced(job.id), 0);
  });

  for (const late of ['done', 'failed', 'unknown'] as const)
    it(`keeps a later request’s outcome of an item when an earlier one turns out to be ${late}`, async () => {
      const { one, two, standStill } = await twoWindows();
      const job = await jobsOf(one).plan(head, planned(2));
      await jobsOf(one).takeOver(job, closed);
      const early = await jobsOf(one).sent(job, [0, 1]);
      await standStill(job);
      const calledUnknown = two.datasets.find(dataset, '0.png')?.at;
      await jobsOf(two).release(job);
      // The user asks for it again; meanwhile the file has been edited.
      const again = await jobsOf(two).plan(head, planned(1));
      await jobsOf(two).takeOver(again, closed);
      const [item] = jobsOf(two).items(again.id, 0, 1);
      await jobsOf(two).prepared(again, { ...item!, sha256: 'edited' });
      const later = await jobsOf(two).sent(again, [0]);
      while (Date.now() === calledUnknown) await new Promise(setImmediate);
      await jobsOf(two).answered(again, later, { outcome: 'done' });
      await jobsOf(one).answered(job, early, { outcome: late, reason: 'late', cost: { amount: '0.1' } });
      assert.deepEqual(jobsOf(two).costs(job.id), [{ amount: '0.1' }]);
      const known = one.datasets.find(dataset, '0.png');
      assert.deepEqual([known?.outcome, known?.sha256], ['indexed', 'edited']);
      // For the other item there is no other record.
      const other = one.datasets.find(dataset, '1.png');
      assert.equal(other?.outcome, late === 'done' ? 'indexed' : late);
      assert.equal(other?.reason, late === 'unknown' ? closed : 'late');
    });

  it('lets no job that has lost its lease send under that of another job of its window', async () => {
    const { one, two, standStill } = await twoWindows();
    const job = await jobsOf(one).plan(head, planned(4));
    await jobsOf(one).takeOver(job, closed);
    await standStill(job);
    await jobsOf(two).release(job);
    const later = await jobsOf(one).plan(head, planned(4));
    assert.equal(await jobsOf(one).takeOver(later, closed), true);
    await assert.rejects(jobsOf(one).sent(job, [0]), { kind: 'notOwner' });
    await jobsOf(one).release(job);
    assert.equal(jobsOf(two).isWorkedOn(later), true, 'the first lets go of nothing that is the second’s');
    await jobsOf(one).sent(later, [0]);
  });

  it('fails or skips only items that wait, and only for the window that works on the job', async () => {
    const { store, jobs, job } = await withJob();
    await jobs.sent(job, [0]);
    await jobs.left(job, [0, 1], 'skipped');
    assert.deepEqual(states(store, job.id), ['inFlight', 'skipped', 'planned', 'planned']);
    const other = await use.open();
    await assert.rejects(jobsOf(other).left(job, [2], 'failed', 'gone'), { kind: 'notOwner' });
    assert.equal(store.datasets.find(dataset, '2.png'), undefined);
  });

  it('sends nothing more of a job that another window has ended', async () => {
    const { jobs, job } = await withJob();
    await jobsOf(await use.open()).end(job);
    await assert.rejects(jobs.sent(job, [0]), { kind: 'notOwner' });
  });

  it('keeps the outcomes of a request both in the job and in the dataset, or in neither', async () => {
    const { store, job } = await withJob();
    const failing = store.jobs(jobsOf(store).kind, {
      record: () => assert.fail('no room'),
      recordedAt: () => undefined,
      isDone: () => false,
      recordLate: () => undefined,
    });
    const request = await failing.sent(job, [0, 1]);
    await assert.rejects(failing.answered(job, request, { outcome: 'done' }), /no room/);
    assert.deepEqual(states(store, job.id), ['inFlight', 'inFlight', 'planned', 'planned']);
  });

  it('removes a job that has ended, but never one with requests without an outcome', async () => {
    const { store, jobs, job } = await withJob();
    const request = await jobs.sent(job, [0]);
    await assert.rejects(jobs.end(job), { kind: 'inFlight' });
    await jobs.answered(job, request, { outcome: 'done' });
    await jobs.end(job);
    assert.deepEqual(jobs.list(), []);
    for (const table of ['job', 'job_item', 'request', 'in_flight'])
      assert.equal(
        store.database.get(`SELECT count(*) AS n FROM ${table}`, (row) => row.n),
        0,
        table,
      );
    assert.equal(store.datasets.find(dataset, '0.png')?.outcome, 'indexed');
  });
});

describe('Remains of jobs', () => {
  const use = useStoreFolder();
  const DAY_MS = 86_400_000;
  const rows = (store: Store) =>
    ['job', 'job_item', 'request'].map((table) =>
      store.database.get(`SELECT count(*) AS n FROM ${table}`, (row) => Number(row.n)),
    );

  it('disappear a day after their planning was cut short, with all rows', async () => {
    const store = await use.open();
    const jobs = jobsOf(store);
    const cut = await jobs.plan(head, planned(1_234));
    const young = await jobs.plan({ ...head, scope: 'b' }, planned(1));
    const whole = await jobs.plan({ ...head, scope: 'c' }, planned(2));
    await jobs.takeOver(cut, closed);
    await jobs.answered(cut, await jobs.sent(cut, [0]), { outcome: 'done' });
    await store.database.write(() => {
      store.database.run('UPDATE job SET at = ? WHERE id <> ?', Date.now() - DAY_MS - 1_000, young.id);
      store.database.run('UPDATE job SET planned = 0 WHERE id <> ?', whole.id);
    });
    await store.sweep();
    assert.deepEqual(rows(store), [2, 3, 0]);
    assert.deepEqual(
      jobs.list().map(({ id }) => id),
      [whole.id],
    );
  });

  it('stay for a newer version that made them, unlisted', async () => {
    const store = await use.open();
    const jobs = jobsOf(store);
    const [newer, own] = [
      await jobs.plan(head, planned(2)),
      await jobs.plan({ ...head, scope: 'b' }, planned(1)),
    ];
    await store.database.write(() =>
      store.database.run(`UPDATE job SET head = '{"of":"tomorrow"}' WHERE id = ?`, newer.id),
    );
    assert.deepEqual([jobs.list(), jobs.get(newer.id)], [[own], undefined]);
    await store.sweep();
    assert.deepEqual(rows(store), [2, 3, 0]);
    await store.database.write(() =>
      store.database.run(`UPDATE job_item SET body = '{"of":"tomorrow"}' WHERE job = ? AND n = 1`, newer.id),
    );
    const message = `Item 1 of the job ${newer.id} cannot be read.`;
    assert.throws(() => jobs.items(newer.id, 0, 9), { kind: 'damaged', message });
    assert.deepEqual(jobs.items(newer.id, 0, 1).length, 1);
  });
});

describe('Leases', () => {
  const use = useStoreFolder();
  const name = 'a dataset';
  const take = (store: Store) => store.database.write(() => store.leases.take(name));

  /** Two windows on one machine, or on two, with a clock of their own. */
  async function two(owner: OwnerOptions = {}) {
    let now = 0;
    const one = await use.open({ owner: { ...silent, pid: 11, host: 'here', ...owner } });
    const other = await use.open({ owner: { pid: 12, host: 'here', ...owner, now: () => now } });
    assert.equal(await take(one), true);
    const tries = async (times: readonly number[]) => {
      const taken: boolean[] = [];
      for (const at of times) {
        now = at;
        taken.push(await take(other));
      }
      return taken;
    };
    return { one, other, tries };
  }

  it('belong to one job of one window, until it lets go', async () => {
    const { one, other } = await two({ isAlive: () => true });
    assert.equal(await take(one), false);
    assert.equal(await take(other), false);
    assert.equal(other.leases.isHeld(name), true);
    await one.leases.release(name);
    assert.equal(other.leases.isHeld(name), false);
    assert.equal(await take(other), true);
  });

  it('pass on from a dead process after a second and a half of watching', async () => {
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

  it('stay with a living process while it beats, for any clock', async () => {
    const { one, tries } = await two({ isAlive: () => true });
    const beat = () => one.database.write(() => one.database.run('UPDATE owner SET beat = beat + 1'));
    for (let at = 0; at < 40; at++) {
      assert.deepEqual(await tries([at * 30_000, at * 30_000 + 29_000]), [false, false]);
      await beat();
    }
  });

  it('pass on from a suspended process after a minute of watching', async () => {
    const { tries } = await two({ isAlive: () => true });
    // One who slept for an hour has not watched.
    assert.deepEqual(await tries([0, 3_600_000]), [false, false]);
    const watched = Array.from({ length: 30 }, (_, n) => 3_600_000 + n * 2_000);
    // The hour counts as five seconds.
    assert.equal((await tries(watched)).indexOf(true), 28);
  });

  it('pass on from another machine after twenty seconds of watching', async () => {
    let now = 0;
    const far = await use.open({ owner: { ...silent, pid: 11, host: 'there' } });
    const here = await use.open({ owner: { pid: 11, host: 'here', now: () => now, isAlive: () => false } });
    await take(far);
    const taken: boolean[] = [];
    for (; now <= 22_000; now += 2_000) taken.push(await take(here));
    assert.equal(taken.indexOf(true), 10);
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
    // The service has said where the outcome of this one is.
    const followUrl = 'https://models.test/api/runs/r1';
    await one.runs.put(runNamed('two', { state: 'running', followUrl }));
    for (; now < 6_000; now += 1_000) await other.runs.settleLeft(closed);
    assert.deepEqual(
      [other.runs.get('two')?.state, other.runs.get('two')?.followUrl],
      ['accepted', followUrl],
    );
    assert.deepEqual(
      other.runs.accepted().map(({ id }) => id),
      ['two'],
    );
    // The response that comes all the same is recorded over it.
    await one.runs.put(runNamed('one'));
    assert.equal(other.runs.get('one')?.state, 'finished');
    await one.datasets.record([itemNamed('a')]);
  });
});
