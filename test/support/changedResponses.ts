import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

type Answered = { status: number; body: unknown };
/** Resolves to what is answered instead; until then the reply is held back. */
type Change = (answered: Answered) => Partial<Answered> | Promise<Partial<Answered>>;

/** A service whose replies on some paths are others than those of the service behind it. */
export interface ChangedResponses {
  readonly baseUrl: string;
  /** By path; without a change, the path is answered as it is behind. */
  change(path: string, change?: Change): void;
  /** A file of its own at a path, whatever is asked there; without one, the path is answered as it is behind. */
  serve(path: string, file?: { readonly contentType: string; readonly bytes: Uint8Array }): void;
  stop(): Promise<void>;
}

export async function changedResponses(behind: string): Promise<ChangedResponses> {
  const changes = new Map<string, Change>();
  const files = new Map<string, { contentType: string; bytes: Uint8Array }>();
  const server = createServer(async (request, response) => {
    const file = files.get(request.url ?? '');
    if (file) {
      request.resume();
      response.writeHead(200, { 'Content-Type': file.contentType });
      response.end(file.bytes);
      return;
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { 'x-api-key': key, 'content-type': type } = request.headers;
    const reply = await fetch(`${behind}${request.url}`, {
      method: request.method,
      headers: { ...(key && { 'X-API-Key': String(key) }), ...(type && { 'Content-Type': type }) },
      ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
    });
    const text = await reply.text();
    const change = changes.get(new URL(request.url ?? '/', behind).pathname);
    const changed = await change?.({ status: reply.status, body: JSON.parse(text) });
    const { status = reply.status, body } = changed ?? {};
    response.writeHead(status, { 'Content-Type': 'application/json' });
    response.end(body === undefined ? text : JSON.stringify(body));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    change: (path, change) => {
      if (change) changes.set(path, change);
      else changes.delete(path);
    },
    serve: (path, file) => {
      if (file) files.set(path, file);
      else files.delete(path);
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
