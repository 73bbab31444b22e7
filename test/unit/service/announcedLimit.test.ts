import assert from 'node:assert/strict';
import { AnnouncedLimit } from '../../../src/service/throttle/announcedLimit';

const SECOND = 1_000;

function headersOf(limit: number, remaining: number, resetAtMs: number): Record<string, string> {
  return {
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': String(Math.ceil(resetAtMs / SECOND)),
  };
}

const received = (headers: Readonly<Record<string, string>>) => ({ headers, wallTimeMs: 0 });

describe('A rate limit announced in headers', () => {
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
