import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readBatchOutcomes } from '../../../src/readers/batch';
import { readRunResponse } from '../../../src/readers/run';
import { rawOf } from '../../support/rawOf';

const asked = new URL('https://a.example/api/runs');
const read = (body: unknown, status = 200) => readRunResponse(rawOf(body, status), asked);

const finished = fc.constantFrom('succeeded', 'Success', 'COMPLETED', 'done', 'finished', 'ok', 'STATUS_OK');
const accepted = fc.constantFrom('accepted', 'queued', 'PENDING', 'in_progress', 'In-Progress', 'started');
const failed = fc.constantFrom('failed', 'FAILURE', 'error', 'timed_out', 'Cancelled', 'aborted');
const foreign = fc.constantFrom('ABGESCHLOSSEN', 'paused', 'approved', 'half-baked', '完了', 'warm');
const error = fc.oneof(
  fc.constantFrom<unknown>('out of memory', true, ['too dark'], { message: 'out of memory' }),
);
const stateName = fc.constantFrom('status', 'State', 'STATUS', 'phase');
const errorName = fc.constantFrom('error', 'errors', 'Exception', 'traceback', 'failure');
const runName = fc.constantFrom('run_id', 'runId', 'id', 'job-id', 'task_id', 'message', 'code', 'detail');

/** Results of models that speak of errors and states like a run. */
const output = fc.oneof(
  fc.constantFrom<unknown>(
    { status: 'failed', reason: 'document is unreadable' },
    { success: false, flagged: true },
    { state: 'queued' },
    { ok: false, error: 'no face' },
    { message: 'Sorry, an error occurred in your order' },
    [{ error: 'none found' }],
    'Traceback (most recent call last)',
    0,
    [],
  ),
  fc.jsonValue().filter((value) => value !== null),
);
const outputName = fc.constantFrom('output', 'outputs', 'result', 'Output');
const envelope = fc.constantFrom<(body: object) => object>(
  (body) => body,
  (body) => ({ data: body }),
  (body) => ({ run: body, error: null }),
  (body) => ({ code: 200, message: 'OK', data: body }),
  (body) => ({ code: 0, msg: 'ok', data: body }),
);

/** A body that says that a run failed, goes on, or is something unknown: none of success. */
const withoutSuccess = fc.oneof(
  fc.tuple(stateName, fc.oneof(failed, accepted, foreign)).map(([name, word]) => ({ [name]: word })),
  fc.tuple(errorName, error).map(([name, value]) => ({ [name]: value })),
  fc.constantFrom('success', 'ok').map((name) => ({ [name]: false })),
  fc.tuple(runName, fc.constantFrom<unknown>('r1', 7)).map(([name, id]) => ({ [name]: id })),
);
const rest = fc.dictionary(fc.constantFrom('took_ms', 'model', 'position', 'label'), fc.integer({ min: 2 }));
const wrappers = fc.array(
  fc.constantFrom<(body: unknown) => unknown>(
    (body) => ({ data: body }),
    (body) => ({ result: body }),
    (body) => ({ generation: body }),
    (body) => [body],
  ),
  { maxLength: 4 },
);

describe('The state of a run', () => {
  it('stays other than finished without a positive sign, in any wrapping', () => {
    fc.assert(
      fc.property(withoutSuccess, rest, envelope, (sign, more, wrap) => {
        const body = wrap({ ...more, ...sign });
        assert.notEqual(read(body).state, 'finished', JSON.stringify(body));
      }),
      { numRuns: 2000 },
    );
    const failing = fc.oneof(
      failed.map((word) => ({ status: word })),
      fc.tuple(errorName, error).map(([name, value]) => ({ [name]: value })),
      fc.constant({ success: false }),
      accepted.map((word) => ({ status: word })),
    );
    fc.assert(
      fc.property(failing, rest, wrappers, (sign, more, steps) => {
        const body = steps.reduce<unknown>((inner, step) => step(inner), { ...more, ...sign });
        assert.notEqual(read(body).state, 'finished', JSON.stringify(body));
      }),
      { numRuns: 2000 },
    );
  });

  it('follows the word of the record that holds the output, and ignores words in the output', () => {
    fc.assert(
      fc.property(stateName, finished, outputName, output, envelope, (name, word, at, value, wrap) => {
        const response = read(wrap({ id: 'r1', [name]: word, [at]: value, error: null }));
        assert.equal(response.state, 'finished');
        assert.deepEqual(response.output, JSON.parse(JSON.stringify(value)));
        assert.equal(response.runId, 'r1');
      }),
      { numRuns: 1000 },
    );
    fc.assert(
      fc.property(stateName, failed, outputName, output, envelope, (name, word, at, value, wrap) => {
        assert.equal(read(wrap({ [name]: word, [at]: value })).state, 'failed');
      }),
    );
    fc.assert(
      fc.property(stateName, accepted, envelope, (name, word, wrap) => {
        assert.equal(read(wrap({ run_id: 'r', [name]: word })).state, 'accepted');
      }),
    );
  });

  it('fails with the words of the service', () => {
    const words = (body: unknown) => [read(body).state, read(body).message];
    assert.deepEqual(words({ status: 'failed', error: { code: 'OOM', message: 'no memory' } }), [
      'failed',
      'no memory',
    ]);
    assert.deepEqual(words({ success: false, message: 'too dark' }), ['failed', 'too dark']);
    assert.deepEqual(words({ errors: [{ loc: ['body', 'x'], msg: 'field required' }] }), [
      'failed',
      'body.x: field required',
    ]);
    assert.deepEqual(words({ data: { state: 'error', detail: 'too dark' } }), ['failed', 'too dark']);
    assert.deepEqual(words({ status: 500, message: 'out of memory' }), ['failed', 'out of memory']);
    assert.equal(read({ error: 'x'.repeat(400) }).message?.length, 300);
  });

  it('stays unclear with signs of both, and with a ticket alone', () => {
    for (const body of [
      { status: 'done', error: 'dark', output: 1 },
      { success: true, error: 'dark', data: { output: 1 } },
      { status: 'ok', data: { run_id: 'r' } },
      { data: { job: { id: 7 } } },
      { id: 'r', created_at: '2026-11-28T10:00:00Z' },
      { output: { status: 'failed', error: 'dark' } },
      { data: { runModel: { run: null, userErrors: [{ message: 'dark' }] } } },
      ...[{}, [], null, false, { errorCode: 'E7' }, { isSuccess: false }, { output: null, blocked: true }],
    ])
      assert.equal(read(body).state, 'unclear', JSON.stringify(body));
    for (const body of [
      { status: 'done', error: 'dark' },
      { success: false, status: 'done' },
    ])
      assert.equal(read(body).state, 'failed', JSON.stringify(body));
  });

  it('finishes with a bare result, in which no name speaks of a run, an error or a request', () => {
    for (const body of [
      { label: 'error', score: 0.9 },
      { text: 'Error: the file was not found.', finish_reason: 'stop', tokens: 9 },
      { detections: [{ box: [0, 0, 1, 1], label: 'cat', type: 'animal' }], inference_ms: 12 },
      { results: [{ id: 'a', score: 1, metadata: { status: 'active' } }] },
      { address: { state: 'California' } },
      [{ label: 'error', score: 0.9 }],
      [[0.1, 0.2]],
      7,
    ]) {
      assert.equal(read(body).state, 'finished', JSON.stringify(body));
    }
  });

  it('takes time linear in the length of a body', () => {
    const counted = (count: number) => {
      let reads = 0;
      const get = (target: object, name: string | symbol): unknown => {
        reads += 1;
        return Reflect.get(target, name);
      };
      const entry = () => new Proxy({ label: 'a' }, { get });
      const json = {
        items: Array.from({ length: count }, entry),
        more: Array.from({ length: count }, entry),
      };
      readRunResponse({ ...rawOf({}), json }, asked);
      return reads;
    };
    assert.ok(counted(4000) <= 5 * counted(1000) + 100);
  });
});

describe('The outcome of each item of a batch', () => {
  const batch = ['a.png', 'b.png', 'c.png'].map((imageId) => ({ imageId, mediaRef: `ref-${imageId}` }));
  const outcomes = (body: unknown) =>
    readBatchOutcomes(read(body), batch)
      .map(({ outcome }) => outcome[0])
      .join('');
  const ids = batch.map(({ imageId }) => imageId);

  it('stays unconfirmed unless the response says that items are indexed', () => {
    const completed = { status: 'completed' };
    for (const body of [
      ...[{ count: 0 }, { results: [] }, { took: 3 }, {}, { indexed: 0 }, { indexed: [] }, []],
      ...['count', 'documents_written', 'documents', 'vectorCount'].map((name) => ({
        ...completed,
        [name]: 0,
      })),
      ...[{ inserted: '0' }, { total_images: 2 }, { num_failed: 2 }].map((one) => ({ ...completed, ...one })),
      ...[{ results: [] }, { warnings: ['3 images were skipped'] }].map((one) => ({ ...completed, ...one })),
      { status: 'ok', created: 1, updated: 2 },
      ...[{ skipped: 3 }, { message: 'Request received' }, { run_id: 'r' }, { output: null }],
      ...[{ status: 'queued' }, { status: 'half-baked' }, { status: 'running', indexed: ids }],
    ])
      assert.equal(outcomes(body), 'uuu', JSON.stringify(body));
  });

  it('follows a word, a flag or a count for all', () => {
    for (const body of [
      { status: 'completed' },
      { success: true, retry_count: 0, tokens: 0, num_errors: 0, cost: { total: 0 }, documents: 99 },
      { indexed: 3, failed: 0 },
      { status: 'completed', request: { skipped: ids } },
      { run_id: 'r', status: 'succeeded', output: { indexed: 3 }, total_in_scope: 99 },
      { status: 'completed', output: { image_ids: ids } },
    ])
      assert.equal(outcomes(body), 'ddd', JSON.stringify(body));
    assert.equal(outcomes({ status: 'failed', error: 'too dark' }), 'fff');
    assert.equal(outcomes({ indexed: 0, failed: 3 }), 'fff');
    assert.equal(outcomes({ status: 'completed', indexed: 2, failed: 1 }), 'uuu');
  });

  it('follows entries, which name an item by ID, reference, place, or their place in a list of the batch’s length', () => {
    const entries: readonly ((sign: object, at: number) => object)[] = [
      (sign, at) => ({ image_id: ids[at], ...sign }),
      (sign, at) => ({ mediaRef: `ref-${ids[at]}`, ...sign }),
      (sign, at) => ({ index: at, ...sign }),
      (sign, at) => ({ id: `vec-${at}`, ...sign }),
    ];
    const signs = {
      d: [{ status: 'ok' }, { success: true }, { indexed: true }],
      f: [{ error: 'dark' }, { status: 'failed' }, { attributes: { state: 'rejected' } }],
    };
    fc.assert(
      fc.property(
        fc.constantFrom(...entries),
        fc.array(fc.constantFrom<'d' | 'f'>('d', 'f'), { minLength: 3, maxLength: 3 }),
        fc.nat(2),
        fc.constantFrom('results', 'items', 'outputs', 'data'),
        envelope,
        (entry, truth, which, name, wrap) => {
          const list = truth.map((sign, at) => entry(signs[sign][which % signs[sign].length]!, at));
          assert.equal(
            outcomes(wrap({ status: 'completed', [name]: list })),
            truth.join(''),
            JSON.stringify(list),
          );
        },
      ),
    );
  });

  it('leaves unnamed items unconfirmed, and follows the names of lists', () => {
    assert.equal(outcomes({ status: 'completed', results: [{ image_id: 'a.png', success: true }] }), 'duu');
    assert.equal(
      outcomes({ indexed: ['a.png', 'b.png'], failed: [{ image_id: 'c.png', reason: 'dark' }] }),
      'ddf',
    );
    assert.equal(outcomes({ errors: { 'a.png': 'dark' }, items: { 'b.png': 'ok', 'c.png': 'no' } }), 'fdu');
    assert.equal(outcomes({ status: 'completed', indexed: ids, skipped: ['a.png'] }), 'udd');
    const rest = { status: 'completed', indexed: 2 };
    assert.equal(outcomes({ ...rest, failed: [{ image_id: 'c.png', reason: 'dark' }] }), 'ddf');
    assert.equal(outcomes({ ...rest, failed: 1, failed_ids: ['c.png'] }), 'ddf');
    const [, , last] = readBatchOutcomes(
      read({ failed: [{ image_id: 'c.png', reason: 'dark' }], status: 'ok' }),
      batch,
    );
    assert.deepEqual(last, { outcome: 'failed', reason: 'dark' });
    assert.equal(outcomes({ results: [{ image_id: 'a.png', success: true, error: 'dark' }] })[0], 'u');
  });

  it('confirms no item without a positive sign', () => {
    fc.assert(
      fc.property(withoutSuccess, rest, envelope, (sign, more, wrap) => {
        const body = wrap({ ...more, ...sign });
        assert.doesNotMatch(outcomes(body), /d/, JSON.stringify(body));
      }),
      { numRuns: 2000 },
    );
  });
});
