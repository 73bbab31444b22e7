import type { ServerResponse } from 'node:http';
import { Refusal } from './refusal';

/** What a route answers; `body` is sent as JSON. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Any error as an answer: `{error: {code, message, details?}, request_id}`. */
export function answerToError(error: unknown, requestId: string): Answer {
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

/** Writes an answer whole. Does nothing when the connection is gone. */
export function send(response: ServerResponse, answer: Answer): void {
  if (response.destroyed || response.headersSent) return;
  const bytes = Buffer.from(JSON.stringify(answer.body));
  response.writeHead(answer.status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': bytes.length,
    'Cache-Control': 'no-store',
    ...answer.headers,
  });
  response.end(bytes);
}
