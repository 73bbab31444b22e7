import assert from 'node:assert/strict';
import { AnnouncedLimit } from '../../../src/service/throttle/announcedLimit';

const SECOND = 1_000;
const WALL = Date.UTC(2030, 0, 1);

describe('The next request after an announced limit', () => {
  let limit: AnnouncedLimit;
  beforeEach(() => {
    limit = new AnnouncedLimit();
  });

  /** A request that left and was answered at one moment. */
  const exchange = (atMs: number, headers: Record<string, string>) =>
    limit.send(atMs)(atMs, { headers, wallTimeMs: WALL });
  const announce = (atMs: number, all: number, left: number, resetMs?: number) =>
    exchange(atMs, headersOf(all, left, resetMs));
  const headersOf = (all: number, left: number, resetMs?: number): Record<string, string> => ({
    'x-ratelimit-limit': `${all}`,
    'x-ratelimit-remaining': `${left}`,
    ...(resetMs !== undefined && { 'ratelimit-reset': `${resetMs / SECOND}` }),
  });

  it('waits for the one that refills next, and each further one as long again', () => {
    announce(0, 10, 0, 10 * SECOND);
    assert.deepEqual([limit.waitMs(0), limit.waitMs(400), limit.waitMs(999.5)], [1_000, 600, 1]);
    assert.equal(limit.waitMs(1_000), 0);
    limit.send(1_000);
    assert.equal(limit.waitMs(1_000), 1_000);
    limit.send(2_000);
    assert.equal(limit.waitMs(2_500), 500);
  });

  it('goes at once while some are left', () => {
    announce(0, 10, 2, 10 * SECOND);
    for (const wait of [0, 0]) {
      assert.equal(limit.waitMs(0), wait);
      limit.send(0);
    }
    // 8 of 10 in ten seconds.
    assert.equal(limit.waitMs(0), 1_250);
  });

  it('follows the fastest reading of one limit, and restarts for another limit', () => {
    announce(0, 10, 0, 10 * SECOND);
    announce(0, 10, 0, 20 * SECOND);
    assert.equal(limit.waitMs(0), 1_000);
    announce(0, 12, 0, 60 * SECOND);
    assert.equal(limit.waitMs(0), 5_000);
  });

  it('needs half of a limit used to tell its pace, and a time', () => {
    for (const [left, resetMs, wait] of [
      [5, 10 * SECOND, 2_000],
      [6, 10 * SECOND, 0],
      [0, undefined, 0],
      [0, 0, 0],
    ] as const) {
      limit = new AnnouncedLimit();
      announce(0, 10, left, resetMs);
      const ends = Array.from({ length: left }, () => limit.send(0));
      for (const end of ends) end(0);
      assert.equal(limit.waitMs(0), wait, `${left}`);
    }
  });

  it('waits for responses under way where the pace is unknown, and for none after two seconds', () => {
    announce(0, 10, 6);
    const ends = Array.from({ length: 6 }, () => limit.send(100));
    assert.equal(limit.waitMs(100), 2_000);
    for (const end of ends.slice(1)) end(100);
    assert.equal(limit.waitMs(2_099), 2_000);
    assert.equal(limit.waitMs(2_100), 0);
    ends[0]!(2_100);
    limit.send(3_000)(3_000);
    assert.equal(limit.waitMs(3_000), 0);
  });

  it('waits ten seconds at most after the last that left', () => {
    announce(5_000, 10, 0, 3_600 * SECOND);
    assert.deepEqual([limit.waitMs(5_000), limit.waitMs(14_999), limit.waitMs(15_000)], [10_000, 1, 0]);
  });

  it('keeps one in reserve of a limit of twenty or more', () => {
    for (const [all, waits] of [
      [19, false],
      [20, true],
      [21, true],
    ] as const) {
      limit = new AnnouncedLimit();
      announce(0, all, 1, 10 * SECOND);
      assert.equal(limit.waitMs(0) > 0, waits, `${all}`);
    }
  });

  it('counts requests in flight as not announced yet, for two seconds', () => {
    limit.send(0);
    limit.send(0);
    announce(1_999, 10, 2, 10 * SECOND);
    assert.ok(limit.waitMs(1_999) > 0);
    announce(2_000, 10, 2, 10 * SECOND);
    assert.equal(limit.waitMs(2_000), 0);
  });

  it('follows an older response only where that announces less', () => {
    const [slow, slower] = [limit.send(0), limit.send(0)];
    announce(0, 10, 5, 10 * SECOND);
    const then = { wallTimeMs: WALL };
    slow(3_000, { ...then, headers: headersOf(10, 5, 10 * SECOND) });
    slower(3_000, { ...then, headers: headersOf(10, 0, 10 * SECOND) });
    assert.equal(limit.waitMs(3_000), 1_000);
  });

  it('waits for the strictest of several headers, and ignores invalid numbers', () => {
    const reset = { 'x-ratelimit-limit': '10', 'ratelimit-reset': '10' };
    for (const [headers, waits] of [
      [{ 'x-ratelimit-remaining': '5', 'ratelimit-remaining': '0' }, true],
      [{ 'x-rate-limit-remaining': ' 0 ' }, true],
      [{ 'x-ratelimit-remaining-requests': '0' }, true],
      [{ 'x-ratelimit-remaining': '0 of 5' }, false],
      [{ 'x-ratelimit-remaining': 'only 0' }, false],
      [{ 'x-ratelimit-remaining': '0'.repeat(13) }, false],
      [{ 'x-ratelimit-remaining': '' }, false],
    ] as const) {
      limit = new AnnouncedLimit();
      exchange(0, { ...reset, ...headers });
      assert.equal(limit.waitMs(0) > 0, waits, JSON.stringify(headers));
    }
  });

  it('waits for the reset, once a 429 came although requests were held back', () => {
    announce(0, 10, 0, 10 * SECOND);
    limit.waitMs(0);
    limit.exceeded();
    assert.equal(limit.waitMs(0), 0, 'nothing is announced any more');
    announce(1_000, 10, 0, 10 * SECOND);
    assert.deepEqual([limit.waitMs(1_000), limit.waitMs(10_999)], [10_000, 1]);
    assert.equal(limit.waitMs(11_000), 0, 'the reset has come');
    announce(11_000, 10, 1, 10 * SECOND);
    assert.equal(limit.waitMs(11_000), 0, 'one is left');
    announce(11_000, 10, 0, 90 * SECOND);
    assert.equal(limit.waitMs(11_000), 60_000);
    assert.equal(limit.waitMs(71_000), 0);
  });

  it('does not wait for the reset after a 429 without requests held back', () => {
    announce(0, 10, 5, 10 * SECOND);
    limit.waitMs(0);
    limit.exceeded();
    announce(0, 10, 0, 10 * SECOND);
    assert.equal(limit.waitMs(0), 1_000);
  });
});
