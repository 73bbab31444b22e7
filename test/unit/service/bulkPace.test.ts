import assert from 'node:assert/strict';
import { Throttle } from '../../../src/service/throttle/throttle';
import { FakeClock } from '../../support/fakeClock';
import { startFaultProxy } from '../../support/faultProxy';
import { failureOf, REQUEST, testClient } from '../../support/serviceClient';

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

  function round(ms: number): void {
    const size = limit();
    for (let n = 0; n < size; n++) throttle.bulk.succeeded('upload', ms);
  }

  it('sends fewer at once when responses take much longer, and more again when they do not', () => {
    round(100);
    assert.equal(limit(), 8);
    round(900);
    assert.equal(limit(), 6);
    round(900);
    assert.equal(limit(), 4);
    round(120);
    assert.equal(limit(), 5);
    // A service that stays as slow as that is not held back for ever.
    for (let n = 0; n < 60; n++) round(900);
    assert.equal(limit(), 8);
  });

  it('compares only requests that take comparable time', () => {
    for (const ms of [100, 100, 100])
      for (let n = 0; n < MOST; n++)
        throttle.bulk.succeeded(n % 2 === 0 ? 'upload' : 'slow model', n % 2 === 0 ? ms : 60_000);
    assert.equal(limit(), 8);
  });

  it('halves once for what got a 429 together, waits as the service asked, and grows by one a round', async () => {
    const origin = throttle.origin('https://models.test');
    for (let n = 0; n < MOST; n++) origin.pause(4_000);
    assert.equal(limit(), 0);
    assert.deepEqual(throttle.bulk.pause, { untilMs: clock.now() + 4_000, reason: 'rateLimit' });
    await clock.advance(4_000);
    assert.equal(throttle.bulk.pause, undefined);
    assert.equal(limit(), 4);
    round(100);
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
    round(100);
    throttle.bulk.failed();
    assert.equal(throttle.bulk.pause?.untilMs, clock.now() + 500, 'a success starts the waits anew');
  });

  it('follows what the client sees of jobs, and only of jobs', async () => {
    const proxy = await startFaultProxy({ behind: () => ({ status: 500 }) });
    const client = testClient(proxy.url, { random: () => 0 });
    await failureOf(client.run(REQUEST), 'outcomeUnknown');
    assert.equal(client.bulk.limit(MOST), MOST);
    await failureOf(client.run(REQUEST, { bulk: true }), 'outcomeUnknown');
    assert.equal(client.bulk.pause?.reason, 'trouble');
    assert.equal(client.rateLimit.pausedUntilMs, undefined);
    let ended = 0;
    client.bulk.onDidChange(() => ended++);
    client.close();
    assert.deepEqual([client.bulk.pause, ended], [undefined, 1], 'a closed client holds nothing back');
    await proxy.close();
  });
});
