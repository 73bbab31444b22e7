import { STATUS_CODES } from 'node:http';
import { errorCode } from '../domain/errorCode';
import type { ErrorKind, FailureReason } from '../domain/failure';
import type { RawResponse } from '../domain/response';
import { bodyKind } from '../intake/bodyContent';
import { readError } from '../readers/error';
import { saysFailure } from '../readers/stateWords';
import { type ErrorDetails, ServiceError } from './errors';
import { ProxyFailure, ProxySettingError } from './network';

// The one home of status → kind, and of the errors for failed connections and unusable responses.

/** A request that is wrong or cannot be built; it was not sent. */
export function invalidRequest(why: FailureReason, cause?: unknown): ServiceError {
  return new ServiceError('invalidRequest', { why, cause });
}

/** A response without data for the next step, or with an address that must not be followed. */
export function unreadable(why: FailureReason, raw?: RawResponse): ServiceError {
  return new ServiceError('unreadableResponse', { ...(raw && responseFacts(raw)), why });
}

export function unreachable(url: URL, cause: unknown): ServiceError {
  return new ServiceError('unreachable', { why: connectionFailure(url, cause), cause });
}

/** The error for a failed connection. */
export function connectionFailure(
  { host, protocol }: URL,
  cause: unknown,
): FailureReason & { reason: 'connection' | 'proxy' } {
  if (cause instanceof ProxySettingError)
    return { reason: 'proxy', problem: cause.problem, proxy: cause.facts, host, cause: '' };
  const code = errorCode(cause);
  if (cause instanceof ProxyFailure)
    return {
      reason: 'proxy',
      problem: 'failed',
      proxy: cause.facts,
      host,
      code,
      cause: causeText(cause.cause),
    };
  return {
    reason: 'connection',
    host,
    code,
    cause: causeText(cause),
    ...(protocol === 'http:' && { isHttp: true }),
  };
}

/** A response with a status other than success, as an error. */
export function rejected(raw: RawResponse, retryAtMs?: number): ServiceError {
  // A firewall or a sign-in answered, which does not know the key.
  if ((raw.status === 401 || raw.status === 403) && bodyKind(raw) === 'page')
    return new ServiceError('unreachable', { ...responseFacts(raw), why: { reason: 'webPage' } });
  return new ServiceError(kindOfStatus(raw.status), {
    ...responseFacts(raw),
    ...(retryAtMs !== undefined && { retryAtMs }),
  });
}

/** Passes a response on. @throws ServiceError when its body reports a failure, also with a status of success */
export function withoutFailure(raw: RawResponse): RawResponse {
  if (saysFailure(raw.json)) throw new ServiceError('serviceFailing', responseFacts(raw));
  return raw;
}

const KINDS: Readonly<Record<number, ErrorKind>> = {
  401: 'badKey',
  402: 'cannotPay',
  403: 'noPermission',
  404: 'notFound',
  408: 'timedOut',
  409: 'conflict',
  410: 'notFound',
  429: 'rateLimited',
};

/** The kind of failure for a status other than success. */
export function kindOfStatus(status: number): ErrorKind {
  if (status >= 500) return 'serviceFailing';
  return KINDS[status] ?? (status >= 400 ? 'invalidRequest' : 'unreadableResponse');
}

function responseFacts(raw: RawResponse): ErrorDetails {
  const read = readError(raw);
  const statusMeaning = read.serviceMessage === undefined ? STATUS_CODES[raw.status] : undefined;
  return { status: raw.status, statusMeaning, ...read, raw };
}

/** An error's own text as one line, else its code; empty when it has neither. */
export function causeText(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return causeText(error.errors[0]);
  if (error instanceof Error && error.message !== '') return error.message.replace(/\s+/g, ' ').slice(0, 200);
  return errorCode(error) ?? '';
}
