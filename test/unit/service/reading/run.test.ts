import assert from 'node:assert/strict';
import { readRunResponse } from '../../../../src/service/reading/run';
import { rawOf } from '../../../support/rawOf';

describe('reading a run’s response', () => {
  const asked = new URL('https://a.example/api/runs');
  const read = (body: unknown, status = 200, headers = {}) =>
    readRunResponse(rawOf(body, status, headers), asked);

  it('takes envelopes and bare results, and says what it did not recognise', () => {
    assert.deepEqual(
      [read({ status: 'succeeded', output: 1 }).output, read({ data: { status: 'done', result: 2 } }).output],
      [1, 2],
    );
    const hits = [{ id: 'a', score: 1 }];
    assert.deepEqual(read({ results: hits, run_id: 'r' }).output, hits);
    assert.deepEqual(read(hits).output, hits);
    assert.deepEqual(
      [read({ label: 'cat', score: 1 }).recognised, read({ foo: 1 }).recognised],
      [true, false],
    );
    assert.deepEqual(read({ foo: 1 }).output, { foo: 1 });
  });

  it('tells finished, accepted and failed apart', () => {
    assert.equal(read({ id: 'x', status: 'IN_PROGRESS' }).state, 'accepted');
    assert.equal(read({ id: 'x' }, 202).state, 'accepted');
    const failed = read({ status: 'failed', error: { message: 'too dark' } });
    assert.deepEqual([failed.state, failed.message], ['failed', 'too dark']);
    assert.deepEqual(
      [read({ success: false, message: 'no' }).state, read({ error: null, output: 1 }).state],
      ['failed', 'finished'],
    );
  });

  it('takes no state in an unknown word for finished, and no bare result for a state', () => {
    for (const status of ['half-baked', 'UNDER_REVIEW', 'in the oven'])
      assert.deepEqual([read({ status }).state, read({ status }).recognised], ['accepted', false], status);
    assert.equal(read({ run_id: 'r', phase: 'settling', output: 1 }).state, 'accepted');
    assert.equal(read({ data: { status: 'half-baked', run_id: 'r' } }).state, 'accepted');
    assert.equal(read({ state: 'California', capital: 'Sacramento' }).state, 'finished');
    assert.equal(read({ status: 'completed_with_errors', output: 1 }).state, 'finished');
    assert.equal(read({ status: 'half-baked', success: true }).state, 'finished');
    const known = read({ status: 'half-baked', status_url: '/api/runs/1' });
    assert.equal(known.followUrl, 'https://a.example/api/runs/1');
    // It may be the last word of a service: a result is not asked for a second time.
    assert.equal(read({ status: 'half-baked', output: 1, status_url: '/api/runs/1' }).followUrl, undefined);
  });

  it('takes a run for failed only on an explicit sign', () => {
    for (const body of [
      { errors: 0 },
      { errors: [] },
      { error: 'none' },
      { error: {} },
      { message: 'Indexed' },
    ])
      assert.equal(read({ ...body, output: 1 }).state, 'finished', JSON.stringify(body));
    assert.equal(read({ errors: 0 }).state, 'finished');
    assert.equal(read({ output: [1, 2], errors: [{ index: 2, message: 'dark' }] }).state, 'finished');
    assert.equal(read({ errors: [{ message: 'dark' }] }).state, 'failed');
    assert.equal(read({ error: { message: 'dark' } }).state, 'failed');
  });

  it('names an address to ask at only when it is of the same origin', () => {
    assert.equal(
      read({ status: 'queued', status_url: '/api/runs/1' }, 202).followUrl,
      'https://a.example/api/runs/1',
    );
    assert.equal(
      read({ status: 'queued', urls: { get: 'https://a.example/r/1' } }).followUrl,
      'https://a.example/r/1',
    );
    assert.equal(read({ status: 'queued' }, 202, { location: '/r/2' }).followUrl, 'https://a.example/r/2');
    for (const status_url of [
      'https://b.example/r',
      '//b.example/r',
      'http://a.example/r',
      'javascript:1',
      'file:///x',
    ])
      assert.equal(read({ status: 'queued', status_url }, 202).followUrl, undefined, status_url);
  });
});
