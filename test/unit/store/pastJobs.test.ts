import assert from 'node:assert/strict';
import type { RequestOutcome } from '../../../src/store/settleRequest';
import type { Store } from '../../../src/store/store';
import { useStoreFolder } from '../../support/store/openStore';
import { head, jobsOf, planned } from '../../support/store/samples';

const usd = (amount: string) => ({ amount, currency: 'USD' });

describe('Jobs that ended, in the store', () => {
  const use = useStoreFolder();

  /** A job that sends a request for each outcome, of one item each, and ends; undefined: no response, no outcome. */
  async function ended(store: Store, scope: string, outcomes: readonly RequestOutcome[]) {
    const jobs = jobsOf(store);
    const job = await jobs.plan({ ...head, scope }, planned(5));
    await jobs.takeOver(job, 'closed');
    for (const [item, outcome] of outcomes.entries())
      await jobs.answered(job, await jobs.sent(job, [item]), outcome);
    const before = Date.now();
    await jobs.end(job);
    await jobs.release(job);
    return { job, before };
  }

  it('stay with their head, the outcomes of their items and their cost', async () => {
    const store = await use.open();
    const { job, before } = await ended(store, 'a', [
      { outcome: 'done', cost: usd('0.1'), runId: 'r0' },
      { outcome: 'done', cost: usd('0.2') },
      { outcome: 'failed', reason: 'dark', cost: { amount: '3', currency: 'EUR' } },
      { outcome: 'unknown', reason: 'closed' },
    ]);
    const [kept, ...others] = store.pastJobs.list({ limit: 9 });
    assert.deepEqual(others, []);
    const { endedAt, ...rest } = kept!;
    assert.ok(endedAt >= before && endedAt <= Date.now());
    assert.deepEqual(rest, {
      ...{ id: job.id, kind: jobsOf(store).kind.name, head: job, startedAt: job.at },
      ...{ done: 2, failed: 1, unknown: 1, requests: 4 },
      costs: [usd('0.3'), { amount: '3', currency: 'EUR' }],
    });
    assert.deepEqual(store.pastJobs.get(job.id), kept);
    assert.equal(store.pastJobs.get('another'), undefined);
    const requests = store.pastJobs.requests(job.id, 9);
    for (const { sentAt, finishedAt } of requests) assert.ok(sentAt >= job.at && finishedAt! >= sentAt);
    assert.deepEqual(
      requests.map(({ sentAt: _, finishedAt: __, ...request }) => request),
      [
        { number: 3, firstItem: '3.png', items: 1, outcome: 'unknown', reason: 'closed' },
        {
          ...{ number: 2, firstItem: '2.png', items: 1, outcome: 'failed', reason: 'dark' },
          cost: { amount: '3', currency: 'EUR' },
        },
        { number: 1, firstItem: '1.png', items: 1, outcome: 'done', cost: usd('0.2') },
        { number: 0, firstItem: '0.png', items: 1, outcome: 'done', runId: 'r0', cost: usd('0.1') },
      ],
    );
    assert.deepEqual(
      store.pastJobs.requests(job.id, 2).map(({ number }) => number),
      [3, 2],
    );
  });

  it('leave no record when they sent no request', async () => {
    const store = await use.open();
    const revision = store.runs.revision();
    await ended(store, 'a', []);
    assert.deepEqual([store.pastJobs.list({ limit: 9 }), store.pastJobs.count()], [[], 0]);
    assert.equal(store.runs.revision(), revision);
  });

  it('appear newest first after a given time, and the oldest are removed', async () => {
    const store = await use.open();
    const ids: string[] = [];
    for (let at = 0; at < 5; at++) {
      const { job } = await ended(store, 'a', [{ outcome: 'done' }]);
      ids.unshift(job.id);
      await store.database.write(() =>
        store.database.run('UPDATE past_job SET at = ? WHERE id = ?', at, job.id),
      );
    }
    const { pastJobs } = store;
    const listed = (page: { from?: number; limit: number }) => pastJobs.list(page).map(({ id }) => id);
    assert.deepEqual(listed({ limit: 9 }), ids);
    assert.deepEqual(listed({ from: 2, limit: 9 }), ids.slice(0, 3));
    assert.deepEqual(listed({ limit: 2 }), ids.slice(0, 2));
    const tellsOf = async (change: () => Promise<void>) => {
      const before = store.runs.revision();
      await change();
      return store.runs.revision() > before;
    };
    assert.equal(await tellsOf(() => pastJobs.prune(4)), true, 'other windows show the history too');
    assert.deepEqual(listed({ limit: 9 }), ids.slice(0, 4));
    assert.equal(await tellsOf(() => pastJobs.prune(4)), false);
    assert.equal(await tellsOf(() => pastJobs.delete([ids[1]!, ids[2]!])), true);
    assert.deepEqual([listed({ limit: 9 }), pastJobs.count()], [[ids[0], ids[3]], 2]);
    assert.deepEqual(pastJobs.requests(ids[1]!, 9), []);
    assert.equal(pastJobs.requests(ids[0]!, 9).length, 1);
  });

  it('list requests without a response until their charge is recognized', async () => {
    const store = await use.open();
    const { pastJobs } = store;
    const { job } = await ended(store, 'a', [
      { outcome: 'unknown', reason: 'closed' },
      { outcome: 'done', runId: 'r1', cost: usd('1') },
      { outcome: 'unknown', runId: 'r2' },
      { outcome: 'unknown', cost: usd('2') },
      { outcome: 'returned' },
    ]);
    const numbers = (limit = 9) =>
      pastJobs.unresolved(job.baseUrl, limit).map(({ job: { id }, request }) => [id, request.number]);
    assert.deepEqual(numbers(), [[job.id, 0]]);
    assert.deepEqual([numbers(0), pastJobs.unresolved('https://other.test', 9)], [[], []]);
    const known = () => ['r0', 'r1', 'r2'].map((id) => pastJobs.headOfRun(job.baseUrl, id) !== undefined);
    assert.deepEqual(known(), [false, true, true]);
    for (const id of ['r0', 'again']) await pastJobs.charge(pastJobs.get(job.id)!, 0, usd('0.5'), id);
    assert.deepEqual([numbers(), known()], [[], [true, true, true]]);
    assert.deepEqual(pastJobs.get(job.id)?.costs, [usd('3.5')], 'a second charge changes nothing');
    for (const url of ['https://other.test', job.baseUrl, job.baseUrl])
      await pastJobs.chargeRun(url, 'r2', usd('0.25'));
    assert.deepEqual(pastJobs.get(job.id)?.costs, [usd('3.75')], 'a receipt counts once');
    assert.equal(pastJobs.headOfRun('https://other.test', 'r1'), undefined);
    const jobs = jobsOf(store);
    const next = await jobs.plan({ ...head, scope: 'b' }, planned(1));
    await jobs.takeOver(next, 'closed');
    await jobs.answered(next, await jobs.sent(next, [0]), { outcome: 'done', runId: 'r9' });
    assert.equal(pastJobs.headOfRun(next.baseUrl, 'r9')?.scope, 'b', 'a job that has not ended counts too');
  });

  it('list requests of a job that waits, until their cost is known', async () => {
    const store = await use.open();
    const { pastJobs } = store;
    const jobs = jobsOf(store);
    const job = await jobs.plan({ ...head, scope: 'a' }, planned(3));
    await jobs.takeOver(job, 'closed');
    const lost = await jobs.sent(job, [0]);
    await jobs.answered(job, lost, { outcome: 'unknown' });
    await jobs.sent(job, [1]);
    const listed = () => pastJobs.unresolved(job.baseUrl, 9).map(({ request }) => request.number);
    assert.deepEqual(listed(), [lost], 'one in flight has not lost its response');
    assert.equal(await pastJobs.charge(job, lost, usd('0.5'), 'r1'), true);
    assert.equal(await pastJobs.charge(job, lost, usd('0.5'), 'r1'), false, 'its cost counts once');
    assert.deepEqual([listed(), jobs.costs(job.id)], [[], [usd('0.5')]]);
    await jobs.answered(job, lost, { outcome: 'unknown' });
    assert.deepEqual(jobs.costs(job.id), [usd('0.5')], 'a late failure takes no cost away');
  });
});
