import type { Environment } from '../domain/environment';
import type { ErrorKind, Failure, FailureDetails } from '../domain/failure';
import type { RawResponse, RunResponse } from '../domain/response';

export interface ErrorDetails extends FailureDetails {
  /** The response itself, when there was one. */
  readonly raw?: RawResponse;
  readonly cause?: unknown;
}

/**
 * The error of every call of the client. Its `message` is for the log: `wording/errors.ts` makes the user's text and
 * next step from `kind` and `details`.
 */
export class ServiceError extends Error implements Failure {
  override readonly name = 'ServiceError';
  /** Where it happened: its next step, such as setting a key, applies there and not to the active environment. */
  environment: Environment | undefined;
  /** Of a run: its identifier and its cost, where the response names them: one that failed may be charged. */
  charge: Pick<RunResponse, 'runId' | 'cost'> | undefined;
  constructor(
    readonly kind: ErrorKind,
    readonly details: ErrorDetails = {},
  ) {
    super(logText(kind, details), { cause: details.cause });
    const { why } = details;
    this.environment = why && 'environment' in why ? why.environment : undefined;
  }
}

/** The environment that an error happened in, if it is known. */
export function environmentOfError(error: unknown): Environment | undefined {
  return error instanceof ServiceError ? error.environment : undefined;
}

/** The result of a request; undefined where the service does not know the thing. @throws other errors */
export async function unlessNotFound<T>(request: Promise<T>): Promise<T | undefined> {
  try {
    return await request;
  } catch (error) {
    if (error instanceof ServiceError && error.kind === 'notFound') return undefined;
    throw error;
  }
}

function logText(kind: ErrorKind, { status, serviceMessage, requestId, why }: ErrorDetails): string {
  const facts = { ...(status !== undefined && { status }), serviceMessage, requestId, ...why };
  const known = JSON.stringify(facts);
  return known === '{}' ? kind : `${kind} ${known}`;
}
