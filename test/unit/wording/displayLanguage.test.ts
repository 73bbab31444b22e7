import assert from 'node:assert/strict';
import { waitingText } from '../../../src/jobs/progressText';
import { formatBytes } from '../../../src/wording/bytes';
import { setDisplayLanguage } from '../../../src/wording/displayLanguage';
import { formatDuration } from '../../../src/wording/duration';
import { formatNumber, formatShare } from '../../../src/wording/number';
import { formatScore } from '../../../src/wording/score';

describe('Numbers and times without a language', () => {
  afterEach(() => setDisplayLanguage(''));
  const at = new Date(2026, 10, 23, 16, 4, 5).getTime();

  it('follow the display language', () => {
    setDisplayLanguage('de');
    assert.equal(formatDuration(1_300), '1,3 s');
    assert.equal(formatNumber(1234.5), '1.234,5');
    assert.equal(formatBytes(15_700), '15,7 kB');
    assert.equal(formatShare(0.399), '39,9\u00a0%');
    assert.equal(formatScore(-0.00012), '-1,2e-4');
    assert.equal(
      waitingText({ untilMs: at, reason: 'rateLimit' }),
      'Waiting until 16:04:05: the service limits the rate',
    );
    setDisplayLanguage('en-US');
    assert.equal(formatDuration(1_300), '1.3 s');
    assert.equal(formatBytes(15_700), '15.7 kB');
    assert.equal(formatShare(0.399), '39.9%');
    assert.equal(formatScore(-0.00012), '-1.2e-4');
    assert.match(waitingText({ untilMs: at, reason: 'rateLimit' }), /until 4:04:05\sPM:/);
  });

  it('look whole or perfect only where they are', () => {
    assert.deepEqual(
      [0.9999999, 3e-7, '0.0000001', 12.9999999, -1e-7, 0.1 + 0.2, 3 - 4e-16].map((one) =>
        formatNumber(one, 'en'),
      ),
      ['0.9999999', '0.0000003', '0.0000001', '12.9999999', '-0.0000001', '0.3', '3'],
    );
    assert.deepEqual(
      [0.9997, 1, 0.25, -0.9999, 0.99999994, 12].map((one) => formatScore(one, 'en')),
      ['0.9997', '1.000', '0.250', '-0.9999', '1.000', '12'],
      'the last but one is 1 in single precision',
    );
    assert.deepEqual(
      [0.9997, 1, 0.0002, 0, 0.5].map((one) => formatShare(one, 'en')),
      ['99.97%', '100.0%', '0.02%', '0.0%', '50.0%'],
    );
  });
});
