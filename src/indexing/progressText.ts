import * as l10n from '@vscode/l10n';
import type { JobProgress } from '../jobs/progress';
import type { BulkPause } from '../service/client';
import { formatRoughDuration } from '../wording/duration';
import { formatMoney } from '../wording/money';

/** "Indexed 26 of 27 files into playground for $0.013. 1 failed." */
export function endText(scope: string, progress: JobProgress, language: string): string {
  const { done, total, reason } = progress;
  const spent = progress.spent.map((money) => formatMoney(money, language)).join(', ');
  const files = total === 1 ? l10n.t('{0} of 1 file', done) : l10n.t('{0} of {1} files', done, total);
  const text =
    spent === ''
      ? l10n.t('Indexed {0} into {1}.', files, scope)
      : l10n.t('Indexed {0} into {1} for {2}.', files, scope, spent);
  const others = filesText(progress).slice(1).join(', ');
  return [text, others && `${others}.`, reason].filter(Boolean).join(' ');
}

/** The state of a job in one line: done, left, failures, rate, time left, spent. */
export function progressText(progress: JobProgress, language: string): string {
  const numbers = [
    ...filesText(progress),
    ...rateText(progress),
    ...timeText(progress, language),
    ...spentText(progress, language),
  ];
  return [stateText(progress), numbers.join(', '), progress.reason].filter(Boolean).join(' · ');
}

/** What became of its files, the most important first: "16 of 96", "1 failed", "79 left". */
export function filesText(progress: JobProgress): string[] {
  const { done, total, failed, unknown, skipped, remaining } = progress;
  return [
    l10n.t('{0} of {1}', done, total),
    ...(failed > 0 ? [l10n.t('{0} failed', failed)] : []),
    ...(unknown > 0 ? [l10n.t('{0} unconfirmed', unknown)] : []),
    ...(skipped > 0 ? [l10n.t('{0} indexed by another window', skipped)] : []),
    ...(remaining > 0 && remaining < total ? [l10n.t('{0} left', remaining)] : []),
  ];
}

/** Its pace, the most important first: why it waits, or "17 s remaining", then "4.6/s", "$0.01 spent". */
export function paceText(progress: JobProgress, language: string): string[] {
  const texts = [
    ...(progress.reason === undefined ? [] : [progress.reason]),
    ...(progress.waiting ? [stateText(progress)] : []),
    ...timeText(progress, language),
    ...rateText(progress),
    ...spentText(progress, language),
  ];
  return texts.length > 0 ? texts : [stateText(progress) || l10n.t('Starting…')];
}

const STATES: Readonly<Record<JobProgress['state'], (waiting: BulkPause | undefined) => string>> = {
  queued: () => l10n.t('Waiting: another job is indexing into this scope'),
  running: (waiting) => (waiting ? waitingText(waiting) : ''),
  paused: () => l10n.t('Paused'),
  stopping: () => l10n.t('Stopping: waiting for responses to sent files'),
  ended: () => l10n.t('Finished'),
};

/** What the job is doing when it is not sending; else empty. */
export function stateText({ state, waiting }: Pick<JobProgress, 'state' | 'waiting'>): string {
  return STATES[state](waiting);
}

function waitingText({ untilMs, reason }: BulkPause): string {
  const until = new Date(untilMs).toLocaleTimeString();
  return reason === 'rateLimit'
    ? l10n.t('Waiting until {0}: the service limits the rate', until)
    : l10n.t('Retrying at {0}: the service is failing or cannot be reached', until);
}

function rateText({ rate, remaining }: JobProgress): string[] {
  if (rate === undefined || remaining === 0) return [];
  return [l10n.t('{0}/s', rate < 10 ? rate.toFixed(1) : Math.round(rate))];
}

function timeText({ remainingMs, remaining }: JobProgress, language: string): string[] {
  if (remainingMs === undefined || remaining === 0) return [];
  return [l10n.t('{0} remaining', formatRoughDuration(remainingMs, language))];
}

function spentText({ spent }: JobProgress, language: string): string[] {
  return spent.map((money) => l10n.t('{0} spent', formatMoney(money, language)));
}
