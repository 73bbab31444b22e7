import assert from 'node:assert/strict';
import { unreachable } from '../../../src/service/failures';
import { ProxySettingError } from '../../../src/service/network';
import { createTransport, type TransportFailure } from '../../../src/service/transport';
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
});

describe('a proxy', () => {
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

    it('uses the present settings of a proxy', async () => {
      tunnel.wants = `Basic ${Buffer.from('me:pw').toString('base64')}`;
      const settings: Parameters<typeof createTransport>[0] = { proxy: address(), strictSsl: false };
      let present = settings;
      const transport = createTransport(() => present);
      const status = () =>
        transport
          .send({ method: 'GET', url: new URL(tunnel.url), headers: {}, silenceMs: 5_000, maxBytes: 1e6 })
          .then(
            (response) => response.status,
            ({ cause }: TransportFailure) => (cause as { code?: string }).code,
          );
      assert.equal(await status(), 'PROXY_407');
      present = { ...settings, proxyAuthorization: tunnel.wants };
      assert.equal(await status(), 200);
      transport.close();
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
