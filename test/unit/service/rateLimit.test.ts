import assert from 'node:assert/strict';
import fc from 'fast-check';
import { LONGEST_TIMER_MS } from '../../../src/service/clock';
import { LONGEST_PAUSE_MS, readRetryAdvice } from '../../../src/service/retryAfter';
import { Throttle } from '../../../src/service/throttle/throttle';
import { FakeClock, settled } from '../../support/fakeClock';

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
  fc
    .constantFrom('1e308', '99999999999999999999', '1e400', '4294967296')
    .map((text): Named => ({ headers: { 'retry-after': text }, ms: Number.POSITIVE_INFINITY })),
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
  it(`never lets a request out early, nor sets a timer too long, for any header values (${GENERATED} values)`, async () => {
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
});
