import assert from 'node:assert/strict';
import { connect } from 'node:net';
import fc from 'fast-check';
import { type ChildSandbox, sandboxInChild } from '../../support/sandbox';
import { call } from '../../support/sandboxCalls';

const TARGETS = [
  '/',
  '//',
  '//:',
  '//[',
  '/\\',
  '*',
  '',
  '/%',
  '/api/runs',
  '/uploads/x?token=%ZZ',
  'http://[',
  '\0',
];
const METHODS = ['GET', 'PUT', 'POST', 'HEAD', 'OPTIONS', 'CONNECT', 'TRACE', 'get', 'G T', ''];
const HEADERS = [
  'Host: 127.0.0.1',
  'Host: [',
  'Content-Length: 18446744073709551616',
  'Content-Length: -1',
  'Content-Length: 5',
  'Transfer-Encoding: chunked',
  'Transfer-Encoding: chunked, chunked',
  'Expect: 100-continue',
  'Expect: miracles',
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Content-Type: application/json',
  'X-API-Key: \u00ff\u0001',
  ': no name',
  'No colon',
];

const part = (known: readonly string[]) =>
  fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...known) }, fc.string({ unit: 'binary', maxLength: 20 }));

const requests = fc.oneof(
  fc
    .record({
      method: part(METHODS),
      target: part(TARGETS),
      version: part(['HTTP/1.1', 'HTTP/1.0', 'HTTP/9.9', '']),
      headers: fc.array(part(HEADERS), { maxLength: 6 }),
      body: fc.oneof(
        fc.string({ unit: 'binary', maxLength: 40 }),
        fc.constantFrom('', '{}', 'ffffffffffffffff\r\n', '[[[['),
      ),
      newline: fc.constantFrom('\r\n', '\r\n', '\n'),
    })
    .map(({ method, target, version, headers, body, newline }) =>
      Buffer.from([`${method} ${target} ${version}`, ...headers, '', body].join(newline), 'latin1'),
    ),
  fc.uint8Array({ minLength: 1, maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
);

/** Sends bytes over a connection of their own. Resolves to the reply when the server has closed it, or soon after. */
function sendRaw(origin: string, bytes: Buffer): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(origin).port), '127.0.0.1');
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(received));
    socket.end(bytes);
    setTimeout(() => socket.destroy(), 300);
  });
}

describe('malformed requests', () => {
  let sandbox: ChildSandbox;
  before(async () => {
    sandbox = await sandboxInChild();
  });
  after(() => sandbox.stop());

  it('receive a response or a closed connection, and never end the process', async function () {
    this.timeout(60_000);
    const inputs = fc.sample(requests, { numRuns: 1500, seed: 14 });
    for (let start = 0; start < inputs.length; start += 50) {
      const batch = inputs.slice(start, start + 50);
      await Promise.all(
        batch.flatMap((bytes) => [sendRaw(sandbox.baseUrl, bytes), sendRaw(sandbox.uploadOrigin, bytes)]),
      );
      assert.equal(
        sandbox.child.exitCode,
        null,
        `the process ended after one of ${batch.map((bytes) => JSON.stringify(bytes.toString('latin1')))}`,
      );
    }
    assert.equal((await call(sandbox, 'GET', '/api/billing/wallet')).status, 200);
  });

  it('to an upload address get 404, even if its URL cannot be parsed', async () => {
    const request = (target: string) =>
      sendRaw(sandbox.uploadOrigin, Buffer.from(`PUT ${target} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`));
    for (const target of ['//:', '//[', 'http://[']) assert.match(await request(target), /^HTTP\/1\.1 404 /);
  });

  it('receive a sentence if they are not HTTP', async () => {
    const response = await sendRaw(sandbox.baseUrl, Buffer.from('SSH-2.0-OpenSSH_9.6\r\n\r\n'));
    assert.match(response, /^HTTP\/1\.1 400 Bad Request\r\n/);
    assert.match(response, /"This is not a valid HTTP request\."/);
  });

  it('with JSON nested a million levels deep are rejected', async () => {
    const deep = `{"model":"form-showcase","input":{"title":"deep","anything":${'['.repeat(1e6)}${']'.repeat(1e6)}}}`;
    assert.ok((await call(sandbox, 'POST', '/api/runs', deep)).status >= 400);
    assert.equal((await call(sandbox, 'GET', '/api/billing/wallet')).status, 200);
  });

  it('with a body beyond the limit get 413, even if no length is announced', async () => {
    const { request } = await import('node:http');
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const headers = { 'X-API-Key': sandbox.apiKey, 'Content-Type': 'application/json' };
      const sending = request(`${sandbox.baseUrl}/api/runs`, { method: 'POST', headers, agent: false });
      sending.on('response', (response) => resolve(response.resume().statusCode)).on('error', reject);
      for (let i = 0; i < 9; i++) sending.write('x'.repeat(2 ** 20));
    });
    assert.equal(status, 413);
  });
});
