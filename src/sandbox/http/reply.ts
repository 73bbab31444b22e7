import type { ServerResponse } from 'node:http';
import { Refusal } from './refusal';

/** What a route replies; `body` is sent as JSON. */
export interface Reply {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Any error as a reply: `{error: {code, message, details?}, request_id}`. */
export function replyToError(error: unknown, requestId: string): Reply {
  const refusal =
    error instanceof Refusal
      ? error
      : new Refusal(
          500,
          'internal_error',
          `The sandbox failed: ${error instanceof Error ? error.message : String(error)}`,
        );
  const { details, headers } = refusal.extras;
  return {
    status: refusal.status,
    headers,
    body: {
      error: { code: refusal.code, message: refusal.message, ...(details && { details }) },
      request_id: requestId,
    },
  };
}

/** Writes a reply whole. Does nothing when the connection is gone. */
export function send(response: ServerResponse, reply: Reply): void {
  if (response.destroyed || response.headersSent) return;
  const bytes = Buffer.from(JSON.stringify(reply.body));
  response.writeHead(reply.status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': bytes.length,
    'Cache-Control': 'no-store',
    ...reply.headers,
  });
  response.end(bytes);
}
