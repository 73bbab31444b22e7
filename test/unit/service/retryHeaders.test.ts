import assert from 'node:assert/strict';
import {
  LONGEST_PAUSE_MS,
  namesRetryTime,
  readResetAdvice,
  readRetryAdvice,
} from '../../../src/service/retryAfter';

import { callOf, FakeService } from '../../support/fakeService';
import { threadTime } from '../../support/threadTime';

const NOW = Date.UTC(2030, 5, 1, 12);
const wait = (headers: Record<string, string>) => readRetryAdvice(headers, NOW)?.waitMs;
const waitOf = (text: string) => wait({ 'retry-after': text });

describe('Several headers that name a time to retry', () => {
  it('give the longest time of a kind, in any order', () => {
    for (const [one, other] of [
      ['2', '5'],
      ['5', '2'],
    ] as const) {
      const longest = readRetryAdvice({ 'retry-after': one, 'x-retry-after': other }, NOW);
      assert.deepEqual(longest, { waitMs: 5_000, header: one === '5' ? 'retry-after' : 'x-retry-after' });
      assert.equal(wait({ 'x-ratelimit-reset-requests': one, 'x-ratelimit-reset-tokens': other }), 5_000);
      assert.equal(wait({ ratelimit: `"a";r=0;t=${one}, "b";r=0;t=${other}` }), 5_000);
    }
  });

  it('mean seconds, unless their name has milliseconds and their number is no time', () => {
    for (const name of ['retry-after-ms', 'x-ms-retry-after-ms', 'x-retry-after-ms'])
      assert.equal(wait({ [name]: '1500' }), 1_500, name);
    assert.equal(wait({ 'retry-after-ms': String(NOW + 2_500) }), 2_500);
    for (const name of [
      'x-ratelimit-retry-after',
      'x-rate-limit-retry-after',
      'x-rate-limit-retry-after-seconds',
    ])
      assert.equal(wait({ [name]: '3' }), 3_000, name);
  });

  it('pause after a 503 only when one of them names the time to retry itself', () => {
    assert.equal(namesRetryTime({ 'x-retry-after-ms': '' }), true);
    assert.equal(namesRetryTime({ 'x-ratelimit-reset': '5', ratelimit: 't=5' }), false);
  });
});

describe('The value of such a header', () => {
  it('reads a number in every spelling, of seconds or of a time', () => {
    for (const [text, ms] of [
      ['+5', 5_000],
      ['.25', 250],
      ['5.', 5_000],
      ['1e1', 10_000],
      ['-5', 0],
      ['" 7 "', 7_000],
      ["'7'", 7_000],
      [String(NOW / 1_000 + 9), 9_000],
      [String(NOW + 9_500), 9_500],
    ] as const)
      assert.equal(waitOf(text), ms, text);
    for (const text of ['7"', '"7', 'x7', '7x8', '5 6']) assert.equal(waitOf(text), undefined, text);
  });

  it('takes the longest of a list of up to twenty', () => {
    assert.equal(waitOf('5,60'), 60_000);
    assert.equal(waitOf('60 , soon,5'), 60_000);
    assert.equal(waitOf('soon, later'), undefined);
    const list = (count: number) => Array.from({ length: count }, (_, n) => n).join(', ');
    assert.deepEqual([waitOf(list(20)), waitOf(list(21))], [19_000, undefined]);
    const at = (seconds: number) => new Date(NOW + seconds * 1_000).toUTCString();
    assert.equal(waitOf(`${at(5)}, ${at(60)}`), 60_000);
  });

  it('stops at an hour, and accepts an hour itself', () => {
    assert.deepEqual(readRetryAdvice({ 'retry-after': '3600' }, NOW), {
      waitMs: LONGEST_PAUSE_MS,
      header: 'retry-after',
    });
    assert.equal(readRetryAdvice({ 'retry-after': '3601' }, NOW)?.cappedFromMs, 3_601_000);
    assert.equal(readRetryAdvice({ 'retry-after-ms': '0.2' }, NOW)?.waitMs, 1, 'at least the named time');
  });
});

describe('The end of a limit’s window, as a successful response names it', () => {
  it('equals the latest named time, an hour away at most', () => {
    assert.equal(readResetAdvice({}, NOW), undefined);
    assert.equal(readResetAdvice({ 'retry-after': '5' }, NOW), undefined);
    assert.equal(readResetAdvice({ 'x-ratelimit-reset': '5', 'ratelimit-reset': '9' }, NOW), 9_000);
    assert.equal(readResetAdvice({ 'x-ratelimit-reset': String(NOW / 1_000 + 30) }, NOW), 30_000);
    assert.equal(readResetAdvice({ 'x-ratelimit-reset': '7200' }, NOW), LONGEST_PAUSE_MS);
    assert.equal(readResetAdvice({ ratelimit: 'limit=10, remaining=0, reset = "2.125"' }, NOW), 2_125);
  });
});

describe('A malformed header', () => {
  const hostile = [
    '"'.repeat(15_000),
    `"${"'".repeat(15_000)}`,
    `${' '.repeat(15_000)}x`,
    `${'1a  '.repeat(20)}!`,
    '5,'.repeat(7_000),
    `${'1 h, '.repeat(25)}!`,
    `P${'1'.repeat(15_000)}`,
    't='.repeat(7_000),
    `Mon${'n'.repeat(15_000)},`,
  ];

  it('names no time, and takes little time to read', () => {
    const ms = threadTime(() => {
      for (const text of hostile)
        for (const header of ['retry-after', 'x-ratelimit-reset', 'ratelimit', 'date'])
          assert.equal(
            readRetryAdvice({ [header]: text }, NOW),
            undefined,
            `${header}: ${text.slice(0, 20)}`,
          );
    });
    assert.ok(ms < 500, `${ms} ms`);
  });

  it('removes nothing from the response of a run', async () => {
    for (const text of hostile) {
      const service = new FakeService();
      const done = service.exchange().send(callOf('run'));
      await service.pass();
      await service.last.respond(200, {
        'x-ratelimit-remaining': '1',
        'x-ratelimit-reset': text,
        date: text,
      });
      assert.equal((await done).status, 200);
    }
  });
});
