import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import * as z from 'zod/mini';
import { indexJobs } from '../../../src/indexing/indexJobs';
import { planIndexing } from '../../../src/indexing/plan';
import type { JobWork, Prepared } from '../../../src/jobs/jobWork';
import { planJob } from '../../../src/jobs/openJob';
import { ServiceError } from '../../../src/service/errors';
import { Throttle } from '../../../src/service/throttle/throttle';
import type { IndexedFile } from '../../../src/store/items';
import type { JobHead, JobKind } from '../../../src/store/jobKind';
import { FakeClock, settled } from '../../support/fakeClock';
import { rawOf } from '../../support/rawOf';
import { failureOf, testClient } from '../../support/serviceClient';
import { useStoreFolder } from '../../support/store/openStore';

/** Each case plainly, without the simulation that found it. */
describe('Defects that the simulation found:', () => {
  const files = useStoreFolder();

  const head = z.object({ id: z.string(), at: z.number() });
  const kind: JobKind<JobHead, { readonly text: string }> = {
    name: 'questions',
    head: (value) => head.safeParse(value).data,
    item: (value) => z.object({ text: z.string() }).safeParse(value).data,
    target: () => 'one target',
    key: ({ text }) => text,
  };
  const noOutcomes = {
    record: () => undefined,
    recordedAt: () => undefined,
    isDone: () => false,
    recordLate: () => undefined,
  };

  for (const hours of [-1, 1])
    it(`keeps the length of a pause when the clock is set by ${hours} h`, async () => {
      const clock = new FakeClock();
      const throttle = new Throttle(clock, () => 0);
      const queue = throttle.origin('https://models.test');
      queue.pause(5_000);
      clock.wallTimeOffMs = hours * 3_600_000;
      let isGranted = false;
      const tooLong = () => new Error('too long');
      const entered = queue.enter({ kind: 'run', longestWaitMs: Number.POSITIVE_INFINITY, tooLong });
      void entered.then(() => {
        isGranted = true;
      });
      assert.equal(throttle.state.pausedUntilMs, clock.wallTime() + 5_000, 'shown by the clock as it is');
      assert.ok(throttle.bulk.pause);
      await clock.advance(4_999);
      assert.equal(isGranted, false);
      await clock.advance(1);
      await settled();
      assert.equal(isGranted, true);
      assert.equal(throttle.bulk.pause, undefined);
    });

  it('pauses at a 503 that names its time in milliseconds', async () => {
    const headers = { 'retry-after-ms': '4000' };
    const client = testClient('https://models.test', {
      clock: new FakeClock(),
      transport: { send: async () => rawOf({}, 503, headers), close: () => undefined },
    });
    const stop = new AbortController();
    const failure = failureOf(client.getModel('m', { signal: stop.signal }), 'cancelled');
    while (client.rateLimit.reason === undefined) await wait(1);
    assert.equal(client.rateLimit.reason, 'unavailable');
    stop.abort();
    await failure;
  });

  it('keeps an owner that comes back after a silence', async () => {
    let now = 0;
    const one = await files.open({ owner: { beatEveryMs: 1e9 } });
    const other = await files.open({ owner: { now: () => now, isAlive: () => true } });
    await one.database.write(() => one.leases.take('work'));
    const isTaken = () => other.database.write(() => other.leases.take('work'));
    for (; !(await isTaken()); now += 5_000) assert.ok(now < 120_000);
    await other.leases.release('work');
    await one.database.write(() => one.leases.take('work'));
    now += 400;
    assert.ok(other.leases.isHeld('work'));
    assert.equal(await isTaken(), false);
  });

  it('releases the target of a job whose end cannot be written', async () => {
    const [one, other] = [await files.open(), await files.open()];
    const jobs = one.jobs(kind, noOutcomes);
    const work: JobWork<{ readonly text: string }> = {
      run: async () => ({ outcome: 'done' }),
      batchSize: () => 1,
      concurrency: () => 1,
    };
    const job = await planJob(jobs, {}, [{ text: 'one' }], () => work);
    jobs.end = () => Promise.reject(new Error('The disk is full.'));
    job.start();
    await assert.rejects(job.done);
    assert.equal(other.jobs(kind, noOutcomes).isWorkedOn(job.head), false);
  });

  it('repeats a job’s preparation after a pause when it is no longer known', async () => {
    const jobs = (await files.open()).jobs(kind, noOutcomes);
    const prepared: string[] = [];
    let isKnown = false;
    const work: JobWork<{ readonly text: string }> = {
      prepare: async ({ text }): Promise<Prepared<{ readonly text: string }>> => {
        prepared.push(text);
        return { fields: {} };
      },
      renew: async () => {
        isKnown = true;
      },
      run: async () => {
        if (!isKnown) throw new ServiceError('notFound', { status: 404 });
        return { outcome: 'done' };
      },
      batchSize: () => 1,
      concurrency: () => 1,
    };
    const job = await planJob(jobs, {}, [{ text: 'one' }], () => work);
    job.start();
    while (job.progress.state !== 'paused') await wait(1);
    assert.deepEqual(prepared, ['one'], 'it was prepared a moment ago: that is not what was rejected');
    job.resume();
    await job.done;
    assert.deepEqual([prepared.length, job.progress.done], [2, 1]);
  });

  describe('the work of another job since a plan', () => {
    const dataset = { baseUrl: 'https://models.test', model: 'm', scope: 's' };
    const planned = {
      ...{ uri: 'file:///a.png', imageId: 'a.png', filename: 'a.png', contentType: 'image/png' },
      ...{ sizeBytes: 6, modifiedMs: 1 },
    };
    const known: IndexedFile = {
      ...{ ...dataset, imageId: 'a.png', file: planned.uri, sha256: 'new', sizeBytes: 6, modifiedMs: 2 },
      ...{ at: 1_000, outcome: 'indexed' },
    };
    const isDone = async (
      item: Partial<IndexedFile>,
      more: Partial<typeof planned & { sha256: string }> = {},
    ) => {
      const store = await files.open();
      await store.datasets.record([{ ...known, ...item }]);
      const { outcomes } = indexJobs(store);
      const params = { environment: 'e', modelName: 'm', mode: 'index', params: {} };
      return outcomes.isDone({ ...dataset, ...params, id: 'job', at: 5_000 }, { ...planned, ...more });
    };

    it('follows from the content once the file is read, not from a changed time', async () => {
      assert.equal(await isDone({}), false, 'unread, it may be another content');
      assert.equal(await isDone({}, { sha256: 'new' }), true);
      assert.equal(await isDone({}, { sha256: 'old', modifiedMs: 2 }), false);
    });

    it('includes items that became unconfirmed, by any clock, unless the user has asked to send just those', async () => {
      const unconfirmed = { outcome: 'unknown', modifiedMs: 1 } as const;
      assert.equal(await isDone(unconfirmed), true, 'its clock is behind that of the plan');
      assert.equal(await isDone({ ...unconfirmed, at: 9_000 }), true);
      const store = await files.open();
      await store.datasets.record([{ ...known, ...unconfirmed }]);
      const file = { ...planned, open: () => assert.fail('it is not read') };
      const { unknown } = await planIndexing(dataset, [file], [], store.datasets);
      assert.equal(await isDone(unconfirmed, unknown[0]), false);
      assert.equal(await isDone({ ...unconfirmed, at: 1_001 }, unknown[0]), true, 'another one since');
    });

    it('keeps the service’s state, when the file is gone before the job can read it', async () => {
      const store = await files.open();
      const jobs = indexJobs(store);
      for (const outcome of ['indexed', 'unknown', 'failed'] as const) {
        await store.datasets.record([{ ...known, outcome }]);
        const params = { environment: 'e', modelName: 'm', mode: 'index', params: {} };
        const job = await jobs.plan({ ...dataset, ...params }, [planned]);
        await jobs.takeOver(job, 'closed');
        await jobs.left(job, [0], 'failed', 'The file no longer exists.');
        assert.equal(store.datasets.find(dataset, 'a.png')?.outcome, outcome);
        await jobs.end(job);
        await jobs.release(job);
      }
    });
  });
});
