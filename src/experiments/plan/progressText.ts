import * as l10n from '@vscode/l10n';
import type { JobProgress } from '../../jobs/progress';
import { countsText, lineText, spentText, stateText } from '../../jobs/progressText';

/** The runs of an experiment in one line: done, left, failures, rate, time left, spent. */
export function progressText(progress: JobProgress, language: string): string {
  const state = stateText(progress, {
    heldUp: l10n.t('Waiting: another window is running this experiment'),
    stopping: l10n.t('Stopping: waiting for responses to sent runs'),
  });
  return lineText(progress, state, runsText(progress), language);
}

/** "120 of 128 runs finished for $0.12. 2 failed, 6 left." */
export function endText(progress: JobProgress, language: string): string {
  const { done, total } = progress;
  const finished = l10n.t('{0} of {1} runs finished.', done, total);
  const others = [...runsText(progress).slice(1), ...spentText(progress, language)].join(', ');
  return [finished, others && `${others}.`, progress.reason].filter(Boolean).join(' ');
}

function runsText(progress: JobProgress): string[] {
  const { skipped, leftOut = 0 } = progress;
  return [
    ...countsText({ ...progress, skipped: skipped - leftOut }, (count) =>
      l10n.t('{0} run by another window', count),
    ),
    ...(leftOut > 0 ? [l10n.t('{0} left out, since their columns ended early', leftOut)] : []),
  ];
}
