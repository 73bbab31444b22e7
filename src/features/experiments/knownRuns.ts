import { basename } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { clientOf } from '../../connection/clientOf';
import { loggedError } from '../../domain/loggedError';
import { acceptedExperimentRuns } from '../../experiments/plan/acceptedRuns';
import { experimentJobs } from '../../experiments/plan/experimentJobs';
import type { KnownRunChoices } from '../../experiments/plan/wantedRuns';
import { UnreadableLines } from '../../experiments/results/resultsFile';
import { ResultsWriter } from '../../experiments/results/resultsWriter';
import { followAccepted, readKept, requestsOf } from '../../jobs/followAccepted';
import type { Services } from '../../services';
import type { KeptOutcome } from '../../store/experimentResults';
import { executeBuiltIn } from '../../vscode/commands';
import { showErrorMessage, showInformationMessage } from '../../vscode/messages/notifications';

/**
 * Asks the user about runs that were paid and that the file lacks, after the service about those that it has accepted.
 * @param results absolute path of the results file
 */
export async function knownRunQuestions(services: Services, results: string): Promise<KnownRunChoices> {
  const store = await services.store();
  return {
    async accepted(customIds) {
      const all = acceptedExperimentRuns(store, clientOf(services.connection));
      const parts = { ...all, isWanted: requestsOf(all.jobs, results, customIds) };
      await readKept(parts);
      await followAccepted(parts, undefined, { once: true });
    },
    use: (kept, open) => askAboutKept(kept, open, results),
  };
}

/** IDs of runs that the service has accepted, of jobs that have ended. @param results as above */
export async function acceptedIds(services: Services, results: string): Promise<ReadonlySet<string>> {
  const runs = experimentJobs(await services.store()).acceptedRuns(results);
  return new Set(runs.flatMap(({ items }) => items.map(({ customId }) => customId)));
}

/** Asks for them once, free of charge: their outcomes are in the file when this resolves. @throws where some are open */
export async function askForAccepted(services: Services, results: string): Promise<void> {
  const store = await services.store();
  const parts = acceptedExperimentRuns(store, clientOf(services.connection));
  const open = await followAccepted(parts, results, { once: true });
  const log = (error: unknown) => services.log.warn(loggedError(error));
  await new ResultsWriter(store.experimentResults, results, log).flush();
  if (open > 0) throw new Error(l10n.t('The service has not finished the run yet.'));
}

/** True: the results that are kept; false: the runs again; undefined: the user gave up. */
async function askAboutKept(
  kept: readonly KeptOutcome[],
  open: number,
  results: string,
): Promise<boolean | undefined> {
  const files = [...new Set(kept.map(({ file }) => file))].filter((file) => file !== results);
  const name = basename(results);
  const lost =
    kept.length === 1
      ? l10n.t('1 result is no longer in {0}. Restore it?', name)
      : l10n.t('{0} results are no longer in {1}. Restore them?', kept.length, name);
  const names = files.map((file) => basename(file)).join(', ');
  const elsewhere =
    kept.length === 1
      ? l10n.t('1 of these {0} runs was paid in {1}. Use its result?', open, names)
      : l10n.t('{0} of these {1} runs were paid in {2}. Use their results?', kept.length, open, names);
  const detail =
    files.length === 0
      ? l10n.t(
          'They were paid for and are still kept on this computer. Restoring them sends nothing; running them again is charged.',
        )
      : l10n.t(
          'They ask for exactly the same and are still kept on this computer. Using them sends nothing; running them again is charged. File: {0}',
          files.join(', '),
        );
  const use = files.length === 0 ? l10n.t('Restore Results') : l10n.t('Use Results');
  const question = files.length === 0 ? lost : elsewhere;
  const chosen = await showInformationMessage(question, { modal: true, detail }, use, l10n.t('Run Again'));
  return chosen === undefined ? undefined : chosen === use;
}

/** Names a line that cannot be read, and leads there. The start has ended: the next one waits for no answer. */
export function showUnreadable(error: unknown): undefined {
  if (!(error instanceof UnreadableLines)) throw error;
  const open = l10n.t('Open File');
  void showErrorMessage(error.message, open).then((chosen) => {
    if (chosen !== open) return undefined;
    const place = new vscode.Position(error.line - 1, 0);
    const selection = new vscode.Range(place, place);
    return executeBuiltIn('vscode.open', vscode.Uri.file(error.file), { selection });
  });
}
