import assert from 'node:assert/strict';
import { readError } from '../../../src/readers/error';
import { readRunResponse } from '../../../src/readers/run';
import { rawOf } from '../../support/rawOf';

const messageIn = (body: unknown) => readError(rawOf(body, 422)).serviceMessage;

/** Error bodies of validators and frameworks, and the sentence in each. */
const BODIES: Readonly<Record<string, readonly [body: unknown, message: string]>> = {
  nestValidationPipe: [
    { statusCode: 400, message: ['text must be a string', 'seed must be an integer'], error: 'Bad Request' },
    'text must be a string; seed must be an integer',
  ],
  djangoRest: [{ text: ['This field is required.'] }, 'text: This field is required.'],
  djangoRestNested: [
    { input: { text: ['This field is required.'] }, params: ['Expected a dictionary.'] },
    'text: This field is required.; params: Expected a dictionary.',
  ],
  djangoForm: [{ non_field_errors: ['Unable to log in.'] }, 'non_field_errors: Unable to log in.'],
  flaskRestful: [{ message: { text: 'Missing required parameter' } }, 'text: Missing required parameter'],
  marshmallow: [
    {
      code: 422,
      errors: { json: { text: ['Missing data for required field.'] } },
      status: 'Unprocessable Entity',
    },
    'json: text: Missing data for required field.',
  ],
  zod: [
    {
      success: false,
      error: {
        name: 'ZodError',
        issues: [{ code: 'invalid_type', path: ['input', 'text'], message: 'Required' }],
      },
    },
    'input.text: Required',
  ],
  zodFlattened: [{ formErrors: [], fieldErrors: { text: ['Required'] } }, 'text: Required'],
  classValidator: [
    [{ property: 'text', target: { secret: 'x y' }, constraints: { isString: 'text must be a string' } }],
    'isString: text must be a string',
  ],
  ajv: [[{ instancePath: '/text', keyword: 'type', message: 'must be string' }], '/text: must be string'],
  laravel: [
    { message: 'The given data was invalid.', errors: { text: ['The text field is required.'] } },
    'The given data was invalid: text: The text field is required.',
  ],
  springBinding: [
    {
      timestamp: '2026-11-26T10:00:00.000+00:00',
      status: 400,
      error: 'Bad Request',
      errors: [{ defaultMessage: 'must not be blank', field: 'text', rejectedValue: 'a b' }],
      path: '/api/runs',
    },
    'Bad Request: text: must not be blank',
  ],
  quarkus: [
    {
      title: 'Constraint Violation',
      status: 400,
      violations: [{ field: 'run.text', message: 'must not be blank' }],
    },
    'Constraint Violation: run.text: must not be blank',
  ],
  micronaut: [
    {
      message: 'Bad Request',
      _embedded: { errors: [{ message: 'input.text: must not be null' }] },
      _links: {},
    },
    'Bad Request: input.text: must not be null',
  ],
  aspNet: [
    {
      type: 'https://tools.ietf.org/html/rfc9110#section-15.5.1',
      title: 'One or more validation errors occurred.',
      status: 400,
      errors: { Text: ['The Text field is required.'] },
      traceId: '00-1-2-00',
    },
    'One or more validation errors occurred: Text: The Text field is required.',
  ],
  problemWithParameters: [
    { title: 'Invalid request', 'invalid-params': [{ name: 'text', reason: 'must not be empty' }] },
    'Invalid request: text: must not be empty',
  ],
  problemWithPointers: [
    { title: 'Not valid.', errors: [{ detail: 'must be positive', pointer: '#/params/n' }] },
    'Not valid: #/params/n: must be positive',
  ],
  jsonApi: [
    { errors: [{ title: 'Bad', detail: 'is dark', source: { pointer: '/data/attributes/image' } }] },
    '/data/attributes/image: is dark',
  ],
  clarifai: [
    { status: { code: 21200, description: 'Model does not exist' }, outputs: [] },
    'Model does not exist',
  ],
  seldon: [{ status: { code: 500, info: 'boom', status: 'FAILURE' } }, 'boom'],
  sageMakerJob: [{ JobStatus: 'FAILED', StatusMessage: 'Unsupported codec' }, 'Unsupported codec'],
  apigee: [{ fault: { faultstring: 'Quota used up', detail: { errorcode: 'x' } } }, 'Quota used up'],
  mistral: [
    {
      object: 'error',
      message: { detail: [{ type: 'missing', loc: ['body', 'text'], msg: 'Field required' }] },
      type: 'invalid_request_error',
    },
    'body.text: Field required',
  ],
  odata: [
    { error: { code: 'SY/530', message: { lang: 'en', value: 'No resource found' } } },
    'No resource found',
  ],
  trpc: [
    { error: { json: { message: 'No gpu is free', code: -32004, data: { httpStatus: 404 } } } },
    'No gpu is free',
  ],
  okta: [
    { errorCode: 'E0000001', errorSummary: 'Api validation failed: login', errorCauses: [] },
    'Api validation failed: login',
  ],
  unionPay: [{ respCode: '9999', respDesc: 'system error' }, 'system error'],
  koreanOpenData: [
    { response: { header: { resultCode: '30', resultMsg: 'SERVICE KEY IS NOT REGISTERED' } } },
    'SERVICE KEY IS NOT REGISTERED',
  ],
  goValidator: [{ errors: { Text: 'required' } }, 'Text: required'],
  unknownName: [
    { ok: false, whatWentWrong: 'The model is being updated' },
    'whatWentWrong: The model is being updated',
  ],
};

describe('The message of an error', () => {
  it('names each fault in the bodies of validators and frameworks', () => {
    const all = Object.entries(BODIES);
    assert.deepEqual(
      Object.fromEntries(all.map(([name, [body]]) => [name, messageIn(body)])),
      Object.fromEntries(all.map(([name, [, message]]) => [name, message])),
    );
  });

  it('leaves out the repeated request, traces and documentation', () => {
    for (const body of [
      { input: { text: 'A long text of the user' }, code: 17 },
      { request: { body: 'a b' }, headers: { authorization: 'x y' }, code: '17' },
      { stack: 'Error: x\n at y', code: 17, documentation_url: 'https://a.example/b c' },
    ])
      assert.equal(messageIn(body), '17', JSON.stringify(body));
  });

  it('takes no other text of a failed run for its reason', () => {
    const run = (body: unknown) =>
      readRunResponse(rawOf(body), new URL('https://a.example/api/runs')).message;
    assert.equal(run({ id: 'r', status: 'failed', caption: 'A cat on a mat' }), 'failed');
    assert.equal(
      run({ status: 'failed', error: { node: 'KSampler', why: 'out of memory' } }),
      'why: out of memory',
    );
  });
});
