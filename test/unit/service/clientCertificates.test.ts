import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TLSSocket } from 'node:tls';
import { withoutCertificate } from '../../../src/cli/certificate';
import { logLine } from '../../../src/domain/logLine';
import { withoutResponse } from '../../../src/service/callFailure';
import { type NetworkSettings, processNetwork, useClientCertificate } from '../../../src/service/network';
import { createTransport } from '../../../src/service/transport';
import { messageOf } from '../../../src/wording/errors';
import { askingServer, type CertificateFiles, certificateIn } from '../../support/clientCertificate';
import { root } from '../../support/paths';

describe('A service that asks for a client certificate', () => {
  let folder: string;
  const servers: https.Server[] = [];
  let files: CertificateFiles;
  before(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'client-certificates-'));
    files = await certificateIn(folder);
    for (const version of ['TLSv1.2', 'TLSv1.3'] as const)
      servers.push(await askingServer(files, (_, response) => response.end('{}'), version));
  });
  after(() => {
    useClientCertificate(undefined);
    for (const server of servers) server.close();
    rmSync(folder, { recursive: true });
  });

  const urlOf = (server: https.Server) =>
    new URL(`https://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  async function answer(url: URL, settings: NetworkSettings): Promise<string> {
    const transport = createTransport({ ...settings, env: { NODE_EXTRA_CA_CERTS: files.cert } });
    try {
      const { status } = await transport.send({
        method: 'GET',
        url,
        headers: {},
        silenceMs: 5_000,
        maxBytes: 9,
      });
      return String(status);
    } catch (error) {
      return messageOf(withoutResponse({ kind: 'read', method: 'GET', url, label: logLine`GET` }, error));
    } finally {
      transport.close();
    }
  }

  it('says so in words without one, in TLS 1.2 and 1.3', async () => {
    const [older, newer] = await Promise.all(servers.map((server) => answer(urlOf(server), {})));
    assert.match(older!, /asks for a client certificate\. Name its files in the setting/);
    assert.match(newer!, /client certificate\. Name its files in the setting/);
  });

  it('gets the certificate that the settings name for its origin, and no other', async () => {
    const { cert, key } = files;
    for (const server of servers) {
      const url = urlOf(server);
      assert.equal(await answer(url, { clientCertificates: { [url.origin]: { cert, key } } }), '200');
      const other = { 'https://127.0.0.1:1': { cert, key } };
      assert.match(await answer(url, { clientCertificates: other }), /client certificate/);
    }
  });

  it('gets one whose passphrase is asked for until it is right', async () => {
    const url = urlOf(servers[0]!);
    const asked: boolean[] = [];
    const clientCertificates = { [url.origin]: { cert: files.cert, key: files.locked } };
    const passphrase = async (_: string, isWrong: boolean) => {
      asked.push(isWrong);
      return isWrong ? 'open' : 'wrong';
    };
    assert.equal(await answer(url, { clientCertificates, passphrase }), '200');
    assert.deepEqual(asked, [false, true]);
  });

  it('gets one of a .pfx file, whose passphrase is asked for', async () => {
    const [cert, key] = [readFileSync(files.cert), readFileSync(files.key)];
    const options = { key, cert, requestCert: true, rejectUnauthorized: false };
    const server = https.createServer(options, ({ socket }, response) => {
      response.statusCode = (socket as TLSSocket).getPeerCertificate().subject?.CN === 'pfx' ? 200 : 403;
      response.end('{}');
    });
    servers.push(server.listen(0, '127.0.0.1'));
    await once(server, 'listening');
    const url = urlOf(server);
    assert.equal(await answer(url, {}), '403');
    const pfx = path.join(root, 'test/support/client.pfx');
    const passphrase = async (_: string, isWrong: boolean) => (isWrong ? 'open' : 'wrong');
    assert.equal(await answer(url, { clientCertificates: { [url.origin]: { pfx } }, passphrase }), '200');
  });

  it('gets the files of --cert and --key in a terminal', async () => {
    const { cert, key } = files;
    const url = urlOf(servers[1]!);
    assert.deepEqual(withoutCertificate(['wallet', '--cert', cert, `--key=${key}`, '--json']), [
      'wallet',
      '--json',
    ]);
    assert.equal(await answer(url, processNetwork(url.href)), '200');
    assert.throws(() => withoutCertificate(['--cert']), /needs a file/);
    assert.throws(() => withoutCertificate(['--key', key]), /belongs to --cert/);
  });
});
