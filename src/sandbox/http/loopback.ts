import type { Server } from 'node:http';

/** The only address that a sandbox ever binds. */
export const LOOPBACK = '127.0.0.1';

/**
 * Listens on loopback. A required port must be free; a preferred one falls back to any port.
 *
 * @returns the port
 */
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

function bind(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: LOOPBACK, port, exclusive: true }, () => {
      server.off('error', reject);
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : 0);
    });
  });
}

/**
 * Only requests that name this machine: a web page whose host name resolves to 127.0.0.1 (DNS rebinding)
 * sends its own name.
 */
export function isLoopbackHost(host: string | undefined): boolean {
  return /^(127\.0\.0\.1|localhost)(:\d+)?$/i.test(host ?? '');
}
