import assert from 'node:assert/strict';
import type { Pass } from '../../../src/service/throttle/originQueue';
import { Throttle } from '../../../src/service/throttle/throttle';
import { FakeClock, settled } from '../../support/fakeClock';

const HERE = 'https://models.test';
const STORE = 'https://store.test';

describe('The throttle', () => {
  let clock: FakeClock;
  let throttle: Throttle;
  beforeEach(() => {
    clock = new FakeClock();
    throttle = new Throttle(clock, () => 0);
  });

  const enter = (
    more: { longestWaitMs?: number; signal?: AbortSignal; onWait?: () => void } = {},
    at = HERE,
  ) => throttle.origin(at).enter({ kind: 'run', longestWaitMs: 1e9, tooLong: (until) => until, ...more });
  /** The passes that are given from now on. */
  function entering(count: number): Pass[] {
    const passes: Pass[] = [];
    for (let n = 0; n < count; n++) void enter().then((pass) => passes.push(pass));
    return passes;
  }

  it('never lets one pause shorten another, of the same origin or of another', async () => {
    throttle.origin(HERE).pause(10_000, 90_000);
    throttle.origin(STORE).pause(2_000, undefined, 'unavailable');
    const until = clock.now() + 10_000;
    assert.deepEqual(throttle.state, { pausedUntilMs: until, cappedFromMs: 90_000, reason: 'rateLimit' });
    throttle.bulk.limit(8);
    throttle.bulk.failed();
    const passes = entering(1);
    await clock.advance(9_999);
    assert.equal(passes.length, 0);
    await clock.advance(1);
    assert.equal(passes.length, 1);
    throttle.origin(STORE).pause(4_000, undefined, 'unavailable');
    throttle.origin(STORE).pause(5_000);
    assert.deepEqual([throttle.state.reason, throttle.bulk.pause?.reason], ['rateLimit', 'rateLimit']);
  });

  it('keeps a longer pause for trouble behind a shorter one for a rate limit', async () => {
    throttle.bulk.limit(8);
    for (let n = 0; n < 3; n++) {
      throttle.bulk.failed();
      await clock.advance(n < 2 ? 500 * 2 ** n : 0);
    }
    throttle.origin(HERE).pause(1_000);
    const at = clock.now();
    assert.deepEqual(throttle.bulk.pause, { untilMs: at + 2_000, reason: 'trouble' });
    await clock.advance(1_500);
    assert.deepEqual([throttle.state, throttle.bulk.limit(8)], [{}, 0]);
    await clock.advance(500);
    assert.deepEqual([throttle.bulk.pause, throttle.bulk.limit(8)], [undefined, 1]);
  });

  it('adds a random time to a pause: up to a tenth of it and 0.1 s, 1 s at most', async () => {
    for (const [waitMs, most] of [
      [0, 100],
      [1_000, 200],
      [9_000, 1_000],
      [60_000, 1_000],
    ] as const) {
      throttle = new Throttle(clock, () => 0.999_999);
      throttle.origin(HERE).pause(waitMs);
      const until = throttle.state.pausedUntilMs ?? 0;
      assert.equal(until - clock.now(), waitMs + most - 1);
    }
  });

  it('rejects a call at once that would wait too long, even a waiting one', async () => {
    throttle.origin(HERE).pause(1_000);
    const outcomes: unknown[] = [];
    for (const longestWaitMs of [999, 1_000, 1e9])
      enter({ longestWaitMs }).then(
        () => outcomes.push('left'),
        (until: number) => outcomes.push([longestWaitMs, until - clock.now()]),
      );
    await clock.advance(500);
    assert.deepEqual(outcomes.splice(0), [[999, 1_000]]);
    throttle.origin(STORE).pause(5_000);
    await settled();
    assert.deepEqual(outcomes.splice(0), [[1_000, 5_000]]);
    await clock.advance(5_000);
    assert.deepEqual(outcomes, ['left']);
  });

  it('removes a cancelled call from the queue completely', async () => {
    await assert.rejects(enter({ signal: AbortSignal.abort(new Error('before')) }), /before/);
    throttle.origin(HERE).pause(1_000);
    const stop = new AbortController();
    const gone = enter({ signal: stop.signal });
    const passes = entering(1);
    stop.abort(new Error('meanwhile'));
    await assert.rejects(gone, /meanwhile/);
    await clock.advance(1_000);
    assert.equal(passes.length, 1, 'one leaves alone after a pause, and it is not the one that gave up');
  });

  it('calls back only callers that wait', async () => {
    const waits: string[] = [];
    await enter({ onWait: () => waits.push('before') });
    throttle.origin(HERE).pause(1_000);
    void enter({ onWait: () => waits.push('in the pause') });
    void enter({ onWait: () => waits.push('behind') });
    assert.deepEqual(waits, ['in the pause', 'behind']);
    await clock.advance(5_000);
  });

  it('lets twice as many leave with each response, until all may', async () => {
    throttle.origin(HERE).pause(1_000);
    const passes = entering(300);
    await clock.advance(1_000);
    const seen: number[] = [];
    for (let done = 0; done < 300; ) {
      const left = passes.slice(done);
      done += left.length;
      seen.push(left.length);
      for (const pass of left) pass.responded(true);
      await settled();
      if (left.length === 0) break;
    }
    // Each response widens the window, even those of one moment.
    assert.deepEqual(seen.slice(0, 2), [1, 2]);
    assert.equal(passes.length, 300);
    assert.equal(clock.timers, 0, 'a response in time leaves no timer behind');
    const unlimited = entering(500);
    await settled();
    assert.equal(unlimited.length, 500);
  });

  it('ignores responses to requests from before a 429', async () => {
    const before = entering(5);
    await settled();
    throttle.origin(HERE).pause(1_000);
    const after = entering(5);
    await clock.advance(1_000);
    assert.equal(after.length, 1);
    for (const pass of before) pass.responded(true);
    await settled();
    assert.equal(after.length, 1, 'their responses show nothing of the limit now');
    after[0]!.failed();
    await settled();
    assert.equal(after.length, 2, 'one without a response shows nothing either');
    after[1]!.responded(true);
    after[1]!.responded(true);
    after[1]!.failed();
    await settled();
    assert.equal(after.length, 4, 'each counts once');
  });

  it('holds nothing back any more once it is closed', async () => {
    const changes: unknown[] = [];
    const stop = throttle.watch((state) => changes.push(state.reason));
    throttle.origin(HERE).pause(60_000);
    const waiting = [enter(), enter({}, STORE)].map((one) => assert.rejects(one, /closed/));
    throttle.bulk.limit(2);
    throttle.bulk.failed();
    stop();
    throttle.close(new Error('closed'));
    await Promise.all(waiting);
    assert.deepEqual([throttle.state, throttle.bulk.pause, clock.timers], [{}, undefined, 0]);
    throttle.origin(HERE).pause(60_000);
    throttle.bulk.failed();
    assert.deepEqual([throttle.state, throttle.bulk.pause, clock.timers], [{}, undefined, 0]);
    assert.deepEqual(changes, ['rateLimit'], 'who stopped watching hears of nothing');
  });
});

describe('The pace of bulk work, round by round', () => {});
