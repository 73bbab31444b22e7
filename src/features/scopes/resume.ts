import * as vscode from 'vscode';
import type { LeftJob } from '../../indexing/openJob';
import type { IndexingParts } from './indexMedia';
import { followJob } from './jobProgress';

/** A lock of a killed host goes stale within this time. */
const LOOK_AGAIN_MS = 11_000;

/** Offers jobs that a closed or killed window left, at start and once more when their locks have gone stale. */
export async function offerLeftJobs(parts: IndexingParts): Promise<void> {
  const { listJobFiles } = await import('../../indexing/jobJournal');
  if ((await listJobFiles(parts.jobs.folder)).length === 0) return;
  const { leftJobs } = await import('../../indexing/openJob');
  const offered = new Set<string>();
  for (let look = 0; look < 2; look++) {
    const { left, held } = await leftJobs(parts.jobs.folder);
    for (const job of left) {
      if (offered.has(job.file) || parts.jobs.of(job.record.head.id)) continue;
      offered.add(job.file);
      void offer(parts, job);
    }
    if (held === 0) return;
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
  }
}

async function offer(parts: IndexingParts, left: LeftJob): Promise<void> {
  const { head, items } = left.record;
  const active = parts.services.connection.active;
  const open = items.filter(({ state }) => state === 'planned' || state === 'uploaded').length;
  const unknown = items.filter(({ state }) => state === 'inFlight').length;
  const words =
    unknown > 0
      ? vscode.l10n.t(
          'Indexing into {0} was interrupted: {1} of {2} files are left, and of {3} that were sent the answer is unknown.',
          head.scope,
          open,
          items.length,
          unknown,
        )
      : vscode.l10n.t(
          'Indexing into {0} was interrupted: {1} of {2} files are left.',
          head.scope,
          open,
          items.length,
        );
  const resume = vscode.l10n.t('Resume');
  const discard = vscode.l10n.t('Discard the Rest');
  const elsewhere =
    active?.baseUrl === head.baseUrl
      ? ''
      : ` ${vscode.l10n.t('Switch to {0} to resume it.', head.environment)}`;
  const chosen = await vscode.window.showInformationMessage(`${words}${elsewhere}`, resume, discard);
  if (chosen === undefined) return;
  const job = await parts.jobs.goOn(left);
  if (!job) return;
  if (chosen === resume) {
    (await parts.services.guard()).approve(head.baseUrl);
    await followJob(parts, job);
  } else {
    // What is known, and what is unknown, goes into the ledger; nothing more is sent.
    job.cancel();
  }
}
