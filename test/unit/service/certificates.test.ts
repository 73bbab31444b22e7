import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import tls from 'node:tls';
import { generate } from 'selfsigned';
import { trust } from '../../../src/service/certificates';

const NAME = 'models.example';

describe('The certificates that are trusted', () => {
  let folder: string;
  let files = 0;
  const pems: { readonly cert: string; readonly server: tls.Server }[] = [];
  before(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'model-bench-trust-'));
    for (const by of ['one', 'other']) {
      const { private: key, cert } = await generate([{ name: 'commonName', value: by }], {
        extensions: [{ name: 'subjectAltName', altNames: [{ type: 2 as const, value: NAME }] }],
      });
      // It hangs up at once: only the handshake counts.
      const server = tls.createServer({ key, cert }, (socket) => socket.end()).listen(0, '127.0.0.1');
      await once(server, 'listening');
      pems.push({ cert, server });
    }
  });
  after(() => {
    for (const { server } of pems) server.close();
    rmSync(folder, { recursive: true });
  });

  const fileOf = (text: string) => {
    const file = path.join(folder, `${files++}.pem`);
    writeFileSync(file, text);
    return file;
  };
  /** Which of the two servers are trusted. */
  const trusted = async (settings: Parameters<typeof trust>[0]) => {
    const secureContext = await trust(settings);
    return await Promise.all(
      pems.map(async ({ server }) => {
        const socket = tls.connect({
          ...{ port: (server.address() as AddressInfo).port, host: '127.0.0.1', servername: NAME },
          ...{ secureContext, rejectUnauthorized: false },
        });
        await once(socket, 'secureConnect');
        socket.destroy();
        return socket.authorized;
      }),
    );
  };

  it('include those that the environment adds to those of Node, as many as the file contains', async () => {
    const [one, both] = [
      fileOf(pems[0]!.cert),
      fileOf(`A comment\n${pems[0]!.cert}\nmore\n${pems[1]!.cert}`),
    ];
    for (const systemCertificates of [false, true, undefined]) {
      assert.deepEqual(await trusted({ systemCertificates, env: { NODE_EXTRA_CA_CERTS: one } }), [
        true,
        false,
      ]);
      assert.deepEqual(await trusted({ systemCertificates, env: { NODE_EXTRA_CA_CERTS: both } }), [
        true,
        true,
      ]);
    }
  });

  it('include those that the environment names as the system’s, unless that is off', async () => {
    const env = { SSL_CERT_FILE: fileOf(pems[0]!.cert) };
    assert.deepEqual(await trusted({ env }), [true, false]);
    assert.deepEqual(await trusted({ env, systemCertificates: true }), [true, false]);
    assert.deepEqual(await trusted({ env, systemCertificates: false }), [false, false]);
    const more = { ...env, NODE_EXTRA_CA_CERTS: fileOf(pems[1]!.cert) };
    assert.deepEqual(await trusted({ env: more }), [true, true]);
  });
});
