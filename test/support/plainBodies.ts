import type { RunMapping } from '../../src/domain/responseMapping';

/** The reading of a person: its state, and the parts that the body has. */
interface Reading {
  readonly state: 'finished' | 'accepted' | 'failed' | 'unclear';
  readonly id?: string;
  readonly cost?: string;
  readonly output?: unknown;
}

type PlainBody = readonly [
  name: string,
  status: number,
  body: object,
  reading: Reading,
  mapping?: RunMapping,
];

const output = { label: 'pos' };
const finished = { state: 'finished', id: 'r1', output } as const;
const approved = { status: 'approved', confidence: 0.98 };
const code = { code: 'E11.9', description: 'Type 2 diabetes', confidence: 0.91 };
const detected = { detections: [{ box: [0, 0, 1, 1], label: 'cat', score: 0.9 }], inference_ms: 12 };

/** Outputs of models, which say nothing of the state of their run. */
const OUTPUTS = [
  ...[
    output,
    [],
    0,
    null,
    { state: 'queued' },
    { label: 'error', score: 0.9 },
    { ok: false, reason: 'no face' },
  ],
  ...[
    { status: 'failed', reason: 'total does not match' },
    { code: 422, message: 'Please call us' },
  ],
  ...[
    { valid: false, errors: [{ field: 'iban', message: 'checksum' }] },
    { statusCode: 404, body: 'not here' },
  ],
  { exception: 'NullPointer', file: 'a.py' },
];

/** Bodies of runs as teams write them without a standard; with a mapping where their words are not the usual ones. */
export const PLAIN_BODIES: readonly PlainBody[] = [
  ...OUTPUTS.map((one): PlainBody => {
    const body = { id: 'r1', status: 'succeeded', output: one, error: null, cost: '0.0025', currency: 'USD' };
    return [`output ${JSON.stringify(one)}`, 201, body, { ...finished, cost: '0.0025', output: one }];
  }),
  ['failed', 200, { id: 'r1', status: 'failed', error: { code: 'OOM' }, cost: '0' }, { state: 'failed' }],
  ['timed out', 200, { run_id: 'r1', status: 'timed_out', result: null }, { state: 'failed', id: 'r1' }],
  ['queued', 202, { run_id: 'r1', status: 'queued', position: 3 }, { state: 'accepted', id: 'r1' }],
  ['started', 200, { run_id: 'r1', status: 'started' }, { state: 'accepted', id: 'r1' }],
  [
    'pending',
    202,
    { jobId: 'j1', status: 'PENDING', statusUrl: '/api/runs/j1' },
    { state: 'accepted', id: 'j1' },
  ],
  ['created only', 201, { id: 'r1', created_at: '2026-11-28T10:00:00Z' }, { state: 'unclear', id: 'r1' }],
  ['bare', 200, { label: 'pos', score: 0.93 }, { state: 'finished', output: { label: 'pos', score: 0.93 } }],
  ['detections', 200, detected, { state: 'finished', output: detected }],
  ['a flag', 200, { ok: true, output: 'hello' }, { state: 'finished', output: 'hello' }],
  ['no errors', 200, { run_id: 'r1', status: 'completed', result: output, errors: [] }, finished],
  ['a state as an enum', 200, { runId: 'r1', status: 'STATUS_OK', output }, finished],
  ['a code around it', 200, { code: 200, message: 'OK', data: { runId: 'r1', output } }, finished],
  [
    'no error beside it',
    200,
    { data: { id: 'r1', result: output }, error: null, meta: { id: 'q' } },
    finished,
  ],
  ['a status of HTTP', 200, { status: 200, data: { runId: 'r1', result: output } }, finished],
  ['its latency', 200, { output, latency_ms: 12 }, { state: 'finished', output }],
  ['indexed', 200, { indexed: 2, failed: 0 }, { state: 'finished' }],
  ['no hits', 200, { matches: [], total: 0, took_ms: 2 }, { state: 'finished' }],
  [
    ...(['nanos', 200] as const),
    {
      run: {
        id: 'r1',
        state: 'SUCCEEDED',
        output,
        cost: { currencyCode: 'USD', units: '0', nanos: 2500000 },
      },
    },
    { ...finished, cost: '0.0025' },
  ],
  [
    'a number as state',
    200,
    { id: 'r1', status: 3, status_text: 'Succeeded', output },
    finished,
    { state: '/status_text' },
  ],
  [
    'a state of its own',
    200,
    approved,
    { state: 'finished', output: approved },
    { finished: 'status', result: '' },
  ],
  ['a code of its own', 200, code, { state: 'finished', output: code }, { finished: 'status', result: '' }],
  ['a message', 201, { message: '2 images indexed' }, { state: 'finished' }, { finished: 'status' }],
  [
    ...(['an operation', 200, { name: 'operations/r1', done: true, response: output }] as const),
    { ...finished, id: 'operations/r1' },
    { state: '/done', finished: ['true'], result: '/response', id: '/name' },
  ],
  [
    ...(['attributes', 200] as const),
    { data: { type: 'runs', id: 'r1', attributes: { status: 'finished', output, cents: 1 } } },
    { ...finished, cost: '0.01' },
    {
      state: '/data/attributes/status',
      result: '/data/attributes/output',
      cost: '/data/attributes/cents',
      unit: 'cents',
    },
  ],
];
