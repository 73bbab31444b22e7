import assert from 'node:assert/strict';
import { ServiceError } from '../../../src/service/errors';
import { messageOf } from '../../../src/wording/errors';
import { going, places, prepared, requestsOf } from '../../support/jobRequests';
import { failing } from '../../support/runsInMemory';

describe('A preparation', () => {
  it('repeats five times after a passing failure, then its item fails alone', async () => {
    const job = requestsOf(1, { prepare: failing('unreachable') });
    for (let n = 0; n < 4; n++) {
      const { item, stop } = await job.prepare();
      assert.deepEqual([item.state, stop, job.written], ['planned', undefined, []]);
    }
    await job.prepare();
    assert.deepEqual(job.written, [`failed 0: ${messageOf(new ServiceError('unreachable'))}`]);
  });

  it('counts as one failure for all items that wait for it', async () => {
    const shared = new ServiceError('unreachable');
    const job = requestsOf(20, {
      prepare: async () => {
        throw shared;
      },
    });
    for (let n = 0; n < 20; n++) {
      const { stop } = await job.prepare();
      assert.equal(stop, undefined);
    }
  });

  it('repeats when its result is gone before the run', async () => {
    const gone = new Set<number>();
    const job = await prepared(requestsOf(2, { isStillReady: ({ index }) => !gone.has(index) }));
    gone.add(0);
    const batch = job.requests.ready(job.queue.takeBatch());
    assert.deepEqual([places(batch), job.items[0]!.state], [[1], 'planned']);
    assert.equal(job.queue.takeUnprepared(), job.items[0]);
  });

  it('runs ahead of the runs by a few batches at most', () => {
    const { queue } = requestsOf(100);
    let ahead = 0;
    for (; queue.next(1) === 'prepare'; ahead++) queue.takeUnprepared();
    assert.equal(ahead, 3 * 4 + 1);
  });

  it('fails alone at once because of its item', async () => {
    for (const prepare of [
      failing('invalidRequest'),
      failing('outcomeUnknown'),
      async () => {
        throw new Error('The file is gone.');
      },
    ]) {
      const job = requestsOf(1, { prepare });
      const { item, stop } = await job.prepare();
      assert.deepEqual([item.state, stop, job.written.length], ['failed', undefined, 1]);
    }
  });

  it('names the reason why every further one would fail, and leaves its item unchanged', async () => {
    for (const kind of ['badKey', 'notConnected', 'noPermission', 'cannotPay'] as const) {
      const job = requestsOf(1, { prepare: failing(kind) });
      const { item, stop } = await job.prepare();
      assert.deepEqual([item.state, stop?.reason], ['planned', messageOf(new ServiceError(kind))]);
      assert.deepEqual(job.written, []);
    }
  });
});

describe('A run of a job', () => {
  it('goes on record before it leaves, and after', async () => {
    const seen: unknown[] = [];
    const job = requestsOf(2, {
      run: async (batch, turn, abandon) => {
        seen.push([...job.written], places(batch), turn, abandon.aborted);
        return { outcome: 'done' };
      },
    });
    await prepared(job);
    assert.deepEqual(await job.run(), { batch: [0, 1], stop: undefined });
    assert.deepEqual(seen, [['sent 0,1'], [0, 1], going, false]);
    assert.deepEqual(job.written, ['sent 0,1', 'settled 1 done']);
  });

  it('gets a time after all before it, even by a clock that was set back', async () => {
    const ahead = Date.now() + 1e6;
    const lastAt = ({ index }: { index: number }) => (index === 1 ? ahead : 0);
    const job = await prepared(requestsOf(4, { batchSize: () => 1, lastAt }));
    for (const _ of job.items) await job.run();
    assert.deepEqual(job.sentAt.slice(1), [ahead + 1, ahead + 2, ahead + 3]);
  });

  it('stays here while it cannot be recorded, and leaves when it can', async () => {
    const job = await prepared(requestsOf(2, { run: () => assert.fail('it left') }));
    job.refuses.sent = true;
    await assert.rejects(job.run(), /no room/);
    assert.deepEqual([job.queue.next(0), job.items[0]!.state], ['run', 'ready']);
  });

  it('stays when it was stopped during the recording, and leaves later', async () => {
    const job = await prepared(requestsOf(2, { run: () => assert.fail('it left') }));
    assert.deepEqual(await job.run(AbortSignal.abort()), {
      batch: [0, 1],
      stop: undefined,
    });
    assert.deepEqual(job.written, ['sent 0,1', 'returned 1']);
    assert.equal(job.queue.next(0), 'run');
  });

  it('repeats only when it was not executed', async () => {
    const notExecuted = ['cancelled', 'rateLimited', 'unreachable', 'badKey', 'budgetReached'] as const;
    const unclear = ['outcomeUnknown', 'timedOut', 'serviceFailing', 'unreadableResponse'] as const;
    for (const kind of [...notExecuted, ...unclear]) {
      const again = notExecuted.some((one) => one === kind);
      const job = await prepared(requestsOf(1, { run: failing(kind) }));
      const { stop } = await job.run();
      assert.equal(stop !== undefined, ['badKey', 'budgetReached'].includes(kind), kind);
      const reason = messageOf(new ServiceError(kind));
      assert.equal(job.written[1], again ? 'returned 1' : `settled 1 unknown ${reason}`, kind);
      assert.equal(job.queue.next(0), again ? 'run' : undefined, kind);
    }
  });

  it('becomes unknown for every error, unless the client knows that it was not executed', async () => {
    const job = await prepared(
      requestsOf(1, { run: () => Promise.reject(new DOMException('ended', 'AbortError')) }),
    );
    await job.run();
    assert.match(job.written[1]!, /^settled 1 unknown/);
  });

  it('splits after a rejection, until the faulty item is alone', async () => {
    const job = await prepared(requestsOf(4, { run: failing('invalidRequest', 422) }));
    assert.equal((await job.run()).stop, undefined);
    assert.deepEqual(job.written, ['sent 0,1,2,3', 'returned 1']);
    assert.deepEqual((await job.run()).batch, [0, 1]);
    assert.deepEqual((await job.run()).batch, [0]);
    assert.match(job.written.at(-1)!, /^settled 3 failed/);
    job.work.splitRejected = (batch) => batch.map((item) => [item]).reverse();
    assert.deepEqual((await job.run()).batch, [1]);
    assert.deepEqual((await job.run()).batch, [2, 3]);
    assert.deepEqual((await job.run()).batch, [3], 'as its kind splits it');
  });

  for (const [kind, status] of [
    ['invalidRequest', 422],
    ['invalidRequest', 413],
    ['notFound', 404],
    ['noPermission', 403],
  ] as const)
    it(`fails as a whole when a ${status} charged it, and is not sent again`, async () => {
      const run = async () => {
        const error = new ServiceError(kind, { status });
        error.charge = { cost: { amount: '0.02' } };
        throw error;
      };
      const job = await prepared(requestsOf(4, { run, renew: async () => undefined }));
      const { stop } = await job.run();
      assert.match(job.written.join(), /^sent 0,1,2,3,settled 1 failed/);
      assert.equal(job.queue.next(0), undefined);
      assert.equal(stop !== undefined, kind !== 'invalidRequest');
    });

  it('makes all batches smaller when it was too large', async () => {
    const job = await prepared(
      requestsOf(10, { run: failing('invalidRequest', 413), renew: async () => undefined }),
    );
    await job.run();
    const sizes: number[] = [];
    while (job.queue.next(0) === 'run') sizes.push(job.queue.takeBatch().length);
    assert.deepEqual(sizes, [2, 2, 2, 2, 2]);
    const other = await prepared(requestsOf(10, { run: failing('invalidRequest', 400) }));
    await other.run();
    const others: number[] = [];
    while (other.queue.next(0) === 'run') others.push(other.queue.takeBatch().length);
    assert.deepEqual(others, [2, 2, 4, 2]);
  });

  it('pauses the job when three single items are rejected for one reason, since they are not the cause', async () => {
    const job = await prepared(requestsOf(6, { run: failing('invalidRequest'), batchSize: () => 1 }));
    assert.deepEqual([(await job.run()).stop, (await job.run()).stop], [undefined, undefined]);
    assert.match((await job.run()).stop?.reason ?? '', /^Every item is rejected for the same reason: ./);
    job.requests.resetFailures();
    assert.deepEqual([(await job.run()).stop, (await job.run()).stop], [undefined, undefined]);
    assert.ok((await job.run()).stop);
  });

  it('does not pause the job when single items are rejected for several reasons, or after another was done', async () => {
    let n = 0;
    const run = async () => {
      throw new ServiceError('invalidRequest', { serviceMessage: `item ${++n} is bad` });
    };
    const job = await prepared(requestsOf(4, { run, batchSize: () => 1 }));
    for (const _ of job.items) assert.equal((await job.run()).stop, undefined);
    const commonReason = (reason: string) => reason.replace(/\d/, '');
    const same = await prepared(requestsOf(4, { run, commonReason, batchSize: () => 1 }));
    for (const stops of [false, false, true]) assert.equal((await same.run()).stop !== undefined, stops);
    const done = await prepared(requestsOf(5, { run: failing('invalidRequest'), batchSize: () => 1 }));
    done.queue.takeBatch()[0]!.state = 'done';
    for (let at = 1; at < 5; at++) assert.equal((await done.run()).stop, undefined);
  });
});
