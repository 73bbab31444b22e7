import { basename } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { clientOf } from '../../connection/clientOf';
import { acceptedExperimentRuns } from '../../experiments/acceptedRuns';
import type { UnreadableRuns } from '../../experiments/results';
import {
  decidedRuns,
  type SortedRuns,
  type UnreadableChoice,
  unreadableText,
} from '../../experiments/wantedRuns';
import { followAccepted } from '../../jobs/followAccepted';
import type { Services } from '../../services';
import { executeBuiltIn } from '../../vscode/commands';
import { showInformationMessage, showWarningMessage } from '../../vscode/messages/notifications';
import type { ReadyExperiment } from './loadForRuns';

/**
 * The runs by their outcomes, after the user has decided about results that are lost, in another file, or unreadable:
 * they may have been paid. Undefined: the user gave up.
 * @param results absolute path of the results file
 */
export async function knownRuns(
  services: Services,
  { loaded }: ReadyExperiment,
  results: string,
): Promise<SortedRuns | undefined> {
  const store = await services.store();
  return decidedRuns(store, loaded, results, {
    accepted: () =>
      followAccepted(acceptedExperimentRuns(store, clientOf(services.connection)), results, { once: true }),
    restore: (lost) => askAboutLost(lost, results),
    use: ({ ids, file }, missing) => askAboutElsewhere(ids.length, missing, file),
    unreadable: (runs) => askAboutUnreadable(runs, results),
  });
}

async function askAboutLost(lost: number, results: string): Promise<boolean | undefined> {
  const name = basename(results);
  const question =
    lost === 1
      ? l10n.t('1 result is no longer in {0}. Restore it?', name)
      : l10n.t('{0} results are no longer in {1}. Restore them?', lost, name);
  const detail = l10n.t(
    'They were paid for and are still kept on this computer. Restoring them sends nothing; running them again is charged.',
  );
  return choose(question, detail, l10n.t('Restore Results'));
}

async function askAboutElsewhere(paid: number, missing: number, file: string): Promise<boolean | undefined> {
  const question =
    paid === 1
      ? l10n.t('1 of these {0} runs was paid in {1}. Use its result?', missing, basename(file))
      : l10n.t('{0} of these {1} runs were paid in {2}. Use their results?', paid, missing, basename(file));
  const detail = l10n.t(
    'They ask for exactly the same and are still kept on this computer. Using them sends nothing; running them again is charged. File: {0}',
    file,
  );
  return choose(question, detail, l10n.t('Use Results'));
}

/** True: the results that are kept; false: the runs again; undefined: the user gave up. */
async function choose(question: string, detail: string, keep: string): Promise<boolean | undefined> {
  const again = l10n.t('Run Again');
  const chosen = await showInformationMessage(question, { modal: true, detail }, keep, again);
  return chosen === undefined ? undefined : chosen === keep;
}

async function askAboutUnreadable(
  unreadable: UnreadableRuns,
  results: string,
): Promise<UnreadableChoice | undefined> {
  const repair = l10n.t('Open File');
  const unconfirmed = l10n.t('Treat as Unconfirmed');
  const again = l10n.t('Run Again');
  const detail = l10n.t(
    'Repair the lines and start again; or leave out the runs that they may be, which are unconfirmed then; or run them again, which may be charged twice.',
  );
  const text = unreadableText(unreadable, basename(results));
  const chosen = await showWarningMessage(text, { modal: true, detail }, repair, unconfirmed, again);
  if (chosen === unconfirmed) return 'unconfirmed';
  if (chosen === again) return 'run';
  if (chosen === repair) {
    const place = new vscode.Position(unreadable.line - 1, 0);
    const selection = new vscode.Range(place, place);
    await executeBuiltIn('vscode.open', vscode.Uri.file(results), { selection });
  }
  return undefined;
}
