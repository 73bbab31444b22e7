import assert from 'node:assert/strict';
import { endText, paceText, progressText } from '../../../src/indexing/progressText';
import type { JobProgress } from '../../../src/jobs/progress';

const progress = (more: Partial<JobProgress>): JobProgress => ({
  ...{ state: 'running', total: 26, done: 26, failed: 0, unknown: 0, skipped: 0, remaining: 0 },
  ...{ inFlight: 0, runs: 2, spent: [{ amount: '0.013', currency: 'USD' }] },
  ...more,
});
const untilMs = Date.UTC(2030, 0, 1);

describe('The texts of a job', () => {
  it('name another job only when there is one', () => {
    const queued = progress({ state: 'queued', done: 0, remaining: 26, spent: [] });
    assert.doesNotMatch(progressText(queued, 'en'), /another job|Waiting/);
    assert.match(progressText({ ...queued, isHeldUp: true }, 'en'), /Waiting: another job is indexing/);
  });

  it('say that the rate is limited only after a 429', () => {
    const waiting = (reason: 'rateLimit' | 'trouble') =>
      progressText(progress({ waiting: { untilMs, reason }, remaining: 3 }), 'en');
    assert.match(waiting('rateLimit'), /limits the rate/);
    assert.doesNotMatch(waiting('trouble'), /limits the rate/);
  });

  it('are no waiting text once the job has ended', () => {
    const ended = progress({ state: 'ended', waiting: { untilMs, reason: 'rateLimit' } });
    for (const text of [progressText(ended, 'en'), paceText(ended, 'en').join(), endText('s', ended, 'en')])
      assert.doesNotMatch(text, /[Ww]aiting|Retrying|limits/);
  });

  it('give what was spent as the least when runs reported no cost', () => {
    assert.equal(endText('s', progress({}), 'en'), 'Indexed 26 of 26 files into s for $0.013.');
    const unknown = progress({ unpricedRuns: 1 });
    assert.equal(endText('s', unknown, 'en'), 'Indexed 26 of 26 files into s for at least $0.013.');
    assert.match(progressText(unknown, 'en'), /at least \$0\.013 spent/);
    assert.equal(
      endText('s', progress({ spent: [], unpricedRuns: 2 }), 'en'),
      'Indexed 26 of 26 files into s.',
    );
  });
});
