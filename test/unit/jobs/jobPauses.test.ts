import assert from 'node:assert/strict';
import { mock } from 'node:test';
import type { BulkPause } from '../../../src/service/client';
import { ServiceError } from '../../../src/service/errors';
import { StoreProblem } from '../../../src/store/storeProblem';
import { JobInMemory, turns } from '../../support/jobInMemory';

const COST = { amount: '1', currency: 'USD' };

describe('A job that is paused', () => {
  let here: JobInMemory;
  beforeEach(() => {
    here = new JobInMemory();
  });

  it('stops sending, waits for requests in flight, and continues from there', async () => {
    const job = here.job(4);
    job.pause();
    job.resume();
    assert.equal(job.progress.state, 'queued', 'it has not begun');
    job.start();
    await turns();
    job.pause();
    assert.equal(job.progress.state, 'stopping');
    await here.runs[0]!.respond();
    assert.equal(job.progress.state, 'stopping');
    await here.runs[1]!.respond();
    assert.deepEqual([job.progress.state, here.runs.length], ['paused', 2]);
    job.resume();
    await turns();
    assert.deepEqual([job.progress.state, here.runs.length], ['running', 4]);
    job.resume();
    await turns();
    assert.equal(here.runs.length, 4);
    for (const run of here.runs.slice(2)) await run.respond();
    await job.done;
    assert.equal(here.written.filter((line) => line === 'takeOver').length, 1, 'its target stays its own');
  });

  it('gives back waiting requests, and is not delayed by them', async () => {
    const job = here.job(2);
    job.start();
    await turns();
    job.pause();
    assert.ok(here.runs.every(({ turn, abandon }) => turn.aborted && !abandon.aborted));
    for (const run of here.runs) await run.fail(new ServiceError('cancelled'));
    assert.deepEqual([job.progress.state, job.progress.remaining], ['paused', 2]);
    job.resume();
    await turns();
    assert.ok(here.runs.slice(2).every(({ turn }) => !turn.aborted));
    assert.equal(here.runs.length, 4);
  });

  it('pauses by itself when every further request would fail, with the next step', async () => {
    const job = here.job(4);
    job.start();
    await turns();
    await here.runs[0]!.fail(new ServiceError('cannotPay', { status: 402 }));
    assert.deepEqual([job.progress.state, here.runs[1]!.turn.aborted], ['stopping', true]);
    await here.runs[1]!.respond();
    const { state, nextStep, reason, remaining } = job.progress;
    assert.deepEqual([state, nextStep, remaining], ['paused', 'showUsage', 3]);
    assert.ok(reason);
    job.resume();
    assert.deepEqual([job.progress.reason, job.progress.nextStep], [undefined, undefined]);
  });

  it('releases the requests that the budget had admitted when that was the reason', async () => {
    const job = here.job(4);
    job.start();
    await turns();
    await here.runs[0]!.fail(
      new ServiceError('budgetReached', {
        why: { reason: 'budget', budget: 'session', limit: COST, taken: COST },
      }),
    );
    assert.equal(here.runs[1]!.turn.aborted, false);
    await here.runs[1]!.respond();
    assert.deepEqual([job.progress.state, job.progress.done], ['paused', 1]);
  });

  it('waits for responses until the user stops that', async () => {
    const job = here.job(2);
    job.start();
    await turns();
    job.stopWaiting();
    assert.equal(here.runs[0]!.abandon.aborted, false, 'it is not stopping');
    job.pause();
    job.stopWaiting();
    assert.ok(here.runs.every(({ abandon }) => abandon.aborted));
    for (const run of here.runs) await run.fail(new ServiceError('outcomeUnknown'));
    assert.deepEqual([job.progress.state, job.progress.unknown], ['paused', 2]);
  });

  it('ends preparations only if a pause of the service delays them', async () => {
    for (const pause of [undefined, { untilMs: 9, reason: 'trouble' } as BulkPause]) {
      here = new JobInMemory().prepares();
      here.throttle = { limit: (most) => most, pause, onDidChange: () => () => undefined };
      const job = here.job(2);
      job.start();
      await turns();
      job.pause();
      assert.equal(here.preparing[0]!.signal.aborted, pause !== undefined);
      for (const one of here.preparing) await one.end(new ServiceError('cancelled'));
      assert.equal(job.progress.state, 'paused');
      job.resume();
      await turns();
      assert.deepEqual([here.preparing.length, here.preparing[3]!.signal.aborted], [4, false]);
    }
  });

  it('takes its target again when it resumes after another window, with the results of that window', async () => {
    const job = here.job(3);
    job.start();
    await turns();
    here.refuse('sent', new StoreProblem('notOwner', 'taken'));
    await here.runs[0]!.respond();
    await here.runs[1]!.respond();
    assert.equal(job.progress.state, 'paused');
    assert.match(job.progress.reason ?? '', /^Another window took over/);
    here.accept('sent');
    here.rows![2]!.state = 'done';
    here.rows![1]!.state = here.rows![0]!.state = 'done';
    job.resume();
    await job.done;
    assert.deepEqual([here.runs.length, job.progress.done], [2, 3]);
    assert.equal(here.written.filter((line) => line === 'takeOver').length, 2);
  });

  it('takes its target again only after its own requests have ended', async () => {
    const job = here.job(4);
    job.start();
    await turns();
    here.refuse('sent', new StoreProblem('notOwner', 'taken'));
    await here.runs[0]!.respond();
    assert.equal(job.progress.state, 'stopping');
    here.accept('sent');
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      job.resume();
      assert.equal(job.progress.state, 'queued');
      const takes = () => here.written.filter((line) => line === 'takeOver').length;
      for (let looks = 0; looks < 9; looks++) {
        await turns();
        mock.timers.tick(400);
      }
      assert.deepEqual([takes(), job.progress.isHeldUp], [1, undefined], 'nobody else holds it up');
      here.rows![0]!.state = here.rows![1]!.state = 'done';
      await here.runs[1]!.respond();
      mock.timers.tick(400);
      await turns();
      assert.deepEqual([takes(), here.runs.length], [2, 4]);
    } finally {
      mock.timers.reset();
    }
  });

  it('resets its failures when the user resumes it, and includes the spending of another window', async () => {
    here.concurrency = 1;
    const job = here.job(9);
    job.start();
    await turns();
    const fail = async (count: number) => {
      for (let n = 0; n < count; n++) await here.runs.at(-1)!.fail(new ServiceError('unreachable'));
    };
    await fail(6);
    job.pause();
    await fail(1);
    assert.equal(job.progress.state, 'paused');
    job.resume();
    await turns();
    await fail(7);
    assert.equal(job.progress.state, 'running');
    await fail(1);
    assert.equal(job.progress.state, 'paused');
    const queued = new JobInMemory();
    const other = queued.job(1);
    queued.costs = [{ amount: '2', currency: 'USD' }];
    other.start();
    await turns();
    assert.deepEqual(other.progress.spent, queued.costs);
  });
});
