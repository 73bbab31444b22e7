import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Service } from '../service';
import { HttpError } from './errors';
import { errorResponse, send } from './jsonResponse';
import { isLoopbackHost } from './loopback';

/** A request with a target that was split, but not decoded: the URL parser of Node rejects some targets by throwing. */
export interface Call {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly path: string;
  readonly query: URLSearchParams;
}

/**
 * An HTTP server: every request ends in a response or a closed connection, and never in an exception. `serve` sends the
 * response or throws.
 */
export function createPort(service: Service, serve: (call: Call, service: Service) => Promise<void>): Server {
  const server = createServer((request, response) => {
    handle(request, response).catch(() => request.socket.destroy());
  });
  server.on('clientError', rejectMalformed);
  // A client's idle connection must not be closed during an experiment.
  server.keepAliveTimeout = 120_000;
  server.requestTimeout = 0;
  return server;

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const requestId = `req_${randomBytes(8).toString('hex')}`;
    response.setHeader('X-Request-Id', requestId);
    const [path = '', query = ''] = (request.url ?? '').split(/\?(.*)/s);
    try {
      if (!isLoopbackHost(request.headers.host)) {
        throw new HttpError(403, 'foreign_host', 'The sandbox serves 127.0.0.1 and localhost only.');
      }
      await serve({ request, response, path, query: new URLSearchParams(query) }, service);
    } catch (error) {
      // The rest of a rejected body is not read.
      if (!request.complete && !response.headersSent) response.setHeader('Connection', 'close');
      send(response, errorResponse(error, requestId));
    }
  }
}

/** A request that Node's parser rejects has no response, only a connection. */
function rejectMalformed(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const body = JSON.stringify({
    error: { code: 'malformed_request', message: 'This is not a valid HTTP request.' },
  });
  socket.end(
    'HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Type: application/json; charset=utf-8\r\n' +
      `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}
