import assert from 'node:assert/strict';
import { readInstant } from '../../../src/domain/instant';
import { readTime } from '../../../src/readers/billingValues';
import { readDurationMs } from '../../../src/service/retryAfter';

describe('A duration as text', () => {
  const SECOND = 1000;
  const MINUTE = 60 * SECOND;
  const HOUR = 60 * MINUTE;

  it('becomes milliseconds from every unit, spelled short or long, alone or together', () => {
    const short = { '1h30m': 90 * MINUTE, ' 1.5 s ': 1500, '20ms': 20 };
    const all = { ...short, '1 minute 30 s': 90 * SECOND, '1 day 2 hours': 26 * HOUR };
    for (const [text, ms] of Object.entries(all)) assert.equal(readDurationMs(text), ms, text);
  });
});

describe('A time as text', () => {
  const NOON = Date.UTC(2030, 5, 1, 12);

  it('means the same moment in each form and zone', () => {
    for (const text of [
      ...['2030-06-01T12:00:00Z', '2030-06-01 12:00', '2030-06-01T14:00+02:00'],
      ...['Sat, 01 Jun 2030 12:00:00 GMT', 'Saturday, 01-Jun-30 12:00:00 GMT', ' 2030-06-01T12:00:00Z '],
      '2030-06-01T12:00:00.000Z',
    ])
      assert.equal(readInstant(text), NOON, text);
    assert.equal(readInstant('2030-06-01'), Date.UTC(2030, 5, 1));
    assert.equal(readInstant('2030-06'), Date.UTC(2030, 5, 1));
    assert.equal(readInstant('2030-06-01T12:00:00.5Z'), NOON + 500);
    assert.equal(readInstant('2030-06-01T12:00:00,0001Z'), NOON + 1, 'never earlier than it says');
  });

  it('accepts seconds and milliseconds of the epoch from a bill, but not a bare year', () => {
    assert.equal(readTime(1_906_545_600), 1_906_545_600_000);
    assert.equal(readTime('1906545600.25'), 1_906_545_600_250);
    assert.equal(readTime(1_906_545_600_000), 1_906_545_600_000);
    assert.equal(readTime('2030-06-01'), Date.UTC(2030, 5, 1));
    for (const time of [1_906_545_600_000_000, '1906545600000000000'])
      assert.equal(readTime(time), NOON, JSON.stringify(time));
    for (const other of [[2030, 6, 1], { seconds: 5 }]) assert.equal(readTime(other), undefined);
    for (const no of [
      2030,
      '2030',
      12,
      '19065456000',
      '190654560000',
      'June',
      'x2030-06-01',
      null,
      {},
      true,
      '',
    ])
      assert.equal(readTime(no), undefined, String(no));
  });
});
