import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { isDriftCheck } from '../../experiments/figures/driftFile';
import type { ExperimentJob } from '../../experiments/plan/experimentJobs';
import { endText, progressText } from '../../experiments/plan/progressText';
import { isInSight } from '../../platform/fileIntake/openTabs';
import { cancelJob, followJob } from '../../platform/jobProgress';
import { executeBuiltIn } from '../../vscode/commands';
import { showInformationMessage, showWarningMessage } from '../../vscode/messages/notifications';
import { ofEnvironment } from '../../wording/ofEnvironment';
import type { ExperimentRuns } from './experimentRuns';

/** Shows the runs' progress in a notification until they end or pause, then the outcome and the next steps. */
export async function followRuns(
  runs: ExperimentRuns,
  file: vscode.Uri,
  job: ExperimentJob,
  done: Promise<void>,
): Promise<void> {
  const { name } = job.head;
  await followJob(job, {
    title: l10n.t('Running {0}', name),
    progressLine: () => progressText(job.progress, vscode.env.language),
    pausedText: (reason) => l10n.t('{0} paused: {1}', name, reason),
    cancelTitle: l10n.t('Cancel Remaining Runs'),
    resume: () => runs.resume(file),
    cancel: () => cancelRuns(job),
    // Results that could not be written are reported where the runs are held.
    ended: () =>
      done.then(
        () => showEnded(runs, file, job),
        () => undefined,
      ),
  });
}

async function showEnded(
  runs: ExperimentRuns,
  file: vscode.Uri,
  { progress, head }: ExperimentJob,
): Promise<void> {
  const { failed, unknown } = progress;
  // Its outcome follows.
  if (isDriftCheck(head) && progress.done === progress.total) return;
  // The table has all but the reason of an early end.
  if (isInSight(file) && progress.reason === undefined) return;
  const text = ofEnvironment(
    head.environment,
    l10n.t('{0}: {1}', head.name, endText(progress, vscode.env.language)),
  );
  const retry = l10n.t('Retry Failed Runs');
  const open = l10n.t('Open Experiment');
  const show = failed + unknown > 0 ? showWarningMessage : showInformationMessage;
  const chosen = await show(text, ...(failed > 0 ? [retry] : []), open);
  if (chosen === retry) await runs.start(file, 'failed');
  if (chosen === open) await executeBuiltIn('vscode.open', file);
}

/** Stops sending; where responses are still missing, offers to stop waiting for them, and explains the consequence. */
export function cancelRuns(job: ExperimentJob): Promise<void> {
  return cancelJob(job, (sent) =>
    sent === 1
      ? l10n.t(
          '{0} ends when the service has responded to 1 run that was sent. If you stop waiting, it becomes unconfirmed: the service may still execute and charge it.',
          job.head.name,
        )
      : l10n.t(
          '{0} ends when the service has responded to {1} runs that were sent. If you stop waiting, they become unconfirmed: the service may still execute and charge them.',
          job.head.name,
          sent,
        ),
  );
}
