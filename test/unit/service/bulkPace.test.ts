import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Throttle } from '../../../src/service/throttle/throttle';
import { FakeClock } from '../../support/fakeClock';
import { callOf, FakeService, type HeldRequest } from '../../support/fakeService';

const MOST = 8;

describe('The pace of bulk work', () => {
  let clock: FakeClock;
  let throttle: Throttle;
  const limit = () => throttle.bulk.limit(MOST);
  beforeEach(() => {
    clock = new FakeClock();
    throttle = new Throttle(clock, () => 0);
    limit();
  });

  function round(): void {
    const size = limit();
    for (let n = 0; n < size; n++) throttle.bulk.succeeded();
  }

  it('keeps the processor of the service busy with requests of any duration', async () => {
    const durations = [
      ['two values of a parameter', (n: number) => (n % 2) * 2_000],
      ['one slow request in ten', (n: number) => (n % 10 === 0 ? 9_000 : 100)],
      ['slower and slower', (n: number) => n * 100],
    ] as const;
    for (const [name, durationOf] of durations) {
      const ms = await timeOf(400, durationOf);
      const sum = Array.from({ length: 400 }, (_, n) => durationOf(n)).reduce((all, one) => all + one, 0);
      const share = sum / MOST / ms;
      assert.ok(share >= 0.9, `${name}: ${share.toFixed(2)} of the ideal`);
    }
    // Twenty of 2 s, 8 at a time: three after one another.
    const small = await timeOf(40, (n) => (n % 2) * 2_000);
    assert.ok(6_000 / small >= 0.9, `40 requests took ${small} ms`);
  });

  it('keeps to a rate limit that headers announce, and uses it up', async () => {
    // 100 at once, 20 a second.
    let tokens = 100;
    let last: number | undefined;
    let refused = 0;
    let sent = 0;
    const ms = await timeOf(
      1_000,
      () => 50,
      (now) => {
        tokens = Math.min(100, tokens + ((now - (last ?? now)) / 1_000) * 20);
        last = now;
        sent += 1;
        const isRefused = tokens < 1;
        if (isRefused) refused += 1;
        else tokens -= 1;
        return {
          status: isRefused ? 429 : 200,
          headers: {
            ...(isRefused && { 'retry-after': '1' }),
            'x-ratelimit-limit': '100',
            'x-ratelimit-remaining': String(Math.floor(tokens)),
            'x-ratelimit-reset': String(Math.ceil((100 - tokens) / 20)),
          },
        };
      },
    );
    const achieved = 1_000 / (100 + (ms / 1_000) * 20);
    assert.ok(achieved >= 0.95, `${achieved.toFixed(3)} of the limit`);
    assert.ok(refused / sent <= 0.02, `${refused} of ${sent} refused`);
  });

  /** The time that a service takes for a job of `count` requests, 8 at a time at most. */
  async function timeOf(
    count: number,
    durationOf: (n: number) => number,
    respond: (nowMs: number) => { status: number; headers?: Record<string, string> } = () => ({
      status: 200,
    }),
  ): Promise<number> {
    const service = new FakeService();
    const exchange = service.exchange();
    const startedAt = service.clock.now();
    const { bulk } = exchange.throttle;
    let started = 0;
    let ended = 0;
    let answered = 0;
    for (; ended < count; ) {
      while (started < count && started - ended < bulk.limit(MOST)) {
        started += 1;
        void exchange.send(callOf('run', { bulk: true })).then(() => {
          ended += 1;
        });
        await nextTurn();
      }
      for (; answered < service.requests.length; answered++) {
        const request = service.requests[answered] as HeldRequest;
        // A rate limit counts a request when it comes.
        const { status, headers } = respond(service.clock.now());
        service.clock.after(durationOf(answered), () => void request.respond(status, headers));
      }
      await service.pass(50);
      if (service.clock.now() - startedAt > 3_600_000) throw new Error('it does not end');
    }
    return service.clock.now() - startedAt;
  }

  it('halves once for requests that got a 429 together, waits for the service’s time, and grows by one a round', async () => {
    const origin = throttle.origin('https://models.test');
    for (let n = 0; n < MOST; n++) origin.pause(4_000);
    assert.equal(limit(), 0);
    assert.deepEqual(throttle.bulk.pause, { untilMs: clock.now() + 4_000, reason: 'rateLimit' });
    await clock.advance(4_000);
    assert.equal(throttle.bulk.pause, undefined);
    assert.equal(limit(), 4);
    round();
    assert.equal(limit(), 5);
  });

  it('waits after failures, twice as long each time, and lets other requests through', async () => {
    let changes = 0;
    throttle.bulk.onDidChange(() => changes++);
    for (const wait of [500, 1_000, 2_000]) {
      for (let n = 0; n < 3; n++) throttle.bulk.failed();
      assert.deepEqual(throttle.bulk.pause, { untilMs: clock.now() + wait, reason: 'trouble' });
      assert.equal(limit(), 0);
      assert.equal(throttle.state.pausedUntilMs, undefined);
      let passed = false;
      const options = { kind: 'read', longestWaitMs: 0, tooLong: () => 0 } as const;
      void throttle
        .origin('https://models.test')
        .enter(options)
        .then(() => {
          passed = true;
        });
      await clock.advance(wait);
      assert.ok(passed);
    }
    assert.ok(changes >= 6, 'it notifies when a pause begins and when it ends');
    assert.equal(limit(), 1);
    round();
    throttle.bulk.failed();
    assert.equal(throttle.bulk.pause?.untilMs, clock.now() + 500, 'a success starts the waits anew');
  });
});
