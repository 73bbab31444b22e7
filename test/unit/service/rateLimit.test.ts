import assert from 'node:assert/strict';
import fc from 'fast-check';
import { LONGEST_TIMER_MS } from '../../../src/service/clock';
import { LONGEST_PAUSE_MS, readRetryAdvice } from '../../../src/service/retryAfter';
import type { Pass } from '../../../src/service/throttle/originQueue';
import { Throttle } from '../../../src/service/throttle/throttle';
import { FakeClock, settled } from '../../support/fakeClock';
import { type FaultProxy, startFaultProxy } from '../../support/faultProxy';
import { failureOf, REQUEST, testClient } from '../../support/serviceClient';

const ORIGIN = 'https://models.test';
const NOW = Date.UTC(2030, 5, 1, 12);
const GENERATED = Number(process.env.MODEL_BENCH_FAULTS_RETRY_AFTER ?? 10_000);

/** A header, and the wait that it names in milliseconds. */
const named = fc.oneof(
  seconds().map((s): Named => ({ headers: { 'retry-after': String(s) }, ms: s * 1000 })),
  seconds().map(
    (s): Named => ({ headers: { 'retry-after': new Date(NOW + s * 1000).toUTCString() }, ms: s * 1000 }),
  ),
  seconds().map((s): Named => ({ headers: { 'retry-after-ms': String(s) }, ms: s })),
  seconds().map((s): Named => ({ headers: { 'x-ratelimit-reset': String(s) }, ms: s * 1000 })),
  seconds().map((s): Named => ({ headers: { 'x-ratelimit-reset': String(NOW / 1000 + s) }, ms: s * 1000 })),
  seconds().map((s): Named => ({ headers: { 'x-ratelimit-reset': String(NOW + s) }, ms: s })),
  seconds().map(
    (s): Named => ({ headers: { 'x-rate-limit-reset': new Date(NOW + s).toISOString() }, ms: s }),
  ),
  seconds().map((s): Named => ({ headers: { 'ratelimit-reset': String(s) }, ms: s * 1000 })),
  seconds().map(
    (s): Named => ({ headers: { ratelimit: `limit=10, remaining=0, reset=${s}` }, ms: s * 1000 }),
  ),
  seconds().map((s): Named => ({ headers: { ratelimit: `"default";r=0;t=${s}` }, ms: s * 1000 })),
  seconds().map(
    (s): Named => ({
      headers: { 'x-ratelimit-reset-requests': `${Math.floor(s / 60)}m${s % 60}s` },
      ms: s * 1000,
    }),
  ),
  fc
    .double({ min: 0, max: 1e6, noNaN: true })
    .map((s): Named => ({ headers: { 'x-ratelimit-reset-after': String(s) }, ms: s * 1000 })),
  fc.constantFrom('1e308', '99999999999999999999', '1e400', '4294967296').map(
    (text): Named => ({
      headers: { 'retry-after': text },
      ms: Number.POSITIVE_INFINITY,
    }),
  ),
);

interface Named {
  readonly headers: Readonly<Record<string, string>>;
  readonly ms: number;
}

function seconds(): fc.Arbitrary<number> {
  // Below 1e9: from there on a number of seconds is a time.
  return fc.oneof(fc.nat(120), fc.nat(100_000), fc.nat(2 ** 29));
}

describe('a rate limit', () => {
  it(`never lets a request out early, nor sets a timer too long, for any header values (${GENERATED} values)`, async function () {
    this.timeout(120_000);
    await fc.assert(
      fc.asyncProperty(
        named,
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        async ({ headers, ms }, random) => {
          const advice = readRetryAdvice(headers, NOW);
          assert.ok(advice !== undefined, JSON.stringify(headers));
          const due = Math.min(ms, LONGEST_PAUSE_MS);
          // A date in a header has whole seconds; it is the moment that was named.
          const slack =
            typeof headers['retry-after'] === 'string' && /GMT/.test(headers['retry-after']) ? 999 : 0;
          assert.ok(advice.waitMs >= due - slack, `${advice.waitMs} < ${due}`);
          assert.ok(advice.waitMs <= LONGEST_PAUSE_MS);
          assert.equal(
            advice.cappedFromMs !== undefined,
            Math.ceil(ms) > LONGEST_PAUSE_MS && advice.waitMs === LONGEST_PAUSE_MS,
          );
          const clock = new FakeClock(NOW);
          const queue = new Throttle(clock, () => random).origin(ORIGIN);
          queue.pause(advice.waitMs, advice.cappedFromMs);
          let grantedAt: number | undefined;
          void queue
            .enter({
              kind: 'run',
              longestWaitMs: Number.POSITIVE_INFINITY,
              tooLong: () => new Error('too long'),
            })
            .then(() => {
              grantedAt = clock.now();
            });
          while (grantedAt === undefined) {
            const moved = await clock.advanceToNext();
            await settled();
            assert.ok(moved || grantedAt !== undefined, 'nothing would ever wake it');
          }
          assert.ok(grantedAt - NOW >= due - slack, `out after ${grantedAt - NOW} ms, named were ${ms}`);
          assert.ok(clock.longestTimerMs <= LONGEST_TIMER_MS);
        },
      ),
      { numRuns: GENERATED },
    );
  });

  it('never leads to a negative, endless or missing wait from garbage', () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.constantFrom('retry-after', 'x-ratelimit-reset', 'ratelimit', 'retry-after-ms'),
        (text, name) => {
          const advice = readRetryAdvice({ [name]: text }, NOW);
          if (advice !== undefined) assert.ok(advice.waitMs >= 0 && advice.waitMs <= LONGEST_PAUSE_MS);
        },
      ),
    );
    assert.equal(readRetryAdvice({ 'retry-after': 'soon' }, NOW), undefined);
    assert.equal(readRetryAdvice({}, NOW), undefined);
  });

  it('counts a date by the service’s clock if ours runs ahead', () => {
    const theirs = NOW - 3_600_000;
    const headers = {
      date: new Date(theirs).toUTCString(),
      'retry-after': new Date(theirs + 30_000).toUTCString(),
    };
    assert.equal(readRetryAdvice(headers, NOW)?.waitMs, 30_000);
  });

  it('prefers Retry-After to the end of a window', () => {
    assert.equal(readRetryAdvice({ 'retry-after': '2', 'x-ratelimit-reset': '600' }, NOW)?.waitMs, 2_000);
  });

  it('pauses everything, then lets one through, and more with each response', async () => {
    const clock = new FakeClock();
    const queue = new Throttle(clock, () => 0).origin(ORIGIN);
    const enter = () => queue.enter({ kind: 'run', longestWaitMs: 1e9, tooLong: () => new Error() });
    const early = await enter();
    queue.pause(10_000);
    early.failed();
    const passes: Pass[] = [];
    for (let i = 0; i < 20; i++) void enter().then((pass) => passes.push(pass));
    await clock.advance(9_999);
    assert.equal(passes.length, 0);
    await clock.advance(1_000);
    assert.equal(passes.length, 1);
    passes[0]?.responded(true);
    await settled();
    assert.equal(passes.length, 3);
    // A run may take an hour: a request without a 429 within two seconds was accepted.
    await clock.advance(2_100);
    assert.ok(passes.length > 3 && passes.length <= 11, `${passes.length}`);
    await clock.advance(10_000);
    assert.equal(passes.length, 20);
    assert.equal(clock.timers, 0);
  });

  it('names the reason of a pause only after a 429: a 503 with a time means an unavailable service', async () => {
    for (const [status, reason, bulk, kind] of [
      [429, 'rateLimit', 'rateLimit', 'rateLimited'],
      [503, 'unavailable', 'trouble', 'serviceFailing'],
    ] as const) {
      const proxy = await startFaultProxy({
        behind: () => ({ status, headers: { 'retry-after': '300' }, body: 'later' }),
      });
      const client = testClient(proxy.url);
      const stop = new AbortController();
      const waiting = client.run(REQUEST, { signal: stop.signal }).catch(() => undefined);
      while (client.rateLimit.pausedUntilMs === undefined)
        await new Promise((resolve) => setTimeout(resolve, 5));
      assert.equal(client.rateLimit.reason, reason);
      assert.equal(client.bulk.pause?.reason, bulk);
      const error = await failureOf(client.wallet());
      assert.equal(error.kind, kind);
      assert.ok((error.details.retryAtMs ?? 0) > Date.now());
      stop.abort();
      await waiting;
      client.close();
      await proxy.close();
    }
  });

  it('pauses again when the first one through also gets a 429', async () => {
    const clock = new FakeClock();
    const queue = new Throttle(clock, () => 0).origin(ORIGIN);
    queue.pause(1_000);
    const passes: unknown[] = [];
    const enter = () => queue.enter({ kind: 'upload', longestWaitMs: 1e9, tooLong: () => new Error() });
    const first = enter();
    for (let i = 0; i < 5; i++) void enter().then((pass) => passes.push(pass));
    await clock.advance(1_500);
    queue.pause(5_000);
    (await first).failed();
    await clock.advance(4_900);
    assert.equal(passes.length, 0);
    await clock.advance(700);
    assert.equal(passes.length, 1);
  });

  it('holds for another origin too, and opens at once after it has ended', async () => {
    const clock = new FakeClock();
    const throttle = new Throttle(clock, () => 0);
    const service = throttle.origin(ORIGIN);
    throttle.origin('https://store.test').pause(2_000);
    let passed = 0;
    for (let i = 0; i < 5; i++)
      void service
        .enter({ kind: 'upload', longestWaitMs: 1e9, tooLong: () => new Error() })
        .then(() => passed++);
    await clock.advance(1_990);
    assert.deepEqual([passed, service.isPaused], [0, true]);
    await clock.advance(20);
    assert.deepEqual([passed, service.isPaused], [5, false]);
  });

  it('notifies who watches of its start and its end', async () => {
    const clock = new FakeClock();
    const throttle = new Throttle(clock, () => 0);
    const queue = throttle.origin(ORIGIN);
    const states: (number | undefined)[] = [];
    throttle.watch(({ pausedUntilMs }) => states.push(pausedUntilMs && pausedUntilMs - Date.UTC(2030, 0, 1)));
    queue.pause(2_000);
    await clock.advance(3_000);
    assert.deepEqual(states, [2_000, undefined]);
  });
});

describe('429 responses', () => {
  let proxy: FaultProxy;
  afterEach(() => proxy.close());

  it('hold back every request until the named time has passed', async () => {
    const start = Date.now();
    proxy = await startFaultProxy({
      behind: () => ({ body: { status: 'succeeded', output: 1, items: [] } }),
      fault: (_request, index) =>
        index === 0
          ? { kind: 'response', response: { status: 429, headers: { 'retry-after': '1' } } }
          : undefined,
    });
    const client = testClient(proxy.url);
    const first = client.run(REQUEST);
    while (client.rateLimit.pausedUntilMs === undefined)
      await new Promise((resolve) => setTimeout(resolve, 1));
    await Promise.all([first, client.wallet(), client.run(REQUEST), client.usageSummary()]);
    for (const { atMs } of proxy.seen.slice(1)) assert.ok(atMs - start >= 1_000, `${atMs - start}`);
    assert.equal(proxy.executedRuns, 2);
    assert.equal(client.logged.filter((line) => /429, everything pauses/.test(line)).length, 1);
    client.close();
  });

  it('cause a shorter pause for an absurd time, with a log line; a view fails at once instead of staying empty', async () => {
    proxy = await startFaultProxy({
      behind: () => ({ status: 429, headers: { 'retry-after': '999999999' } }),
    });
    const client = testClient(proxy.url);
    const error = await failureOf(client.wallet(), 'rateLimited');
    assert.ok((error.details.retryAtMs ?? 0) - Date.now() <= LONGEST_PAUSE_MS + 1_100);
    assert.ok(
      client.logged.some((line) => /999999999 s \(retry-after\), which is over the limit/.test(line)),
    );
    assert.equal(client.rateLimit.cappedFromMs, 999_999_999_000);
    await failureOf(client.usageSummary(), 'rateLimited');
    assert.equal(proxy.seen.length, 1);
    client.close();
  });
});

describe('a rejected key, an empty wallet or a missing permission', () => {
  for (const [status, kind] of [
    [401, 'badKey'],
    [402, 'cannotPay'],
    [403, 'noPermission'],
  ] as const)
    it(`stops waiting requests behind a pause at once: ${status}`, async () => {
      let limited = true;
      const proxy = await startFaultProxy({
        behind: () => {
          if (!limited) return { status, body: { error: 'no' } };
          limited = false;
          return { status: 429, headers: { 'retry-after-ms': '300' } };
        },
      });
      const client = testClient(proxy.url, { random: () => 0 });
      const first = failureOf(client.run(REQUEST), kind);
      while (client.rateLimit.pausedUntilMs === undefined) await new Promise(setImmediate);
      const waiting = Array.from({ length: 5 }, () => failureOf(client.run(REQUEST), kind));
      assert.equal((await Promise.all([first, ...waiting])).length, 6);
      // The one that met the limit, and the first one let through, which was rejected. The others waited.
      assert.equal(proxy.seen.length, 2);
      client.close();
      await proxy.close();
    });
});
