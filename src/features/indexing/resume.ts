import * as l10n from '@vscode/l10n';
import type { InterruptedIndexingJob } from '../../indexing/indexingJobs';
import type { IndexHead } from '../../indexing/indexKind';
import { interruptedCounts } from '../../jobs/interruptedCounts';
import type { Services } from '../../services';
import { isConfirmed } from '../../vscode/dialogs';
import { showInformationMessage } from '../../vscode/messages/notifications';
import { ofEnvironment } from '../../wording/ofEnvironment';
import { followIndexing } from './jobProgress';

/** The notification may go away; the job's row in Scopes stays. */
export async function offerResume(services: Services, interrupted: InterruptedIndexingJob): Promise<void> {
  const { head, counts: items } = interrupted;
  const { remaining, total, unconfirmed } = interruptedCounts(items);
  const counts = [head.scope, remaining, total, unconfirmed];
  const message =
    unconfirmed > 0
      ? l10n.t('Indexing into {0} was interrupted. {1} of {2} files remain, {3} are unconfirmed.', ...counts)
      : l10n.t('Indexing into {0} was interrupted. {1} of {2} files remain.', ...counts);
  const resume = l10n.t('Resume');
  const discard = l10n.t('Discard Remaining Files');
  const place = `${head.environment}, ${head.baseUrl}`;
  const chosen = await showInformationMessage(ofEnvironment(place, message), resume, discard);
  if (chosen === discard) await discardInterrupted(services, interrupted);
  if (chosen === resume) await resumeInterrupted(services, interrupted);
}

/** Resumes an interrupted job in its own environment, and follows it. */
export async function resumeInterrupted(
  services: Services,
  interrupted: InterruptedIndexingJob,
): Promise<void> {
  const { head } = interrupted;
  if (!(await mayResume(services, head))) return;
  // Before its first run: a 402 of earlier would pause it.
  (await services.guard()).approve(head.baseUrl);
  const job = await services.jobs.resume(interrupted);
  await services.jobs.lookForInterrupted();
  if (!job) throw new Error(resumedElsewhere());
  await followIndexing(services, job);
}

/** Ends an interrupted job: sending stops, and requests without a response become unconfirmed. */
export async function discardInterrupted(
  { jobs }: Services,
  interrupted: InterruptedIndexingJob,
): Promise<void> {
  const isDiscarded = await jobs.discard(interrupted);
  await jobs.lookForInterrupted();
  if (!isDiscarded) throw new Error(resumedElsewhere());
}

/** From the job's row: asks first, since a row is easily hit. */
export async function askDiscardInterrupted(
  services: Services,
  interrupted: InterruptedIndexingJob,
): Promise<void> {
  const { unconfirmed } = interruptedCounts(interrupted.counts);
  const question = l10n.t('Discard the remaining files of indexing into {0}?', interrupted.head.scope);
  const detail =
    unconfirmed === 0
      ? l10n.t('Nothing more is sent. What is indexed stays indexed.')
      : l10n.t(
          'Nothing more is sent. What is indexed stays indexed, and {0} files that were sent without a response are listed as unconfirmed.',
          unconfirmed,
        );
  if (await isConfirmed(question, detail, l10n.t('Discard Remaining Files')))
    await discardInterrupted(services, interrupted);
}

/** A job into production is confirmed when it goes on, too. */
async function mayResume(
  { connection }: Services,
  { environment, baseUrl, scope }: IndexHead,
): Promise<boolean> {
  if (!connection.isProduction({ name: environment })) return true;
  const question = l10n.t(
    'Resume indexing into {0} of {1}, which is marked as production?',
    scope,
    `${environment}, ${baseUrl}`,
  );
  const detail = l10n.t('The remaining files are sent and charged.');
  return isConfirmed(question, detail, l10n.t('Resume'));
}

function resumedElsewhere(): string {
  return l10n.t('Another window has resumed this job. Its progress is in the Scopes view there.');
}
