import { forward } from './faultProxy';
import { type HeldRuns, startHeldRuns } from './heldRuns';

type Reply = { status: number; body: unknown };
type RequestChange = (body: Record<string, unknown>) => Record<string, unknown>;
/** Resolves to the replacement; until then the reply is held back. */
type Change = (reply: Reply) => Partial<Reply> | Promise<Partial<Reply>>;

/** A service with replies on some paths that differ from those of the service behind it. */
export interface ChangedResponses extends HeldRuns {
  /** By path; without a change, the path returns the service's response unchanged. */
  change(path: string, change?: Change): void;
  /** By path; replaces the request to the service. The body is JSON. */
  changeRequest(path: string, change: RequestChange): void;
  /** A file of its own at a path, for any request; without one, the path returns the service's response unchanged. */
  serve(path: string, file?: { readonly contentType: string; readonly bytes: Uint8Array }): void;
}

/** @param behind the base URL of the service that executes the requests */
export async function changedResponses(behind: string): Promise<ChangedResponses> {
  const changes = new Map<string, Change>();
  const requestChanges = new Map<string, RequestChange>();
  const files = new Map<string, { contentType: string; bytes: Uint8Array }>();
  const proxy = await startHeldRuns(async (request) => {
    const file = files.get(request.path);
    if (file) return { headers: { 'content-type': file.contentType }, body: file.bytes };
    const { pathname } = new URL(request.path, behind);
    const changeRequest = requestChanges.get(pathname);
    const body = changeRequest ? jsonBytes(changeRequest(JSON.parse(String(request.body)))) : request.body;
    const reply = await forward(behind, { ...request, body });
    const change = changes.get(pathname);
    const changed = await change?.({ status: reply.status ?? 200, body: JSON.parse(String(reply.body)) });
    return {
      ...reply,
      ...(changed?.status !== undefined && { status: changed.status }),
      ...(changed?.body !== undefined && { body: jsonBytes(changed.body) }),
    };
  });
  return Object.assign(proxy, {
    change: (path: string, change?: Change) => {
      if (change) changes.set(path, change);
      else changes.delete(path);
    },
    changeRequest: (path: string, change: RequestChange) => void requestChanges.set(path, change),
    serve: (path: string, file?: { contentType: string; bytes: Uint8Array }) => {
      if (file) files.set(path, file);
      else files.delete(path);
    },
  });
}

function jsonBytes(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value));
}
