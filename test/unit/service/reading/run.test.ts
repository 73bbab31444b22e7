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
