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

  it('names an address to ask at only when it is of the same origin', () => {
    assert.equal(
      read({ status: 'queued', status_url: '/api/runs/1' }, 202).followUrl,
      'https://a.example/api/runs/1',
    );
    assert.equal(read({ status: 'queued' }, 202, { location: '/r/2' }).followUrl, 'https://a.example/r/2');
    for (const status_url of ['https://b.example/r', '//b.example/r', 'javascript:1', 'file:///x'])
      assert.equal(read({ status: 'queued', status_url }, 202).followUrl, undefined, status_url);
  });

  it('takes 202 for finished only with a result, and recognises bare results', () => {
    assert.equal(read({ output: 1 }, 202).state, 'finished');
    for (const status of [202, 303]) assert.equal(read({}, status).state, 'accepted');
    const later = read({}, 202);
    assert.deepEqual([later.recognised, read({}).recognised, later.output], [true, false, undefined]);
    assert.equal(read({ status: 'accepted', output: 1 }).output, 1);
    const ticket = { data: { job: { id: 'r', links: { self: '/r' } } } };
    assert.equal(read(ticket, 202).state, 'accepted');
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
