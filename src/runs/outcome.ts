import type { ErrorKind } from '../domain/failure';
import type { RunResponse } from '../domain/response';
import type { RunState } from '../domain/run';
import { ServiceError } from '../service/errors';
import type { Admission } from './budget/budget';

interface RunEnd {
  readonly state: RunState;
  /** Whether it may have been billed. */
  readonly billed: boolean | 'cannotPay';
}

const NOT_SENT: RunEnd = { state: 'notSent', billed: false };
const UNKNOWN: RunEnd = { state: 'unknown', billed: true };
const REJECTED: RunEnd = { state: 'failed', billed: false };

/**
 * A response with a status is a failure that the service itself reported; without one, a run is `notSent` only where
 * it is proven that no byte left.
 */
const OUTCOMES: Readonly<Record<ErrorKind, RunEnd>> = {
  cancelled: NOT_SENT,
  notConnected: NOT_SENT,
  unreachable: NOT_SENT,
  budgetReached: NOT_SENT,
  outcomeUnknown: UNKNOWN,
  timedOut: UNKNOWN,
  unreadableResponse: UNKNOWN,
  badKey: REJECTED,
  noPermission: REJECTED,
  notFound: REJECTED,
  invalidRequest: REJECTED,
  conflict: REJECTED,
  rateLimited: REJECTED,
  cannotPay: { state: 'failed', billed: 'cannotPay' },
  serviceFailing: { state: 'failed', billed: true },
};

/** The outcome of a run that threw. */
export function errorOutcome(error: unknown): RunEnd {
  if (!(error instanceof ServiceError)) return UNKNOWN;
  const reason = error.details.why?.reason;
  if (error.details.notExecuted) return REJECTED;
  // A web page answered, with the status of a rejection.
  if (reason === 'webPage') return REJECTED;
  // The client itself refused the request.
  if (reason === 'notSentInTime' || reason === 'request') return NOT_SENT;
  // Not the wallet's balance, which another request may show to be enough.
  return reason === 'quotaUsedUp' ? REJECTED : OUTCOMES[error.kind];
}

/**
 * Sends an admitted run: its estimate is on the disk before, `onLeaving` confirms it right before its bytes leave, and
 * its possible charge ends its admission. Passes on the errors of `announce` and `send`.
 * @param announce see `JobRunOrder`
 * @throws ServiceError `budgetReached`, before it is sent
 */
export async function sendAdmitted(
  admission: Admission,
  send: (onLeaving: () => void) => Promise<RunResponse>,
  announce?: () => Promise<void>,
): Promise<RunResponse> {
  try {
    await Promise.all([admission.reserve(), announce?.()]);
  } catch (error) {
    admission.release();
    throw error;
  }
  let response: RunResponse;
  try {
    response = await send(() => admission.confirm());
  } catch (error) {
    const { billed } = errorOutcome(error);
    const cost = error instanceof ServiceError ? error.charge?.cost : undefined;
    if (billed === 'cannotPay') admission.cannotPay();
    else if (cost || billed) admission.settle(cost);
    else admission.release();
    throw error;
  }
  admission.settle(response.cost);
  return response;
}
