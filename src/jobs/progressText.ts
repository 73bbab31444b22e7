import * as l10n from '@vscode/l10n';
import { assertNever } from '../domain/assertNever';
import { formatRoughDuration } from '../wording/duration';
import { formatMoney } from '../wording/money';
import { type JobProgress, leftToDo } from './progress';

/** Where a job stands, in one line: done, left, failures, rate, time left, spent. */
export function progressText(progress: JobProgress, language: string): string {
  const { reason } = progress;
  const state = stateText(progress);
  const numbers = [
    ...filesText(progress),
    ...rateText(progress),
    ...timeText(progress, language),
    ...spentText(progress, language),
  ];
  return [
    ...(state === '' ? [] : [state]),
    numbers.join(', '),
    ...(reason === undefined ? [] : [reason]),
  ].join(' · ');
}

/** What became of its files, the most telling first: "16 of 96", "1 failed", "79 left". */
export function filesText(progress: JobProgress): string[] {
  const { indexed, total, failed, unknown, skipped } = progress;
  const left = leftToDo(progress);
  return [
    l10n.t('{0} of {1}', indexed, total),
    ...(failed > 0 ? [l10n.t('{0} failed', failed)] : []),
    ...(unknown > 0 ? [l10n.t('{0} unconfirmed', unknown)] : []),
    ...(skipped > 0 ? [l10n.t('{0} indexed by another window', skipped)] : []),
    ...(left > 0 && left < total ? [l10n.t('{0} left', left)] : []),
  ];
}

/** How it gets on, the most telling first: why it waits, or "17 s to go", then "4.6/s", "$0.01 spent". */
export function paceText(progress: JobProgress, language: string): string[] {
  const why = progress.reason === undefined ? [] : [progress.reason];
  const wait = progress.waitingUntilMs === undefined ? [] : [stateText(progress)];
  const told = [
    ...why,
    ...wait,
    ...timeText(progress, language),
    ...rateText(progress),
    ...spentText(progress, language),
  ];
  return told.length > 0 ? told : [stateText(progress) || l10n.t('Beginning…')];
}

/** What the job is doing where that is not simply going on; else empty. */
export function stateText({ state, waitingUntilMs }: JobProgress): string {
  switch (state) {
    case 'queued':
      return l10n.t('Waiting: this scope is being indexed already');
    case 'running':
      return waitingUntilMs === undefined
        ? ''
        : l10n.t(
            'Waiting until {0}: the service limits the rate',
            new Date(waitingUntilMs).toLocaleTimeString(),
          );
    case 'paused':
      return l10n.t('Paused');
    case 'stopping':
      return l10n.t('Stopping: waiting for what was sent');
    case 'ended':
      return l10n.t('Ended');
    default:
      return assertNever(state);
  }
}

function rateText({ rate, ...progress }: JobProgress): string[] {
  if (rate === undefined || leftToDo(progress) === 0) return [];
  return [l10n.t('{0}/s', rate < 10 ? rate.toFixed(1) : Math.round(rate))];
}

function timeText({ leftMs, ...progress }: JobProgress, language: string): string[] {
  if (leftMs === undefined || leftToDo(progress) === 0) return [];
  return [l10n.t('{0} to go', formatRoughDuration(leftMs, language))];
}

function spentText({ spent }: JobProgress, language: string): string[] {
  return spent.map((money) => l10n.t('{0} spent', formatMoney(money, language)));
}
