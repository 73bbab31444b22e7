import * as l10n from '@vscode/l10n';

interface Wait {
  /** `unavailable` after a 503 that named a time. */
  readonly reason?: 'rateLimit' | 'unavailable' | undefined;
  /** The service's own sentence. */
  readonly serviceMessage?: string | undefined;
}

/** Why requests wait, in one or two sentences: the rate is only said to be limited after a 429. */
export function whyWaitingText({ reason, serviceMessage }: Wait): string {
  const why =
    reason === 'unavailable'
      ? l10n.t('The service is unavailable for now.')
      : l10n.t('The service limits the rate of requests.');
  return serviceMessage === undefined ? why : `${why} ${l10n.t('Service message: “{0}”', serviceMessage)}`;
}
