import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import type http from 'node:http';
import { gzipSync } from 'node:zlib';
import { createTransport, type Transport } from '../../../../src/service/transport';
import { type LoopbackServer, listenOnLoopback } from '../../../support/loopback';

type Request = Parameters<Transport['send']>[0];

interface Seen {
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
}

/** The requests that the server has received completely. */
let seen: Seen[];
let respond: (response: http.ServerResponse) => void;
let server: LoopbackServer;
let transport: Transport;

const send = (more: Partial<Request> = {}, path = '/') =>
  transport.send({
    ...{ method: 'GET', url: new URL(server.url + path), headers: {}, silenceMs: 0, maxBytes: 1e6 },
    ...more,
  });

describe('A request that is sent', () => {
  before(async () => {
    server = await listenOnLoopback((request, response) => {
      let body = '';
      request.setEncoding('utf8').on('data', (piece) => {
        body += piece;
      });
      request.on('end', () => {
        const { method, url: path, headers } = request;
        seen.push({ method, path, headers, body });
        respond(response);
      });
    });
  });
  after(() => server.close());
  beforeEach(() => {
    seen = [];
    respond = (response) => response.end('{}');
    transport = createTransport({});
  });
  afterEach(() => transport.close());

  it('arrives unchanged: method, path, query, headers and body', async () => {
    await send({ headers: { 'x-one': '1', 'x-two': 'b c' } }, '/a%20b?c=d&e=%2F');
    await send({ method: 'POST', body: Buffer.from('in memory'), headers: { 'content-type': 'text/plain' } });
    const pieces = async function* () {
      yield Buffer.from('in ');
      yield Buffer.from('pieces');
    };
    await send({ method: 'PUT', body: pieces() });
    assert.deepEqual(
      seen.map(({ method, path, body }) => [method, path, body]),
      [
        ['GET', '/a%20b?c=d&e=%2F', ''],
        ['POST', '/', 'in memory'],
        ['PUT', '/', 'in pieces'],
      ],
    );
    assert.deepEqual([seen[0]?.headers['x-one'], seen[0]?.headers['x-two']], ['1', 'b c']);
    assert.equal(seen[1]?.headers['content-type'], 'text/plain');
  });

  it('comes back with status, headers and every byte', async () => {
    const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, at) => at % 251));
    respond = (response) => {
      response.writeHead(418, { 'content-type': 'image/png', 'X-Extra': 'yes', 'set-cookie': 'a=b' });
      for (let at = 0; at < bytes.length; at += 50_000) response.write(bytes.subarray(at, at + 50_000));
      response.end();
    };
    const raw = await send();
    assert.deepEqual([raw.status, raw.contentType, raw.headers['x-extra']], [418, 'image/png', 'yes']);
    assert.equal(raw.headers['set-cookie'], undefined);
    assert.ok(bytes.equals(raw.bytes));
    assert.equal(raw.json, undefined);
    respond = (response) => response.setHeader('content-type', 'application/json').end('{"a":[1]}');
    assert.deepEqual((await send()).json, { a: [1] });
  });

  it('resolves to its final response, not an interim one', async () => {
    respond = (response) => {
      response.writeProcessing();
      response.writeEarlyHints({ link: '</x>; rel=preload', 'x-early': '1' });
      response.statusCode = 201;
      response.end('done');
    };
    let answers = 0;
    const raw = await send({ onAnswering: () => answers++ });
    assert.deepEqual([raw.status, raw.headers['x-early'], raw.text], [201, undefined, 'done']);
    assert.equal(answers, 1);
  });

  it('tells when its first byte leaves, when all of it is on its way, and when the response begins', async () => {
    for (const body of [undefined, Buffer.from('x')]) {
      const steps: string[] = [];
      respond = (response) => {
        steps.push('arrived');
        response.end('{}');
      };
      await send({
        method: 'POST',
        body,
        onSending: () => steps.push('sending'),
        onSent: () => steps.push('sent'),
        onAnswering: () => steps.push('answering'),
      });
      assert.deepEqual(steps, ['sending', 'sent', 'arrived', 'answering']);
    }
    const steps: string[] = [];
    const slowly = async function* () {
      steps.push('first piece');
      yield Buffer.from('x');
    };
    await send({
      ...{ method: 'PUT', body: slowly(), onSending: () => steps.push('sending') },
      onSent: () => steps.push('sent'),
    });
    assert.deepEqual(
      steps,
      ['sending', 'first piece'],
      'only who reads the pieces knows when the last has left',
    );
  });

  it('removes a repeated key from its response', async () => {
    respond = (response) => response.setHeader('x-echo', 'key-0123456').end('you said key-0123456');
    const raw = await send({ secret: 'key-0123456' });
    assert.deepEqual([raw.text, raw.headers['x-echo']], ['you said [API key removed]', '[API key removed]']);
    assert.equal((await send()).text, 'you said key-0123456');
  });

  it('accepts a response up to the limit, packed or not', async () => {
    respond = (response) => response.end('words');
    assert.equal((await send({ maxBytes: 5 })).text, 'words');
    const packed = gzipSync('x'.repeat(1000));
    respond = (response) => response.setHeader('content-encoding', 'gzip').end(packed);
    assert.equal((await send({ maxBytes: 1000 })).text?.length, 1000);
  });

  it('leaves nothing listening to its signal', async () => {
    const { signal } = new AbortController();
    await send({ signal });
    assert.deepEqual(getEventListeners(signal, 'abort'), []);
    await assert.rejects(send({ signal, maxBytes: 1 }));
    assert.deepEqual(getEventListeners(signal, 'abort'), []);
  });
});
