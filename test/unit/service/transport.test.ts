import assert from 'node:assert/strict';
import { unreachable } from '../../../src/service/failures';
import { ProxySettingError, proxyFor } from '../../../src/service/network';
import { createTransport, lookUp, type TransportFailure } from '../../../src/service/transport';
import { messageOf } from '../../../src/wording/errors';
import { startFaultProxy } from '../../support/faultProxy';
import { testClient } from '../../support/serviceClient';
import { openTunnel, type Tunnel } from '../../support/tunnel';

describe('a name below localhost', () => {
  it('means this computer, without a look-up of the name', async () => {
    const service = await startFaultProxy({ behind: () => ({ body: { balance: 3 } }) });
    const client = testClient(service.url.replace('127.0.0.1', 'models.localhost'));
    assert.equal((await client.wallet()).wallet?.balance.amount, '3');
    assert.match(String(service.seen[0]?.headers.host), /^models\.localhost:/);
    client.close();
    await service.close();
  });

  it('resolves to the addresses of this computer, for any request', async () => {
    for (const name of ['a.localhost', 'A.B.LOCALHOST']) {
      const one = await new Promise((resolve) =>
        lookUp(name, {}, (error, address, family) => resolve([error, address, family])),
      );
      assert.deepEqual(one, [null, '127.0.0.1', 4]);
      const all = await new Promise((resolve) =>
        lookUp(name, { all: true }, (_error, addresses) => resolve(addresses)),
      );
      assert.deepEqual(all, [
        { address: '127.0.0.1', family: 4 },
        { address: '::1', family: 6 },
      ]);
    }
  });
});

describe('a proxy', () => {
  const over = (url: string, settings: Parameters<typeof proxyFor>[1]) =>
    proxyFor(new URL(url), settings)?.url;

  it('comes from http.proxy, else from the variables, and not for exempt hosts', () => {
    const env = {
      HTTPS_PROXY: 'http://env:1',
      NO_PROXY: 'internal.example,.corp.example,10.0.0.0/8,host.example:8443',
    };
    assert.equal(over('https://a.example', { env }), 'http://env:1');
    assert.equal(over('https://a.example', { env, proxy: 'set:2' }), 'http://set:2');
    assert.equal(
      over('https://a.example', { env: { ...env, https_proxy: 'http://lower:3' } }),
      'http://lower:3',
    );
    assert.equal(over('https://a.example', { env, proxySupport: 'off' }), undefined);
    assert.equal(over('https://a.example', { env: { HTTP_PROXY: 'http://plain:4' } }), undefined);
    assert.equal(over('https://a.example', { env: { ALL_PROXY: 'http://all:5' } }), 'http://all:5');
    for (const exempt of [
      'https://internal.example',
      'https://x.internal.example',
      'https://y.corp.example',
      'https://10.2.3.4',
      'https://host.example:8443',
      'http://localhost:80',
      'http://127.0.0.1:1',
      'http://[::1]:1',
    ])
      assert.equal(over(exempt, { env }), undefined, exempt);
    for (const through of ['https://notinternal.example', 'https://11.2.3.4', 'https://host.example'])
      assert.equal(over(through, { env }), 'http://env:1', through);
    assert.equal(over('https://a.example', { proxy: 'http://p:1', noProxy: ['*.example'] }), undefined);
    assert.equal(over('https://a.example', { proxy: 'http://p:1', noProxy: ['*'] }), undefined);
  });

  describe('in front of a server with a certificate of its own', () => {
    let tunnel: Tunnel;
    before(async () => {
      tunnel = await openTunnel((request, response) => response.end(JSON.stringify(request.headers)));
    });
    after(() => tunnel?.close());
    beforeEach(() => {
      tunnel.connects.length = 0;
      tunnel.wants = undefined;
    });

    const send = async (settings: Parameters<typeof createTransport>[0]) => {
      const transport = createTransport(settings);
      try {
        const url = new URL(`${tunnel.url}/api/x`);
        return await transport.send({
          method: 'GET',
          url,
          headers: { 'x-api-key': 'k' },
          silenceMs: 5_000,
          maxBytes: 1e6,
        });
      } finally {
        transport.close();
      }
    };
    const address = () => tunnel.proxy;

    it('tunnels the request; the certificate counts once NODE_EXTRA_CA_CERTS names it', async () => {
      const env = { NODE_EXTRA_CA_CERTS: tunnel.certificate };
      const response = await send({ proxy: address(), env });
      assert.equal(response.status, 200);
      assert.equal((response.json as { host: string }).host, 'models.example');
      assert.equal((response.json as Record<string, string>)['proxy-authorization'], undefined);
      assert.equal(tunnel.connects[0]?.url, 'models.example:443');
    });

    it('rejects an unknown certificate, unless proxyStrictSSL is off', async () => {
      await assert.rejects(send({ proxy: address() }), (error: TransportFailure) => {
        assert.equal(error.mayHaveLeft, false);
        return /SELF_SIGNED|UNABLE_TO_VERIFY/.test((error.cause as { code: string }).code);
      });
      assert.equal((await send({ proxy: address(), strictSsl: false })).status, 200);
    });

    it('fails before a run leaves if its kind is unknown', async () => {
      await assert.rejects(send({ proxy: 'quic://127.0.0.1:1' }), (error: TransportFailure) => {
        assert.deepEqual([error.mayHaveLeft, error.reason], [false, 'network']);
        return error.cause instanceof ProxySettingError;
      });
    });

    it('gets its own credentials, from the URL or from http.proxyAuthorization', async () => {
      tunnel.wants = `Basic ${Buffer.from('me:pass word').toString('base64')}`;
      const withUser = address().replace('//', '//me:pass%20word@');
      assert.equal((await send({ proxy: withUser, strictSsl: false })).status, 200);
      assert.equal(
        (await send({ proxy: address(), proxyAuthorization: tunnel.wants, strictSsl: false })).status,
        200,
      );
      await assert.rejects(send({ proxy: address(), strictSsl: false }), (error: TransportFailure) => {
        assert.match(
          messageOf(unreachable(new URL('https://models.example'), error.cause)),
          /^The proxy http:.* \(set in http\.proxy\) asks for a user name/,
        );
        return !error.mayHaveLeft;
      });
    });
  });
});
