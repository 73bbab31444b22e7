import assert from 'node:assert/strict';
import type { BulkPause } from '../../../src/service/client';
import { ServiceError } from '../../../src/service/errors';
import { StoreProblem } from '../../../src/store/storeProblem';
import { JobInMemory, turns } from '../../support/jobInMemory';

describe('A job that is cancelled', () => {
  let here: JobInMemory;
  beforeEach(() => {
    here = new JobInMemory();
  });

  it('ends at once where it has not begun', async () => {
    here.isTaken = true;
    const job = here.job(2);
    job.start();
    await turns();
    job.cancel();
    await job.done;
    assert.deepEqual([here.written, job.progress.state], [['end', 'release'], 'ended']);
    job.cancel();
    job.resume();
    assert.equal(job.progress.state, 'ended');
  });

  it('waits for its target first, where an earlier window left requests without a response', async () => {
    here.rows = [
      { index: 0, state: 'unknown' },
      { index: 1, state: 'planned' },
    ];
    const job = here.job(2, false);
    job.items[0]!.state = 'inFlight';
    job.cancel();
    assert.equal(job.progress.state, 'queued');
    job.start();
    await job.done;
    assert.deepEqual([here.written, here.runs.length], [['takeOver', 'end', 'release'], 0]);
    assert.equal(job.progress.unknown, 1);
  });

  it('waits for requests in flight, drops prepared items, and stops sending', async () => {
    here.prepares();
    here.concurrency = 3;
    const job = here.job(3);
    job.start();
    await turns();
    await here.preparing[0]!.end();
    assert.deepEqual(here.runs[0]!.batch, [0]);
    job.cancel();
    assert.equal(job.progress.state, 'stopping');
    assert.ok(here.preparing.slice(1).every(({ signal }) => signal.aborted));
    assert.equal(here.runs[0]!.turn.aborted, true);
    job.resume();
    for (const one of here.preparing.slice(1)) await one.end(new ServiceError('cancelled'));
    assert.equal(job.progress.state, 'stopping', 'a run is paid: its response is waited for');
    await here.runs[0]!.respond();
    await job.done;
    assert.deepEqual(
      [job.progress.done, here.runs.length, here.written.slice(-2)],
      [1, 1, ['end', 'release']],
    );
  });
});

describe('A job whose window closes', () => {
  it('stops sending, reports no change, and releases its target with its last request', async () => {
    const here = new JobInMemory();
    const job = here.job(4);
    job.start();
    await turns();
    let changes = 0;
    job.onDidChange(() => changes++);
    job.detach();
    assert.equal(changes, 0);
    assert.ok(here.runs.every(({ turn, abandon }) => turn.aborted && !abandon.aborted));
    await here.runs[0]!.respond();
    assert.ok(!here.written.includes('release'));
    await here.runs[1]!.respond();
    assert.deepEqual([here.written.at(-1), here.runs.length], ['release', 2]);
    assert.ok(!here.written.includes('end'), 'the next window resumes it');
    const idle = new JobInMemory();
    const waits = idle.job(1);
    waits.start();
    waits.detach();
    await turns();
    assert.deepEqual([idle.runs.length, waits.progress.state], [0, 'stopping']);
    assert.notEqual(idle.written.at(-1), 'takeOver', 'a target that is taken is let go of');
  });

  it('releases its target at once when no request is in flight, even while it begins', async () => {
    const paused = new JobInMemory();
    const job = paused.job(1);
    job.start();
    await turns();
    job.pause();
    await paused.runs[0]!.fail(new ServiceError('cancelled'));
    assert.equal(job.progress.state, 'paused');
    job.detach();
    await turns();
    assert.equal(paused.written.at(-1), 'release');
    const begins = new JobInMemory();
    const other = begins.job(1, false);
    begins.whileReading = () => other.detach();
    other.start();
    await turns();
    assert.deepEqual([begins.written, begins.runs.length], [['takeOver', 'release'], 0]);
  });
});

describe('A job whose store cannot be written', () => {
  const full = new StoreProblem('diskFull', 'no room');

  it('sends no unrecorded request, ends, and releases its target', async () => {
    for (const step of ['takeOver', 'sent'] as const) {
      const here = new JobInMemory();
      here.refuse(step, full);
      const job = here.job(3);
      job.start();
      await turns();
      assert.equal(here.runs.length, 0, step);
      await assert.rejects(job.done, full);
      const { state, reason } = job.progress;
      assert.equal(state, 'ended', step);
      assert.ok(reason);
      assert.ok(here.written.includes('release'), step);
      job.resume();
      job.cancel();
      assert.equal(job.progress.state, 'ended');
    }
  });

  it('releases its target when its end cannot be written, so that another window can end it', async () => {
    const here = new JobInMemory();
    here.refuse('end', full);
    const job = here.job(1);
    job.start();
    await turns();
    await here.runs[0]!.respond();
    await assert.rejects(job.done, full);
    assert.equal(here.written.at(-1), 'release');
  });
});

describe('The throttle of a service', () => {
  /** A throttle that a test moves. */
  function throttle(limit: number, pause?: BulkPause) {
    const listeners = new Set<() => void>();
    return {
      now: { limit, pause },
      limit(most: number) {
        return Math.min(most, this.now.limit);
      },
      get pause() {
        return this.now.pause;
      },
      onDidChange(listener: () => void) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      changed: () => {
        for (const listener of [...listeners]) listener();
      },
      listeners,
    };
  }

  it('holds a job back until it may go on', async () => {
    const here = new JobInMemory();
    const pause = { untilMs: 9, reason: 'rateLimit' } as const;
    const of = throttle(0, pause);
    here.throttle = of;
    here.concurrency = 8;
    const job = here.job(4);
    let changes = 0;
    const stop = job.onDidChange(() => changes++);
    job.start();
    await turns();
    assert.deepEqual([here.runs.length, job.progress.waiting, job.progress.state], [0, pause, 'running']);
    of.now = { limit: 3, pause: undefined };
    const before = changes;
    of.changed();
    assert.ok(changes > before);
    stop();
    await turns();
    assert.deepEqual([here.runs.length, job.progress.waiting], [3, undefined]);
    const heard = changes;
    for (const run of here.runs.slice()) await run.respond();
    await here.runs[3]!.respond();
    await job.done;
    assert.deepEqual([changes, of.listeners.size], [heard, 0]);
  });

  it('belongs to the present client only', async () => {
    const here = new JobInMemory();
    const [old, other] = [throttle(1), throttle(2)];
    here.throttle = old;
    const job = here.job(9);
    job.start();
    await turns();
    here.throttle = other;
    await here.runs[0]!.respond();
    assert.deepEqual([old.listeners.size, other.listeners.size, here.runs.length], [0, 1, 3]);
    job.detach();
    assert.equal(other.listeners.size, 0);
  });
});
