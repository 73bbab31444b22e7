import { once } from 'node:events';
import http from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { listenOnLoopback } from './loopback';

/** One request as it arrived at the proxy. */
export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Buffer;
  /** Milliseconds since 1970. */
  readonly atMs: number;
}

export interface StubResponse {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** An object is sent as JSON. */
  readonly body?: unknown;
}

/** The fault of one request. Faults "before" keep it from the service, those "after" only lose its reply. */
export type Fault =
  | { readonly kind: 'delay'; readonly ms: number }
  /** Executed, and its reply held back until then. */
  | { readonly kind: 'hold'; readonly until: Promise<unknown> }
  | { readonly kind: 'resetBefore' }
  | { readonly kind: 'resetAfter' }
  | { readonly kind: 'silent' }
  /** Cuts the connection after some bytes of the reply's body. */
  | { readonly kind: 'truncate'; readonly bytes: number }
  | { readonly kind: 'redirect'; readonly status: number; readonly to: string }
  | { readonly kind: 'response'; readonly response: StubResponse };

export interface FaultProxy {
  /** The base URL, with the prefix that every path begins with; requests are seen without it. */
  readonly url: string;
  readonly origin: string;
  readonly prefix: string;
  readonly seen: readonly SeenRequest[];
  /** POST /api/runs that reached the service: each would have been paid for. */
  readonly executedRuns: number;
  readonly openSockets: number;
  close(): Promise<void>;
}

export interface FaultProxyOptions {
  /** The service behind: a base URL, or a function that replies. */
  readonly behind: string | ((request: SeenRequest) => StubResponse | Promise<StubResponse>);
  readonly fault?: (request: SeenRequest, index: number) => Fault | undefined;
  /** Told when the client closes a connection with an unanswered request. */
  readonly onClosed?: (request: SeenRequest) => void;
}

/** An HTTP server on a port of the system's choice that passes requests on, spoils some, and counts. */
export async function startFaultProxy(options: FaultProxyOptions): Promise<FaultProxy> {
  const { behind, fault = () => undefined } = options;
  const seen: SeenRequest[] = [];
  const sockets = new Set<Socket>();
  let executedRuns = 0;

  const execute = async (request: SeenRequest): Promise<StubResponse> => {
    if (request.method === 'POST' && request.path === '/api/runs') executedRuns++;
    if (typeof behind === 'function') return await behind(request);
    return await forward(behind, request);
  };

  const { server, url, origin, prefix } = await listenOnLoopback((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('error', () => {});
    incoming.on('end', () => {
      const request: SeenRequest = {
        method: incoming.method ?? '',
        path: incoming.url ?? '',
        headers: incoming.headers,
        body: Buffer.concat(chunks),
        atMs: Date.now(),
      };
      seen.push(request);
      response.on('close', () => {
        if (!response.writableEnded) options.onClosed?.(request);
      });
      void spoilt(request, fault(request, seen.length - 1), response, execute).catch(() =>
        response.destroy(),
      );
    });
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => {});
  });
  server.keepAliveTimeout = 30_000;
  return {
    url,
    origin,
    prefix,
    seen,
    get executedRuns() {
      return executedRuns;
    },
    get openSockets() {
      return sockets.size;
    },
    async close() {
      // A test may have ended it already.
      if (!server.listening) return;
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

async function spoilt(
  request: SeenRequest,
  fault: Fault | undefined,
  response: http.ServerResponse,
  execute: (request: SeenRequest) => Promise<StubResponse>,
): Promise<void> {
  switch (fault?.kind) {
    case undefined:
      return send(response, await execute(request));
    case 'delay': {
      const stub = await execute(request);
      // A closed proxy keeps no process for it.
      await wait(fault.ms, undefined, { ref: false });
      return send(response, stub);
    }
    case 'hold': {
      const stub = await execute(request);
      await fault.until;
      return send(response, stub);
    }
    case 'resetBefore':
      response.socket?.resetAndDestroy();
      return;
    case 'resetAfter':
      await execute(request);
      response.socket?.resetAndDestroy();
      return;
    case 'silent':
      await execute(request);
      return;
    case 'truncate': {
      const reply = await execute(request);
      const body = bytesOf(reply.body);
      response.writeHead(reply.status ?? 200, {
        ...headersOf(reply),
        'content-length': String(body.length + 1),
      });
      response.write(body.subarray(0, fault.bytes));
      // The system gets time to send the written bytes before the connection is cut.
      setTimeout(() => response.socket?.destroy(), 5);
      return;
    }
    case 'redirect':
      return send(response, { status: fault.status, headers: { location: fault.to } });
    case 'response':
      return send(response, fault.response);
  }
}

function send(response: http.ServerResponse, stub: StubResponse): void {
  const body = bytesOf(stub.body);
  response.writeHead(stub.status ?? 200, { ...headersOf(stub), 'content-length': String(body.length) });
  response.end(body);
}

function headersOf({ headers = {}, body }: StubResponse): Record<string, string> {
  const named = Object.keys(headers).some((name) => name.toLowerCase() === 'content-type');
  const json = body !== undefined && typeof body !== 'string' && !(body instanceof Uint8Array);
  return { ...(!named && json && { 'content-type': 'application/json' }), ...headers };
}

function bytesOf(body: unknown): Buffer {
  if (body === undefined) return Buffer.alloc(0);
  if (body instanceof Uint8Array) return Buffer.from(body);
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}

/** Sends a request on to the service at a base URL. */
export async function forward(
  base: string,
  { method, path, headers, body }: SeenRequest,
): Promise<StubResponse> {
  // Its body may be another than the client's.
  const { host: _host, connection: _connection, 'content-length': _length, ...rest } = headers;
  const outgoing = http.request(base + path, { method, headers: rest });
  outgoing.end(body);
  const [reply] = (await once(outgoing, 'response')) as [http.IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of reply) chunks.push(chunk as Buffer);
  const kept = Object.entries(reply.headers).filter(
    ([name]) => !['connection', 'transfer-encoding', 'content-length', 'keep-alive'].includes(name),
  );
  return {
    status: reply.statusCode,
    headers: Object.fromEntries(kept.map(([name, value]) => [name, String(value)])),
    body: Buffer.concat(chunks),
  };
}
