import { createPrivateKey } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import type http from 'node:http';
import https from 'node:https';
import path from 'node:path';
import type { SecureVersion } from 'node:tls';
import { generate } from 'selfsigned';

/** Paths of a certificate that client and server show, its key, and the same key under the passphrase “open”. */
export type CertificateFiles = Readonly<Record<'cert' | 'key' | 'locked', string>>;

export async function certificateIn(folder: string): Promise<CertificateFiles> {
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }], {
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 7 as const, ip: '127.0.0.1' }] }],
  });
  const locking = { type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'open' } as const;
  const locked = createPrivateKey(key).export(locking);
  const write = (name: string, text: string | Buffer) => {
    const file = path.join(folder, `${name}.pem`);
    writeFileSync(file, text);
    return file;
  };
  return { cert: write('cert', cert), key: write('key', key), locked: write('locked', locked) };
}

/** A server that answers only to clients that show the certificate. */
export async function askingServer(
  files: CertificateFiles,
  listener: http.RequestListener,
  version?: SecureVersion,
): Promise<https.Server> {
  const [cert, key] = [readFileSync(files.cert), readFileSync(files.key)];
  const versions = version && { minVersion: version, maxVersion: version };
  const server = https.createServer({ key, cert, ca: cert, requestCert: true, ...versions }, listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}
