import { errorCode } from '../domain/errorCode';
import type { Call } from './call';
import { ServiceError } from './errors';
import { causeText, connectionFailure, unreachable, unreadable } from './failures';
import { TransportFailure } from './transport';

/** A call that ended before it left. */
export function notSent(call: Call, reason: unknown): ServiceError {
  if (reason instanceof ServiceError) return reason;
  return isOverdue(call)
    ? new ServiceError('timedOut', { why: { reason: 'notSentInTime' } })
    : new ServiceError('cancelled', { cause: reason });
}

/** A call that got no (whole) response. For a run that may have left, its execution cannot be proved or excluded. */
export function withoutResponse(call: Call, failure: unknown): ServiceError {
  const { url } = call;
  if (!(failure instanceof TransportFailure))
    return call.kind === 'run'
      ? new ServiceError('outcomeUnknown', { why: connectionFailure(url, failure) })
      : unreachable(url, failure);
  const { reason, mayHaveLeft, cause } = failure;
  if (cause instanceof ServiceError) return cause;
  if (!mayHaveLeft && reason === 'cancelled') return notSent(call, cause);
  if (reason === 'tooLarge') return unreadable({ reason: 'tooLarge' });
  const code = errorCode(cause);
  // The response to plain http by a server of https begins in this way.
  const isOfTls = url.protocol === 'http:' && code === 'HPE_INVALID_CONSTANT';
  const isInvalid = !isOfTls && (code?.startsWith('HPE_') || code === 'UND_ERR_HEADERS_OVERFLOW');
  if (mayHaveLeft && code !== undefined && isInvalid) {
    const kind = call.kind === 'run' ? 'outcomeUnknown' : 'unreadableResponse';
    return new ServiceError(kind, {
      why: { reason: 'invalidHttp', detail: causeText(cause) || code },
      cause,
    });
  }
  if (call.kind === 'run' && mayHaveLeft) {
    if (reason !== 'cancelled')
      return new ServiceError('outcomeUnknown', { why: { reason: 'connectionLost' }, cause });
    return new ServiceError('outcomeUnknown', {
      why: { reason: isOverdue(call) ? 'timeLimit' : 'stoppedWaiting' },
      cause,
    });
  }
  if (reason === 'cancelled') return new ServiceError('cancelled', { cause });
  return reason === 'silent' ? new ServiceError('timedOut', { cause }) : unreachable(url, cause);
}

/** Ended by the run's own time limit, not by the user. */
function isOverdue({ deadline, signal }: Call): boolean {
  return deadline?.aborted === true && signal?.aborted !== true;
}
