import * as vscode from 'vscode';
import type { ScopesRow } from '../../contributions';
import type { IndexingJob } from '../../indexing/indexingJobs';
import { progressText } from '../../indexing/progressText';
import type { Services } from '../../services';
import { followJob } from './jobProgress';

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
