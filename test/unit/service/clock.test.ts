import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { LONGEST_TIMER_MS, sleep, systemClock } from '../../../src/service/clock';
import { FakeClock, settled } from '../../support/fakeClock';

/** Whether a promise has settled, and how. */
function watched(promise: Promise<unknown>) {
  const state = { end: 'waiting' as unknown };
  promise.then(
    () => {
      state.end = 'done';
    },
    (reason: unknown) => {
      state.end = reason;
    },
  );
  return state;
}

describe('A wait', () => {
  it('ends after its time, and not before', async () => {
    const clock = new FakeClock();
    const waiting = watched(sleep(clock, 1000));
    await clock.advance(999);
    assert.equal(waiting.end, 'waiting');
    await clock.advance(1);
    assert.equal(waiting.end, 'done');
    assert.equal(clock.timers, 0);
  });

  it('ends at once for a time of zero or less', async () => {
    const clock = new FakeClock();
    for (const ms of [0, -5]) {
      const waiting = watched(sleep(clock, ms));
      await settled();
      assert.deepEqual([waiting.end, clock.timers], ['done', 0]);
    }
  });

  it('lasts longer than one timer can run', async () => {
    const clock = new FakeClock();
    const ms = 2.5 * LONGEST_TIMER_MS;
    const waiting = watched(sleep(clock, ms));
    await clock.advance(ms - 1);
    assert.equal(waiting.end, 'waiting');
    await clock.advance(1);
    assert.equal(waiting.end, 'done');
    assert.equal(clock.longestTimerMs, LONGEST_TIMER_MS);
  });

  it('continues if a timer fires early', async () => {
    const clock = new FakeClock();
    const early = {
      ...clock,
      now: () => clock.now(),
      wallTime: () => 0,
      after: (ms: number, then: () => void) => clock.after(ms / 2, then),
    };
    const waiting = watched(sleep(early, 1000));
    await clock.advance(500);
    assert.equal(waiting.end, 'waiting');
    await clock.advance(500);
    assert.equal(waiting.end, 'done');
  });

  it('ends with its signal, for its reason, and leaves no timer', async () => {
    const clock = new FakeClock();
    const reason = new Error('enough');
    const controller = new AbortController();
    const waiting = watched(sleep(clock, 1000, controller.signal));
    await clock.advance(10);
    controller.abort(reason);
    await settled();
    assert.deepEqual([waiting.end, clock.timers], [reason, 0]);
    const aborted = watched(sleep(clock, 1000, AbortSignal.abort(reason)));
    await settled();
    assert.deepEqual([aborted.end, clock.timers], [reason, 0]);
  });

  it('stops listening to its signal after it has ended', async () => {
    const clock = new FakeClock();
    const { signal } = new AbortController();
    const waiting = watched(sleep(clock, 5, signal));
    await clock.advance(5);
    assert.deepEqual([waiting.end, getEventListeners(signal, 'abort')], ['done', []]);
  });
});

describe('The clock of this computer', () => {
  it('returns the time since it began, and the time of day', async () => {
    const [before, day] = [systemClock.now(), systemClock.wallTime()];
    assert.ok(Math.abs(day - Date.now()) < 1000);
    await wait(20);
    assert.ok(systemClock.now() - before >= 15 && systemClock.now() - before < 10_000);
    assert.ok(systemClock.now() < day / 2, 'which is no time of the day');
  });

  it('calls back in time, unless that is cancelled', async () => {
    const called: string[] = [];
    const before = systemClock.now();
    await new Promise<void>((resolve) => {
      systemClock.after(10, () => called.push('cancelled'))();
      systemClock.after(-10, () => called.push('at once'));
      // A greater number than a timer takes would fire at once.
      const cancelLong = systemClock.after(LONGEST_TIMER_MS * 4, () => called.push('far away'));
      systemClock.after(40, () => {
        cancelLong();
        resolve();
      });
    });
    assert.deepEqual(called, ['at once']);
    assert.ok(systemClock.now() - before >= 35);
  });
});
