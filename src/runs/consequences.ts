import { assertNever } from '../domain/assertNever';
import type { RunState } from '../domain/run';
import { ServiceError } from '../service/errors';

/**
 * What a run that threw has become, and whether it may have been billed. A response with a status is a failure that
 * the service itself reported; without one, only what is known to have happened before the bytes left was not sent.
 */
export function consequences(error: unknown): { state: RunState; billed: boolean | 'cannotPay' } {
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
