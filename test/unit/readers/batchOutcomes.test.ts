import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readBatchOutcomes } from '../../../src/readers/batchOutcomes';
import { readRunResponse } from '../../../src/readers/run';
import { rawOf } from '../../support/rawOf';

const asked = new URL('https://a.example/api/runs');
const member = (imageId: string) => ({ imageId, mediaRef: `ref-${imageId}` });
const read = (body: unknown, ids: readonly string[], status = 200) =>
  readBatchOutcomes(readRunResponse(rawOf(body, status), asked), ids.map(member)).map(
    ({ outcome }) => outcome,
  );

const letters: Readonly<Record<string, string>> = { done: 'D', failed: 'F', unconfirmed: 'u' };
/** "DFu": done, failed, unconfirmed. */
const short = (body: unknown, ids = ['a', 'b', 'c'], status?: number) =>
  read(body, ids, status)
    .map((outcome) => letters[outcome])
    .join('');

type Truth = readonly boolean[];
type Id = (i: number) => string;

/** Spellings of a name that are one. */
const spelled = (name: string) =>
  fc.constantFrom(
    name,
    name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
    name.toUpperCase(),
    name.replaceAll('_', '-'),
  );

/** How an entry says that its item is done. */
const doneSign = fc.constantFrom<Record<string, unknown>>(
  ...['indexed', 'OK', 'success', 'created', 'completed', 'Succeeded'].map((status) => ({ status })),
  ...[{ success: true }, { ok: true }, { indexed: true }, { status: 200 }, { status_code: 201 }],
  ...[
    { status: 'ok', error: null },
    { success: true, errors: [] },
    { state: 'done', message: 'Indexed' },
  ],
  ...[{ result: { status: 'indexed' } }, { success: true, error: '' }, { status: 'indexed', errors: 0 }],
);
const failedSign = fc.constantFrom<Record<string, unknown>>(
  ...['failed', 'ERROR', 'rejected', 'invalid_image', 'unsupported_media'].map((status) => ({ status })),
  ...[{ success: false }, { ok: false, message: 'too dark' }, { indexed: false }, { status: 422 }],
  ...[{ error: 'too dark' }, { error: { code: 7, message: 'too dark' } }, { status_code: 400 }],
  ...[{ result: { status: 'failed' } }, { errors: ['too dark'] }, { failed: true }],
);
const idName = fc.constantFrom('image_id', 'id', 'item_id', 'document_id', 'media_ref').chain(spelled);
const resultList = fc.constantFrom('results', 'output', 'items', 'images', 'data');
const failedList = fc.constantFrom('failed', 'errors', 'failures', 'rejected').chain(spelled);
const doneList = fc.constantFrom('indexed', 'succeeded', 'indexed_ids', 'successful').chain(spelled);

const nameOf = (key: string, id: string) => (/ref/i.test(key) ? `ref-${id}` : id);

/** Each entry names its item and has its sign; in any order. */
const entriesById = (truth: Truth, id: Id) =>
  fc
    .tuple(idName, fc.shuffledSubarray([...truth.keys()], { minLength: truth.length }), ...truth.map(signFor))
    .map(([key, order, ...signs]) => order.map((i) => ({ [key]: nameOf(key, id(i)), ...signs[i] })));
/** Entries with ids of the service's own, in the order of the batch. */
const entriesByPlace = (truth: Truth) =>
  fc
    .tuple(fc.boolean(), ...truth.map(signFor))
    .map(([hasIds, ...signs]) => signs.map((sign, i) => (hasIds ? { id: `vec_${i}`, ...sign } : sign)));
const entriesByIndex = (truth: Truth) =>
  fc
    .tuple(fc.constantFrom('index', 'position'), fc.boolean(), ...truth.map(signFor))
    .map(([key, isReversed, ...signs]) => {
      const entries = signs.map((sign, i) => ({ [key]: i, ...sign }));
      return isReversed ? entries.reverse() : entries;
    });

function signFor(isDone: boolean) {
  return isDone ? doneSign : failedSign;
}

/** A body in which the outcome of every item can be read. */
function placed(truth: Truth, id: Id): fc.Arbitrary<Record<string, unknown>> {
  const [done, failed] = [true, false].map((wanted) => truth.flatMap((is, i) => (is === wanted ? [i] : [])));
  const reasons = failed!.map((i) => ({ image_id: id(i), reason: 'too dark' }));
  return fc.oneof(
    fc
      .tuple(resultList, fc.oneof(entriesById(truth, id), entriesByPlace(truth), entriesByIndex(truth)))
      .map(([name, list]) => ({ [name]: list })),
    fc
      .tuple(resultList, ...truth.map(signFor))
      .map(([name, ...signs]) => ({ [name]: Object.fromEntries(signs.map((sign, i) => [id(i), sign])) })),
    // Failures alone, with or without finished items.
    fc.tuple(failedList, fc.boolean()).map(([name, counts]) => ({
      ...(counts && { indexed: done!.length }),
      [name]: reasons,
      ...(failed!.length === truth.length && { error: 'nothing was indexed' }),
    })),
    fc.tuple(failedList, doneList).map(([bad, good]) => ({ [good]: done!.map(id), [bad]: failed!.map(id) })),
    fc.tuple(failedList, doneList).map(([bad, good]) => ({
      [good]: done!.map((i) => ({ image_id: id(i) })),
      [bad]: Object.fromEntries(failed!.map((i) => [id(i), 'too dark'])),
    })),
  );
}

const wrapped = (body: Record<string, unknown>) =>
  fc
    .tuple(
      fc.array(fc.constantFrom('data', 'output', 'result', 'response'), { maxLength: 3 }),
      fc.constantFrom(
        {},
        { run_id: 'r1' },
        { status: 'completed' },
        { success: true, message: 'Indexed' },
        { error: null },
      ),
      fc.constantFrom(
        {},
        { took_ms: 12, total_in_scope: 99, model: 'm' },
        { usage: { tokens: 3 }, warnings: [] },
      ),
    )
    .map(([names, outer, noise]) => {
      const inner = names.reduce<Record<string, unknown>>((inside, name) => ({ [name]: inside }), {
        ...noise,
        ...body,
      });
      return 'error' in body ? inner : { ...outer, ...inner };
    });

const batches = fc.array(fc.boolean(), { minLength: 2, maxLength: 7 });
const ids = fc.constantFrom<Id>(
  (i) => `img/${i}.png`,
  (i) => `${i + 100}`,
  (i) => `Ä ${i}`,
);

describe('The outcome of each item of a batch', () => {
  it('stays the same for any place and layout of the response', () => {
    fc.assert(
      fc.property(
        fc.tuple(batches, ids).chain(([truth, id]) =>
          placed(truth, id)
            .chain(wrapped)
            .map((body) => ({ truth, id, body })),
        ),
        ({ truth, id, body }) => {
          const names = truth.map((_, i) => id(i));
          assert.deepEqual(
            read(body, names),
            truth.map((isDone) => (isDone ? 'done' : 'failed')),
            JSON.stringify(body),
          );
        },
      ),
      { numRuns: 1500 },
    );
  });

  it('never changes to the opposite when a response leaves out or repeats a part', () => {
    fc.assert(
      fc.property(
        fc.tuple(batches, ids).chain(([truth, id]) =>
          fc
            .tuple(entriesById(truth, id), resultList, fc.nat(), fc.boolean())
            .map(([entries, name, cut, repeats]) => ({
              ...{ truth, id },
              body: {
                [name]: [...entries.slice(cut % entries.length), ...(repeats ? entries.slice(-1) : [])],
              },
            })),
        ),
        ({ truth, id, body }) => {
          const outcomes = read(
            body,
            truth.map((_, i) => id(i)),
          );
          for (const [i, isDone] of truth.entries())
            assert.notEqual(outcomes[i], isDone ? 'failed' : 'done', JSON.stringify(body));
        },
      ),
      { numRuns: 1000 },
    );
  });

  it('counts a failure only on an explicit sign', () => {
    for (const body of [
      ...[
        {},
        { errors: 0 },
        { errors: [] },
        { errors: {} },
        { error: null },
        { error: '' },
        { error: 'none' },
      ],
      ...[
        { message: 'Indexed' },
        { indexed: 3, errors: 0, message: 'Indexed' },
        { failed: 0 },
        { failed: [] },
      ],
      ...[
        { results: ['v1', 'v2', 'v3'] },
        { ids: ['x', 'y', 'z'] },
        { error: 0 },
        { success: 1 },
        { took: 3 },
      ],
      ...[{ results: [{ vector: [1] }, { vector: [2] }, { vector: [3] }] }, { image_ids: ['a', 'b', 'c'] }],
      ...[{ results: [{ id: 'a', message: 'Indexed' }, { id: 'b' }, { id: 'c', error: null }] }],
    ])
      assert.equal(short(body), 'DDD', JSON.stringify(body));
    assert.equal(short({ errors: [{ image_id: 'b', message: 'dark' }] }), 'DFD');
    assert.equal(short({ errors: [{ index: 1, message: 'dark' }] }), 'DFD');
    assert.equal(short({ errors: [{ path: '/input/images/1', message: 'dark' }] }), 'DFD');
    assert.equal(short({ errors: [null, 'dark', null] }), 'DFD');
    assert.equal(short({ results: ['ok', 'failed', 'ok'] }), 'DFD');
    assert.equal(short({ results: [true, false, true] }), 'DFD');
    assert.equal(short({ error: 'nothing was indexed' }), 'FFF');
    assert.equal(short({ status: 'failed', errors: ['x', 'y', 'z'] }), 'FFF');
    assert.equal(short({ success: false }), 'FFF');
  });

  it('marks a file as indexed only after a positive sign, or when the body has no other content', () => {
    const failures = [
      { code: 1001, message: 'insufficient balance', data: null },
      { code: 500, msg: 'internal error', data: null },
      { errno: 3, errmsg: 'no gpu' },
      { ok: 0, message: 'x' },
      { result: 'error', message: 'x' },
      { status: 500, message: 'Internal Server Error' },
      { type: 'https://e.example/oom', title: 'Out of memory', status: 500 },
      { message: 'Forbidden' },
      { detail: 'Not authenticated' },
      { status: { code: 13 } },
      { error_code: 17, error_msg: 'x' },
      { exception: 'x' },
      { data: { success: 'false' } },
    ];
    for (const body of failures) assert.equal(short(body), 'FFF', JSON.stringify(body));
    for (const body of [
      null,
      false,
      '""',
      [],
      { foo: 1 },
      { message: 'Thank you' },
      { status: 'odd' },
      { data: null },
    ])
      assert.equal(short(body), 'uuu', JSON.stringify(body));
    for (const body of [
      {},
      { request_id: 'r', took_ms: 3 },
      { code: 0, message: 'success', data: null },
      { ok: 1 },
    ])
      assert.equal(short(body), 'DDD', JSON.stringify(body));
  });

  it('stays unconfirmed when counts and items disagree, or do not name the items', () => {
    for (const body of [
      ...[{ indexed: 2 }, { indexed: 0 }, { indexed: 2, failed: 1 }, { errors: ['dark'] }, { errors: 1 }],
      ...[{ indexed: [] }, { status: 'partial' }, { results: ['ok', 'ok'] }, { success: false, failed: 1 }],
      ...[{ indexed_count: 1, message: 'Indexed' }, { summary: { succeeded: 2, failed: 1 } }],
    ])
      assert.equal(short(body), 'uuu', JSON.stringify(body));
    for (const body of [{ ids: ['x'] }, { image_ids: ['x', 'y'] }, { indexed: ['x', 'y'] }, { created: [] }])
      assert.equal(short(body), 'uuu', JSON.stringify(body));
    assert.equal(short({ created: [], updated_ids: ['x', 'y', 'z'] }), 'DDD');
    assert.equal(short({ created: ['x'], updated: ['y', 'z'] }), 'DDD');
    assert.equal(short({ created: ['x'], updated: [] }), 'uuu');
    assert.equal(short({ status: 'completed', failed_image_ids: ['b'] }), 'DFD');
    assert.equal(short({ status: 'completed', rejected_document_keys: ['b'] }), 'DFD');
    for (const name of ['skipped_ids', 'not_indexed_ids', 'duplicate_image_ids', 'pending_ids'])
      assert.equal(short({ status: 'completed', [name]: ['b'] }), 'DuD', name);
    assert.equal(short({ indexed: ['a', 'b'] }), 'DDu');
    assert.equal(short({ results: [{ id: 'a' }, { id: 'b' }] }), 'DDu');
    assert.equal(short({ indexed: 3, failed: ['b'] }), 'DuD');
    assert.equal(short({ failed: ['b'], results: [{ id: 'b', status: 'ok' }] }), 'uuu');
    assert.equal(short({ indexed: 1, skipped: ['b', 'c'] }), 'Duu');
    assert.equal(short({ success: false, errors: [{ id: 'b' }] }), 'uFu');
    assert.equal(short({ failed: 3 }), 'FFF');
  });

  it('stays unconfirmed while the run is not known to have finished', () => {
    assert.equal(short({ status: 'running' }), 'uuu');
    assert.equal(short({ status: 'half-baked' }), 'uuu');
    assert.equal(short({ run_id: 'r', state: 'settling', output: { indexed: 3 } }), 'uuu');
    assert.equal(short({ status: 'mystery', results: [{ id: 'a', status: 'indexed' }] }), 'Duu');
    assert.equal(
      short({
        results: [
          { id: 'a', status: 'queued' },
          { id: 'b', status: 'odd' },
        ],
      }),
      'uuu',
    );
    assert.equal(short({}, ['a'], 202), 'u');
  });

  it('contains the service’s reason', () => {
    const body = {
      results: [{ imageId: 'a' }, { imageId: 'b', success: false, error: { message: 'too dark' } }],
    };
    const response = readRunResponse(rawOf(body), asked);
    assert.deepEqual(readBatchOutcomes(response, ['a', 'b'].map(member)), [
      { outcome: 'done' },
      { outcome: 'failed', reason: 'too dark' },
    ]);
  });

  it('counts for both IDs with the same reference, and never comes from the echo of the input', () => {
    const response = readRunResponse(rawOf({ failed: ['ref'] }), asked);
    const batch = ['a', 'b'].map((imageId) => ({ imageId, mediaRef: 'ref' }));
    assert.deepEqual(
      readBatchOutcomes(response, batch).map(({ outcome }) => outcome),
      ['failed', 'failed'],
    );
    assert.equal(short({ input: { images: ['a'] }, request: { failed: ['b'] }, indexed: 3 }), 'DDD');
  });

  it('reads any JSON without an error, and a web page as unconfirmed', () => {
    fc.assert(fc.property(fc.jsonValue(), (body) => assert.equal(read(body, ['a', 'b']).length, 2)));
    const page = new TextEncoder().encode('<!doctype html><title>Sign in</title>');
    const raw = { ...rawOf(''), contentType: 'text/html', bytes: page, json: undefined };
    const outcomes = readBatchOutcomes(readRunResponse(raw, asked), [member('a')]);
    assert.deepEqual(outcomes, [{ outcome: 'unconfirmed' }]);
  });

  it('follows the items of stores of vectors', () => {
    const bulk = (...statuses: number[]) => ({
      took: 3,
      errors: statuses.some((status) => status >= 400),
      items: statuses.map((status, at) => ({
        index: { _id: 'abc'[at], status, ...(status >= 400 && { error: { reason: 'mapping' } }) },
      })),
    });
    assert.equal(short(bulk(201, 400, 200)), 'DFD');
    assert.equal(short(bulk(201, 201, 201)), 'DDD');
    assert.equal(short({ code: 0, data: { insertCount: 3, insertIds: [1, 2, 3] } }), 'DDD');
    assert.equal(short({ code: 0, data: { insertCount: 2, insertIds: [1, 2] } }), 'uuu');
    assert.equal(short({ status: 'OK', rows_affected: 2 }), 'uuu');
    const ofJsonApi = (id: string, state: string) => ({ id, type: 'items', attributes: { state } });
    assert.equal(
      short({ data: [ofJsonApi('a', 'indexed'), ofJsonApi('b', 'failed'), ofJsonApi('c', 'x')] }),
      'DFu',
    );
    assert.equal(short({ objectIDs: ['a', 'c'], taskID: 7, status: 'ok' }), 'DuD');
    const put = { PutRequest: { Item: { image_id: 'b' } } };
    assert.equal(short({ UnprocessedItems: { table: [put] } }), 'DFD');
    assert.equal(short({ vectors: [[0.1], null, [0.3]] }), 'DuD');
    assert.equal(
      short({ responses: [{ status: 200 }, { status: 422, error: 'x' }, { status: 200 }] }),
      'DFD',
    );
    const some = { ok: true, message: '2 of 3 images indexed, 1 failed' };
    for (const body of [some, { code: 0, msg: 'success', data: some }, { data: { indexImages: some } }])
      assert.equal(short(body), 'uuu', JSON.stringify(body));
    const flags = [{ success: true }, { success: false, error: 'Bad JSON.' }, { success: true }];
    assert.equal(short({ data: { indexImages: flags } }), 'DFD');
    assert.equal(short({ data: { UnprocessedItems: { table: [put] } } }), 'DFD');
  });

  it('reads each line of a response in lines', () => {
    const lines = (...values: unknown[]) =>
      readBatchOutcomes(
        readRunResponse(
          {
            ...rawOf(''),
            contentType: 'text/plain',
            text: values.map((value) => `${JSON.stringify(value)}\n`).join(''),
          },
          asked,
        ),
        ['a', 'b', 'c'].map(member),
      )
        .map(({ outcome }) => letters[outcome])
        .join('');
    assert.equal(lines({ success: true }, { success: false, error: 'Bad JSON.' }, { success: true }), 'DFD');
    assert.equal(lines({ id: 'b', status: 'indexed' }, { id: 'a', status: 'failed' }), 'FDu');
    assert.equal(
      lines({ status: 'running' }, { status: 'running' }, { status: 'succeeded', indexed: 3 }),
      'DDD',
    );
  });
});
