import assert from 'node:assert/strict';
import { readBatchOutcomes } from '../../../src/readers/batchOutcomes';
import { isError } from '../../../src/readers/failureSigns';
import { readRunResponse } from '../../../src/readers/run';
import { rawOf } from '../../support/rawOf';

const asked = new URL('https://a.example/api/runs');
const outcomesOf = (body: unknown, ids: readonly string[], status = 200) =>
  readBatchOutcomes(
    readRunResponse(rawOf(body, status), asked),
    ids.map((imageId) => ({ imageId, mediaRef: `ref-${imageId}` })),
  );
const letters = { done: 'D', failed: 'F', unconfirmed: 'u' } as const;
/** "DFu": done, failed, unconfirmed. */
const short = (body: unknown, ids: readonly string[] = ['a', 'b', 'c'], status?: number) =>
  outcomesOf(body, ids, status)
    .map(({ outcome }) => letters[outcome])
    .join('');
/** The outcome of the second of two items, of which the first is done. */
const second = (entry: unknown) => short({ results: [{ id: 'a', ok: true }, entry] }, ['a', 'b'])[1];
const withId = (entry: object) => second({ id: 'b', ...entry });

describe('The sign of one item', () => {
  it('comes from a state, a flag or a status code', () => {
    for (const entry of [
      ...[{ status: 200 }, { status_code: 201 }, { http_status: 299 }, { code: 204 }, { httpCode: 200 }],
      ...['exists', 'created', 'duplicate', 'unchanged', 'valid', 'yes', 'stored'].map((status) => ({
        status,
      })),
      ...[{ ok: true }, { success: true }, { stored: true }, { is_indexed: true }, { isSuccess: true }],
      ...[{ succeeded: true }, { successful: true }, { indexed: true }],
      ...[{ outcome: 'ok' }, { state: 'done' }, { result: 'stored' }],
    ])
      assert.equal(withId(entry), 'D', JSON.stringify(entry));
    for (const entry of [
      ...[{ status: 400 }, { status: 599 }, { http_status: 500 }, { failed: true }, { has_error: true }],
      ...[{ isFailed: true }, { errored: true }, { rejected: true }, { failure: true }, { is_error: true }],
      ...['not_found', 'not indexed', 'too_large', 'bad request', 'bad_image', 'unreadable', 'denied'].map(
        (status) => ({ status }),
      ),
      ...['unsupported_type', 'unknown_image', 'corrupted', 'missing', 'error_17', 'no', 'false'].map(
        (status) => ({
          status,
        }),
      ),
      ...[
        { error: 'x' },
        { failure_reason: 'x' },
        { error_message: 'x' },
        { exception: 'x' },
        { error: true },
        { errno: 3, errmsg: 'no gpu' },
        { errors: ['x'] },
      ],
      ...[{ outcome: { error: 'x' } }, { response: { status: 500 } }, { status: { ok: false } }],
    ])
      assert.equal(withId(entry), 'F', JSON.stringify(entry));
  });

  it('stays open for an unfinished item, an unknown word, or contradicting signs', () => {
    for (const entry of [
      ...[
        { status: 202 },
        { status: 302 },
        { status: 100 },
        { status: 102 },
        { status: 300 },
        { status: 'odd' },
      ],
      ...[
        { ok: true, failed: true },
        { status: 'ok', error: 'x' },
        { status: 'partial' },
        { status: 'queued' },
      ],
      ...[{ status: 'known' }, { status: 'nowhere' }, { status: 'ok', result: { status: 'failed' } }],
    ])
      assert.equal(withId(entry), 'u', JSON.stringify(entry));
    for (const entry of [
      ...[{ status: 99 }, { status: 600 }, { status: ' ' }, { error: false }, { errors: [] }],
      ...[{ message: 'Indexed' }, { vector: [1] }],
    ])
      assert.equal(withId(entry), 'D', `as the run: ${JSON.stringify(entry)}`);
  });

  it('contains the reason from any usual member of the entry', () => {
    const reason = (entry: object) => {
      const [outcome] = outcomesOf({ results: [{ id: 'a', ...entry }] }, ['a']);
      return outcome?.outcome === 'failed' ? outcome.reason : outcome?.outcome;
    };
    assert.equal(reason({ status: 'failed', message: 'dark' }), 'dark');
    assert.equal(reason({ status: 'too_large' }), 'too_large');
    assert.equal(reason({ ok: false, why: 'dark' }), 'dark');
    assert.equal(reason({ failed: true, cause: 'dark' }), 'dark');
    assert.equal(reason({ ok: false }), undefined);
    assert.equal(reason({ status: 422, detail: 'dark' }), 'dark');
    assert.equal(reason({ error: { code: 7 } }), '7');
    assert.equal(reason({ error: 7 }), '7');
    assert.equal(reason({ result: { ok: false, message: 'dark' } }), 'dark');
    assert.equal(reason({ ok: false, error: 'dark', message: 'Not indexed' }), 'Not indexed');
    assert.equal(reason({ error: 'x'.repeat(400) })?.length, 300);
    const listed = (entry: unknown) => outcomesOf({ failed: [entry] }, ['a'])[0];
    assert.deepEqual(listed({ id: 'a', reason: 'dark' }), { outcome: 'failed', reason: 'dark' });
    assert.deepEqual(listed('a'), { outcome: 'failed' });
    assert.deepEqual(listed('dark'), { outcome: 'failed', reason: 'dark' });
    assert.deepEqual(outcomesOf({ status: 'failed', error: 'down' }, ['a']), [
      { outcome: 'failed', reason: 'down' },
    ]);
  });
});

describe('A value under the name of an error', () => {
  it('counts as an error, unless its value means that there was none', () => {
    for (const no of [
      ...[
        undefined,
        null,
        false,
        0,
        '',
        ' ',
        '0',
        'none',
        'None',
        'null',
        'nil',
        'no',
        'OK',
        'false',
        'no error',
        'No errors',
      ],
      ...[
        'n/a',
        '-',
        [],
        [null, 0],
        {},
        { code: 0 },
        { code: 200 },
        { status: '200' },
        { message: '' },
        { total: 0, list: [] },
      ],
    ])
      assert.equal(isError(no), false, JSON.stringify(no));
    for (const yes of [
      ...[
        true,
        1,
        'dark',
        'no image',
        'not ok',
        ['dark'],
        [0, 'dark'],
        { message: 'dark' },
        { code: 7 },
        { count: 1 },
      ],
      ...[{ code: 200, message: 'dark' }, { inner: { message: 'dark' } }],
    ])
      assert.equal(isError(yes), true, JSON.stringify(yes));
  });
});

describe('The item that an entry is about', () => {
  it('follows from its ID or its reference, in any of the usual members', () => {
    for (const name of [
      ...[
        'image_id',
        'id',
        'itemId',
        'document_id',
        'doc-id',
        'external_id',
        'key',
        'image',
        'item',
        'media',
        'file',
      ],
      'media_ref',
    ])
      for (const id of ['b', 'ref-b'])
        assert.equal(short({ errors: [{ [name]: id, message: 'dark' }] }), 'DFD', `${name} ${id}`);
    for (const image of [{ id: 'b' }, { image_id: 'b' }, { media_ref: 'ref-b' }, { key: 'b' }])
      assert.equal(short({ errors: [{ image, message: 'dark' }] }), 'DFD', JSON.stringify(image));
    assert.equal(short({ errors: [{ id: 2, message: 'dark' }] }, ['1', '2', '3']), 'DFD');
    assert.equal(short({ failed: [2] }, ['1', '2', '3']), 'DFD');
    assert.equal(short({ errors: [{ id: 'vec', key: 'b' }] }), 'DFD', 'the first that is one of ours');
    const twins = outcomesTwins({ failed: ['b'] });
    assert.equal(twins, 'DF', 'an ID counts before a reference of the same text');
  });

  it('follows from its index, in a member of its own or at the end of a path', () => {
    for (const name of ['index', 'position', 'idx', 'i', 'imageIndex', 'item_index', 'place'])
      assert.equal(short({ errors: [{ [name]: 1, message: 'dark' }] }), 'DFD', name);
    for (const path of [
      ...['/input/images/1', 'images[1]', 'input.images.1', '1', ['body', 'images', 1], ['images', '1']],
    ])
      for (const name of ['path', 'pointer', 'field', 'loc'])
        assert.equal(short({ errors: [{ [name]: path, message: 'dark' }] }), 'DFD', `${name} ${path}`);
    for (const entry of [
      { index: 3 },
      { index: -1 },
      { index: 0.5 },
      { path: 'images1' },
      { path: ['x1'] },
      { path: 'a/1x' },
    ])
      assert.equal(short({ errors: [{ ...entry, message: 'dark' }] }), 'uuu', JSON.stringify(entry));
    assert.equal(
      short({
        results: [
          { index: 0, ok: false },
          { index: 9, ok: true },
        ],
      }),
      'uuu',
    );
  });

  it('never comes from the echo of the request, nor from a deep layer', () => {
    for (const name of ['input', 'inputs', 'request', 'params', 'parameters', 'options'])
      assert.equal(short({ [name]: { failed: ['b'] }, indexed: 3 }), 'DDD', name);
    const deep = (levels: number): unknown => (levels === 0 ? { failed: ['b'] } : { x: deep(levels - 1) });
    assert.deepEqual([short(deep(7)), short(deep(8))], ['DFD', 'uuu']);
    assert.equal(short({ x: { failed: { b: 'dark' } } }), 'DFD');
    assert.equal(short({ x: { b: { failed: true }, a: { ok: true } } }), 'DFD', 'names that are IDs');
    assert.equal(short({ statuses: { b: 'failed', other: 1 } }), 'uuu', 'not all of them are');
  });

  it('follows from the order when each has an entry', () => {
    assert.equal(short({ errors: [null, false, 'dark'] }), 'DDF');
    assert.equal(short({ errors: [null, { message: 'dark' }, {}] }), 'DFD');
    assert.equal(short({ errors: [1, 2, 3] }), 'FFF');
    assert.equal(short({ other: ['ok', 'failed', 'ok'] }), 'uuu');
    assert.equal(short(['ok', 'failed', 'ok']), 'DFD');
    assert.equal(short([['ok', 'failed', 'ok']]), 'DFD');
    assert.equal(short({ results: ['ok', 'failed', 'word'] }), 'uuu');
    assert.equal(short({ results: ['ok', 'ok', 'word'] }), 'uuu');
  });
});

describe('A count of items', () => {
  it('counts under the usual names, and puts contradicting signs in doubt', () => {
    for (const name of [
      'indexed_count',
      'num_indexed',
      'totalIndexed',
      'indexed_items',
      'succeeded',
      'stored',
      'success_count',
    ]) {
      assert.equal(short({ [name]: 2 }), 'uuu', name);
      assert.equal(short({ [name]: 3 }), 'DDD', name);
    }
    for (const name of [
      'failed_count',
      'num_failed',
      'total_errors',
      'error_count',
      'failures',
      'rejected',
    ]) {
      assert.equal(short({ [name]: 1 }), 'uuu', name);
      assert.equal(short({ [name]: 3 }), 'FFF', name);
      assert.equal(short({ [name]: 0 }), 'DDD', name);
    }
  });

  it('never counts when it cannot be one of these items', () => {
    for (const body of [
      ...[{ created: 1 }, { added: 0 }, { updated: 2 }, { inserted: 1 }, { replaced: 0 }, { success: 1 }],
      ...[{ indexed: 4 }, { indexed: -1 }, { indexed: 1.5 }, { failed: 4 }, { took: 1 }],
    ])
      assert.equal(short(body), 'DDD', JSON.stringify(body));
  });

  it('matters less than the signs of items, until there are more signs than the count', () => {
    const ok = (...ids: string[]) => ids.map((id) => ({ id, ok: true }));
    assert.equal(short({ images: ok('a', 'b'), indexed: 2, failed: 1 }), 'DDu');
    assert.equal(short({ images: ok('a', 'b', 'c'), indexed: 2 }), 'uuu');
    assert.equal(short({ indexed: ['a'], errors: ['dark', 'dim'] }), 'Duu');
    assert.equal(short({ errors: [{ id: 'b' }, { message: 'dark' }] }), 'uFu');
    assert.equal(short({ failed: 3, images: ok('a') }), 'uuu');
    assert.equal(short({ failed: 3, indexed: 1 }), 'uuu');
    assert.equal(short({ failed: 3, results: [{ id: 'b', ok: false, message: 'dark' }] }), 'FFF');
    assert.equal(short({ skipped: [{ id: 'b', ok: true }], indexed: ['a', 'c'] }), 'DDD');
    assert.equal(short({ results: [{ ok: true }, { ok: false }] }), 'uuu');
    assert.equal(short({ success: [], errors: [] }), 'uuu');
    const signs = (word: string) => ({ results: [...word].map((letter) => ({ ok: letter === 'D' })) });
    for (const [word, outcomes] of [
      ...[['DDDD', 'DDD'] as const, ['DDDF', 'uuu'] as const, ['DDFF', 'uuu'] as const],
      ...[['FFFF', 'FFF'] as const, ['DFFF', 'uuu'] as const, ['DD', 'uuu'] as const],
    ])
      assert.equal(short(signs(word)), outcomes, `${word} of three`);
  });
});

function outcomesTwins(body: unknown): string {
  const batch = [
    { imageId: 'a', mediaRef: 'b' },
    { imageId: 'b', mediaRef: '' },
  ];
  return readBatchOutcomes(readRunResponse(rawOf(body), asked), batch)
    .map(({ outcome }) => letters[outcome])
    .join('');
}

describe('A batch of a run', () => {
  it('fails with its run, unless the errors are those of items', () => {
    assert.equal(short({ status: 'failed', indexed: 1 }), 'uuu');
    assert.equal(short({ success: false, errors: [{ id: 'b', message: 'dark' }] }), 'uFu');
    assert.equal(short({ errors: [{ id: 'b', message: 'dark' }] }), 'DFD');
    assert.equal(short({ success: false, failed: 1 }), 'uuu');
    const errors = [{ id: 'b', message: 'dark' }];
    for (const body of [
      { error: 'down' },
      { failure: 'down' },
      { status: 'failed' },
      { state: 'failed' },
      { phase: 'error' },
    ])
      assert.equal(short({ ...body, errors }), 'FFF', JSON.stringify(body));
    for (const body of [{ ok: false }, { succeeded: false }])
      assert.equal(short({ ...body, errors }), 'uFu', JSON.stringify(body));
    assert.equal(short({ success: false, failed: 3 }), 'FFF');
    assert.equal(short({ error: 'dark', failed: 1 }), 'uuu');
    assert.equal(short({ data: { error: 'dark' } }), 'FFF');
    assert.equal(short({ status: 'partial', results: [{ id: 'a', ok: true }] }), 'Duu');
    assert.equal(short({ data: { result: { status: 'partially_failed' } } }), 'uuu');
  });

  it('counts as done without any body, and as unconfirmed with incomplete JSON', () => {
    const empty = (status: number, contentType: string, bytes = new Uint8Array()) =>
      readBatchOutcomes(readRunResponse({ ...rawOf(''), status, contentType, bytes, text: '' }, asked), [
        { imageId: 'a', mediaRef: 'r' },
      ])[0]?.outcome;
    assert.equal(empty(204, 'application/json'), 'done');
    assert.equal(empty(200, ''), 'done');
    assert.equal(empty(200, 'application/json'), 'unconfirmed');
    assert.equal(empty(200, '', new Uint8Array([60])), 'unconfirmed');
  });
});
