import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A listener that hears only who knows its token: the first part of the path, which it is not told. */
export interface Guarded {
  readonly listener: RequestListener;
  /** The beginning of every request's path, such as `/token`. */
  readonly prefix: string;
}

/** Other accounts of a machine reach its loopback: without the token they get 403, and are not heard. */
export function guarded(listener: RequestListener): Guarded {
  const prefix = `/${randomBytes(16).toString('hex')}`;
  return {
    prefix,
    listener: (request, response) => {
      const { url = '' } = request;
      const rest = url.slice(prefix.length);
      if (!url.startsWith(prefix) || !/^(?:[/?]|$)/.test(rest)) {
        request.resume();
        response.writeHead(403).end();
        return;
      }
      request.url = rest.startsWith('/') ? rest : `/${rest}`;
      listener(request, response);
    },
  };
}

/** A server of tests or measures on a port that the system chose. */
export interface LoopbackServer {
  readonly server: Server;
  /** Scheme, host and port. */
  readonly origin: string;
  /** The beginning of every request's path. */
  readonly prefix: string;
  /** The base URL: origin and prefix. */
  readonly url: string;
  close(): Promise<void>;
}

/** Starts a server that only its test, and whom the test tells its address, can ask. */
export async function listenOnLoopback(heard: RequestListener): Promise<LoopbackServer> {
  const { listener, prefix } = guarded(heard);
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    server,
    origin,
    prefix,
    url: `${origin}${prefix}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
