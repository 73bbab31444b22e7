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

  it('contain no waiting text once the job has ended', () => {
    const ended = progress({ state: 'ended', waiting: { untilMs, reason: 'rateLimit' } });
    for (const text of [progressText(ended, 'en'), paceText(ended, 'en').join(), endText('s', ended, 'en')])
      assert.doesNotMatch(text, /[Ww]aiting|Retrying|limits/);
  });

  it('give the cost as a minimum when runs reported none', () => {
    assert.equal(endText('s', progress({}), 'en'), 'Indexed 26 of 26 files into s for $0.013.');
    const unknown = progress({ unpricedRuns: 1 });
    assert.equal(endText('s', unknown, 'en'), 'Indexed 26 of 26 files into s for at least $0.013.');
    assert.match(progressText(unknown, 'en'), /at least \$0\.013 spent/);
    assert.equal(
      endText('s', progress({ spent: [], unpricedRuns: 2 }), 'en'),
      'Indexed 26 of 26 files into s.',
    );
  });

  it('name the state of a job that does not send', () => {
    const named = (state: JobProgress['state']) => progressText(progress({ state, spent: [] }), 'en');
    assert.equal(named('paused'), 'Paused · 26 of 26');
    assert.equal(named('stopping'), 'Stopping: waiting for responses to sent files · 26 of 26');
    assert.equal(named('ended'), 'Finished · 26 of 26');
    assert.equal(named('running'), '26 of 26');
    assert.equal(named('queued'), '26 of 26');
  });

  it('put first why a job waits or stopped, then how long it takes', () => {
    const running = progress({
      done: 6,
      remaining: 20,
      rate: 4,
      remainingMs: 5_000,
      reason: 'The disk is full.',
    });
    assert.deepEqual(paceText(running, 'en'), [
      'The disk is full.',
      '5 s remaining',
      '4.0/s',
      '$0.013 spent',
    ]);
    const [waits, ...others] = paceText(
      { ...running, reason: undefined, waiting: { untilMs, reason: 'trouble' } },
      'en',
    );
    assert.match(waits ?? '', /^Retrying at/);
    assert.equal(others.length, 3);
    const unknown = { remaining: 26, done: 0, spent: [] };
    assert.deepEqual(paceText(progress(unknown), 'en'), ['Starting…']);
    assert.deepEqual(paceText(progress({ ...unknown, state: 'paused' }), 'en'), ['Paused']);
  });

  it('give at the end the outcomes of all files, and the reason of the end', () => {
    const ended = progress({ done: 20, failed: 1, unknown: 2, skipped: 3, reason: 'The wallet is empty.' });
    assert.equal(
      endText('s', ended, 'en'),
      'Indexed 20 of 26 files into s for $0.013. 1 failed, 2 unconfirmed, 3 indexed by another window. The wallet is empty.',
    );
    const two = [
      { amount: '0.5', currency: 'USD' },
      { amount: '2', currency: 'EUR' },
    ];
    assert.equal(
      endText('s', progress({ total: 1, done: 1, spent: two }), 'en'),
      'Indexed 1 of 1 file into s for $0.50, €2.00.',
    );
  });
});
