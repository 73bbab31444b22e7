import { assertNever } from '../domain/assertNever';
import type { RunState } from '../domain/run';
import type { RunResponse } from '../service/client';
import { ServiceError } from '../service/errors';
import type { Admission } from './budget/budget';

/**
 * The outcome of a run that threw, and whether it may have been billed. A response with a status is a failure that
 * the service itself reported; without one, a run is `notSent` only where it is proven that no byte left.
 */
export function outcomeOf(error: unknown): { state: RunState; billed: boolean | 'cannotPay' } {
  if (!(error instanceof ServiceError)) return { state: 'unknown', billed: true };
  switch (error.kind) {
    case 'cancelled':
    case 'notConnected':
    case 'unreachable':
    case 'budgetReached':
      return { state: 'notSent', billed: false };
    case 'outcomeUnknown':
    case 'timedOut':
    case 'unreadableResponse':
      return { state: 'unknown', billed: true };
    case 'badKey':
    case 'noPermission':
    case 'notFound':
    case 'invalidRequest':
    case 'conflict':
    case 'rateLimited':
      return { state: 'failed', billed: false };
    case 'cannotPay':
      return { state: 'failed', billed: 'cannotPay' };
    case 'serviceFailing':
      return { state: 'failed', billed: true };
    default:
      return assertNever(error.kind);
  }
}

/** Sends an admitted run, and ends its admission by what may have been billed. Throws what `send` throws. */
export async function sendAdmitted(
  admission: Admission,
  send: () => Promise<RunResponse>,
): Promise<RunResponse> {
  let response: RunResponse;
  try {
    response = await send();
  } catch (error) {
    const { billed } = outcomeOf(error);
    if (billed === 'cannotPay') admission.cannotPay();
    else if (billed) admission.settle(undefined);
    else admission.release();
    throw error;
  }
  admission.settle(response.cost);
  return response;
}
