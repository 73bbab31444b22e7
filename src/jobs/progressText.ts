import * as l10n from '@vscode/l10n';
import type { BulkPause } from '../service/client';
import { formatTimeOfDay } from '../wording/displayLanguage';
import { formatRoughDuration } from '../wording/duration';
import { formatMoney } from '../wording/money';
import { digitsApart, formatDigits } from '../wording/number';
import type { JobProgress } from './progress';

/** "Waiting until 10:04: the service limits the rate". */
export function waitingText({ untilMs, reason, serviceMessage }: BulkPause): string {
  const until = formatTimeOfDay(untilMs);
  if (reason === 'rateLimit' && serviceMessage !== undefined)
    return l10n.t('Waiting until {0}: the service limits the rate (“{1}”)', until, serviceMessage);
  return reason === 'rateLimit'
    ? l10n.t('Waiting until {0}: the service limits the rate', until)
    : l10n.t('Retrying at {0}: the service is failing or cannot be reached', until);
}

/**
 * The state of a job that is not sending; else empty.
 * @param texts while another job holds it up, and while responses to sent requests are waited for
 */
export function stateText(
  { state, waiting, isHeldUp }: Pick<JobProgress, 'state' | 'waiting' | 'isHeldUp'>,
  texts: { readonly heldUp: string; readonly stopping: string },
): string {
  switch (state) {
    case 'queued':
      return isHeldUp ? texts.heldUp : '';
    case 'running':
      return waiting ? waitingText(waiting) : '';
    case 'paused':
      return l10n.t('Paused');
    case 'stopping':
      return texts.stopping;
    case 'ended':
      return l10n.t('Finished');
  }
}

/**
 * The counts of its items by outcome, the most important first: "16 of 96", "1 failed", "79 left".
 * @param skippedText of items that another window has done
 */
export function countsText(
  {
    done,
    total,
    failed,
    unknown,
    skipped,
    remaining,
  }: Pick<JobProgress, 'done' | 'total' | 'failed' | 'unknown' | 'skipped' | 'remaining'>,
  skippedText: (count: number) => string,
): string[] {
  return [
    l10n.t('{0} of {1}', done, total),
    ...(failed > 0 ? [l10n.t('{0} failed', failed)] : []),
    ...(unknown > 0 ? [l10n.t('{0} unconfirmed', unknown)] : []),
    ...(skipped > 0 ? [skippedText(skipped)] : []),
    ...(remaining > 0 && remaining < total ? [l10n.t('{0} left', remaining)] : []),
  ];
}

/** A job in one line: its kind, its counts, rate, time left, spent, and why it stopped. */
export function lineText(
  progress: JobProgress,
  state: string,
  counts: readonly string[],
  language: string,
): string {
  const numbers = [
    ...counts,
    ...rateText(progress, language),
    ...timeText(progress, language),
    ...spentText(progress, language),
  ];
  return [state, numbers.join(', '), progress.unsaved ?? progress.reason].filter(Boolean).join(' · ');
}

/** "4.6/s"; empty while it is not known. */
export function rateText({ rate, remaining }: JobProgress, language: string): string[] {
  if (rate === undefined || remaining === 0) return [];
  const digits = digitsApart(rate, [0], rate < 10 ? 1 : 0);
  return [l10n.t('{0}/s', formatDigits(rate, digits, language))];
}

/** "17 s remaining". */
export function timeText({ remainingMs, remaining }: JobProgress, language: string): string[] {
  if (remainingMs === undefined || remaining === 0) return [];
  return [l10n.t('{0} remaining', formatRoughDuration(remainingMs, language))];
}

/** "$0.01 spent", for each currency. */
export function spentText({ spent, unpricedRuns }: JobProgress, language: string): string[] {
  return spent.map((money) =>
    unpricedRuns === undefined
      ? l10n.t('{0} spent', formatMoney(money, language))
      : l10n.t('at least {0} spent', formatMoney(money, language)),
  );
}
