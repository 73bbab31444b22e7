import assert from 'node:assert/strict';
import { readTime } from '../../../src/readers/billingValues';
import { readInstant } from '../../../src/readers/instant';
import { readDurationMs } from '../../../src/service/retryAfter';

describe('A duration as text', () => {
  const SECOND = 1000;
  const MINUTE = 60 * SECOND;
  const HOUR = 60 * MINUTE;

  it('becomes milliseconds from every unit, spelled short or long, alone or together', () => {
    const others: readonly (readonly [string, number])[] = [
      ['1h30m', 90 * MINUTE],
      ['1 minute 30 s', 90 * SECOND],
      [' 1.5 s ', 1500],
      ['20ms', 20],
      ['1 day 2 hours', 26 * HOUR],
    ];
    for (const [text, ms] of others) assert.equal(readDurationMs(text), ms, text);
  });

  it('returns undefined for other text', () => {
    for (const text of [
      ...[
        '',
        '5',
        's',
        '5 parsecs',
        '5 s ago',
        'in 5 s',
        'P',
        'PT',
        'PT5',
        'P5S',
        '-5s',
        '5 asecs',
        '5 secsx',
      ],
      ...['1 ms!', '1.2.3s', 'xPT5S', 'PT5Sx', '5 days left', '1234567890123456s'],
    ])
      assert.equal(readDurationMs(text), undefined, text);
  });
});

describe('A time as text', () => {
  const NOON = Date.UTC(2030, 5, 1, 12);

  it('means the same moment in each form and zone', () => {
    for (const text of [
      ...['2030-06-01T12:00:00Z', '2030-06-01 12:00', '2030-06-01T14:00+02:00', '2030-06-01T07:00:00 EST'],
      ...[
        'Sat, 01 Jun 2030 12:00:00 GMT',
        '1 June 2030 12:00',
        'Saturday, 01-Jun-30 12:00:00 GMT',
        'Sat Jun  1 12:00:00 2030',
      ],
      ...[
        'Sat Jun 01 2030 12:00:00 GMT+0000 (Coordinated Universal Time)',
        'Jun 1, 2030, 12:00:00',
        ' 2030-06-01T12:00:00Z ',
      ],
      '2030-06-01T12:00:00.000Z',
    ])
      assert.equal(readInstant(text), NOON, text);
    assert.equal(readInstant('2030-06-01'), Date.UTC(2030, 5, 1));
    assert.equal(readInstant('2030-06'), Date.UTC(2030, 5, 1));
    assert.equal(readInstant('2030-06-01T12:00:00.5Z'), NOON + 500);
    assert.equal(readInstant('2030-06-01T12:00:00,0001Z'), NOON + 1, 'never earlier than it says');
    assert.equal(readInstant('2030-06-01T24:00:00Z'), Date.UTC(2030, 5, 2));
    assert.equal(readInstant('Sunday, 01-Feb-70 00:00:00 GMT'), Date.UTC(1970, 1, 1));
    assert.equal(readInstant('Friday, 01-Feb-69 00:00:00 GMT'), Date.UTC(2069, 1, 1));
    assert.equal(readInstant('31 December 1999 23:59:59'), Date.UTC(1999, 11, 31, 23, 59, 59));
    assert.equal(readInstant('1 Jan 2030 00:00'), Date.UTC(2030, 0, 1));
  });

  it('returns undefined for other text', () => {
    for (const text of [
      ...[
        '',
        'now',
        '60 seconds',
        '2030',
        '2030-13-01',
        '2030-00-01',
        '2030-06-32',
        '2030-06-00',
        '2030-06-01T25:00',
      ],
      ...[
        '2030-06-01T12:60',
        '2030-06-01T12',
        '2030-06-01T12:00 XYZ',
        '1 Foo 2030 12:00',
        '2030-06-01T12:00Z or so',
      ],
      ...['on 2030-06-01', '1 June 2030', `2030-06-01${' '.repeat(100)}`, '12:00'],
    ])
      assert.equal(readInstant(text), undefined, text);
  });

  it('accepts seconds and milliseconds of the epoch from a bill, but not a bare year', () => {
    assert.equal(readTime(1_906_545_600), 1_906_545_600_000);
    assert.equal(readTime('1906545600.25'), 1_906_545_600_250);
    assert.equal(readTime(1_906_545_600_000), 1_906_545_600_000);
    assert.equal(readTime('2030-06-01'), Date.UTC(2030, 5, 1));
    for (const time of [1_906_545_600_000_000, '1906545600000000000', '2030-06-01T12:00:00Z[UTC]'])
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
