import assert from 'node:assert/strict';
import type { JobWork } from '../../../src/jobs/jobWork';
import { type Item, places, prepared, requestsOf } from '../../support/jobRequests';
import { failing } from '../../support/runsInMemory';

describe('Failures in a row', () => {
  it('pause the job at the eighth, of preparations and runs together', async () => {
    for (const kind of ['unreachable', 'outcomeUnknown'] as const) {
      const job = await prepared(requestsOf(20, { run: failing(kind), batchSize: () => 1 }));
      for (let n = 1; n <= 8; n++)
        assert.equal((await job.run()).stop !== undefined, n === 8, `${kind} ${n}`);
    }
    const job = requestsOf(20, { prepare: failing('unreachable'), run: failing('unreachable') });
    for (let n = 1; n <= 4; n++) assert.equal((await job.prepare()).stop, undefined);
    job.queue.prepared(job.items[5]!);
    for (let n = 5; n <= 8; n++) assert.equal((await job.run()).stop !== undefined, n === 8, `${n}`);
  });

  it('end with a success, or when the user resumes', async () => {
    for (const ends of ['a run', 'a preparation', 'the user'] as const) {
      const job = await prepared(requestsOf(30, { run: failing('unreachable'), batchSize: () => 1 }));
      for (let n = 1; n <= 7; n++) await job.run();
      if (ends === 'the user') job.requests.resetFailures();
      else if (ends === 'a run') {
        const { run } = job.work;
        job.work.run = async () => ({ outcome: 'done' });
        await job.run();
        job.work.run = run;
      } else {
        job.queue.prepareAgain([job.items[20]!]);
        await job.prepare();
      }
      for (let n = 1; n <= 8; n++)
        assert.equal((await job.run()).stop !== undefined, n === 8, `${ends} ${n}`);
    }
  });
});

describe('A preparation that may have expired', () => {
  /** A job that reuses earlier preparations, and forgets them on request. */
  async function reusing(run: JobWork<object>['run'], reused = true) {
    const renewed: number[] = [];
    const renew = async ({ index }: Item) => void renewed.push(index);
    const job = await prepared(requestsOf(3, { prepare: async () => ({ fields: {}, reused }), run, renew }));
    return { job, renewed };
  }

  it('repeats once after a rejection, before it fails or stops the job', async () => {
    for (const kind of ['invalidRequest', 'notFound'] as const) {
      const { job, renewed } = await reusing(failing(kind));
      assert.equal((await job.run()).stop, undefined);
      assert.deepEqual(
        [renewed, job.written],
        [
          [0, 1, 2],
          ['sent 0,1,2', 'returned 1'],
        ],
      );
      assert.deepEqual(places(job.items.filter(({ state }) => state === 'planned')), [0, 1, 2]);
      for (const _ of job.items) await job.prepare();
      const again = await job.run();
      assert.equal(again.stop !== undefined, kind === 'notFound');
      assert.equal(renewed.length, 3);
      job.requests.resetFailures();
      await job.run();
      assert.ok(renewed.length > 3, 'after a pause it may have expired again');
    }
  });

  it('excludes a fresh one', async () => {
    const { job, renewed } = await reusing(failing('notFound'), false);
    assert.ok((await job.run()).stop);
    assert.deepEqual(renewed, []);
  });

  it('repeats the next time after it failed in an executed run', async () => {
    const { job, renewed } = await reusing(async ([first]) => ({
      outcome: 'done',
      failed: new Map([[first!, 'no such file']]),
    }));
    await job.run();
    assert.deepEqual([renewed, job.items[0]!.state], [[0], 'failed']);
  });
});

describe('The end of waiting', () => {
  it('concerns only requests that left before the user’s decision, until the job continues', async () => {
    const signals: AbortSignal[] = [];
    const run: JobWork<object>['run'] = async (_batch, _turn, abandon) => {
      signals.push(abandon);
      return { outcome: 'done' };
    };
    const job = await prepared(requestsOf(2, { run, batchSize: () => 1 }));
    await job.run();
    job.requests.stopWaiting();
    assert.equal(signals[0]!.aborted, true);
    job.requests.resetFailures();
    await job.run();
    assert.equal(signals[1]!.aborted, false);
  });
});
