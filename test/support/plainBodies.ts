import type { RunMapping } from '../../src/domain/responseMapping';

/** The reading of a person: its state, and the parts that the body has. */
interface Reading {
  readonly state: 'finished' | 'accepted' | 'failed' | 'unclear';
  readonly id?: string;
  readonly cost?: string;
  readonly output?: unknown;
}

/** Bodies of runs as teams write them without a standard; with a mapping where their words are not the usual ones. */
export const PLAIN_BODIES: readonly (readonly [
  name: string,
  status: number,
  body: object,
  reading: Reading,
  mapping?: RunMapping,
])[] = [
  [
    'drf-sync',
    201,
    {
      id: 'r1',
      model: 'm',
      mode: 'execute',
      status: 'succeeded',
      output: { label: 'pos' },
      error: null,
      cost: '0.0025',
      currency: 'USD',
      created_at: '2026-11-28T10:00:00Z',
    },
    { state: 'finished', id: 'r1', cost: '0.0025', output: { label: 'pos' } },
  ],
  [
    'drf-failed',
    200,
    {
      id: 'r1',
      status: 'failed',
      output: null,
      error: { code: 'OOM', message: 'CUDA out of memory' },
      cost: '0',
    },
    { state: 'failed' },
  ],
  [
    'drf-bare',
    200,
    { label: 'pos', score: 0.93 },
    { state: 'finished', output: { label: 'pos', score: 0.93 } },
  ],
  [
    'drf-choice-int',
    200,
    { id: 'r1', status: 3, status_display: 'Succeeded', output: { label: 'pos' } },
    { state: 'finished', id: 'r1', output: { label: 'pos' } },
    { state: '/status_display' },
  ],
  [
    'drf-outputs-list',
    201,
    {
      uuid: 'u1',
      state: 'done',
      outputs: [{ type: 'text', value: 'hi' }],
      charge: { amount: '0.0025', currency: 'USD' },
    },
    { state: 'finished', id: 'u1', cost: '0.0025', output: [{ type: 'text', value: 'hi' }] },
  ],
  ['fa-queued', 202, { run_id: 'r1', status: 'queued', position: 3 }, { state: 'accepted', id: 'r1' }],
  ['fa-ok-output', 200, { ok: true, output: 'hello' }, { state: 'finished', output: 'hello' }],
  [
    'fa-result-null',
    200,
    { run_id: 'r1', status: 'completed', result: null },
    { state: 'finished', id: 'r1', output: null },
  ],
  [
    'fa-timeout-word',
    200,
    { run_id: 'r1', status: 'timed_out', result: null },
    { state: 'failed', id: 'r1' },
  ],
  ['fa-started', 200, { run_id: 'r1', status: 'started' }, { state: 'accepted', id: 'r1' }],
  [
    'fa-detections',
    200,
    { detections: [{ box: [0, 0, 1, 1], label: 'cat', score: 0.9 }], inference_ms: 12 },
    {
      state: 'finished',
      output: { detections: [{ box: [0, 0, 1, 1], label: 'cat', score: 0.9 }], inference_ms: 12 },
    },
  ],
  [
    'fa-text',
    200,
    { text: 'Hello', finish_reason: 'stop', tokens: 12 },
    { state: 'finished', output: { text: 'Hello', finish_reason: 'stop', tokens: 12 } },
  ],
  [
    'fa-classify-status',
    200,
    { status: 'approved', confidence: 0.98 },
    { state: 'finished', output: { status: 'approved', confidence: 0.98 } },
    { finished: 'status', result: '' },
  ],
  [
    'fa-code-result',
    200,
    { code: 'E11.9', description: 'Type 2 diabetes', confidence: 0.91 },
    { state: 'finished', output: { code: 'E11.9', description: 'Type 2 diabetes', confidence: 0.91 } },
    { finished: 'status', result: '' },
  ],
  [
    'fa-errors-empty',
    200,
    { run_id: 'r1', status: 'completed', result: { valid: true }, errors: [] },
    { state: 'finished', id: 'r1', output: { valid: true } },
  ],
  [
    'go-run',
    200,
    {
      run: {
        id: 'r1',
        state: 'SUCCEEDED',
        output: { label: 'pos' },
        cost: { currencyCode: 'USD', units: '0', nanos: 2500000 },
      },
    },
    { state: 'finished', id: 'r1', cost: '0.0025', output: { label: 'pos' } },
  ],
  [
    'go-enum2',
    200,
    { runId: 'r1', status: 'STATUS_OK', output: { label: 'pos' } },
    { state: 'finished', id: 'r1', output: { label: 'pos' } },
  ],
  [
    'go-envelope-200',
    200,
    { code: 200, message: 'OK', data: { runId: 'r1', output: { label: 'pos' } } },
    { state: 'finished', id: 'r1', output: { label: 'pos' } },
  ],
  [
    'go-error-null',
    200,
    { data: { id: 'r1', result: { label: 'pos' } }, error: null, meta: { request_id: 'q' } },
    { state: 'finished', id: 'r1', output: { label: 'pos' } },
  ],
  [
    'go-operation-done',
    200,
    { name: 'operations/r1', done: true, response: { label: 'pos' } },
    { state: 'finished', id: 'operations/r1', output: { label: 'pos' } },
    { state: '/done', finished: ['true'], result: '/response', id: '/name' },
  ],
  [
    'go-status-int',
    200,
    { run_id: 'r1', status: 2, status_text: 'finished', output: { label: 'pos' } },
    { state: 'finished', id: 'r1', output: { label: 'pos' } },
    { state: '/status_text' },
  ],
  [
    'go-jsonapi',
    200,
    {
      data: {
        type: 'runs',
        id: 'r1',
        attributes: { status: 'finished', output: { label: 'pos' }, cost_cents: 1 },
      },
    },
    { state: 'finished', id: 'r1', cost: '0.01', output: { label: 'pos' } },
    {
      state: '/data/attributes/status',
      result: '/data/attributes/output',
      id: '/data/id',
      cost: '/data/attributes/cost_cents',
      unit: 'cents',
    },
  ],
  [
    'node-job',
    202,
    { jobId: 'j1', status: 'PENDING', statusUrl: '/api/runs/j1' },
    { state: 'accepted', id: 'j1' },
  ],
  [
    'spring',
    200,
    { timestamp: '2026-11-28T10:00:00Z', status: 200, data: { runId: 'r1', result: { label: 'pos' } } },
    { state: 'finished', id: 'r1', output: { label: 'pos' } },
  ],
  [
    'latency',
    200,
    { output: { label: 'pos' }, latency_ms: 12, model_version: '1.2.0' },
    { state: 'finished', output: { label: 'pos' } },
  ],
  ['created-only', 201, { id: 'r1', created_at: '2026-11-28T10:00:00Z' }, { state: 'unclear', id: 'r1' }],
  ['index-count', 200, { indexed: 2, failed: 0 }, { state: 'finished' }],
  ['index-created', 201, { message: '2 images indexed' }, { state: 'finished' }, { finished: 'status' }],
  ['search-empty2', 200, { matches: [], total: 0, took_ms: 2 }, { state: 'finished' }],
  [
    'moderation',
    200,
    { flagged: true, categories: { violence: true }, status: 'blocked' },
    { state: 'finished', output: { flagged: true, categories: { violence: true }, status: 'blocked' } },
    { finished: 'status', result: '' },
  ],
  [
    'output-validator',
    201,
    {
      id: 'r1',
      status: 'succeeded',
      output: { status: 'failed', reason: 'total does not match' },
      error: null,
      cost: '0.0025',
    },
    {
      state: 'finished',
      id: 'r1',
      cost: '0.0025',
      output: { status: 'failed', reason: 'total does not match' },
    },
  ],
  [
    'output-moderation',
    201,
    { id: 'r1', status: 'succeeded', output: { success: false, flagged: true }, error: null, cost: '0.0025' },
    { state: 'finished', id: 'r1', cost: '0.0025', output: { success: false, flagged: true } },
  ],
  [
    'output-validator3',
    201,
    {
      id: 'r1',
      status: 'succeeded',
      output: { valid: false, errors: [{ field: 'iban', message: 'checksum' }] },
      error: null,
      cost: '0.0025',
    },
    {
      state: 'finished',
      id: 'r1',
      cost: '0.0025',
      output: { valid: false, errors: [{ field: 'iban', message: 'checksum' }] },
    },
  ],
  [
    'output-http',
    201,
    {
      id: 'r1',
      status: 'succeeded',
      output: { code: 422, message: 'Please call us' },
      error: null,
      cost: '0.0025',
    },
    { state: 'finished', id: 'r1', cost: '0.0025', output: { code: 422, message: 'Please call us' } },
  ],
  [
    'output-log',
    201,
    {
      id: 'r1',
      status: 'succeeded',
      output: { exception: 'NullPointer', file: 'a.py' },
      error: null,
      cost: '0.0025',
    },
    { state: 'finished', id: 'r1', cost: '0.0025', output: { exception: 'NullPointer', file: 'a.py' } },
  ],
  [
    'output-okfalse',
    201,
    { id: 'r1', status: 'succeeded', output: { ok: false, reason: 'no face' }, error: null, cost: '0.0025' },
    { state: 'finished', id: 'r1', cost: '0.0025', output: { ok: false, reason: 'no face' } },
  ],
  [
    'output-page',
    201,
    {
      id: 'r1',
      status: 'succeeded',
      output: { statusCode: 404, body: 'not here' },
      error: null,
      cost: '0.0025',
    },
    { state: 'finished', id: 'r1', cost: '0.0025', output: { statusCode: 404, body: 'not here' } },
  ],
  [
    'output-label',
    201,
    { id: 'r1', status: 'succeeded', output: { label: 'error', score: 0.9 }, error: null, cost: '0.0025' },
    { state: 'finished', id: 'r1', cost: '0.0025', output: { label: 'error', score: 0.9 } },
  ],
  [
    'output-emptylist',
    201,
    { id: 'r1', status: 'succeeded', output: [], error: null, cost: '0.0025' },
    { state: 'finished', id: 'r1', cost: '0.0025', output: [] },
  ],
  [
    'output-zero',
    201,
    { id: 'r1', status: 'succeeded', output: 0, error: null, cost: '0.0025' },
    { state: 'finished', id: 'r1', cost: '0.0025', output: 0 },
  ],
  [
    'output-nul',
    201,
    { id: 'r1', status: 'succeeded', output: null, error: null, cost: '0.0025' },
    { state: 'finished', id: 'r1', cost: '0.0025', output: null },
  ],
  [
    'output-queued',
    201,
    { id: 'r1', status: 'succeeded', output: { state: 'queued' }, error: null, cost: '0.0025' },
    { state: 'finished', id: 'r1', cost: '0.0025', output: { state: 'queued' } },
  ],
];
