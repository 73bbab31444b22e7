import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import net, { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generate } from 'selfsigned';
import { guarded } from './loopback';

/** A host that no name server knows: it is reached through the proxy or not at all. */
export const TUNNELLED_HOST = 'models.example';

/** A TLS server under a certificate of its own, and an HTTP proxy (CONNECT) that leads to it. */
export interface Tunnel {
  /** The proxy's address, without credentials. */
  readonly proxy: string;
  /** The base URL of the service behind it; every path begins with a token. */
  readonly url: string;
  /** File of the certificate that the server shows. */
  readonly certificate: string;
  /** The addresses that the proxy was asked to connect to. */
  readonly connects: { url?: string; authorization?: string }[];
  /** The Proxy-Authorization without which the proxy refuses; undefined: it asks for none. */
  wants: string | undefined;
  /** Asked for each tunnel: after how many bytes, both ways, it is cut; 0 before it is open. Undefined: never. */
  cutAfterBytes: (() => number) | undefined;
  close(): Promise<void>;
}

/** @param response the response of the service behind the tunnel */
export async function openTunnel(response: http.RequestListener): Promise<Tunnel> {
  const folder = mkdtempSync(join(tmpdir(), 'model-bench-tls-'));
  const names = [{ type: 2 as const, value: TUNNELLED_HOST }];
  const { private: key, cert } = await generate([{ name: 'commonName', value: TUNNELLED_HOST }], {
    extensions: [{ name: 'subjectAltName', altNames: names }],
  });
  writeFileSync(join(folder, 'cert.pem'), cert);
  const { listener, prefix } = guarded(response);
  const target = https.createServer({ key, cert }, listener);
  const port = await listening(target);
  const server = http.createServer();
  const sockets = new Set<{ destroy(): void }>();
  const tunnel: Tunnel = {
    proxy: '',
    url: `https://${TUNNELLED_HOST}${prefix}`,
    certificate: join(folder, 'cert.pem'),
    connects: [],
    wants: undefined,
    cutAfterBytes: undefined,
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
    let left = tunnel.cutAfterBytes?.() ?? Number.POSITIVE_INFINITY;
    if (left === 0) return socket.destroy();
    const on = net.connect(port, '127.0.0.1', () => socket.write('HTTP/1.1 200 OK\r\n\r\n'));
    const count = (bytes: Buffer) => {
      left -= bytes.length;
      if (left > 0) return;
      on.destroy();
      socket.destroy();
    };
    on.on('data', count).pipe(socket);
    socket.on('data', count).pipe(on);
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
