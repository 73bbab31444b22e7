import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import https from 'node:https';
import net, { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { generate } from 'selfsigned';
import type { NetworkSettings } from '../../../../src/service/network';
import { createTransport, type Transport, TransportFailure } from '../../../../src/service/transport';
import { guarded, listenOnLoopback } from '../../../support/loopback';
import { openTunnel, type Tunnel } from '../../../support/tunnel';

const ask = async (transport: Transport, url: string, freshConnection?: boolean) => {
  // A connection is kept for others once the request before is wholly over.
  await nextTurn();
  return await transport.send({
    ...{ method: 'GET', url: new URL(url), headers: {}, silenceMs: 10_000, maxBytes: 1e6 },
    ...(freshConnection !== undefined && { freshConnection }),
  });
};

/** Its status, or how it failed. */
const outcomeOf = (asking: Promise<{ readonly status: number }>) =>
  asking.then(
    ({ status }) => status,
    (error: unknown) => {
      assert.ok(error instanceof TransportFailure && !error.mayHaveLeft, String(error));
      return (error.cause as { code?: string }).code;
    },
  );

describe('A connection with a certificate', () => {
  let folder: string;
  let certificate: string;
  let server: https.Server;
  let url: string;
  let prefix: string;
  let tunnel: Tunnel;
  let connects: (string | undefined)[];

  before(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'model-bench-tls-'));
    const names = [{ type: 2 as const, value: 'localhost' }];
    const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }], {
      extensions: [{ name: 'subjectAltName', altNames: names }],
    });
    certificate = path.join(folder, 'cert.pem');
    writeFileSync(certificate, cert);
    tunnel = await openTunnel((_, response) => response.end('{"at":"the end of the tunnel"}'));
    const heard = guarded((_, response) => response.end('{"at":"the server"}'));
    ({ prefix } = heard);
    server = https.createServer({ key, cert }, heard.listener).listen(0, '127.0.0.1');
    // It is also a proxy, which leads on to the other one.
    server.on('connect', (request, socket) => {
      connects.push(request.url);
      const { hostname, port } = new URL(tunnel.proxy);
      const on = net.connect(Number(port), hostname, () =>
        on.write(`CONNECT ${request.url} HTTP/1.1\r\nhost: ${request.url}\r\n\r\n`),
      );
      for (const [one, other] of [
        [on, socket],
        [socket, on],
      ] as const)
        one.on('error', () => other.destroy()).pipe(other);
    });
    await once(server, 'listening');
    url = `https://localhost:${(server.address() as AddressInfo).port}`;
  });
  after(async () => {
    server?.closeAllConnections();
    server?.close();
    await tunnel?.close();
    rmSync(folder, { recursive: true });
  });
  beforeEach(() => {
    connects = [];
  });

  const outcomes = async (settings: NetworkSettings, ...urls: readonly string[]) => {
    const transport = createTransport(settings);
    const all = [];
    for (const each of urls) all.push(await outcomeOf(ask(transport, each)));
    transport.close();
    return all;
  };

  it('needs a trusted certificate, or no check', async () => {
    const at = `${url}${prefix}`;
    assert.deepEqual(await outcomes({ env: { NODE_EXTRA_CA_CERTS: certificate } }, at), [200]);
    assert.deepEqual(await outcomes({ strictSsl: false }, at), [200]);
    for (const strictSsl of [true, undefined])
      assert.match(String(await outcomes({ strictSsl }, at)), /SELF_SIGNED|UNABLE_TO_VERIFY/);
  });

  it('secures a proxy too, for any server behind it', async () => {
    const both = path.join(folder, 'both.pem');
    writeFileSync(both, readFileSync(certificate, 'utf8') + readFileSync(tunnel.certificate, 'utf8'));
    const trusting = { proxy: url, env: { NODE_EXTRA_CA_CERTS: both } };
    assert.deepEqual(await outcomes(trusting, tunnel.url), [200]);
    assert.deepEqual(connects, ['models.example:443']);
    assert.match(String(await outcomes({ proxy: url }, tunnel.url)), /SELF_SIGNED|UNABLE_TO_VERIFY/);
    assert.deepEqual(connects, ['models.example:443'], 'a proxy that is not trusted is told nothing');
    // Of an address without TLS only the proxy shows a certificate.
    const plain = tunnel.url.replace('https:', 'http:');
    const transport = createTransport(trusting);
    await assert.rejects(ask(transport, plain));
    transport.close();
    assert.deepEqual(connects.slice(1), ['models.example:80']);
  });

  it('differs for each way to an address', async () => {
    const plain = await listenOnLoopback((_, response) => response.end('{"at":"the plain server"}'));
    const both = path.join(folder, 'all.pem');
    writeFileSync(both, readFileSync(certificate, 'utf8') + readFileSync(tunnel.certificate, 'utf8'));
    const transport = createTransport({ proxy: tunnel.proxy, env: { NODE_EXTRA_CA_CERTS: both } });
    const places = [];
    for (const each of [plain.url, `${url}${prefix}`, tunnel.url, plain.url])
      places.push(((await ask(transport, each)).json as { at: string }).at);
    assert.deepEqual(places, ['the plain server', 'the server', 'the end of the tunnel', 'the plain server']);
    transport.close();
    await plain.close();
  });

  it('uses the present settings of a proxy', async () => {
    const authorization = 'Basic bWU6cHc=';
    tunnel.wants = authorization;
    let proxyAuthorization: string | undefined;
    const transport = createTransport(() => ({
      ...{ proxy: tunnel.proxy, env: { NODE_EXTRA_CA_CERTS: tunnel.certificate } },
      ...(proxyAuthorization !== undefined && { proxyAuthorization }),
    }));
    assert.equal(await outcomeOf(ask(transport, tunnel.url)), 'PROXY_407');
    proxyAuthorization = authorization;
    assert.equal(await outcomeOf(ask(transport, tunnel.url)), 200);
    transport.close();
    tunnel.wants = undefined;
  });
});
