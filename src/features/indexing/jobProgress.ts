import * as vscode from 'vscode';
import type { ScopesRow } from '../../contributions';
import type { IndexingJob } from '../../indexing/indexingJobs';
import { endText, progressText } from '../../indexing/progressText';
import { executeBuiltIn, executeCommand } from '../../platform/commands';
import { actionFor, runAction } from '../../platform/showError';
import type { IndexingJobs, Services } from '../../services';

/** How often the notification is updated. */
const SHOW_EVERY_MS = 250;

/** Shows a job's progress in a notification until it ends or pauses, then the outcome and the next steps. */
export async function followJob(services: Services, job: IndexingJob): Promise<void> {
  const title = vscode.l10n.t('Indexing into {0}', job.head.scope);
  await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title, cancellable: true },
    (progress, token) => untilQuiet(services.jobs, job, progress, token),
  );
  if (job.progress.state === 'paused') await showPaused(services, job);
  else await showEnded(job);
}

function untilQuiet(
  jobs: IndexingJobs,
  job: IndexingJob,
  progress: vscode.Progress<{ message?: string; increment?: number }>,
  token: vscode.CancellationToken,
): Promise<void> {
  let shown = 0;
  return new Promise((resolve) => {
    const stopIfQuiet = () => {
      if (job.progress.state === 'paused' || job.progress.state === 'ended') stop();
    };
    const show = () => {
      const { total, remaining } = job.progress;
      const done = ((total - remaining) / Math.max(1, total)) * 100;
      const message = progressText(job.progress, vscode.env.language);
      progress.report({ message, increment: Math.max(0, done - shown) });
      shown = done;
      stopIfQuiet();
    };
    const timer = setInterval(show, SHOW_EVERY_MS);
    const listening = jobs.onDidProgress((moved) => moved === job && stopIfQuiet());
    const stop = () => {
      clearInterval(timer);
      listening.dispose();
      resolve();
    };
    token.onCancellationRequested(() => job.cancel());
    job.done.then(stop, stop);
    show();
  });
}

async function showPaused(services: Services, job: IndexingJob): Promise<void> {
  const { reason, nextStep } = job.progress;
  // A pause by the user needs no message: the tree shows it.
  if (reason === undefined) return;
  const resume = vscode.l10n.t('Resume');
  const cancel = vscode.l10n.t('Cancel Remaining Files');
  const wayOn = actionFor(nextStep ?? 'none');
  const chosen = await vscode.window.showWarningMessage(
    vscode.l10n.t('Indexing into {0} paused: {1}', job.head.scope, reason),
    ...(wayOn ? [wayOn.title] : []),
    resume,
    cancel,
  );
  if (wayOn && chosen === wayOn.title) {
    await runAction(wayOn);
    // The budget may have been raised, or the wallet topped up, by now: ask again.
    if (job.progress.state === 'paused') return showPaused(services, job);
  }
  if (chosen === cancel) job.cancel();
  if (chosen !== resume) return;
  await resumeJob(services, job);
}

async function showEnded(job: IndexingJob): Promise<void> {
  const { progress } = job;
  const { model, scope } = job.head;
  const text = endText(scope, progress, vscode.env.language);
  const search = vscode.l10n.t('Search Scope…');
  const failures = vscode.l10n.t('Show Scopes');
  const show =
    progress.failed + progress.unknown > 0
      ? vscode.window.showWarningMessage
      : vscode.window.showInformationMessage;
  const chosen = await show(text, ...(progress.done > 0 ? [search] : []), failures);
  if (chosen === search) await executeCommand('modelBench.searchScope', { model, scope });
  if (chosen === failures) await executeBuiltIn('modelBench.scopes.focus');
}

/** The job of a row; from the palette the only one, or the one the user chooses. */
export async function jobOf(
  { jobs }: Services,
  row: ScopesRow | undefined,
): Promise<IndexingJob | undefined> {
  if (row) return row.job && jobs.of(row.job.head.id);
  const [first, ...others] = jobs.running;
  if (!first) {
    void vscode.window.showInformationMessage(vscode.l10n.t('Nothing is being indexed in this window.'));
    return undefined;
  }
  if (others.length === 0) return first;
  const items = jobs.running.map((job) => ({
    label: job.head.scope,
    description: job.head.modelName,
    detail: progressText(job.progress, vscode.env.language),
    job,
  }));
  const title = vscode.l10n.t('Which job?');
  return (await vscode.window.showQuickPick(items, { title, matchOnDescription: true }))?.job;
}

export async function resumeJob(services: Services, job: IndexingJob): Promise<void> {
  (await services.guard()).approve(job.head.baseUrl);
  job.resume();
  void followJob(services, job);
}
