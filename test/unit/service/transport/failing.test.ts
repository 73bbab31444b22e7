import assert from 'node:assert/strict';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { logLine } from '../../../../src/domain/logLine';
import type { Call } from '../../../../src/service/call';
import { withoutResponse } from '../../../../src/service/callFailure';
import { createTransport, type Transport, TransportFailure } from '../../../../src/service/transport';
import { messageOf } from '../../../../src/wording/errors';
import { type LoopbackServer, listenOnLoopback } from '../../../support/loopback';

type Request = Parameters<Transport['send']>[0];

/** Microtasks alone, so that no connection can come up meanwhile. */
async function manyMicrotasks(): Promise<void> {
  for (let turn = 0; turn < 200; turn++) await Promise.resolve();
}

describe('A request that gets no response', () => {
  let server: LoopbackServer;
  let transport: Transport;
  let respond: Parameters<typeof listenOnLoopback>[0];
  let paths: string[];

  const send = (more: Partial<Request> = {}, path = '/') =>
    transport.send({
      ...{ method: 'POST', url: new URL(server.url + path), headers: {}, silenceMs: 0, maxBytes: 1e6 },
      ...more,
    });
  /** How it fails: why, and whether a byte may have left. */
  const failureOf = async (sending: Promise<unknown>) => {
    const failure = await sending.then(
      () => assert.fail('it succeeded'),
      (error: unknown) => error,
    );
    assert.ok(failure instanceof TransportFailure, String(failure));
    return failure;
  };
  const endOf = async (sending: Promise<unknown>) => {
    const { reason, mayHaveLeft } = await failureOf(sending);
    return [reason, mayHaveLeft];
  };

  beforeEach(async () => {
    paths = [];
    respond = (_, response) => void response.end('{}');
    server = await listenOnLoopback((request, response) => {
      paths.push(request.url!);
      respond(request, response);
    });
    transport = createTransport({});
    // So that the library is loaded, and no kept connection is there.
    await send({ freshConnection: true }, '/first');
    paths = [];
  });
  afterEach(async () => {
    transport.close();
    await server.close();
  });

  it('counts as unsent, and stays so, when it was cancelled while its connection was made', async () => {
    const controller = new AbortController();
    let told = 0;
    const sending = send({ signal: controller.signal, onSending: () => told++ }, '/cancelled');
    await manyMicrotasks();
    controller.abort(new Error('enough'));
    assert.deepEqual(await endOf(sending), ['cancelled', false]);
    await send({}, '/last');
    await wait(20);
    assert.deepEqual([paths, told], [['/last'], 0]);
  });

  it('counts as unsent when its sender holds it back on its connection, and never sends it', async () => {
    const cause = new Error('another window took over');
    const onSending = () => {
      throw cause;
    };
    const failure = await failureOf(send({ onSending }, '/held-back'));
    assert.deepEqual([failure.reason, failure.mayHaveLeft, failure.cause], ['cancelled', false, cause]);
    await send({}, '/last');
    assert.deepEqual(paths, ['/last']);
  });

  it('counts as possibly sent when it was cancelled later, and its connection is closed', async () => {
    for (const reason of [new Error('enough'), 'a text']) {
      const controller = new AbortController();
      const closed = new Promise((resolve) => {
        respond = (_, response) => {
          response.on('close', resolve);
          controller.abort(reason);
        };
      });
      const failure = await failureOf(send({ signal: controller.signal }));
      assert.deepEqual([failure.reason, failure.mayHaveLeft, failure.cause], ['cancelled', true, reason]);
      await closed;
    }
  });

  it('ends when the response exceeds the limit, packed or not', async () => {
    let closed: Promise<unknown> | undefined;
    respond = (_, response) => {
      closed = once(response, 'close');
      response.write('123456');
    };
    const failure = await failureOf(send({ maxBytes: 5 }));
    assert.deepEqual([failure.reason, failure.mayHaveLeft], ['tooLarge', true]);
    assert.match(String(failure.cause), /more than 5 bytes/);
    await closed;
    respond = (_, response) =>
      void response.setHeader('content-encoding', 'gzip').end(gzipSync('x'.repeat(10_000)));
    const unpacked = await failureOf(send({ maxBytes: 1000 }));
    assert.deepEqual([unpacked.reason, unpacked.mayHaveLeft], ['tooLarge', true]);
    assert.ok(unpacked.cause instanceof RangeError);
  });

  it('counts as possibly sent when its connection broke, and as unsent without one', async () => {
    respond = (request) => request.socket.resetAndDestroy();
    const reset = await failureOf(send());
    assert.deepEqual([reset.reason, reset.mayHaveLeft], ['network', true]);
    assert.match((reset.cause as { code: string }).code, /ECONNRESET|UND_ERR_SOCKET/);
    const { port } = new URL(server.origin);
    await server.close();
    const refused = await failureOf(
      send({ url: new URL(`http://127.0.0.1:${port}/`), freshConnection: true }),
    );
    assert.deepEqual([refused.reason, refused.mayHaveLeft], ['network', false]);
    assert.equal((refused.cause as { code: string }).code, 'ECONNREFUSED');
    server = await listenOnLoopback(() => {});
  });

  it('takes headers up to 256 kB, as gateways send them', async () => {
    respond = (_, response) => void response.setHeader('x-policy', 'x'.repeat(200_000)).end('{}');
    assert.equal((await send()).status, 200);
    respond = (_, response) => void response.setHeader('x-policy', 'x'.repeat(300_000)).end('{}');
    const failure = await failureOf(send());
    assert.equal((failure.cause as { code: string }).code, 'UND_ERR_HEADERS_OVERFLOW');
  });

  it('tells that it is not valid HTTP, and is not lost', async () => {
    respond = ({ socket }) => socket.end('HTTP/1.1 201 Created\ncontent-length: 2\n\n{}');
    const failure = await failureOf(send());
    const call = {
      kind: 'run',
      method: 'POST',
      url: new URL('https://models.example'),
      label: logLine`a run`,
    };
    assert.match(messageOf(withoutResponse(call as Call, failure)), /not valid HTTP \(.*expected CR/i);
  });

  it('counts as unsent when it cannot be written as HTTP', async () => {
    const headers = { 'x-a': 'two\nlines' };
    assert.deepEqual(await endOf(send({ headers })), ['network', false]);
    const proxied = createTransport({ proxy: server.origin });
    const url = new URL('https://models.example/');
    const request = {
      method: 'POST',
      url,
      headers: { 'proxy-authorization': 'x' },
      silenceMs: 0,
      maxBytes: 9,
    };
    assert.deepEqual(await endOf(proxied.send(request)), ['network', false]);
    proxied.close();
    assert.deepEqual(paths, []);
  });

  it('carries a code and the proxy’s own words when a proxy rejected it', async () => {
    let status = '502 Bad Gateway';
    server.server.on('connect', (_, socket) => socket.end(`HTTP/1.1 ${status}`));
    const proxied = createTransport({ proxy: server.origin });
    const url = new URL('https://models.example/');
    const ask = () =>
      failureOf(proxied.send({ method: 'POST', url, headers: {}, silenceMs: 0, maxBytes: 9 }));
    for (const [line, code, words] of [
      ['502 Bad Gateway\r\nContent-Length: 0\r\n\r\n', 'PROXY', 'status 502'],
      ['407 Proxy Authentication Required\r\n\r\n', 'PROXY_407', 'status 407'],
      [
        '403 Forbidden\r\nContent-Type: text/html\r\n\r\n<html><title>Denied</title><p>Blocked by policy. Ask help@corp.example.',
        'PROXY',
        'status 403: “Denied Blocked by policy. Ask help@corp.example.”',
      ],
    ] as const) {
      status = line;
      const { mayHaveLeft, cause } = await ask();
      assert.deepEqual(
        [mayHaveLeft, (cause as { code: string }).code, (cause as Error).message],
        [false, code, words],
      );
    }
    proxied.close();
  });
});
