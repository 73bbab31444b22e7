import assert from 'node:assert/strict';
import { readRunResponse } from '../../../src/readers/run';
import { rawOf } from '../../support/rawOf';

describe('reading a run’s response', () => {
  const asked = new URL('https://a.example/api/runs');
  const read = (body: unknown, status = 200, headers = {}) =>
    readRunResponse(rawOf(body, status, headers), asked);

  it('takes the price in a bare result for no cost of the run, and that in an envelope for one', () => {
    const costOf = (body: object) =>
      readRunResponse(rawOf(body), new URL('https://models.test/api/runs')).cost;
    for (const bare of [{ price: 245_000, currency: 'USD' }, { charge: -1 }, { price: 3, rooms: 2 }])
      assert.equal(costOf(bare), undefined, JSON.stringify(bare));
    for (const envelope of [
      { status: 'ok' },
      { run_id: 'r' },
      { output: { a: 1 } },
      { result: 'x' },
      { success: true },
    ])
      assert.equal(costOf({ ...envelope, price: '0.01' })?.amount, '0.01', JSON.stringify(envelope));
    assert.equal(costOf({ label: 'cat', cost: '0.01' })?.amount, '0.01');
  });

  it('reads envelopes and bare results, and reports unrecognised ones', () => {
    assert.deepEqual(
      [read({ status: 'succeeded', output: 1 }).output, read({ data: { status: 'done', result: 2 } }).output],
      [1, 2],
    );
    const hits = [{ id: 'a', score: 1 }];
    assert.deepEqual(read({ results: hits, run_id: 'r' }).output, hits);
    assert.deepEqual(read(hits).output, hits);
    assert.deepEqual(
      [read({ label: 'cat', score: 1 }).recognised, read({ status: 'warm' }).recognised],
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
    assert.equal(read({ status: 'queued' }, 202, { location: '/r/2' }).followUrl, 'https://a.example/r/2');
    for (const status_url of ['https://b.example/r', '//b.example/r', 'javascript:1', 'file:///x'])
      assert.equal(read({ status: 'queued', status_url }, 202).followUrl, undefined, status_url);
  });

  it('finds the run, its output and its cost under every usual name, even in an envelope', () => {
    assert.equal(read({ id: 'i', run_id: 'r' }).runId, 'r');
    assert.equal(read({ id: 7, output: 1 }).runId, '7');
    assert.equal(read({ status: 'done', data: 1, output: 2 }).output, 2);
    assert.deepEqual(
      read({ results: [1], other: 2 }).output,
      { results: [1], other: 2 },
      'a result of its own',
    );
    assert.deepEqual(read({ cost: '1', data: { n: 1 } }).output, { n: 1 });
    for (const name of ['run', 'data', 'job', 'execution']) {
      const { output, runId, cost, state } = read({
        id: 'outer',
        cost: '2',
        [name]: { state: 'done', result: 5 },
      });
      assert.deepEqual([output, runId, cost, state], [5, 'outer', { amount: '2' }, 'finished'], name);
    }
    assert.equal(read({ run_id: 'outer', job: { status: 'done' } }).runId, 'outer');
    assert.equal(read({ job: { run_id: 'inner', cost: '1' }, cost: '2' }).cost?.amount, '1');
    assert.equal(read({ output: 1, run: { output: 2 } }).output, 1, 'its own result comes first');
  });

  it('takes 202 for finished only with a result, and recognises bare results', () => {
    assert.deepEqual(
      [read({ output: 1 }, 202).state, read({}, 202).state, read({}, 303).state],
      ['finished', 'accepted', 'accepted'],
    );
    assert.deepEqual(
      [read({}, 202).recognised, read({}).recognised, read({}, 202).output],
      [true, false, undefined],
    );
    assert.equal(read({ status: 'accepted', output: 1 }).output, 1);
  });

  it('returns the message of a failure, but none of a success', () => {
    const said = (body: unknown) => [read(body).state, read(body).message];
    assert.deepEqual(said({ failure: { message: 'dark' } }), ['failed', 'dark']);
    assert.deepEqual(said({ error: true, message: 'dark' }), ['failed', 'dark']);
    assert.deepEqual(said({ ok: false, detail: 'dark' }), ['failed', 'dark']);
    assert.deepEqual(said({ succeeded: false }), ['failed', undefined]);
    assert.deepEqual(said({ status: 'failed' }), ['failed', 'failed']);
    assert.deepEqual(said({ status: 'error', reason: 'dark' }), ['failed', 'dark']);
    assert.deepEqual(said({ status: 'done', message: 'Indexed' }), ['finished', undefined]);
    assert.deepEqual(said({ status: 'done', error: 'dark' }), ['failed', 'dark']);
    assert.equal(read({ status: 'done', error: 'dark', output: 1 }).state, 'unclear', 'signs of both');
    assert.equal(read({ error: 'x'.repeat(400) }).message?.length, 300);
    assert.equal(read({ error: 'dark' }).output, undefined);
  });

  it('finds the address to ask at under every usual name', () => {
    const at = (body: object, status?: number, headers?: object) =>
      read({ status: 'queued', ...body }, status, headers).followUrl;
    assert.equal(
      at({ job: { status: 'queued' }, status: null, status_url: '/r/1' }),
      'https://a.example/r/1',
    );
    assert.equal(at({ status_url: '/r/1' }, 201, { location: '/r/2' }), 'https://a.example/r/2');
    assert.equal(at({}, 303, { location: '/r/2' }), 'https://a.example/r/2');
    assert.equal(at({}, 200, { location: '/r/2' }), undefined);
    for (const no of ['/api/runs', 'r/1', 'mailto:x', 'https://', ''])
      assert.equal(at({ url: no }), undefined, no);
    assert.equal(at({ links: { self: '/r/1' } }), undefined);
    assert.equal(at({ status: 'done', status_url: '/r/1' }), undefined, 'there is nothing to wait for');
  });

  it('takes a body that is no object for the result, but for a web page', () => {
    const alone = (text: string, contentType: string, status = 200) => {
      const raw = { ...rawOf(text, status, { location: '/r/2' }), json: undefined, text, contentType };
      const { output, recognised, state, followUrl } = readRunResponse(raw, asked);
      return [output, recognised, state, followUrl];
    };
    assert.deepEqual(alone('words', 'text/plain'), ['words', true, 'finished', undefined]);
    assert.deepEqual(alone('words', 'application/octet-stream'), ['words', false, 'unclear', undefined]);
    assert.deepEqual(alone('', 'text/plain'), ['', false, 'unclear', undefined]);
    assert.deepEqual(alone('<html>', 'text/plain')[1], false);
    assert.deepEqual(alone('later', 'text/plain', 202), [
      undefined,
      true,
      'accepted',
      'https://a.example/r/2',
    ]);
    const png = Buffer.from('iVBORw0KGgo=', 'base64');
    const bytes = { ...rawOf(''), contentType: 'image/png', bytes: png, json: undefined, text: undefined };
    const medium = readRunResponse(bytes as never, asked);
    assert.deepEqual([medium.output, medium.state], [null, 'finished']);
    assert.deepEqual([read([1]).output, read([1]).recognised, read('5').output], [[1], true, 5]);
    assert.equal(read([1], 202).state, 'accepted');
  });
});
