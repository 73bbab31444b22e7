import type { NextStep } from '../domain/problems';
import type { RawResponse } from './client';

/** The closed set of things that can go wrong with the service. `nextStep` is what a UI offers as a button. */
export type ErrorKind =
  | 'notConnected'
  | 'badKey'
  | 'noPermission'
  | 'cannotPay'
  | 'notFound'
  | 'invalidRequest'
  | 'conflict'
  | 'rateLimited'
  | 'serviceFailing'
  | 'unreachable'
  | 'timedOut'
  | 'cancelled'
  | 'unreadableResponse'
  | 'outcomeUnknown'
  /** The user's own budget, not the service: nothing was sent. */
  | 'budgetReached';

export interface ErrorDetails {
  readonly status?: number;
  /** What the service said, shortened, as plain text. */
  readonly said?: string;
  readonly requestId?: string;
  readonly retryAtMs?: number;
  /** The response itself, when there was one: what `showRaw` shows. */
  readonly raw?: RawResponse;
  readonly cause?: unknown;
}

/** What every call of the client throws. `message` is a sentence for the user. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  constructor(
    readonly kind: ErrorKind,
    message: string,
    readonly nextStep: NextStep,
    readonly details: ErrorDetails = {},
  ) {
    super(message, { cause: details.cause });
  }
}
