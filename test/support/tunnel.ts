import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import net, { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A host that no name server knows: it is reached through the proxy or not at all. */
export const TUNNELLED_HOST = 'models.example';

/** A TLS server under a certificate of its own, and an HTTP proxy (CONNECT) that leads to it. */
export interface Tunnel {
  /** The proxy's address, without credentials. */
  readonly proxy: string;
  /** File of the certificate that the server shows. */
  readonly certificate: string;
  /** What the proxy was asked to connect to. */
  readonly connects: { url?: string; authorization?: string }[];
  /** The Proxy-Authorization without which the proxy refuses; undefined: it asks for none. */
  wants: string | undefined;
  close(): Promise<void>;
}

/** @param answer what the service behind the tunnel answers */
export async function openTunnel(answer: http.RequestListener): Promise<Tunnel> {
  const folder = mkdtempSync(join(tmpdir(), 'model-bench-tls-'));
  const subject = ['-subj', `/CN=${TUNNELLED_HOST}`, '-addext', `subjectAltName=DNS:${TUNNELLED_HOST}`];
  const make = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2'];
  execFileSync('openssl', [...make, ...subject, '-keyout', 'key.pem', '-out', 'cert.pem'], {
    cwd: folder,
    stdio: 'ignore',
  });
  const [key, cert] = ['key.pem', 'cert.pem'].map((file) => readFileSync(join(folder, file)));
  const target = https.createServer({ key, cert }, answer);
  const port = await listening(target);
  const server = http.createServer();
  const sockets = new Set<{ destroy(): void }>();
  const tunnel: Tunnel = {
    proxy: '',
    certificate: join(folder, 'cert.pem'),
    connects: [],
    wants: undefined,
    async close() {
      for (const socket of sockets) socket.destroy();
      target.closeAllConnections();
      target.close();
      server.close();
      rmSync(folder, { recursive: true });
    },
  };
  server.on('connect', (request, socket) => {
    sockets.add(socket);
    const authorization = request.headers['proxy-authorization'];
    tunnel.connects.push({ url: request.url, authorization });
    if (tunnel.wants !== undefined && authorization !== tunnel.wants)
      return socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
    const on = net.connect(port, '127.0.0.1', () => socket.write('HTTP/1.1 200 OK\r\n\r\n'));
    on.pipe(socket).pipe(on);
    on.on('error', () => socket.destroy());
    socket.on('error', () => on.destroy());
  });
  const proxyPort = await listening(server);
  return Object.assign(tunnel, { proxy: `http://127.0.0.1:${proxyPort}` });
}

async function listening(server: net.Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}
