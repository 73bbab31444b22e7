import type { NextStep } from '../domain/problems';
import { ServiceError } from '../service/errors';
import { messageOf, nextStepOf } from '../wording/errors';

/**
 * The consequence of one request's error for its items and for the job:
 * - `stop`: every further request would fail the same way (key, wallet, permission, model, budget)
 * - `notSent`: it was not executed (aborted before it left, or held back for the rate); sent when its turn comes
 * - `retry`: it did not reach the service, or prepared an item, which is free; sent again after the throttle's pause
 * - `rejected`: the service does not accept this content and has not executed it
 * - `unknown`: it may have been executed; only the user may send it again
 */
export type Consequence = 'stop' | 'notSent' | 'retry' | 'rejected' | 'unknown';

export function errorConsequence(error: unknown, request: 'prepare' | 'run'): Consequence {
  if (!(error instanceof ServiceError)) {
    // Only the client's own errors prove that a run was not executed.
    if (request === 'run') return 'unknown';
    return isAbort(error) ? 'notSent' : 'rejected';
  }
  if (error.details.why?.reason === 'notSentInTime') return 'notSent';
  switch (error.kind) {
    case 'notConnected':
    case 'badKey':
    case 'noPermission':
    case 'cannotPay':
    case 'notFound':
    case 'budgetReached':
      return 'stop';
    case 'rateLimited':
    case 'cancelled':
      return 'notSent';
    case 'unreachable':
      return 'retry';
    case 'serviceFailing':
    case 'timedOut':
    case 'unreadableResponse':
      // A 5xx, or a response in no known form, does not prove that a run was not executed.
      return request === 'run' ? 'unknown' : 'retry';
    case 'invalidRequest':
    case 'conflict':
      return 'rejected';
    case 'outcomeUnknown':
      return 'unknown';
  }
}

/** VS Code's own calls end with "Canceled" when the extension host stops. */
export function isAbort(error: unknown): boolean {
  return error instanceof Error && (error.name === 'AbortError' || error.name === 'Canceled');
}

/** Why a job paused by itself. */
export interface StopReason {
  readonly reason: string;
  readonly nextStep?: NextStep;
  /** The budget covers the runs that it admitted before: they are sent. */
  readonly sparesAdmitted?: boolean;
}

export function errorStopReason(error: unknown): StopReason {
  const reason = messageOf(error);
  if (!(error instanceof ServiceError)) return { reason };
  const sparesAdmitted = error.kind === 'budgetReached' && error.details.why?.reason === 'budget';
  return { reason, nextStep: nextStepOf(error), ...(sparesAdmitted && { sparesAdmitted }) };
}
