import assert from 'node:assert/strict';
import { AnnouncedLimit } from '../../../src/service/throttle/announcedLimit';
import { Throttle } from '../../../src/service/throttle/throttle';
import { FakeClock, settled } from '../../support/fakeClock';

const SECOND = 1_000;

/** A limit of a service: rejects requests beyond it. */
interface Limit {
  /** Undefined: rejected. */
  take(nowMs: number): Record<string, string> | undefined;
}

function bucket(limit: number, perSecond: number): Limit {
  let tokens = limit;
  let at = Number.NaN;
  return {
    take(now) {
      if (!Number.isNaN(at)) tokens = Math.min(limit, tokens + ((now - at) / SECOND) * perSecond);
      at = now;
      if (tokens < 1) return undefined;
      tokens--;
      return headersOf(limit, Math.floor(tokens), now + ((limit - tokens) / perSecond) * SECOND);
    },
  };
}

function window(limit: number, seconds: number): Limit {
  let used = 0;
  let ends = Number.NaN;
  return {
    take(now) {
      if (!(now < ends)) {
        used = 0;
        ends = now + seconds * SECOND;
      }
      if (used === limit) return undefined;
      used++;
      return headersOf(limit, limit - used, ends);
    },
  };
}

function headersOf(limit: number, remaining: number, resetAtMs: number): Record<string, string> {
  return {
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': String(Math.ceil(resetAtMs / SECOND)),
  };
}

const received = (headers: Readonly<Record<string, string>>) => ({ headers, wallTimeMs: 0 });

/** Eight at a time, each answered after 50 ms, for a number of seconds. */
async function work(limit: Limit, seconds: number): Promise<{ served: number; rejected: number }> {
  const clock = new FakeClock();
  const queue = new Throttle(clock, () => 0).origin('https://models.test');
  const count = { served: 0, rejected: 0 };
  const ends = clock.now() + seconds * SECOND;
  const worker = async () => {
    while (clock.now() < ends) {
      const options = { kind: 'upload', longestWaitMs: Number.POSITIVE_INFINITY, tooLong: () => 0 } as const;
      const pass = await queue.enter(options);
      await new Promise<void>((resolve) => clock.after(50, resolve));
      const headers = limit.take(clock.now());
      if (headers) {
        count.served++;
        pass.responded(true, headers);
      } else {
        count.rejected++;
        pass.failed();
        queue.pause(SECOND);
      }
    }
  };
  for (let n = 0; n < 8; n++) void worker();
  await clock.advance(seconds * SECOND);
  await settled();
  return count;
}

describe('A rate limit announced in headers', () => {
  it('holds: requests use up a limit that refills evenly, and never exceed it', async () => {
    const { served, rejected } = await work(bucket(100, 20), 60);
    assert.equal(rejected, 0);
    assert.ok(served >= 0.95 * (100 + 60 * 20), `${served} served`);
  });

  it('holds: requests exceed a limit that renews all at once only once', async () => {
    const { served, rejected } = await work(window(100, 5), 60);
    assert.ok(rejected <= 8, `${rejected} rejected`);
    assert.ok(served >= 0.9 * 12 * 100, `${served} served`);
  });

  it('follows the newest request, not a late response to an older one', () => {
    const limit = new AnnouncedLimit();
    const slow = limit.send(0);
    limit.send(10)(20, received(headersOf(10, 0, 10_000)));
    slow(30, received(headersOf(10, 5, 10_000)));
    assert.ok(limit.waitMs(30) > 0);
  });

  it('includes a run of an hour in the service’s count', () => {
    const limit = new AnnouncedLimit();
    limit.send(0);
    const quick = limit.send(10_000);
    quick(10_100, received(headersOf(10, 1, 20_000)));
    assert.equal(limit.waitMs(10_100), 0);
  });
});
