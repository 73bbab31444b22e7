import * as l10n from '@vscode/l10n';
import type { NextStep } from '../domain/problems';
import type { RawResponse } from './client';
import { type ErrorDetails, type ErrorKind, ServiceError } from './errors';
import { readError } from './reading/error';

// One factory for each failure: the only place where a ServiceError is made, and the only place where a
// status code becomes a kind.

export const notConnected = () =>
  new ServiceError(
    'notConnected',
    l10n.t('There is no API key for this environment yet. Connect to the service first.'),
    'connect',
  );

export const unusableKey = () =>
  new ServiceError(
    'badKey',
    l10n.t('The API key contains characters that cannot be sent. Copy it again and set it anew.'),
    'setApiKey',
  );

export const badBaseUrl = (message: string) => new ServiceError('invalidRequest', message, 'connect');

export const badPathParameter = (parameter: string) =>
  new ServiceError(
    'invalidRequest',
    l10n.t('“{0}” cannot be the name of a model.', shorten(parameter)),
    'fixInput',
  );

/** The request was refused here, before anything was sent. */
export const badRequest = (message: string) => new ServiceError('invalidRequest', message, 'fixInput');

export const cancelled = (cause?: unknown) =>
  new ServiceError('cancelled', l10n.t('Cancelled. Nothing more is sent.'), 'none', { cause });

export const timedOut = (cause?: unknown) =>
  new ServiceError(
    'timedOut',
    l10n.t('The service did not response in time. Try again, or look into the log.'),
    'retry',
    { cause },
  );

export const gaveUpBeforeSending = () =>
  new ServiceError(
    'timedOut',
    l10n.t('The time to wait was over before the request could be sent. Nothing was run.'),
    'retry',
  );

/** A 429 whose pause is longer than the caller wants to wait. */
export const paused = (untilMs: number, details: ErrorDetails = {}) =>
  new ServiceError(
    'rateLimited',
    l10n.t('The service limits the rate of requests. The next one may be sent at {0}.', timeOfDay(untilMs)),
    'retry',
    { ...details, retryAtMs: untilMs },
  );

export const redirected = (raw: RawResponse, target: string | undefined) =>
  new ServiceError(
    'unreadableResponse',
    target === undefined
      ? l10n.t('The service answered with a redirect that is not followed. Check the base URL.')
      : l10n.t(
          'The service redirects to {0}. A redirect is not followed with an API key or a request: check the base URL.',
          target,
        ),
    'connect',
    said(raw),
  );

export const responseTooLarge = (cause: unknown) =>
  new ServiceError(
    'unreadableResponse',
    l10n.t('The response is larger than can be held in memory. Ask the model for less at a time.'),
    'showLog',
    { cause },
  );

/** A response that came, but misses what the next step needs. */
export const unreadable = (what: string, raw: RawResponse) =>
  new ServiceError('unreadableResponse', what, 'showRaw', { ...said(raw), raw });

export const noCatalog = (raw: RawResponse) =>
  unreadable(
    l10n.t(
      'The service answered, but not with a list of models. Look at its response as it came, or check the base URL.',
    ),
    raw,
  );

export const fileChanged = (filename: string, cause?: unknown) =>
  new ServiceError(
    'invalidRequest',
    l10n.t('“{0}” changed while it was being uploaded. Upload it again once it is saved.', filename),
    'retry',
    { cause },
  );

export const fileUnreadable = (filename: string, cause: unknown) =>
  new ServiceError(
    'invalidRequest',
    l10n.t('“{0}” could not be read: {1}', filename, causeText(cause)),
    'fixInput',
    { cause },
  );

export const unsafeUploadAddress = (raw: RawResponse) =>
  new ServiceError(
    'unreadableResponse',
    l10n.t('The service named an upload address that is not secure (https). Nothing was sent there.'),
    'showRaw',
    { ...said(raw), raw },
  );

/** The bytes of a run may have left, and no response tells what became of it. */
export function outcomeUnknown(why: string, details: ErrorDetails = {}): ServiceError {
  return new ServiceError(
    'outcomeUnknown',
    l10n.t(
      '{0} The run may have been executed and charged; it is not sent again by itself. Look at the activity before you decide.',
      why,
    ),
    'showUsage',
    details,
  );
}

/** A connection that failed. `host` is shown; the sentence follows from the system's error code. */
export function unreachable(host: string, cause: unknown): ServiceError {
  return new ServiceError('unreachable', connectionSentence(host, cause), 'retry', { cause });
}

/** Why a connection failed, as a sentence. */
export function connectionSentence(host: string, cause: unknown): string {
  const code = errorCode(cause);
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return l10n.t('The host {0} was not found. Check the base URL and the network.', host);
  if (code === 'ECONNREFUSED') return l10n.t('{0} refused the connection. Is the service running?', host);
  if (code === 'PROXY_407')
    return l10n.t(
      'The proxy asks for a user name and password. Set http.proxyAuthorization or the proxy URL.',
    );
  if (code === 'PROXY')
    return l10n.t('The proxy did not open a connection to {0}: {1}', host, causeText(cause));
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return l10n.t('The certificate of {0} is for another host. Check the base URL.', host);
  if (code !== undefined && /CERT|SIGNATURE|SELF_SIGNED|ERR_TLS|ERR_SSL/.test(code))
    return l10n.t(
      'The certificate of {0} could not be verified ({1}). If a proxy of your organisation inspects traffic, its certificate has to be installed in the system.',
      host,
      code,
    );
  return l10n.t('The connection to {0} failed: {1}', host, causeText(cause));
}

/** The status of a response that is no success, as an error. The one home of status → kind. */
export function refused(raw: RawResponse, retryAtMs?: number): ServiceError {
  const details = said(raw);
  const words = details.said;
  const make = (kind: ErrorKind, next: NextStep, sentence: string) =>
    new ServiceError(kind, words === undefined ? sentence : `${sentence} ${quote(words)}`, next, {
      ...details,
      raw,
    });
  switch (raw.status) {
    case 401:
      return make('badKey', 'setApiKey', l10n.t('The service does not accept the API key.'));
    case 402:
      return make('cannotPay', 'showUsage', l10n.t('The wallet of this workspace cannot pay for it.'));
    case 403:
      return make('noPermission', 'setApiKey', l10n.t('The API key has no permission for this.'));
    case 404:
    case 410:
      return make('notFound', 'refresh', l10n.t('The service does not know this (any more).'));
    case 408:
      return make('timedOut', 'retry', l10n.t('The service gave up waiting for the request.'));
    case 409:
      return make('conflict', 'refresh', l10n.t('This conflicts with the present state at the service.'));
    case 429:
      return new ServiceError(
        'rateLimited',
        retryAtMs === undefined
          ? l10n.t('The service limits the rate of requests. Wait a little before you try again.')
          : paused(retryAtMs).message,
        'retry',
        { ...details, raw, retryAtMs },
      );
    default:
      if (raw.status >= 500)
        return make('serviceFailing', 'retry', l10n.t('The service is failing (status {0}).', raw.status));
      if (raw.status >= 400)
        return make('invalidRequest', 'fixInput', l10n.t('The service refused the request.'));
      return make(
        'unreadableResponse',
        'showRaw',
        l10n.t('The service gave a response of an unexpected kind (status {0}).', raw.status),
      );
  }
}

function said(raw: RawResponse): ErrorDetails {
  const { said, requestId } = readError(raw);
  return { status: raw.status, said, requestId, raw };
}

function quote(words: string): string {
  return l10n.t('It said: “{0}”', words);
}

function shorten(text: string): string {
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}

function timeOfDay(ms: number): string {
  return new Date(ms).toLocaleTimeString(undefined, { timeStyle: 'medium' });
}

/** The code of the deepest error that has one: undici and TLS wrap what the system said. */
export function errorCode(error: unknown, depth = 0): string | undefined {
  if (typeof error !== 'object' || error === null || depth > 5) return undefined;
  const { code, cause, errors } = error as { code?: unknown; cause?: unknown; errors?: unknown };
  const inner =
    errorCode(cause, depth + 1) ?? (Array.isArray(errors) ? errorCode(errors[0], depth + 1) : undefined);
  return inner ?? (typeof code === 'string' ? code : undefined);
}

/** An error in words that a sentence can take up; never empty. */
export function causeText(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return causeText(error.errors[0]);
  if (error instanceof Error && error.message !== '') return error.message.replace(/\s+/g, ' ').slice(0, 200);
  return errorCode(error) ?? l10n.t('no reason was given');
}
