import assert from 'node:assert/strict';
import { durationOf } from '../../../src/domain/runTimes';

const sent = { startedAt: 0, sentAt: 800, finishedAt: 3_600 };

describe('durationOf', () => {
  it('counts from sending to the response, without the upload', () => {
    assert.equal(durationOf({ ...sent, state: 'finished' }), 2_800);
    assert.equal(durationOf({ ...sent, state: 'failed' }), 2_800);
    assert.equal(durationOf({ ...sent, state: 'unclear' }), 2_800);
  });

  it('returns undefined where no response ended the run', () => {
    for (const state of ['unknown', 'running', 'notSent', 'accepted'] as const)
      assert.equal(durationOf({ ...sent, state }), undefined, state);
  });

  it('returns undefined for a settled run, and after the clock was set back', () => {
    assert.equal(durationOf({ state: 'finished', sentAt: 800 }), undefined);
    assert.equal(durationOf({ state: 'finished', sentAt: 800, finishedAt: 700 }), undefined);
  });
});
