import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { plain } from '../../support/memorySpending';
import { useStoreFolder } from '../../support/store/openStore';
import { dataset, head, jobsOf, planned } from '../../support/store/samples';

const closed = 'VS Code was closed.';
const COST = { amount: '0.2', currency: 'USD' };

describe('The outcome of a request', () => {
  const use = useStoreFolder();

  async function sent(places: readonly number[] = [0, 1]) {
    const store = await use.open();
    const jobs = jobsOf(store);
    const job = await jobs.plan(head, planned(4));
    await jobs.takeOver(job, closed);
    const request = await jobs.sent(job, places);
    const rows = () =>
      jobs.items(job.id, 0, 9).map(({ state, reason }) => [state, reason].filter(Boolean).join(' '));
    const outcome = (place: number) => store.datasets.find(dataset, `${place}.png`);
    return { store, jobs, job, request, rows, outcome };
  }

  it('goes on record for its own items only, with the time and the reason', async () => {
    for (const [told, state, kept] of [
      ['done', 'done', 'indexed'],
      ['failed', 'failed', 'failed'],
      ['unknown', 'unknown', 'unknown'],
    ] as const) {
      const { jobs, job, request, rows, outcome } = await sent();
      const before = Date.now();
      await jobs.answered(job, request, { outcome: told, reason: 'because' });
      assert.deepEqual(rows(), [`${state} because`, `${state} because`, 'planned', 'planned']);
      assert.deepEqual([outcome(0)?.outcome, outcome(1)?.reason], [kept, 'because']);
      assert.ok(outcome(0)!.at >= before - 1 && outcome(0)!.at <= Date.now());
      assert.equal(outcome(2), undefined);
      await jobs.end(job);
      await jobs.release(job);
    }
  });

  it('differs from item to item, with a reason for each', async () => {
    const { jobs, job, request, rows, outcome } = await sent([0, 1, 2]);
    const failed = [{ item: 0, reason: 'dark' }];
    const unknown = [{ item: 2, reason: 'not said' }];
    await jobs.answered(job, request, { outcome: 'done', failed, unknown });
    assert.deepEqual(rows(), ['failed dark', 'done', 'unknown not said', 'planned']);
    const outcomes = [0, 1, 2].map((place) => `${outcome(place)?.outcome} ${outcome(place)?.reason}`);
    assert.deepEqual(outcomes, ['failed dark', 'indexed undefined', 'unknown not said']);
  });

  it('counts once, even if it is recorded again', async () => {
    const { jobs, job, request, rows } = await sent();
    await jobs.answered(job, request, { outcome: 'done', cost: COST });
    for (const outcome of ['failed', 'unknown', 'returned', 'done'] as const)
      await jobs.answered(job, request, { outcome, cost: { amount: '9', currency: 'USD' } });
    assert.deepEqual([rows().slice(0, 2), jobs.costs(job.id)], [['done', 'done'], [COST]]);
  });

  it('replaces an unknown one later, but does not repeat items that were not executed', async () => {
    const { jobs, job, request, rows, outcome } = await sent();
    await jobs.answered(job, request, { outcome: 'unknown', reason: closed });
    await jobs.answered(job, request, { outcome: 'returned' });
    assert.deepEqual(rows().slice(0, 2), [`unknown ${closed}`, `unknown ${closed}`]);
    assert.equal(jobs.unpriced(job.id), 1);
    await wait(2);
    await jobs.answered(job, request, { outcome: 'unknown', reason: 'still not', cost: COST });
    assert.deepEqual(
      rows().slice(0, 2),
      [`unknown ${closed}`, `unknown ${closed}`],
      'nothing new of its items',
    );
    assert.deepEqual([jobs.costs(job.id), jobs.unpriced(job.id)], [[COST], 0]);
    await jobs.answered(job, request, { outcome: 'done', cost: COST });
    assert.deepEqual(rows().slice(0, 2), ['done', 'done']);
    assert.equal(outcome(0)?.outcome, 'indexed');
  });

  it('goes on record again when an unknown one was forgotten meanwhile', async () => {
    const { store, jobs, job, request, outcome } = await sent();
    await jobs.answered(job, request, { outcome: 'unknown', reason: closed });
    assert.equal(outcome(0)?.outcome, 'unknown');
    await store.datasets.forget(dataset);
    assert.equal(outcome(0), undefined);
    await jobs.answered(job, request, { outcome: 'done' });
    assert.equal(outcome(0)?.outcome, 'indexed');
  });

  it('belongs to one job: another one of the same numbers keeps its own', async () => {
    const { store, jobs, job, request } = await sent();
    const other = await jobs.plan({ ...head, scope: 'other' }, planned(4));
    await jobs.takeOver(other, closed);
    assert.equal(await jobs.sent(other, [0, 1]), request);
    await jobs.answered(job, request, { outcome: 'done', cost: COST });
    assert.deepEqual(jobs.counts(other.id), { inFlight: 2, planned: 2 });
    assert.deepEqual([jobs.costs(other.id), jobs.unpriced(other.id)], [[], 0]);
    assert.equal(
      store.database.get('SELECT count(*) AS n FROM in_flight', (row) => row.n),
      2,
    );
  });

  it('becomes unknown for a closed window in every job of the target, and nowhere else', async () => {
    const { store, jobs, job } = await sent([0]);
    const elsewhere = await jobs.plan({ ...head, scope: 'other' }, planned(2));
    await jobs.takeOver(elsewhere, closed);
    await jobs.sent(elsewhere, [1]);
    await jobs.release(job);
    const next = await jobs.plan(head, planned(3));
    assert.equal(await jobs.takeOver(next, closed), true);
    assert.deepEqual(jobs.counts(job.id), { unknown: 1, planned: 3 });
    assert.deepEqual(jobs.counts(next.id), { planned: 3 });
    assert.deepEqual(jobs.counts(elsewhere.id), { inFlight: 1, planned: 1 });
    assert.deepEqual([store.datasets.find(dataset, '0.png')?.reason], [closed]);
  });
});

describe('The spending of a workspace', () => {
  const use = useStoreFolder();
  const [one, other] = ['https://a.test', 'https://b.test'];

  it('adds up for each workspace and service', async () => {
    const { spending } = await use.open();
    const sums = () =>
      [spending.of('w', one), spending.of('w', other), spending.of('v', one)]
        .map((sum) => Object.values(plain(sum)).join(' '))
        .join();
    assert.equal(sums(), '0 0,0 0,0 0');
    await spending.write(() => {
      spending.settle('w', one, 'a', { amount: '0.1' });
      spending.settle('w', one, 'b', { amount: '0.2' });
      spending.settle('w', other, 'a', { amount: '7' });
      spending.settle('v', one, 'c', { amount: '8' });
    });
    assert.equal(sums(), '0.3 0,7 0,8 0');
    await spending.write(() => spending.reset('w', one, new Set()));
    assert.equal(sums(), '0 0,7 0,8 0');
  });

  it('reserves the estimate of a run until its cost is known, which counts once', async () => {
    const { spending } = await use.open();
    await spending.write(() => {
      for (const id of ['sent', 'lost', 'elsewhere']) spending.hold('w', one, id, { amount: '0.5' });
      spending.hold('w', other, 'lost', { amount: '3' });
    });
    assert.deepEqual(plain(spending.of('w', one)), { spent: '0', reserved: '1.5' });
    await spending.write(() => spending.settle('w', one, 'sent', { amount: '0.4' }));
    assert.deepEqual(plain(spending.of('w', one)), { spent: '0.4', reserved: '1' });
    await spending.write(() => {
      // A window of another workspace finds the charge.
      for (const cost of ['0.1', '0.2']) spending.resolve(one, 'lost', { amount: cost });
      spending.resolve(one, 'never seen', { amount: '9' });
    });
    assert.deepEqual(plain(spending.of('w', one)), { spent: '0.5', reserved: '0.5' });
    assert.deepEqual(plain(spending.of('v', one)), { spent: '0', reserved: '0' });
    assert.deepEqual(spending.resolved(), [{ baseUrl: one, id: 'lost', cost: { amount: '0.1' } }]);
    await spending.write(() => spending.settle('w', one, 'lost', { amount: '0.1' }));
    assert.deepEqual(
      plain(spending.of('w', one)),
      { spent: '0.5', reserved: '0.5' },
      'its sender wakes up late',
    );
    await spending.write(() => spending.reset('w', one, new Set(['elsewhere'])));
    assert.deepEqual(plain(spending.of('w', one)), { spent: '0', reserved: '0.5' });
    await spending.write(() => spending.reset('w', one, new Set()));
    await spending.write(() => spending.resolve(one, 'elsewhere', { amount: '0.5' }));
    assert.deepEqual(
      plain(spending.of('w', one)),
      { spent: '0', reserved: '0' },
      'a reset takes nothing below zero',
    );
    assert.deepEqual(plain(spending.of('w', other)), { spent: '0', reserved: '3' });
  });
});
