import * as l10n from '@vscode/l10n';
import type { JobProgress } from '../jobs/progress';
import {
  countsText,
  stateText as jobState,
  lineText,
  rateText,
  spentText,
  timeText,
} from '../jobs/progressText';
import { formatMoney } from '../wording/money';

/** "Indexed 26 of 27 files into playground for $0.013. 1 failed." */
export function endText(scope: string, progress: JobProgress, language: string): string {
  const { done, total, reason } = progress;
  const spent = progress.spent.map((money) => formatMoney(money, language)).join(', ');
  const files = total === 1 ? l10n.t('{0} of 1 file', done) : l10n.t('{0} of {1} files', done, total);
  const text =
    spent === ''
      ? l10n.t('Indexed {0} into {1}.', files, scope)
      : progress.unpricedRuns !== undefined
        ? l10n.t('Indexed {0} into {1} for at least {2}.', files, scope, spent)
        : l10n.t('Indexed {0} into {1} for {2}.', files, scope, spent);
  const others = filesText(progress).slice(1).join(', ');
  return [text, others && `${others}.`, reason].filter(Boolean).join(' ');
}

/** The state of a job in one line: done, left, failures, rate, time left, spent. */
export function progressText(progress: JobProgress, language: string): string {
  return lineText(progress, stateText(progress), filesText(progress), language);
}

/** The counts of its files by outcome, the most important first: "16 of 96", "1 failed", "79 left". */
export function filesText(progress: Parameters<typeof countsText>[0]): string[] {
  return countsText(progress, (skipped) => l10n.t('{0} indexed by another window', skipped));
}

/** Its pace, the most important first: why it waits, or "17 s remaining", then "4.6/s", "$0.01 spent". */
export function paceText(progress: JobProgress, language: string): string[] {
  const texts = [
    ...[progress.unsaved ?? progress.reason ?? []].flat(),
    ...(progress.waiting ? [stateText(progress)] : []),
    ...timeText(progress, language),
    ...rateText(progress, language),
    ...spentText(progress, language),
  ];
  return texts.length > 0 ? texts : [stateText(progress) || l10n.t('Starting…')];
}

/** The state of a job that is not sending; else empty. */
export function stateText(progress: Parameters<typeof jobState>[0]): string {
  return jobState(progress, {
    heldUp: l10n.t('Waiting: another job is indexing into this scope'),
    stopping: l10n.t('Stopping: waiting for responses to sent files'),
  });
}
