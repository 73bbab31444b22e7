import assert from 'node:assert/strict';
import { sandboxInProcess, type TestSandbox } from '../../support/sandbox';
import { call, run } from '../../support/sandboxCalls';

const GOOD = { model: 'language-id', mode: 'execute', input: { text: 'Guten Tag' }, params: {} };
const SEARCH = {
  model: 'text-similarity',
  mode: 'search',
  scope: 'playground',
  input: { text: 'hello' },
  params: {},
};
const INIT = { filename: 'a.png', content_type: 'image/png', media_type: 'image', size_bytes: 10 };

/** The problem, the body, the status, and the place in the response. */
const REJECTED_RUNS: readonly [string, unknown, number, string?][] = [
  ...['resources', 'alias', 'collection', 'namespace'].map((field): [string, unknown, number, string] => [
    `the managed field ${field}`,
    { ...GOOD, [field]: 'x' },
    400,
    `/${field}`,
  ]),
  ['hardware_tier', { ...GOOD, options: { hardware_tier: 'large' } }, 400, '/options/hardware_tier'],
  ['parameters in place of params', { ...GOOD, params: undefined, parameters: {} }, 400, '/parameters'],
  ['input that is missing', { ...GOOD, input: undefined }, 400, '/input'],
  ['no model', { ...GOOD, model: undefined }, 400, '/model'],
  ['an unknown model', { ...GOOD, model: 'nobody' }, 404],
  ['an unpublished model', { ...GOOD, model: 'unpublished-draft' }, 404],
  ['an unknown mode', { ...GOOD, mode: 'index' }, 400, '/mode'],
  ['a search without a scope', { ...SEARCH, scope: undefined }, 400, '/scope'],
  ...['', '.a', '-a', '_a', 'a b', 'a/b', 'ä', 'a'.repeat(65), 'a\n', 5, null, ['a']].map(
    (scope): [string, unknown, number, string] => [
      `the scope ${JSON.stringify(scope).slice(0, 20)}`,
      { ...SEARCH, scope },
      400,
      '/scope',
    ],
  ),
  ['input of the wrong type', { ...GOOD, input: { text: 5 } }, 400, '/input/text'],
  ['input with an unknown field', { ...GOOD, input: { text: 'a', more: 1 } }, 400, '/input/more'],
  ['params out of bounds', { ...GOOD, params: { top_k: 51 } }, 400, '/params/top_k'],
  [
    'an unknown media reference',
    { model: 'color-palette', input: { image: { media_ref: 'media_0' } } },
    400,
    '/input/image/media_ref',
  ],
  ['a body that is not JSON', '{"model":', 400],
];

describe('the sandbox on requests that break the interface', () => {
  let sandbox: TestSandbox;
  before(async () => {
    sandbox = await sandboxInProcess();
  });
  after(() => sandbox.stop());

  for (const [what, body, status, path] of REJECTED_RUNS) {
    it(`rejects a run with ${what}`, async () => {
      const response = await run(sandbox, body);
      assert.equal(response.status, status, JSON.stringify(response.body));
      assert.match(response.body.error.code, /^[a-z_]+$/);
      assert.ok(response.body.error.message.length > 10);
      assert.equal(response.body.request_id, response.headers.get('x-request-id'));
      if (path !== undefined) {
        const paths = response.body.error.details.map((detail: { path: string }) => detail.path);
        assert.ok(paths.includes(path), `${paths} names ${path}`);
      }
    });
  }

  for (const [what, body, path] of [
    ['no file name', { ...INIT, filename: '' }, '/filename'],
    ['a size of 0', { ...INIT, size_bytes: 0 }, '/size_bytes'],
    ['a content type without a slash', { ...INIT, content_type: 'png' }, '/content_type'],
    ['an unknown media type', { ...INIT, media_type: 'picture' }, '/media_type'],
    ['a media type that does not match the content type', { ...INIT, media_type: 'audio' }, '/media_type'],
  ] as const) {
    it(`rejects an upload with ${what}`, async () => {
      const response = await call(sandbox, 'POST', '/api/media/upload/init', body);
      assert.equal(response.status, 400);
      assert.equal(response.body.error.details[0].path, path);
    });
  }

  it('rejects an upload of more than 2 GiB', async () => {
    const body = { ...INIT, size_bytes: 2 * 1024 ** 3 + 1 };
    assert.equal((await call(sandbox, 'POST', '/api/media/upload/init', body)).status, 413);
  });

  it('calls without the key, with another key, and with the key as a bearer token', async () => {
    const path = '/api/billing/wallet';
    const { baseUrl, apiKey } = sandbox;
    const withHeaders = async (headers: Record<string, string>) => {
      const response = await fetch(`${baseUrl}${path}`, { headers });
      return [response.status, ((await response.json()) as { error: { code: string } }).error.code];
    };
    assert.deepEqual(await withHeaders({}), [401, 'missing_api_key']);
    assert.deepEqual(await withHeaders({ 'X-API-Key': `${apiKey}x` }), [401, 'invalid_api_key']);
    const bearer = { Authorization: `Bearer ${apiKey}` };
    assert.deepEqual(await withHeaders(bearer), [401, 'wrong_credential_type']);
    assert.deepEqual(await withHeaders({ ...bearer, 'X-API-Key': apiKey }), [401, 'wrong_credential_type']);
  });

  it('other paths, other methods, other content types and bodies that are too large', async () => {
    assert.equal((await call(sandbox, 'GET', '/api/run')).status, 404);
    assert.equal((await call(sandbox, 'GET', '/')).status, 404);
    assert.equal((await call(sandbox, 'GET', '/api/marketplace/models/%ZZ')).status, 400);
    const wrongMethod = await call(sandbox, 'DELETE', '/api/runs');
    assert.equal(wrongMethod.status, 405);
    assert.equal(wrongMethod.headers.get('allow'), 'POST');
    const asText = await call(sandbox, 'POST', '/api/runs', GOOD, { 'Content-Type': 'text/plain' });
    assert.equal(asText.status, 415);
    const large = { ...GOOD, input: { text: 'x'.repeat(9 * 1024 * 1024) } };
    assert.equal((await run(sandbox, large)).status, 413);
  });

  it('another host name, as a web page sends it after DNS rebinding', async () => {
    const { request } = await import('node:http');
    const status = await new Promise<number | undefined>((resolve, reject) => {
      request(`${sandbox.baseUrl}/api/billing/wallet`, {
        headers: { Host: 'evil.example', 'X-API-Key': sandbox.apiKey },
      })
        .on('response', (response) => resolve(response.resume().statusCode))
        .on('error', reject)
        .end();
    });
    assert.equal(status, 403);
  });
});
