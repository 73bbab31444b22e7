import * as vscode from 'vscode';
import type { InterruptedIndexingJob } from '../../indexing/indexingJobs';
import { executeCommand } from '../../platform/commands';
import { showError } from '../../platform/showError';
import type { Services } from '../../services';
import { followJob } from './jobProgress';

/** A lock of a killed host goes stale within this time. */
const LOOK_AGAIN_MS = 11_000;

/** Offers interrupted jobs, at start and again when the locks of killed windows are stale. */
export async function offerResume(services: Services): Promise<void> {
  const { listJobFiles } = await import('../../jobs/jobJournal');
  if ((await listJobFiles(services.jobs.folder)).length === 0) return;
  const { interruptedIndexingJobs } = await import('../../indexing/indexingJobs');
  const offered = new Set<string>();
  for (let look = 0; look < 2; look++) {
    const { interrupted, held } = await interruptedIndexingJobs(services.jobs.folder);
    for (const job of interrupted) {
      if (offered.has(job.file) || services.jobs.of(job.record.head.id)) continue;
      offered.add(job.file);
      offer(services, job).catch((error: unknown) => showError(error, services.log));
    }
    if (held === 0) return;
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
  }
}

async function offer(services: Services, interrupted: InterruptedIndexingJob): Promise<void> {
  const { head, items } = interrupted.record;
  const active = services.connection.active;
  const open = items.filter(({ state }) => state === 'planned' || state === 'ready').length;
  const unknown = items.filter(({ state }) => state === 'inFlight').length;
  const counts = [head.scope, open, items.length, unknown];
  const message =
    unknown > 0
      ? vscode.l10n.t(
          'Indexing into {0} was interrupted. {1} of {2} files remain, {3} are unconfirmed.',
          ...counts,
        )
      : vscode.l10n.t('Indexing into {0} was interrupted. {1} of {2} files remain.', ...counts);
  const isHere = active?.baseUrl === head.baseUrl;
  const resume = isHere ? vscode.l10n.t('Resume') : vscode.l10n.t('Switch Environment…');
  const discard = vscode.l10n.t('Discard Remaining Files');
  const elsewhere = isHere ? '' : ` ${vscode.l10n.t('Switch to {0} to resume it.', head.environment)}`;
  const chosen = await vscode.window.showInformationMessage(`${message}${elsewhere}`, resume, discard);
  if (chosen === discard) {
    if (!(await services.jobs.discard(interrupted))) throw new Error(resumedElsewhere());
    return;
  }
  if (chosen !== resume) return;
  if (!isHere) {
    await executeCommand('modelBench.switchEnvironment');
    return offer(services, interrupted);
  }
  const job = await services.jobs.resume(interrupted);
  if (!job) throw new Error(resumedElsewhere());
  (await services.guard()).approve(head.baseUrl);
  await followJob(services, job);
}

function resumedElsewhere(): string {
  return vscode.l10n.t('Another window has resumed this job. Its progress is in the Scopes view there.');
}
