import { listenOnLoopback } from './loopback';

type Answered = { status: number; body: unknown };
/** Resolves to the replacement; until then the reply is held back. */
type RequestChange = (body: Record<string, unknown>) => Record<string, unknown>;
type Change = (answered: Answered) => Partial<Answered> | Promise<Partial<Answered>>;

/** A service with replies on some paths that differ from those of the service behind it. */
export interface ChangedResponses {
  readonly baseUrl: string;
  /** By path; without a change, the path returns the service's response unchanged. */
  change(path: string, change?: Change): void;
  /** By path; replaces the request to the service. The body is JSON. */
  changeRequest(path: string, change: RequestChange): void;
  /** A file of its own at a path, for any request; without one, the path returns the service's response unchanged. */
  serve(path: string, file?: { readonly contentType: string; readonly bytes: Uint8Array }): void;
  stop(): Promise<void>;
}

export async function changedResponses(behind: string): Promise<ChangedResponses> {
  const changes = new Map<string, Change>();
  const requestChanges = new Map<string, RequestChange>();
  const files = new Map<string, { contentType: string; bytes: Uint8Array }>();
  const { url, close } = await listenOnLoopback(async (request, response) => {
    const file = files.get(request.url ?? '');
    if (file) {
      request.resume();
      response.writeHead(200, { 'Content-Type': file.contentType });
      response.end(file.bytes);
      return;
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { pathname } = new URL(request.url ?? '/', behind);
    const changeRequest = requestChanges.get(pathname);
    const asked = Buffer.concat(chunks);
    const passed = changeRequest ? JSON.stringify(changeRequest(JSON.parse(asked.toString()))) : asked;
    const { 'x-api-key': key, 'content-type': type } = request.headers;
    const reply = await fetch(`${behind}${request.url}`, {
      method: request.method,
      headers: { ...(key && { 'X-API-Key': String(key) }), ...(type && { 'Content-Type': type }) },
      ...(chunks.length > 0 && { body: passed }),
    });
    const text = await reply.text();
    const change = changes.get(pathname);
    const changed = await change?.({ status: reply.status, body: JSON.parse(text) });
    const { status = reply.status, body } = changed ?? {};
    response.writeHead(status, { 'Content-Type': 'application/json' });
    response.end(body === undefined ? text : JSON.stringify(body));
  });
  return {
    baseUrl: url,
    change: (path, change) => {
      if (change) changes.set(path, change);
      else changes.delete(path);
    },
    changeRequest: (path, change) => {
      requestChanges.set(path, change);
    },
    serve: (path, file) => {
      if (file) files.set(path, file);
      else files.delete(path);
    },
    stop: close,
  };
}
