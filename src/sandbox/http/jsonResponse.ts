import type { ServerResponse } from 'node:http';
import { DataProblem } from '../store/dataProblem';
import { HttpError, messageOf } from './errors';

/** A route's response; `body` is sent as JSON. */
export interface JsonResponse {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export const ok = (body: unknown): JsonResponse => ({ status: 200, body });

/** Any error as a response: `{error: {code, message, details?}, request_id}`. */
export function errorResponse(cause: unknown, requestId: string): JsonResponse {
  const error = asHttpError(cause);
  const { details, headers } = error.extras;
  return {
    status: error.status,
    headers,
    body: {
      error: { code: error.code, message: error.message, ...(details && { details }) },
      request_id: requestId,
    },
  };
}

function asHttpError(cause: unknown): HttpError {
  if (cause instanceof HttpError) return cause;
  if (!(cause instanceof DataProblem))
    return new HttpError(500, 'internal_error', `The sandbox failed: ${messageOf(cause)}`);
  const status = cause.kind === 'diskFull' ? 507 : 500;
  return new HttpError(status, `data_${cause.kind}`, cause.message);
}

/** Sends a response. Does nothing when the connection is gone. */
export function send(response: ServerResponse, { status, body, headers }: JsonResponse): void {
  if (response.destroyed || response.headersSent) return;
  const bytes = Buffer.from(JSON.stringify(body));
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': bytes.length,
    'Cache-Control': 'no-store',
    ...headers,
  });
  response.end(bytes);
}
