import * as l10n from '@vscode/l10n';
import type { Call } from './call';
import { ServiceError } from './errors';
import {
  cancelled,
  connectionSentence,
  gaveUpBeforeSending,
  outcomeUnknown,
  responseTooLarge,
  timedOut,
  unreachable,
} from './failures';
import { TransportFailure } from './transport';

/** A call that ended before it left. */
export function notSent(call: Call, reason: unknown): ServiceError {
  if (reason instanceof ServiceError) return reason;
  return call.deadline?.aborted && !call.signal?.aborted ? gaveUpBeforeSending() : cancelled(reason);
}

/** A call that got no (whole) response. Of a run that may have left, nobody knows what became of it. */
export function failedToResponse(call: Call, failure: unknown): ServiceError {
  const host = call.url.host;
  if (!(failure instanceof TransportFailure))
    return call.kind === 'run'
      ? outcomeUnknown(connectionSentence(host, failure))
      : unreachable(host, failure);
  const { reason, mayHaveLeft, cause } = failure;
  if (cause instanceof ServiceError) return cause;
  if (!mayHaveLeft && reason === 'cancelled') return notSent(call, cause);
  if (call.kind === 'run' && mayHaveLeft) {
    if (reason === 'tooLarge') return responseTooLarge(cause);
    if (reason !== 'cancelled')
      return outcomeUnknown(l10n.t('The connection was lost before the response came.'), { cause });
    return outcomeUnknown(
      call.deadline?.aborted && !call.signal?.aborted
        ? l10n.t('The service did not response in the time you set.')
        : l10n.t('You stopped waiting for the response.'),
      { cause },
    );
  }
  if (reason === 'cancelled') return cancelled(cause);
  if (reason === 'silent') return timedOut(cause);
  if (reason === 'tooLarge') return responseTooLarge(cause);
  return unreachable(host, cause);
}
