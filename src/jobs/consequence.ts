import { assertNever } from '../domain/assertNever';
import { ServiceError } from '../service/errors';

/**
 * What an error of one request means for the job:
 * - `stop`: every further request would fare the same (key, wallet, permission, model, budget)
 * - `wait`: refused for the rate; nothing was done, it is sent again after the pause
 * - `again`: it never reached the service, or was an upload, which is free: sent again after a pause
 * - `refused`: the service will not have this content; nothing was done
 * - `unknown`: it may have been executed; only the user may send it again
 * - `aborted`: the user stopped it before it left
 */
export type Setback = 'stop' | 'wait' | 'again' | 'refused' | 'unknown' | 'aborted';

export function setbackOf(error: unknown, request: 'upload' | 'run'): Setback {
  if (!(error instanceof ServiceError)) {
    // Whatever this is, it does not prove that a run was not executed: only what the client says does.
    if (request === 'run') return 'unknown';
    return isAbort(error) ? 'aborted' : 'refused';
  }
  switch (error.kind) {
    case 'notConnected':
    case 'badKey':
    case 'noPermission':
    case 'cannotPay':
    case 'notFound':
    case 'budgetReached':
      return 'stop';
    case 'rateLimited':
      return 'wait';
    case 'unreachable':
      return 'again';
    case 'serviceFailing':
    case 'timedOut':
    case 'unreadableResponse':
      // A response of 5xx, or one that nobody understands, does not prove that a run was not executed.
      return request === 'run' ? 'unknown' : 'again';
    case 'invalidRequest':
    case 'conflict':
      return 'refused';
    case 'outcomeUnknown':
      return 'unknown';
    case 'cancelled':
      return 'aborted';
    default:
      return assertNever(error.kind);
  }
}

function isAbort(error: unknown): boolean {
  // VS Code's own calls end with "Canceled" when its extension host goes.
  return error instanceof Error && (error.name === 'AbortError' || error.name === 'Canceled');
}

/** When the service takes requests again, in milliseconds since the epoch, if it told. */
export function retryAt(error: unknown): number | undefined {
  return error instanceof ServiceError ? error.details.retryAtMs : undefined;
}
