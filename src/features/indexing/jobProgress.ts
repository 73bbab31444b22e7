import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ScopesRow } from '../../contributions';
import type { IndexingJob } from '../../indexing/indexingJobs';
import { endText, progressText } from '../../indexing/progressText';
import { cancelJob, followJob } from '../../platform/jobProgress';
import type { Services } from '../../services';
import { executeBuiltIn, executeCommand } from '../../vscode/commands';
import { showQuickPick } from '../../vscode/messages/inputs';
import { showInformationMessage, showWarningMessage } from '../../vscode/messages/notifications';
import { noteStepDone } from '../../vscode/walkthrough';
import { ofEnvironment } from '../../wording/ofEnvironment';

/** Shows a job's progress in a notification until it ends or pauses, then the outcome and the next steps. */
export function followIndexing(services: Services, job: IndexingJob): Promise<void> {
  const { scope } = job.head;
  return followJob(job, {
    title: l10n.t('Indexing into {0}', scope),
    progressLine: () => progressText(job.progress, vscode.env.language),
    pausedText: (reason) => l10n.t('Indexing into {0} paused: {1}', scope, reason),
    cancelTitle: l10n.t('Cancel Remaining Files'),
    resume: () => resumeJob(services, job),
    cancel: () => cancelIndexing(job),
    ended: () => showEnded(services, job),
  });
}

async function showEnded(services: Services, job: IndexingJob): Promise<void> {
  const { progress } = job;
  const { environment, scope } = job.head;
  if (progress.done > 0) void noteStepDone(services.context.globalState, 'index');
  const text = ofEnvironment(environment, endText(scope, progress, vscode.env.language));
  const search = l10n.t('Search Scope…');
  const searches = progress.done > 0 ? [search] : [];
  const row = datasetRow(job);
  const bad = progress.failed + progress.unknown;
  if (bad === 0) {
    const scopes = l10n.t('Show Scopes');
    const chosen = await showInformationMessage(text, ...searches, scopes);
    if (chosen === search) await executeCommand('modelBench.searchScope', row);
    if (chosen === scopes) await executeBuiltIn('modelBench.scopes.focus');
    return;
  }
  const files = progress.failed > 0 ? l10n.t('Show Failed Files') : l10n.t('Show Unconfirmed Files');
  const chosen = await showWarningMessage(text, files, ...searches);
  if (chosen === search) await executeCommand('modelBench.searchScope', row);
  if (chosen === files) await executeCommand('modelBench.showFailedFiles', row);
}

/** Stops sending; where responses are still missing, offers to stop waiting for them, and explains the consequence. */
export function cancelIndexing(job: IndexingJob): Promise<void> {
  return cancelJob(job, (sent) =>
    sent === 1
      ? l10n.t(
          'Indexing into {0} ends when the service has responded to 1 file that was sent. If you stop waiting, it becomes unconfirmed: the service may still index and charge it.',
          job.head.scope,
        )
      : l10n.t(
          'Indexing into {0} ends when the service has responded to {1} files that were sent. If you stop waiting, they become unconfirmed: the service may still index and charge them.',
          job.head.scope,
          sent,
        ),
  );
}

/** The job of a row; from the palette the only one, or the one the user chooses. */
export async function jobOf(
  { jobs }: Services,
  row: ScopesRow | undefined,
): Promise<IndexingJob | undefined> {
  if (row) return row.job && jobs.of(row.job.head.id);
  const [first, ...others] = jobs.running;
  if (!first) {
    void showInformationMessage(l10n.t('Nothing is being indexed in this window.'));
    return undefined;
  }
  if (others.length === 0) return first;
  const items = jobs.running.map((job) => ({
    label: job.head.scope,
    description: `${job.head.modelName} · ${job.head.environment}`,
    detail: progressText(job.progress, vscode.env.language),
    job,
  }));
  const title = l10n.t('Which job?');
  return (await showQuickPick(items, { title, matchOnDescription: true }))?.job;
}

export async function resumeJob(services: Services, job: IndexingJob): Promise<void> {
  (await services.guard()).approve(job.head.baseUrl);
  job.resume();
  void followIndexing(services, job);
}

/** The dataset of a job, as an argument of commands: of the job's environment, even if another is active. */
function datasetRow({ head: { id, baseUrl, model, scope } }: IndexingJob): ScopesRow {
  return { kind: 'dataset', id, dataset: { baseUrl, model, scope } };
}
