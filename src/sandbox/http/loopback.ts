import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The only address that a sandbox ever binds. */
export const LOOPBACK = '127.0.0.1';

/** Listens on loopback. A required port must be free; a preferred one falls back to any. Returns the port. */
export async function listen(
  server: Server,
  required: number | undefined,
  preferred: number,
): Promise<number> {
  try {
    return await bind(server, required ?? preferred);
  } catch (error) {
    if (required !== undefined || preferred === 0) throw error;
    return bind(server, 0);
  }
}

async function bind(server: Server, port: number): Promise<number> {
  server.listen({ host: LOOPBACK, port, exclusive: true });
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** A web page with a host name that resolves to 127.0.0.1 (DNS rebinding) sends its own name. */
export const isLoopbackHost = (host = '') => /^(127\.0\.0\.1|localhost)(:\d+)?$/i.test(host);
