import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { isDriftCheck } from '../../experiments/figures/driftFile';
import { discardExperiment, type InterruptedExperiment } from '../../experiments/plan/experimentJobs';
import { interruptedCounts } from '../../jobs/interruptedCounts';
import type { Services } from '../../services';
import { executeCommand } from '../../vscode/commands';
import { showInformationMessage } from '../../vscode/messages/notifications';
import { ofEnvironment } from '../../wording/ofEnvironment';
import type { ExperimentRuns } from './experimentRuns';

/** Offers the rest of an experiment whose window was closed or killed. */
export async function offerExperiment(
  services: Services,
  runs: ExperimentRuns,
  job: InterruptedExperiment,
): Promise<void> {
  const { head, counts } = job;
  const { remaining, total, unconfirmed } = interruptedCounts(counts);
  const facts = [head.name, remaining, total, unconfirmed];
  const message =
    unconfirmed > 0
      ? l10n.t('{0} was interrupted. {1} of {2} runs remain, {3} are unconfirmed.', ...facts)
      : l10n.t('{0} was interrupted. {1} of {2} runs remain.', ...facts);
  const resume = l10n.t('Resume');
  const discard = l10n.t('Discard Remaining Runs');
  const place = `${head.environment}, ${head.baseUrl}`;
  const chosen = await showInformationMessage(ofEnvironment(place, message), resume, discard);
  const file = vscode.Uri.file(head.file);
  if (chosen === resume)
    await (isDriftCheck(head) ? executeCommand('modelBench.checkDrift', file) : runs.resume(file));
  if (chosen !== discard) return;
  const isDiscarded = await discardExperiment(await services.store(), job);
  await runs.lookForInterrupted();
  if (!isDiscarded) throw new Error(l10n.t('Another window has resumed this job and shows its progress.'));
}
