import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readInstant } from '../../../src/readers/instant';
import { LONGEST_PAUSE_MS, readDurationMs, readRetryAdvice } from '../../../src/service/retryAfter';

const NOW = Date.UTC(2030, 5, 1, 12);
const ZONES = ['UTC', 'America/Los_Angeles', 'Europe/Berlin', 'Australia/Adelaide', 'Pacific/Kiritimati'];
const HEADERS = ['retry-after', 'x-retry-after', 'x-ratelimit-reset', 'ratelimit-reset'];

const pad = (value: number, length = 2) => String(value).padStart(length, '0');
const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** One moment, written in every form that has whole seconds; those without a zone mean UTC. */
const forms: Readonly<Record<string, (date: Date) => string>> = {
  'ISO 8601': (date) => `${date.toISOString().slice(0, 19)}Z`,
  'ISO 8601 without a zone': (date) => date.toISOString().slice(0, 19),
  'ISO 8601 with a space and without a zone': (date) => date.toISOString().slice(0, 19).replace('T', ' '),
  'ISO 8601 with an offset': (date) => `${shifted(date, 330).toISOString().slice(0, 19)}+05:30`,
  'ISO 8601 with a short offset': (date) => `${shifted(date, -480).toISOString().slice(0, 19)}-08`,
  'ISO 8601 in quotes': (date) => `"${date.toISOString().slice(0, 19)}"`,
  'RFC 9110': (date) => date.toUTCString(),
  'RFC 9110 without a zone': (date) => date.toUTCString().replace(' GMT', ''),
  'RFC 2822': (date) => shifted(date, 120).toUTCString().replace('GMT', '+0200'),
  'RFC 850': (date) =>
    `${WEEKDAYS[date.getUTCDay()]}, ${pad(date.getUTCDate())}-${MONTHS[date.getUTCMonth()]}-` +
    `${pad(date.getUTCFullYear() % 100)} ${date.toISOString().slice(11, 19)} GMT`,
  asctime: (date) =>
    `${WEEKDAYS[date.getUTCDay()]!.slice(0, 3)} ${MONTHS[date.getUTCMonth()]} ` +
    `${String(date.getUTCDate()).padStart(2)} ${date.toISOString().slice(11, 19)} ${date.getUTCFullYear()}`,
  JavaScript: (date) => date.toString(),
  'RFC 9110, sent twice': (date) => `${new Date(+date - 5000).toUTCString()}, ${date.toUTCString()}`,
};

const shifted = (date: Date, minutes: number) => new Date(date.getTime() + minutes * 60_000);

describe('A named time to retry', () => {
  let zone: string | undefined;
  before(() => {
    zone = process.env.TZ;
  });
  afterEach(() => {
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
  });

  for (const name of ZONES)
    it(`means the same moment in ${name}, in every form`, () => {
      process.env.TZ = name;
      assert.equal(Intl.DateTimeFormat().resolvedOptions().timeZone, name);
      fc.assert(
        fc.property(
          fc.nat({ max: 3500 }),
          fc.constantFrom(...Object.keys(forms)),
          fc.constantFrom(...HEADERS),
          (seconds, form, header) => {
            const text = forms[form]!(new Date(NOW + seconds * 1000));
            assert.equal(readRetryAdvice({ [header]: text }, NOW)?.waitMs, seconds * 1000, text);
          },
        ),
        { numRuns: 500 },
      );
    });

  it('takes any year and time of day', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('1970-01-01'), max: new Date('2069-12-31'), noInvalidDate: true }),
        fc.constantFrom(...Object.keys(forms).filter((form) => !/quotes|twice/.test(form))),
        (date, form) => {
          const whole = Math.floor(date.getTime() / 1000) * 1000;
          assert.equal(readInstant(forms[form]!(new Date(whole))), whole);
        },
      ),
    );
  });

  it('reads seconds in any spelling', () => {
    const written: readonly ((seconds: number) => string)[] = [
      (s) => `"${s}"`,
      (s) => `'${s}'`,
      (s) => ` ${s} `,
      (s) => `${s}.0`,
      (s) => `${s}s`,
      (s) => `${s} seconds`,
      (s) => `${s} sec`,
      (s) => `${s * 1000}ms`,
      (s) => `${Math.floor(s / 60)}m${s % 60}s`,
      (s) => `${Math.floor(s / 60)} minutes ${s % 60} seconds`,
      (s) => `${Math.floor(s / 60)} minutes and ${s % 60} seconds`,
      (s) => `PT${s}S`,
      (s) => `PT${Math.floor(s / 60)}M${s % 60}S`,
      (s) => `t=${s}`,
      (s) => `${s}, 1`,
      (s) => `0, "${s}"`,
      (s) => `"${s} seconds"`,
    ];
    fc.assert(
      fc.property(fc.nat({ max: 3600 }), fc.constantFrom(...written), (seconds, write) => {
        const text = write(seconds);
        const least = text === `${seconds}, 1` ? Math.max(1, seconds) : seconds;
        assert.equal(readRetryAdvice({ 'retry-after': text }, NOW)?.waitMs, least * 1000, text);
      }),
      { numRuns: 2000 },
    );
  });

  it('keeps its fraction in both forms of RateLimit', () => {
    for (const text of [
      '"default";r=0;t=60.5',
      'limit=10, remaining=0, reset=60.5',
      'reset="60.5"',
      't=60.5',
    ])
      assert.equal(readRetryAdvice({ ratelimit: text }, NOW)?.waitMs, 60_500, text);
    assert.equal(readRetryAdvice({ 'x-ratelimit-reset': '60.5s' }, NOW)?.waitMs, 60_500);
    assert.equal(readRetryAdvice({ 'retry-after': 'PT1M0.5S' }, NOW)?.waitMs, 60_500);
    assert.equal(readRetryAdvice({ 'retry-after': 'P1D' }, NOW)?.cappedFromMs, 86_400_000);
  });

  it('stays undefined for text without a time', () => {
    for (const text of [
      'soon',
      'wait 5',
      'foo 5',
      'P',
      'PT',
      '5 bananas',
      '06/01/2030 12:00',
      'Jun 1',
      '12:00',
    ]) {
      assert.equal(readRetryAdvice({ 'retry-after': text }, NOW), undefined, text);
      assert.equal(readInstant(text), undefined, text);
      assert.equal(readDurationMs(text), undefined, text);
    }
  });

  it('counts the longest of a list, and is never negative', () => {
    assert.equal(readRetryAdvice({ 'retry-after': '5, soon, 60' }, NOW)?.waitMs, 60_000);
    fc.assert(
      fc.property(fc.string(), (text) => {
        const wait = readRetryAdvice({ 'retry-after': text }, NOW)?.waitMs ?? 0;
        assert.ok(wait >= 0 && wait <= LONGEST_PAUSE_MS);
      }),
    );
  });
});
