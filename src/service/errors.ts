import type { ErrorKind, Failure, FailureDetails } from '../domain/failure';
import type { RawResponse } from './client';

export interface ErrorDetails extends FailureDetails {
  /** The response itself, when there was one. */
  readonly raw?: RawResponse;
  readonly cause?: unknown;
}

/**
 * What every call of the client throws. Its `message` is for the log: what users read, and their next step, is made
 * of `kind` and `details` by `wording/errors.ts`.
 */
export class ServiceError extends Error implements Failure {
  override readonly name = 'ServiceError';
  constructor(
    readonly kind: ErrorKind,
    readonly details: ErrorDetails = {},
  ) {
    super(logText(kind, details), { cause: details.cause });
  }
}

function logText(kind: ErrorKind, { status, serviceMessage, requestId, why }: ErrorDetails): string {
  const facts = { ...(status !== undefined && { status }), serviceMessage, requestId, ...why };
  const known = JSON.stringify(facts);
  return known === '{}' ? kind : `${kind} ${known}`;
}
