import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readRunResponse } from '../../../src/readers/run';
import { rawOf } from '../../support/rawOf';

const asked = new URL('https://a.example/api/runs');
const read = (body: unknown, status = 200) => readRunResponse(rawOf(body, status), asked);
const readText = (text: string, contentType: string) =>
  readRunResponse({ ...rawOf(text), contentType, json: undefined, text }, asked);

/** Error bodies as their writers document them. */
const FAILURES: Readonly<Record<string, unknown>> = {
  tencent: { code: 1001, message: 'insufficient balance', data: null },
  tencentText: { code: '5100', message: '(100004) incorrect projectId' },
  tencentCloud: { Response: { Error: { Code: 'AuthFailure', Message: 'no' }, RequestId: 'r' } },
  aliyun: { Code: 'InvalidApiKey', Message: 'Invalid API-key provided.', RequestId: 'r' },
  dashscope: { code: 'InvalidApiKey', message: 'Invalid API-key provided.', request_id: 'r' },
  baidu: { error_code: 17, error_msg: 'Open api daily request limit reached' },
  wechat: { errcode: 40013, errmsg: 'invalid appid' },
  wechatPay: { return_code: 'FAIL', return_msg: 'sign error' },
  huawei: { error_code: 'DRS.M00201', error_msg: 'The parameter is empty.' },
  unix: { errno: 3, errmsg: 'no gpu' },
  php: { ok: 0, msg: 'x' },
  phpText: { success: 'false', message: 'x' },
  result: { result: 'error', message: 'x' },
  envelope: { code: 500, msg: 'internal error', data: null },
  springBoot: { timestamp: '2024-01-01', status: 404, error: 'Not Found', path: '/api/runs' },
  nest: { statusCode: 403, message: 'Forbidden resource', error: 'Forbidden' },
  fastify: { statusCode: 500, error: 'Internal Server Error', message: 'x' },
  statusOnly: { status: 500, message: 'Internal Server Error' },
  problem: { type: 'https://e.example/out-of-memory', title: 'Out of memory', status: 500 },
  problemWithoutStatus: { type: 'about:blank', title: 'Out of memory' },
  fastApi: { detail: 'Not authenticated' },
  fastApiList: { detail: [{ loc: ['body', 'x'], msg: 'field required', type: 'missing' }] },
  django: { detail: 'Authentication credentials were not provided.', code: 'not_authenticated' },
  replicate: { title: 'Insufficient credit', detail: 'You have insufficient credit', status: 402 },
  apiGateway: { message: 'Forbidden' },
  apiGatewayTimeout: { message: 'Endpoint request timed out' },
  iam: { Message: 'User is not authorized to access this resource' },
  lambda: { errorMessage: 'boom', errorType: 'ValueError', stackTrace: [] },
  kong: { message: 'no Route matched with those values' },
  kongLimit: { message: 'API rate limit exceeded' },
  laravel: { message: 'Unauthenticated.' },
  laravelDebug: { message: 'x', exception: 'ErrorException', file: 'a.php', line: 3, trace: [] },
  laravelValidation: { message: 'The given data was invalid.', errors: { name: ['required'] } },
  jsonApi: { errors: [{ status: '422', title: 'Unprocessable', detail: 'x' }] },
  rails: { status: 404, error: 'Not Found' },
  openAi: { error: { message: 'x', type: 'invalid_request_error', code: null } },
  anthropic: { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
  google: { error: { code: 400, message: 'x', status: 'INVALID_ARGUMENT' } },
  grpcGateway: { code: 5, message: 'Not Found', details: [] },
  grpc: { status: { code: 13 } },
  triton: { error: 'request for unknown model' },
  torchServe: { code: 503, type: 'InternalServerException', message: 'Prediction failed' },
  tensorFlowServing: { error: 'Malformed request' },
  huggingFace: { error: 'Model is too busy', estimated_time: 20 },
  vllm: { object: 'error', message: 'x', type: 'BadRequestError', code: 400 },
  runPod: { id: 'r', status: 'FAILED', error: 'CUDA out of memory' },
  runPodOutput: { id: 'r', status: 'COMPLETED', output: { error: 'CUDA out of memory' } },
  vertexJob: { name: 'j', state: 'JOB_STATE_FAILED' },
  sageMaker: { FailureReason: 'AlgorithmError' },
  slack: { ok: false, error: 'invalid_auth' },
  telegram: { ok: false, error_code: 400, description: 'Bad Request' },
  cloudflare: { success: false, errors: [{ code: 1, message: 'x' }], result: null },
  jsend: { status: 'fail', data: { title: 'required' } },
  jsonRpc: { jsonrpc: '2.0', error: { code: -32600, message: 'x' }, id: 1 },
  oauth: { error: 'invalid_client', error_description: 'x' },
  apigee: { fault: { faultstring: 'x', detail: { errorcode: 'y' } } },
  graphQl: { data: null, errors: [{ message: 'x' }] },
  exception: { exception: 'RuntimeError' },
  traceback: { traceback: 'Traceback (most recent call last): …' },
  aspNet: {
    type: 'https://tools.ietf.org/html/rfc7231',
    title: 'One or more errors',
    status: 400,
    traceId: 't',
  },
  azure: { error: { code: 'InvalidRequest', message: 'x' } },
  mcp: { isError: true, content: [{ type: 'text', text: 'x' }] },
  awsType: { __type: 'ValidationException' },
  awsMetadata: { ResponseMetadata: { HTTPStatusCode: 500, RequestId: 'r' } },
  sageMakerModel: { OriginalMessage: 'x', OriginalStatusCode: 400 },
  lambdaProxy: { statusCode: 502, body: '{"message":"Internal server error"}' },
  fastApiRecord: { detail: { code: 'quota', message: 'x' } },
  miniMax: { base_resp: { status_code: 1004, status_msg: 'login fail' } },
  volcengine: { ResponseMetadata: { RequestId: 'r', Error: { Code: 'x', Message: 'y' } } },
  qdrant: { status: { error: 'Wrong input' }, time: 0.1 },
  kling: { code: 0, message: 'SUCCEED', data: { task_id: 't', task_status: 'failed', task_status_msg: 'x' } },
  gemini: { promptFeedback: { blockReason: 'SAFETY' }, usageMetadata: { promptTokenCount: 3 } },
  googleOperation: { name: 'projects/p/operations/1', done: true, error: { code: 3, message: 'x' } },
  vision: { responses: [{ error: { code: 3, message: 'Bad image data.' } }] },
  awsBatch: { jobs: [{ status: 'FAILED', statusReason: 'x' }] },
  transcribe: { TranscriptionJob: { TranscriptionJobStatus: 'FAILED', FailureReason: 'x' } },
  flux: { id: 'r', status: 'Request Moderated', result: null },
  graphQlUnion: { data: { runModel: { __typename: 'InsufficientCreditsError', message: 'Top up first.' } } },
  openRouter: {
    id: 'gen-1',
    choices: [
      {
        finish_reason: 'error',
        message: { role: 'assistant', content: '' },
        error: { code: 502, message: 'x' },
      },
    ],
  },
  iFlytek: { header: { code: 10013, message: 'input content moderation', sid: 'x' }, payload: {} },
  gitHubActions: { workflow_run: { conclusion: 'failure', status: 'completed' } },
  process: { exit_code: 137, stdout: '', stderr: 'Killed' },
  shopify: { data: { createRun: { run: null, userErrors: [{ field: ['input'], message: 'is invalid' }] } } },
  head: { meta: { status: 'error' }, data: { label: 'x' } },
  unionPay: { respCode: '9999', respDesc: 'system error' },
  koreanOpenData: { response: { header: { resultCode: '30', resultMsg: 'SERVICE KEY IS NOT REGISTERED' } } },
  temporal: { workflowId: 'w', runId: 'r', status: 'WORKFLOW_EXECUTION_STATUS_FAILED' },
  celery: { task_id: 't', state: 'FAILURE', result: "ValueError('x')" },
  trpc: [{ error: { json: { message: 'x', code: -32004, data: { httpStatus: 404 } } } }],
  qq: { ret: -1, msg: 'not logged in' },
  rc: { rc: 5, rcmsg: 'no quota' },
  armJob: {
    id: '/jobs/j',
    name: 'j',
    properties: { status: 'Failed', error: { code: 'UserError', message: 'x' } },
  },
  imagga: { status: { text: 'Invalid image URL', type: 'error' } },
  siren: { class: ['run'], properties: { status: 'failed', error: 'x' }, links: [] },
  geminiSafety: {
    candidates: [{ finishReason: 'SAFETY', index: 0, safetyRatings: [{ probability: 'HIGH' }] }],
  },
  notANumber: { status: 'failed', error: 'CUDA out of memory', metrics: { predict_time: null } },
};
const failures = fc.constantFrom(...Object.entries(FAILURES)).map(([name, body]) => ({ name, body }));

/** Results as models give them, which speak of errors in their content or share names with error bodies. */
const RESULTS: readonly unknown[] = [
  { label: 'error', score: 0.9 },
  { text: 'error' },
  { text: 'Error: the file was not found.', tokens: 9 },
  { code: 'print(1)' },
  { code: 7, label: 'seven' },
  { status: 'finished', error: null, errors: [], output: 1 },
  { mse: 0.2, error: 0.03 },
  { errors: [{ line: 2, message: 'typo' }], score: 0.5 },
  { status: 'succeeded', output: { errors: ['line 2'], text: 'x' } },
  { status: 'succeeded', output: 'Traceback (most recent call last)' },
  { is_spam: false },
  { description: 'A cat on a mat' },
  { title: 'Dune', type: 'book' },
  { detections: [] },
  { results: [] },
  { state: 'California', capital: 'Sacramento' },
  { result: 'rejected' },
  { failed: 0, indexed: 3 },
  { message: { role: 'assistant', content: 'I could not find an error.' } },
  { error_rate: 0.4, exceptions: 0 },
  { code: 0, message: 'success', data: { label: 'cat' } },
  { code: 200, msg: 'OK', data: [1, 2] },
  { errcode: 0, errmsg: 'ok', result: { label: 'cat' } },
  { error_code: 0, error_msg: 'SUCCESS', result: [1] },
  { status: { code: 10000, description: 'Ok' }, outputs: [{ data: 1 }] },
  { success: 1, prediction: 'x' },
  { message: 'An image', url: 'https://a.example/1.png' },
  { absolute_error: 0.2, has_spelling_error: true },
  { base_resp: { status_code: 0, status_msg: 'success' }, data: { image_urls: ['https://a.example/1.png'] } },
  { statusCode: 200, body: '{"label":"cat","score":0.9}' },
  { resultCode: '00', resultMsg: 'NORMAL SERVICE.', label: 'cat' },
  { message: 'Task submitted successfully', label: 'cat' },
  { country_code: 'USA', region_code: 7 },
  { file_id: 'file-12345678' },
  { accepted: true },
  { text: 'x', finished: false },
  { progress: 1, label: 'x' },
  { ret: [0.1, 0.2] },
  { order: { status: 'cancelled', total: 3 } },
  { __typename: 'Classification', label: 'error' },
  '"{\\"label\\":\\"cat\\"}"',
  [[0.1, 0.2]],
  [{ label: 'error', score: 0.9 }],
  '"no error"',
  7,
];
const results = fc.constantFrom(...RESULTS);

/** How gateways and clients wrap a body. */
const wrappings = fc.array(
  fc.constantFrom<(body: unknown) => unknown>(
    ...['data', 'result', 'response', 'body', 'payload', 'run', 'job'].map((name) => (body: unknown) => ({
      [name]: body,
    })),
    (body) => ({ code: 0, message: 'success', data: body }),
    (body) => ({ success: true, data: body, request_id: 'r' }),
    (body) => ({ run_id: 'r', result: body }),
    (body) => ({ status: 200, data: body }),
    (body) => ({ statusCode: 200, isBase64Encoded: false, body: JSON.stringify(body) }),
    (body) => ({ data: { runModel: body } }),
  ),
  { maxLength: 3 },
);
const wrap = (body: unknown, steps: readonly ((body: unknown) => unknown)[]) =>
  steps.reduce((inner, step) => step(inner), body);

describe('The state of a run', () => {
  it('reads a failure from every documented error body', () => {
    for (const [name, body] of Object.entries(FAILURES)) assert.equal(read(body).state, 'failed', name);
    // DeepInfra
    const beside = { results: [], inference_status: { status: 'failed', runtime_ms: 3, cost: 0 } };
    // Leonardo
    const ofItsKind = { generations_by_pk: { id: 'g', status: 'FAILED', generated_images: [], prompt: 'x' } };
    for (const body of [beside, ofItsKind]) assert.equal(read(body).state, 'failed', JSON.stringify(body));
  });

  it('reads a failure in any wrapping, even when the envelope reports success', () => {
    fc.assert(
      fc.property(failures, wrappings, ({ body }, steps) => {
        const wrapped = wrap(body, steps);
        assert.equal(read(wrapped).state, 'failed', JSON.stringify(wrapped));
      }),
      { numRuns: 2000 },
    );
  });

  it('reads the state in any spelling of the names, and in a list of one', () => {
    const spellings: readonly ((name: string) => string)[] = [
      (name) => name.replace(/[_-]([a-z])/g, (_, letter: string) => letter.toUpperCase()),
      (name) =>
        name.replace(
          /[_-]?([a-z]+)/g,
          (_, [first = '', ...rest]: string) => first.toUpperCase() + rest.join(''),
        ),
      (name) => name.replaceAll('_', '-'),
      (name) => name.toUpperCase(),
    ];
    const respelled = (value: unknown, spell: (name: string) => string): unknown => {
      if (Array.isArray(value)) return value.map((inner) => respelled(inner, spell));
      if (typeof value !== 'object' || value === null) return value;
      return Object.fromEntries(
        Object.entries(value).map(([name, inner]) => [
          /^[@$_]/.test(name) ? name : spell(name),
          respelled(inner, spell),
        ]),
      );
    };
    for (const [name, body] of Object.entries(FAILURES)) {
      for (const spell of spellings) {
        const spelled = respelled(body, spell);
        assert.equal(read(spelled).state, 'failed', `${name}: ${JSON.stringify(spelled)}`);
      }
      assert.equal(read(Array.isArray(body) ? body : [body]).state, 'failed', name);
    }
    for (const body of [{ id: 'r', status: 'running' }, { run: { state: 'queued' } }])
      assert.equal(read([body]).state, 'accepted');
    for (const body of [{ id: 'r', status: 'paused' }, { JobId: 'j' }])
      assert.equal(read([body]).state, 'unclear', JSON.stringify(body));
    for (const body of [{ code: 0, msg: 'success' }, { success: true }, { status: 200 }])
      assert.equal(
        read({ ...body, data: { id: 'r', status: 'paused' } }).state,
        'unclear',
        JSON.stringify(body),
      );
  });

  it('never takes a failure within a finished envelope for a finished run', () => {
    for (const body of Object.values(FAILURES))
      for (const status of ['ok', 'success', 'completed'])
        for (const name of ['data', 'result', 'response', 'output']) {
          const wrapped = { status, [name]: body };
          assert.notEqual(read(wrapped).state, 'finished', JSON.stringify(wrapped));
        }
  });

  it('finishes with every bare result, even with words and names of errors', () => {
    for (const body of RESULTS) assert.equal(read(body).state, 'finished', JSON.stringify(body));
    fc.assert(
      fc.property(results, fc.constantFrom('data', 'result', 'output'), (body, name) => {
        const wrapped = { run_id: 'r', status: 'completed', [name]: body };
        assert.equal(read(wrapped).state, 'finished', JSON.stringify(wrapped));
      }),
    );
  });

  it('stays unclear without a sign of success or of failure', () => {
    for (const body of [
      null,
      false,
      '""',
      [],
      {},
      { id: 'r' },
      { request_id: 'r', took: 3 },
      { message: 'Hello' },
      { name: 'INVALID_REQUEST', message: 'Request is not well-formed', debug_id: 'x', details: [] },
      { non_field_errors: ['Unable to log in'] },
      { message: { base: ['has already been taken'] } },
      { request_id: 'r', queue_position: 3 },
      { statusCode: 200, body: 'null' },
      { statusCode: 200, body: '<html>Sign in</html>' },
      { data: null, error_list: [{ message: 'x' }] },
      { request_id: 'r', output: { task_id: 't', task_status: 'UNKNOWN' } },
      // A list that ends in an error, as Google streams it, and a success with a failure.
      [{ candidates: [{ content: { parts: [{ text: 'a' }] } }] }, { error: { code: 500, message: 'x' } }],
      { ok: true, message: '2 of 3 images indexed, 1 failed' },
      // Handles of work under way: Gradio, Step Functions, asynchronous inference of SageMaker.
      { event_id: '5ab1c2d3e4' },
      { executionArn: 'arn:aws:states:eu-west-1:1:execution:m:r' },
      { InferenceId: '8f0c2d3e-1111' },
    ])
      assert.equal(read(body).state, 'unclear', JSON.stringify(body));
    assert.equal(readText('<!doctype html><title>Sign in</title>', 'text/html').state, 'unclear');
    assert.equal(readText('<html>', 'text/plain').state, 'unclear');
    assert.equal(readText('{"status":"ok"', 'application/json').state, 'unclear');
    assert.equal(readText('<Error><Code>x</Code></Error>', 'application/xml').state, 'unclear');
    assert.equal(readText('', '').state, 'unclear');
    for (const text of [
      "{'status': 'failed', 'error': 'CUDA out of memory'}",
      'callback({"status":"failed"});',
      '{"status":"succeeded","outp',
      '<!-- login --><!DOCTYPE html><p>Sign in',
      '<?xml version="1.0"?>\n<html>',
      '<script>location.href="/login"</script>',
    ])
      assert.equal(readText(text, 'text/plain').state, 'unclear', text);
    for (const type of ['application/x-www-form-urlencoded', 'application/msgpack', 'multipart/mixed'])
      assert.equal(
        readRunResponse({ ...rawOf('error=server_error'), contentType: type, text: undefined }, asked).state,
        'unclear',
        type,
      );
    assert.equal(read({ status: 'mystery', output: 1 }).state, 'unclear');
    assert.equal(read({ status: 'completed', error: 'x', output: 1 }).state, 'unclear');
  });

  it('fails with a content type of problems, or with a gateway’s text of an error', () => {
    const problem = { ...rawOf({ title: 'Overloaded' }), contentType: 'application/problem+json' };
    assert.deepEqual(
      [readRunResponse(problem, asked).state, readRunResponse(problem, asked).message],
      ['failed', 'Overloaded'],
    );
    assert.equal(read({ statusCode: 200, body: 'Internal Server Error' }).state, 'failed');
  });

  it('stays accepted when only a ticket, a code or a message says that it was taken on', () => {
    const messages = fc.constantFrom(
      ...['Task submitted successfully', 'Accepted', 'Job queued', 'Your request has been received'],
      ...['Job created successfully', 'Prediction started', 'Request accepted, processing', 'job enqueued'],
    );
    const around = fc.constantFrom<(message: string) => object>(
      (message) => ({ message, task_id: 't1' }),
      (message) => ({ status: 'success', message, data: { job_id: 'j1' } }),
      (message) => ({ code: 0, msg: message, data: null }),
      (message) => ({ success: true, message }),
      (message) => ({ statusCode: 200, body: JSON.stringify({ message }) }),
    );
    fc.assert(
      fc.property(messages, around, (message, wrapIn) => {
        assert.equal(read(wrapIn(message)).state, 'accepted', JSON.stringify(wrapIn(message)));
      }),
    );
    for (const body of [
      { code: 0, message: 'success', data: { task_id: 'abc' } },
      { success: true, data: { jobId: 7 } },
      { code: 202, message: 'Accepted' },
      { statusCode: 202, body: '{"id":"r"}' },
      '"queued"',
      ...['completed', 'finished', 'is_done', 'ready'].map((name) => ({ [name]: false, id: 'r' })),
      ...['pending', 'isProcessing', 'queued', 'async'].map((name) => ({ [name]: true, id: 'r' })),
      ...[
        { jobId: 'x', percentComplete: 45 },
        { id: 'x', progress: 45 },
        { id: 'x', progress: '45%' },
      ],
      { code: 0, msg: 'success', data: { id: 'x', progress: 45 } },
      { generation: { id: 'g', status: 'PENDING', images: [] } },
      { progress: 0.4, eta_relative: 12.3, current_image: 'iVBORw0KGgo' },
      { jobs: [{ id: 1, state: 'queued' }] },
      ...['WORKFLOW_EXECUTION_STATUS_RUNNING', 'JOB_STATE_RUNNING', 'TASK_RUNNING'].map((status) => ({
        id: 'w',
        status,
      })),
    ])
      assert.equal(read(body).state, 'accepted', JSON.stringify(body));
    for (const body of [
      { success: true, message: 'Image processing completed' },
      { success: true, id: 'x', progress: 100 },
      { success: true, message: '4 vectors created successfully' },
      { success: true, run_id: 'r1' },
    ])
      assert.equal(read(body).state, 'finished', JSON.stringify(body));
  });

  it('follows the address in a header of a response without a result', () => {
    const place = 'https://a.example/api/runs/r1';
    const empty = (status: number, headers: Record<string, string>) =>
      readRunResponse({ ...rawOf('', status, headers), text: '' }, asked);
    for (const [status, headers] of [
      [201, { location: '/api/runs/r1' }],
      [202, { location: place }],
      [202, { 'operation-location': place }],
      [202, { 'azure-asyncoperation': place }],
    ] as const) {
      const read = empty(status, headers);
      assert.deepEqual([read.state, read.followUrl], ['accepted', place], JSON.stringify(headers));
    }
    assert.equal(empty(201, {}).state, 'unclear');
    const created = readRunResponse(rawOf({ label: 'cat' }, 201, { location: place }), asked);
    assert.equal(created.state, 'finished');
  });

  it('waits for operations and tasks that go on', () => {
    for (const body of [
      { id: '/jobs/j', name: 'j', properties: { status: 'Running', displayName: 'j' } },
      { name: 'projects/p/operations/1' },
      { name: 'operations/1', metadata: {}, done: false },
      { code: 0, message: 'SUCCEED', data: { task_id: 't', task_status: 'submitted' } },
      { statusCode: 200, body: '{"status":"queued","id":"r"}' },
      { status: 'notStarted' },
    ])
      assert.equal(read(body).state, 'accepted', JSON.stringify(body));
  });

  it('fails with a text that is only an error', () => {
    for (const text of ['"error"', '"Internal Server Error"']) assert.equal(read(text).state, 'failed', text);
    for (const text of [
      ...['Rate limit exceeded', 'API quota exceeded for today.'],
      ...['no healthy upstream', '502 Bad Gateway', 'Internal Server Error\n', 'error code: 1015'],
      ...[
        'Cannot POST /api/runs',
        'Json deserialize error: missing field `x`',
        'modal-http: function timed out',
      ],
    ])
      assert.equal(readText(text, 'text/plain').state, 'failed', text);
    assert.equal(readText('An error is a deviation.', 'text/plain').state, 'finished');
  });
});
