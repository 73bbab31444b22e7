import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import type https from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { askingServer, type CertificateFiles, certificateIn } from '../support/clientCertificate';
import { smallService } from '../support/smallService';
import { usePanels } from './usePanels';

describe('The network settings of VS Code', () => {
  const suite = usePanels({
    settings: { 'http.proxy': ' ', 'http.noProxy': ['a.test', 5], 'http.proxyStrictSSL': false },
  });

  it('reach the transport with their present values, without values of other kinds', async () => {
    const { panels } = suite;
    // After the window, which gives it VS Code's module.
    const { networkSettings } = await import('../../src/connection/network');
    const read = () => {
      const { proxy, proxySupport, strictSsl, noProxy, systemCertificates } = networkSettings();
      return { proxy, proxySupport, strictSsl, noProxy, systemCertificates };
    };
    assert.deepEqual(read(), {
      ...{ proxy: undefined, proxySupport: undefined, strictSsl: false },
      ...{ noProxy: ['a.test'], systemCertificates: true },
    });
    panels.changeSettings({
      ...{ 'http.proxy': 'http://p:1', 'http.proxySupport': 'on', 'http.noProxy': 'b.test' },
      ...{ 'http.proxyStrictSSL': true, 'http.systemCertificates': false },
    });
    assert.deepEqual(read(), {
      ...{ proxy: 'http://p:1', proxySupport: 'on', strictSsl: true },
      ...{ noProxy: [], systemCertificates: false },
    });
  });
});

describe('A service that asks for a client certificate', () => {
  const suite = usePanels();
  let folder: string;
  let files: CertificateFiles;
  let server: https.Server;
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'model-bench-certificate-'));
    files = await certificateIn(folder);
    const service = smallService('Echo');
    server = await askingServer(files, ({ url: route = '' }, response) => {
      const { body } = service({ path: route, method: 'GET', headers: {}, body: Buffer.alloc(0), atMs: 0 });
      response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
    });
    process.env.NODE_EXTRA_CA_CERTS = files.cert;
  });
  after(async () => {
    delete process.env.NODE_EXTRA_CA_CERTS;
    server.close();
    await rm(folder, { recursive: true });
  });

  it('gets it once its files are named and its passphrase was entered, which is kept as a secret', async () => {
    const { panels } = suite;
    const origin = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await panels.runCommand('Model Bench: Connect to a Service…');
    await panels.enter(/Name/, 'Company');
    const address = await panels.question(/Base URL/);
    await address.enter(origin);
    const asks = /client certificate.*modelBench\.clientCertificates/;
    await panels.until(() => asks.test(address.validation ?? ''), 'The server’s question in words');
    const named = { [origin]: { cert: files.cert, key: files.locked } };
    panels.changeSettings({ 'modelBench.clientCertificates': named });
    void address.enter(`${origin}/`);
    await panels.enter(/Passphrase of the Client Certificate/, 'wrong');
    const again = await panels.question(/The last one was wrong/);
    assert.equal(again.isPassword, true);
    await again.enter('open');
    await panels.enter(/API Key/, 'key');
    await panels.row('Catalog', 'Echo');
    assert.equal(panels.kept.secrets.get(`modelBench.certificate/${origin}`), 'open');
    await panels.reload();
    await panels.row('Catalog', 'Echo');
    assert.deepEqual(panels.window.questions.open, []);
  });
});
